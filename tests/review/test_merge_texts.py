"""The merge of lines: edits that do not touch are both there, whatever the text and whichever side comes first."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.review.outcome import Clash, Piece
from gitmem.review.texts import is_clean, merge_comments, merge_sets, merge_texts


def text(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def shown(pieces: list[Piece]) -> list[str | tuple[str, str]]:
    return [(each.our_lines, each.their_lines) if isinstance(each, Clash) else each for each in pieces if each]


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        ("abcde", "Abcde", "abcdE", "AbcdE"),
        ("abcde", "bcde", "abcd", "bcd"),
        ("abc", "axbc", "abyc", "axbyc"),
        ("abc", "", "abc", ""),
        ("", "ab", "", "ab"),
        ("aaaabc", "aaabc", "aaaabcd", "aaabcd"),
        ("abc", "aXc", "aXc", "aXc"),
        ("abcdefg", "aXcdefg", "abcdeYg", "aXcdeYg"),
    ],
)
def test_edits_that_do_not_touch_are_both_there(base, ours, theirs, result):
    assert "".join(map(str, merge_texts(text(*base), text(*ours), text(*theirs), "body"))) == text(*result)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "conflict"),
    [
        ("abc", "aXc", "aYc", ("X", "Y")),
        ("abc", "ac", "aYc", ("", "Y")),
        ("ab", "aXb", "aYb", ("X", "Y")),
        ("ab", "aXYb", "aXZb", ("Y", "Z")),
        ("abc", "aXc", "aby", ("Xc", "by")),
        ("", "pX", "pY", ("X", "Y")),
    ],
)
def test_edits_of_the_same_lines_are_a_conflict_of_those_lines(base, ours, theirs, conflict):
    pieces = merge_texts(text(*base), text(*ours), text(*theirs), "body")
    mirrored = merge_texts(text(*base), text(*theirs), text(*ours), "body")
    wanted = text(*conflict[0]), text(*conflict[1])

    assert [each for each in shown(pieces) if isinstance(each, tuple)] == [wanted]
    assert [each for each in shown(mirrored) if isinstance(each, tuple)] == [wanted[::-1]]


@settings(max_examples=300)
@given(st.integers(0, 2**32))
@pytest.mark.capability("G-023")
def test_edits_at_known_places_are_merged_as_if_made_one_after_the_other(seed):
    draw = random.Random(seed)
    base = [f"line {number}" for number in range(draw.randint(8, 60))]
    versions = [dict(enumerate(base)) for _ in range(3)]
    for at in range(0, len(base) - 2, 2):
        side = draw.choice((0, 1, None, None))
        if side is not None:
            new = draw.choice(("", f"edit {at}\n", f"{base[at]}\nadded {at}\n"))
            for version in (versions[side], versions[2]):
                version[at] = new
    ours, theirs, both = (
        "".join(line if line.endswith("\n") or not line else f"{line}\n" for line in v.values()) for v in versions
    )

    assert "".join(map(str, merge_texts(text(*base), ours, theirs, "body"))) == both


@settings(max_examples=300)
@given(*[st.lists(st.sampled_from("abc"), max_size=12)] * 3)
def test_any_lines_merge_alike_in_both_orders(base, ours, theirs):
    pieces, mirrored = (merge_texts(text(*base), text(*x), text(*y), "") for x, y in ((ours, theirs), (theirs, ours)))
    turned = [each[::-1] if isinstance(each, tuple) else each for each in shown(mirrored)]

    assert shown(pieces) == turned
    assert is_clean(pieces) is is_clean(mirrored)


def test_comments_never_conflict_and_none_is_lost():
    assert merge_comments("# a\n", "# b\n", "# c\n") == merge_comments("# a\n", "# c\n", "# b\n") == "# b\n# c\n"


@given(*[st.lists(st.sampled_from("abcdef"), unique=True)] * 3)
def test_a_set_keeps_what_both_kept_and_gets_what_either_added(base, ours, theirs):
    merged = merge_sets(base, ours, theirs)
    kept = [each for each in base if each in ours and each in theirs]

    assert merged == merge_sets(base, theirs, ours)
    assert merged[: len(kept)] == kept
    assert merged[len(kept) :] == sorted({*ours, *theirs} - {*base})


def test_a_text_made_to_be_slow_is_merged_in_time():
    draw = random.Random(7)
    versions = ["".join(draw.choice(("a\n", "b\n", f"u{n % 900}\n")) for n in range(40_000)) for _ in range(3)]

    start = time.process_time()
    merge_texts(*versions, "body")

    assert time.process_time() - start < 10
