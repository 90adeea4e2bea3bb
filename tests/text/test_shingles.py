"""Texts are alike as far as they share words, whatever their dress, and near texts are found by key."""

import json
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.text.shingles import SKETCH_SIZE, bands, jaccard, shingles, sketch, text_hash

RULE = "Call the API through the client, never with fetch directly; the client retries and logs each call once."
WORDS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]), min_size=1)
CHINESE = "\u6240\u6709\u65f6\u95f4\u6233\u90fd\u4ee5\u534f\u8c03\u4e16\u754c\u65f6\u95f4\u4fdd\u5b58"
KNOWN_BANDS = ["6b87d20e", "5dba80fa"]
KNOWN_HASH = "fccb7c50006e7f205e78b7037237c4c0"


def share_of(left: str, right: str) -> float:
    shared, total = jaccard(shingles(left), shingles(right))
    return shared / total


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Use tabs.", "use   tabs"),
        ("- one\n- two\n", "* one\n\n* two.\n"),
        ("A long line that somebody\nwrapped here.", "A long line that\nsomebody wrapped here"),
        ("## Title\n\ntext", "# Title\ntext"),
        ("**Never** call *it* by `name`", "never call it by name"),
        ("one\r\ntwo\r\n", "one\ntwo"),
        ("\n\n\nUse tabs\n\n", "Use tabs"),
        ("", "\n \n"),
    ],
)
def test_dress_does_not_change_the_hash(left: str, right: str) -> None:
    assert text_hash(left) == text_hash(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("keep x < 5", "keep x > 5"),
        ("`Path`", "`path`"),
        ("```\na\n  b\n```", "```\na\nb\n```"),
        ("```\nUse X\n```", "Use X"),
        ("    indented code", "indented code"),
        ("match `test_*`", "match `test_`"),
        ("pass *args and **kwargs", "pass args and kwargs"),
        ("resume", "r\u00e9sum\u00e9"),
        ("- never\n- use tabs", "never use tabs"),
        ("No. Use tabs", "No use tabs"),
        ("# Never\nuse tabs", "# Never use tabs"),
        ("\u2705 mocks", "\u274c mocks"),
        ("use tabs, not spaces", "use spaces, not tabs"),
        ("1. one\n2. two", "2. one\n1. two"),
    ],
)
def test_what_can_change_the_meaning_changes_the_hash(left: str, right: str) -> None:
    assert text_hash(left) != text_hash(right)


@pytest.mark.parametrize(
    ("text", "reworded"),
    [
        (RULE, "Call the API through its client and never directly with fetch; the client logs and retries each call."),
        (
            "Store timestamps in UTC and convert them in the user interface.",
            "Timestamps are stored in UTC; convert them only in the user interface.",
        ),
        (
            "Retry failed payments three times with growing pauses.",
            "Failed payments are retried three times with growing pauses.",
        ),
        (CHINESE, CHINESE[:7] + "\u5e94\u8be5" + CHINESE[7:]),
    ],
)
def test_a_rewording_stays_near(text: str, reworded: str) -> None:
    """F-212: copies that say the same in other words are what piles up."""
    assert share_of(text, reworded) >= 0.3


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (RULE, "Every migration of the database can be undone and was tried on a copy of production."),
        (CHINESE, "\u7981\u6b62\u5728\u7ec4\u4ef6\u4e2d\u76f4\u63a5\u8c03\u7528\u7f51\u7edc"),
        ("", "Use tabs."),
    ],
)
def test_texts_on_other_matters_are_far(left: str, right: str) -> None:
    assert share_of(left, right) < 0.15


def test_the_same_few_words_in_another_order_are_not_the_same_text() -> None:
    forth = " ".join(f"w{n % 40}" for n in range(200))
    back = " ".join(f"w{n * 7 % 40}" for n in range(200))

    assert set(forth.split()) == set(back.split())
    assert share_of(forth, back) < 0.7


@given(WORDS, WORDS)
def test_the_index_is_symmetric_and_a_ratio(left: list[str], right: list[str]) -> None:
    one, other = shingles(" ".join(left)), shingles(" ".join(right))

    assert jaccard(one, other) == jaccard(other, one)
    assert 0 <= jaccard(one, other)[0] <= jaccard(one, other)[1]
    assert jaccard(one, one) == (len(one), len(one))


def test_two_texts_without_words_share_nothing() -> None:
    assert jaccard(shingles("!!!"), shingles("???")) == (0, 1)
    assert sketch("!!!") == ()
    assert bands(()) == []


@given(st.text(max_size=200))
def test_a_sketch_is_plain_json_of_one_size(text: str) -> None:
    found = sketch(text)

    assert json.loads(json.dumps(found)) == list(found)
    assert len(found) in (0, SKETCH_SIZE)
    assert all(0 <= number < 1 << 32 for number in found)
    assert len(set(bands(found))) == len(bands(found)) == len(found) // 2


def test_hashes_are_the_same_in_every_process() -> None:
    script = (
        "from gitmem.text.shingles import bands, sketch, text_hash\n"
        f"text = {RULE!r}\nprint(sketch(text)[:3], bands(sketch(text))[:2], text_hash(text))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert runs[0] == runs[1] == f"{sketch(RULE)[:3]} {bands(sketch(RULE))[:2]} {text_hash(RULE)}\n"


def test_stored_hashes_stay_what_they_are() -> None:
    """Indexes keep them: another value needs another version of the index."""
    assert bands(sketch("Use tabs for indentation."))[:2] == KNOWN_BANDS
    assert text_hash("Use tabs for indentation.") == KNOWN_HASH


@pytest.mark.parametrize(("changed", "least"), [(0, 1.0), (0.1, 1.0), (0.3, 0.97), (0.45, 0.9)])
def test_near_texts_share_a_band(changed: float, least: float) -> None:
    """Texts of 30 distinct words of which a part is replaced; at 0.45 the index is about 0.3."""
    found = 0
    for number in range(200):
        words = [f"word{number}x{at}" for at in range(30)]
        kept = round(len(words) * (1 - changed))
        other = words[:kept] + [f"other{number}x{at}" for at in range(30 - kept)]
        mine, theirs = bands(sketch(" ".join(words))), bands(sketch(" ".join(other)))
        found += not set(mine).isdisjoint(theirs)

    assert found >= 200 * least


def test_far_texts_rarely_share_a_band() -> None:
    texts = [" ".join(f"word{(number * 37 + at * at) % 997}" for at in range(30)) for number in range(100)]
    keys = [set(bands(sketch(text))) for text in texts]
    pairs = [(a, b) for a in range(100) for b in range(a)]
    far = [(a, b) for a, b in pairs if share_of(texts[a], texts[b]) < 0.05]

    assert len(far) > 3_000
    assert sum(not keys[a].isdisjoint(keys[b]) for a, b in far) < len(far) * 0.05


@pytest.mark.parametrize("unit", ["\n", "-", ":", "`", "*", "> ", "*a ", "`a ", "a\n", "1. ", "\u5b57", "\u0301", "\t"])
def test_cost_grows_with_the_text_and_no_faster(unit: str) -> None:
    """F-237."""

    def cpu_of(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        sketch(text)
        text_hash(text)
        return time.process_time() - start

    cpu_of(1 << 10)
    once = min(cpu_of(1 << 15) for _ in range(3))
    twice = min(cpu_of(1 << 16) for _ in range(3))

    assert twice < once * 2.5 + 0.02
