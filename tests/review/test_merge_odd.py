"""The merge of files as they also are: other line ends, odd YAML, unreadable versions, kinds that are no engrams."""

import pytest

from gitmem.review.merge import merge_engram, merge_file
from gitmem.review.outcome import Conflicted, Merged, Side
from gitmem.store.codec import decode
from tests.review.pairs import BASE, FROM, HTTP, REL, changed, clean, fields, merged
from tests.support import engram_id


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        ("\n", "\r\n", "\n", "\r\n"),
        ("\r\n", "\r\n", "\n", "\n"),
        ("\r\n", "\r\n", "\r\n", "\r\n"),
        ("\n", "\r\n", "\r\n", "\r\n"),
        (None, "\r\n", "\n", "\n"),
    ],
)
def test_line_ends_are_three_way_too(base, ours, theirs, result):
    def ended(data: bytes, end: str) -> bytes:
        return data.replace(b"\n", end.encode())

    start = None if base is None else ended(BASE.encode(), base)
    text = clean(ended(changed((HTTP, "")), ours), ended(changed(("kind: con", "x-k: 1\nkind: con")), theirs), start)

    assert set(text.replace("\r\n", "\0")) & {"\n", "\0"} == {"\0" if result == "\r\n" else "\n"}


@pytest.mark.parametrize("is_marked", [True, False])
def test_a_byte_order_mark_and_the_end_of_the_file_are_three_way_too(is_marked):
    mark = b"\xef\xbb\xbf"
    ours = mark + changed(("One.", "1.")) if is_marked else changed(("One.", "1."))
    theirs = changed(("Two.", "2.")).rstrip(b"\n")

    data = merged(ours, theirs).data

    assert data.startswith(mark) is is_marked
    assert data.endswith(b"Three.")
    assert data.removeprefix(mark) == changed(("One.", "1."), ("Two.", "2.")).rstrip(b"\n")


@pytest.mark.parametrize(
    ("ours", "theirs", "names"),
    [
        pytest.param(
            [(FROM, "valid: {from: 2026-01-01, until: 2026-02-02}")],
            [(FROM, "valid: {from: 2026-09-09}")],
            ["valid"],
            id="dates-that-cross",
        ),
        pytest.param([("One.\n\n", ""), ("Two.\n\n", "")], [("\n\nThree.", "")], ["body"], id="body-empty"),
        pytest.param(
            [("One.\n", "```\n\n<<<<<<< x\n```\n\n")],
            [("One.\n\nTwo.\n\nThree.\n", "Two.\n")],
            ["body"],
            id="markers-in-code",
        ),
    ],
)
def test_what_is_right_on_each_side_and_wrong_together_is_a_conflict(ours, theirs, names):
    assert fields(merged(changed(*ours), changed(*theirs))) == names


def test_markers_never_hide_in_a_code_block():
    base = BASE + "\n```\none\ntwo\nthree\n```\n"
    ours, theirs = base.replace("two", "2"), base.replace("two", "II")
    text = merged(ours.encode(), theirs.encode(), base.encode()).data.decode()

    assert decode(text.encode(), REL).findings[0].code == "conflict-marker"
    assert text.index("<<<<<<<") < text.index("```")


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        ("{id: a, title: T}", "{id: a, title: U}", "{id: a, title: T, x: 1}", None),
        ("title: T\n? x\n: 1", "title: U\n? x\n: 1", "title: T\n? x\n: 2", None),
        ("  title: T\n  x: 1", "  title: T\n  x: 2", "  title: U\n  x: 1", "  title: U\n  x: 2"),
        (
            "title: T\nx:\n    a: 1\n    b: 1",
            "title: T\nx:\n    a: 2\n    b: 1",
            "title: T\nx:\n  a: 1\n  b: 2",
            "title: T\nx:\n  a: 2\n  b: 2",
        ),
        (
            "title: T\nx: |+\n  a\n\n",
            "title: T\nx: |+\n  b\n\n",
            "title: U\nx: |+\n  a\n\n",
            "title: U\nx: |+\n  b\n\n",
        ),
        (
            "title: T\nx: 'a\n\n  # b'",
            "title: T\nx: 'a\n\n  # c'",
            "title: U\nx: 'a\n\n  # b'",
            "title: U\nx: 'a\n\n  # c'",
        ),
        (
            "title: T\ntags:\n-\n  a",
            "title: T\ntags:\n-\n  a\n- b",
            "title: T\ntags:\n-\n  a\n- c",
            "title: T\ntags:\n  - a\n  - b\n  - c",
        ),
        (
            "title: T\ntags: a",
            "title: T\ntags: [a, b]",
            "title: T\ntags: [c, a]",
            "title: T\ntags:\n  - a\n  - b\n  - c",
        ),
        ("title: T\ntags:", "title: T\ntags: [b]", "title: T\ntags: [a]", "title: T\ntags:\n  - a\n  - b"),
        ("title: T\nx-l: [1]", "title: T\nx-l: [1, 2]", "title: T\nx-l: [0, 1]", None),
        ("title: T\nx-n: 1", "title: T\nx-n: 1.0", "title: U\nx-n: 1", "title: U\nx-n: 1.0"),
        (
            "title: T\ntags:\n  - a\n  - b",
            "title: T\ntags:\n  - b\n  - a",
            "title: T\ntags:\n  - a\n  - b\n  - c",
            "title: T\ntags:\n  - a\n  - b\n  - c",
        ),
        (
            "title: T\nclaims:\n  - path: a",
            "title: T\nclaims:\n  - path: a\n  - path: b\n    symbol: f",
            "title: T\nclaims:\n  - {path: c}\n  - path: a",
            "title: T\nclaims:\n  - path: a\n  - path: b\n    symbol: f\n  - {path: c}",
        ),
    ],
)
def test_headers_that_people_type(base, ours, theirs, result):
    def file(header: str) -> bytes:
        indent = "  " if header.startswith("  ") else ""
        first = "" if header.startswith("{") else f"{indent}id: {engram_id(1)}\n"
        return f"---\n{first}{header}\n---\nBody.\n".encode()

    outcome = merged(file(ours), file(theirs), file(base))

    assert (outcome.data if isinstance(outcome, Merged) else None) == (None if result is None else file(result))


