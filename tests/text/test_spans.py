"""The digest of a span: what it is blind to, what it sees, and how a span is found again by it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.text.spans import Span, digest, digest_of, folded, followed, places, span_of

SPAN = "def send():\n    return 1\n"


@pytest.mark.capability("G-007")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SPAN.replace("\n", "\r\n"), id="carriage returns"),
        pytest.param(SPAN.replace("send():", "send():  \t"), id="blanks at the end of a line"),
        pytest.param(SPAN.rstrip("\n"), id="no line end at the end"),
        pytest.param(SPAN + "\n  \n\n", id="blank lines at the end"),
        pytest.param("\ufeff" + SPAN, id="a byte order mark"),
        pytest.param(SPAN.replace("    return", "\treturn"), id="indentation"),
        pytest.param(SPAN.replace("return 1", "return   1"), id="a run of blanks in a line"),
        pytest.param(SPAN.replace(":\n", ":\n \n"), id="a blank line between"),
        pytest.param("\n" + SPAN, id="a blank line before"),
    ],
)
def test_white_space_of_a_reformat_does_not_count(text: str) -> None:
    assert digest(text) == digest(SPAN)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SPAN.replace("1", "2"), id="a character"),
        pytest.param(SPAN.replace("def send", "defsend"), id="a blank between words"),
        pytest.param(SPAN.replace(":\n", ": "), id="two lines as one"),
        pytest.param(SPAN.replace("return", "return\u00a0"), id="a blank that is no ASCII"),
        pytest.param(SPAN + SPAN, id="twice"),
        pytest.param("", id="nothing"),
    ],
)
def test_everything_else_counts(text: str) -> None:
    assert digest(text) != digest(SPAN)


def test_the_digest_is_named_by_its_algorithm() -> None:
    assert digest("") == "t1:e3b0c442e3b0c44298fc1c149afbf4c8996fb924"
    assert digest("a\n") == "t1:ca97811287428fc522803d31065e7bce3cf03fe4"


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("7", Span(7, 7)),
        ("7-9", Span(7, 9)),
        ("7-7", Span(7, 7)),
        ("9-7", None),
        ("0", None),
        ("0-3", None),
        ("", None),
        ("7-", None),
        ("-7", None),
        ("7:9", None),
        ("L7-L9", None),
        ("7-9\n", None),
        ("7 - 9", None),
        ("٧", None),
        ("1" * 30, None),
    ],
)
def test_lines_are_one_number_or_two(text: str, span: Span | None) -> None:
    assert span_of(text) == span


def test_a_span_is_told_as_it_is_written() -> None:
    assert [str(Span(3, 3)), str(Span(3, 5))] == ["3", "3-5"]


def test_a_span_is_found_at_every_place_from_the_top() -> None:
    lines = folded(b"x\n" + SPAN.encode() + b"y\n" + SPAN.encode().replace(b":\n", b":\n\n\n") + b"z\n")

    assert list(places(lines, digest(SPAN), 2, 1000)) == [Span(2, 3), Span(5, 8)]


def test_a_span_that_would_have_more_lines_than_asked_for_is_not_found() -> None:
    assert list(places(folded(SPAN.encode()), digest(SPAN), 1, 1000)) == []


def test_a_search_that_takes_too_long_says_that_it_did_not_end() -> None:
    lines = folded(b"{\n" * 5000)

    found = list(places(lines, digest("{\n" * 100 + "end\n"), 101, 3000))

    assert found == [None]


@given(st.lists(st.sampled_from(["a", "b", "{", "}", "", "  a  b"]), max_size=12), st.data())
def test_every_span_with_a_full_first_line_is_found_by_its_digest(lines: list[str], data: st.DataObject) -> None:
    known = folded("\n".join(lines).encode())
    starts = [at for at, line in enumerate(known, 1) if line]
    if not starts:
        return
    start = data.draw(st.sampled_from(starts))
    end = data.draw(st.integers(start, len(known)))
    wanted = digest_of(known[start - 1 : end])

    found = [span for span in places(known, wanted, end - start + 1, 10_000) if span]

    assert any(span.start == start and span.end <= end for span in found)
    assert all(digest_of(known[span.start - 1 : span.end]) == wanted for span in found)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("abcdef", "3-4"),
        ("xabcdef", "4-5"),
        ("abXcdYef", "4-5"),
        ("abcXdef", "3-5"),
        ("abCdef", "3-4"),
        ("abCDef", "3-4"),
        ("xxabCDefyy", "5-6"),
        ("abCef", "3"),
        ("abef", ""),
        ("", ""),
        ("def", "1"),
        ("cd", "1-2"),
    ],
)
def test_a_span_is_followed_through_a_change(after: str, expected: str) -> None:
    def lines(text: str) -> list[bytes]:
        return [sign.encode() for sign in text]

    found = followed(Span(3, 4), lines("abcdef"), lines(after))

    assert str(found or "") == expected


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")), st.integers(1, 9), st.integers(0, 5))
def test_what_a_span_became_lies_in_the_text(before: list[str], after: list[str], start: int, more: int) -> None:
    found = followed(Span(start, start + more), [b.encode() for b in before], [a.encode() for a in after])

    assert found is None or 1 <= found.start <= found.end <= len(after)
