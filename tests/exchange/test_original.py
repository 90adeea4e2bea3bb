"""Bytes of foreign files: taken apart, kept in an engram, given back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import GitmemError
from gitmem.exchange.original import HEADER_MAX_LINES, SOURCE_MAX_BYTES, Original, Unreadable, give_back, take_apart
from gitmem.model.engram import Engram
from gitmem.store.codec import decode, encode
from tests.support import engram_id


def taken(data: bytes) -> Original:
    original = take_apart(data)
    assert isinstance(original, Original), original.reason
    return original


def through_an_engram_file(original: Original) -> bytes:
    """The bytes of the source after its draft was written and read again as knowledge."""
    origin = {"format": "x", "path": "x.md", **original.facts}
    engram = Engram(engram_id(1), "T", "fact", original.body, "", extra={"x-origin": origin})
    decoded = decode(encode(engram), "x.md")
    assert decoded.engram is not None, decoded.findings
    kept = decoded.engram.extra["x-origin"]
    assert isinstance(kept, dict)
    return give_back(kept, decoded.engram.body)


WRITTEN = {
    "plain": b"# A\n\ntext\n",
    "header": b"---\na: 1\n---\n\ntext\n",
    "header with odd fences": b"--- \na: 1\n---\t\ntext\n",
    "empty header": b"---\n---\ntext\n",
    "comment and blank lines in the header": b"---\n\n# why\nglobs: **/*.ts   \n\n---\ntext\n",
    "a line of dashes in a block text": b"---\na: |\n  ---\n---\ntext\n\n---\n\nmore\n",
    "never closed": b"---\na: 1\ntext\n",
    "two headers": b"---\na: 1\n---\n\n---\ntitle: t\nb: 2\n---\n# A\n",
    "CRLF": b"---\r\na: 1\r\n---\r\ntext\r\nmore\r\n",
    "CRLF without a final line end": b"a\r\nb",
    "mixed line ends": b"a\r\nb\nc\r\r\nd\n",
    "lone carriage returns": b"a\rb\r\nc\rd",
    "byte order mark": b"\xef\xbb\xbf---\na: 1\n---\ntext\n",
    "no final line end": b"---\na: 1\n---\ntext",
    "many final line ends": b"text\n\n\r\n\n",
    "final carriage returns": b"text\r\r",
    "blanks at line ends": b"text  \n\t\n  x \n",
    "characters that YAML counts as line ends": "---\na: x\u2028y\x85z\x1b\n---\nb\u2028c\x85\n".encode(),
    "a mark inside": "a\ufeffb\n".encode(),
}


@pytest.mark.parametrize("data", WRITTEN.values(), ids=WRITTEN.keys())
def test_what_was_taken_apart_is_given_back_byte_for_byte(data: bytes) -> None:
    original = taken(data)

    assert give_back(original.facts, original.body) == data
    assert through_an_engram_file(original) == data


@pytest.mark.parametrize("data", WRITTEN.values(), ids=WRITTEN.keys())
def test_the_body_has_line_feeds_only_and_ends_in_one(data: bytes) -> None:
    body = taken(data).body

    assert "\r\n" not in body
    assert body.endswith("\n")
    assert not body.endswith("\n\n")


@given(
    st.lists(
        st.sampled_from(
            ["---", "--- ", "a: 1", "x", "\n", "\r\n", "\r", " ", "\t", "\ufeff", "# h", "\xe9", "\u2028", "title: t"]
        ),
        max_size=14,
    )
)
def test_any_arrangement_of_fences_and_line_ends_comes_back(parts: list[str]) -> None:
    data = "".join(parts).encode()

    original = take_apart(data)

    if isinstance(original, Original):
        assert through_an_engram_file(original) == data
    else:
        assert "header" in original.reason or original.reason == "the file is empty"


@given(st.text(min_size=1, max_size=60))
def test_any_text_comes_back(text: str) -> None:
    original = take_apart(text.encode("utf-8", "ignore"))

    if isinstance(original, Original):
        assert give_back(original.facts, original.body) == text.encode("utf-8", "ignore")


@given(st.binary(max_size=60))
def test_any_bytes_come_back_or_are_refused_with_a_reason(data: bytes) -> None:
    original = take_apart(data)

    if isinstance(original, Original):
        assert give_back(original.facts, original.body) == data
    else:
        assert original.reason


REFUSED = {
    "F-018: 0 bytes": (b"", "the file is empty"),
    "nothing but blanks": (b" \n\t\r\n", "the file is empty"),
    "a header alone": (b"---\na: 1\n---\n", "no text below its header"),
    "not UTF-8": (b"caf\xe9\n", "not UTF-8 at byte 3 (0xe9)"),
    "UTF-16": ("text".encode("utf-16"), "UTF-16"),
    "a NUL": (b"te\0xt", "a NUL at byte 2"),
    "an LFS pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
    "too large": (b"x" * (SOURCE_MAX_BYTES + 1), f"at most {SOURCE_MAX_BYTES}"),
    "line ends that alternate": (b"a\nb\r\n" * 600, "line ends change more than"),
    "a header of many lines": (b"---\n" + b"a\n" * HEADER_MAX_LINES + b"---\ntext\n", "its header has more than"),
    "an unfinished merge": (b"<" * 7 + b" ours\na\n=======\nb\n" + b">" * 7 + b" theirs\n", "conflict marker"),
    "three headers": (b"---\na: 1\n---\n" + b"---\ntitle: t\n---\n" * 2 + b"text\n", "a second header"),
}


@pytest.mark.parametrize(("data", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_become_an_engram_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    refused = take_apart(data)

    assert isinstance(refused, Unreadable)
    assert reason in refused.reason


def test_an_edited_body_is_given_back_in_the_manner_of_the_source() -> None:
    original = taken(b"\xef\xbb\xbf---\r\nglobs: *.ts\r\n---\r\nold\r\n")

    assert give_back(original.facts, "new\nlines\n") == b"\xef\xbb\xbf---\r\nglobs: *.ts\r\n---\r\nnew\r\nlines\r\n"


def test_lines_that_an_edit_adds_get_the_line_end_of_most_lines() -> None:
    original = taken(b"a\r\nb\r\nc\nd\n")

    assert give_back(original.facts, "a\nb\nc\nd\ne\n") == b"a\r\nb\r\nc\nd\r\ne\n"


@pytest.mark.parametrize(
    "origin",
    [
        {"line_ends": "many crlf"},
        {"line_ends": "3 what"},
        {"line_ends": ["crlf"]},
        {"header": "a: 1"},
        {"header": [["a"]]},
    ],
)
def test_an_origin_that_somebody_broke_is_named(origin: dict[str, object]) -> None:
    with pytest.raises(GitmemError, match="x-origin") as raised:
        give_back(origin, "text\n")  # type: ignore[arg-type]

    assert raised.value.hint