@pytest.mark.parametrize("base", [BASE.replace("title:", "<<<<<<< a\ntitle:").encode(), b"{", b"---\n"])
def test_with_a_base_that_cannot_be_read_the_file_is_merged_by_lines_and_never_broken(base):
    ours, theirs = changed(("One.", "1.")), changed(("One.", "I."))

    outcome = merged(ours, theirs, base)

    assert fields(outcome) == ["file"]


def test_a_side_that_cannot_be_read_is_merged_as_git_merges_text():
    broken = changed(("kind: constraint", "kind: [constraint"))

    assert merged(broken, changed(("One.", "1."))) == Merged(broken.replace(b"One.", b"1."))


def test_what_is_no_text_is_a_conflict_and_stays_as_ours():
    outcome = merge_engram(b"a", b"\xff", b"\xfe", REL)

    assert isinstance(outcome, Conflicted)
    assert outcome.data == b"\xff"
    assert fields(outcome) == ["file"]


@pytest.mark.capability("M-076")
def test_skills_and_plain_markdown_are_merged_too():
    base = b"---\nname: x\nmetadata:\n  a: 1\n---\nOne.\n\nTwo.\n"
    ours, theirs = base.replace(b"  a: 1", b"  a: 1\n  b: 1").replace(b"One", b"1"), base.replace(b"a: 1", b"a: 2")

    skill = merge_file(base, ours, theirs, "skills/x/SKILL.md")
    page = merge_file(b"a\n\nb\n", b"A\n\nb\n", b"a\n\nB\n", "README.md")

    assert skill == Merged(b"---\nname: x\nmetadata:\n  a: 2\n  b: 1\n---\n1.\n\nTwo.\n")
    assert page == Merged(b"A\n\nB\n")


@pytest.mark.capability("M-071")
@pytest.mark.parametrize(
    ("rel", "above", "key", "items"),
    [
        ("skills/x/SKILL.md", "metadata:\n  gitmem-stage: draft\n", "gitmem-composes", ("a", "b", "c")),
        ("skills/x/SKILL.md", "metadata:\n", "gitmem-engrams", ("a", "b", "c")),
        ("intentions/x.md", "when:\n  at: 2026-01-01\n", "paths", ("a/**", "b/**", "c/**")),
    ],
)
def test_what_two_add_to_a_list_of_a_skill_or_an_intention_is_there_in_the_end(rel, above, key, items):
    def file(*names: str) -> bytes:
        listed = "".join(f"    - {name}\n" for name in names)
        return f"---\nname: x\n{above}  {key}:\n{listed}---\nOne.\n".encode()

    first, second, third = items
    base, ours, theirs = file(first), file(first, third), file(first, second)

    assert merge_file(base, ours, theirs, rel) == merge_file(base, theirs, ours, rel) == Merged(file(*items))


@pytest.mark.parametrize("rel", ["ledger/2026/01-02/a.yaml", "ledger/roll/2025.yaml", "approvals/2026/a.ada.yaml"])
def test_f_100_what_was_decided_is_never_merged(rel):
    assert merge_file(None, b"id: a\n", b"id: a\r\n", rel) == Merged(b"id: a\n")
    for base, ours, theirs in [(None, b"id: a\n", b"id: b\n"), (b"id: a\n", b"id: b\n", b"id: a\n")]:
        for side in (None, *Side):
            assert fields(merge_file(base, ours, theirs, rel, side)) == ["file"]
