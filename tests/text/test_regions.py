"""Regions of a Markdown text: anchors as GitHub makes them, where a section ends, lines, and what folds away."""

import time

import pytest

from gitmem.errors import GitmemError
from gitmem.text.regions import lines_with, region, sections_of, slug
from gitmem.text.spans import digest

DOC = """---
# a comment of the header
title: Guide
---
# \u00dcber uns

Hello.

## The client

```sh
# no heading
## neither
```

### Below it

More.

## Same

First.

## Same

Second.

Underlined
----------

End.

<!--
# not shown
-->

# Last
"""


def section(anchor: str, text: str = DOC) -> str | None:
    found = region(text, anchor)
    return found.text if found else None


@pytest.mark.parametrize(
    ("title", "anchor"),
    [
        ("Two words", "two-words"),
        ("What's new?", "whats-new"),
        ("A  b", "a--b"),
        ("C++ & C#", "c--c"),
        ("snake_case and kebab-case", "snake_case-and-kebab-case"),
        ("The `send()` call", "the-send-call"),
        ("`__init__`", "__init__"),
        ("__init__", "init"),
        ("[A link](https://example.org/a_b)", "a-link"),
        ("Tom &amp; Jerry", "tom--jerry"),
        ("1.2 Version", "12-version"),
        ("\u00dcber Gr\u00f6\u00dfe", "\u00fcber-gr\u00f6\u00dfe"),
        ("\u65e5\u672c\u8a9e \u2728", "\u65e5\u672c\u8a9e-"),
        ("\u041f\u0440\u0438\u0432\u0435\u0442", "\u043f\u0440\u0438\u0432\u0435\u0442"),
    ],
)
def test_a_heading_has_the_anchor_that_github_gives_it(title: str, anchor: str) -> None:
    assert slug(title) == anchor


def test_headings_are_found_outside_of_header_fences_and_comments() -> None:
    found = [each.anchor for each in sections_of(DOC)]

    assert found == ["\u00fcber-uns", "the-client", "below-it", "same", "same-1", "underlined", "last"]


def test_a_section_holds_what_is_nested_and_ends_before_the_next_of_its_level() -> None:
    text = section("the-client")

    assert text is not None
    assert text.startswith("## The client\n\n```sh\n# no heading")
    assert text.endswith("### Below it\n\nMore.")


def test_the_second_heading_of_the_same_words_is_numbered() -> None:
    assert section("same") == "## Same\n\nFirst."
    assert section("same-1") == "## Same\n\nSecond."


def test_a_number_that_a_heading_has_of_itself_is_not_given_twice() -> None:
    assert [each.anchor for each in sections_of("# a\n# a 1\n# a\n# a\n")] == ["a", "a-1", "a-2", "a-3"]


def test_the_whole_text_begins_below_its_header() -> None:
    found = region(DOC)

    assert found is not None
    assert (found.start, found.text.partition("\n")[0]) == (5, "# \u00dcber uns")


def test_an_anchor_may_be_written_as_in_a_link() -> None:
    assert section("#The-Client") == section("the-client")


@pytest.mark.parametrize("anchor", ["nowhere", "no-heading", "not-shown", "a-comment-of-the-header"])
def test_what_is_no_heading_is_no_section(anchor: str) -> None:
    assert section(anchor) is None


def test_lines_are_counted_from_one_and_both_ends_belong_to_them() -> None:
    found = region("a\nb\nc\nd\n", lines="2-3")

    assert found is not None
    assert (found.text, found.start, found.end) == ("b\nc", 2, 3)
    assert region("a\nb\n", lines="2") == region("a\nb\n", lines="2-9")
    assert region("a\nb\n", lines="3-4") is None


@pytest.mark.parametrize("lines", ["0-2", "3-2", "a-b", "1-", "-2", "1-2-3", "\u0661-2"])
def test_what_is_no_range_of_lines_is_said(lines: str) -> None:
    with pytest.raises(GitmemError, match="not a range of lines"):
        region("a\n", lines=lines)


def test_lines_that_moved_are_found_by_their_digest() -> None:
    text = "one\ntwo\nthree\nfour\n"
    mark = digest("two\nthree")

    assert lines_with("zero\nzero\n" + text, mark, 2) == "4-5"
    assert lines_with(text + text, mark, 2) == ""
    assert lines_with("other\n", mark, 2) == ""


def test_line_ends_change_no_region() -> None:
    crlf = DOC.replace("\n", "\r\n")

    assert [each.text for each in sections_of(crlf)] == [each.text for each in sections_of(DOC)]
    assert digest(crlf) == digest(DOC) == digest("\n\n" + DOC)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# a\n" * 100_000, id="many headings of one level"),
        pytest.param("# " + "[" * 300_000 + "\n", id="brackets without end"),
        pytest.param("# " + "`a" * 150_000 + "\n", id="code spans without end"),
        pytest.param("<!--\n" * 60_000, id="comments without end"),
    ],
)
def test_a_text_made_to_be_slow_is_not(text: str) -> None:
    started = time.process_time()

    list(sections_of(text))

    assert time.process_time() - started < 5
