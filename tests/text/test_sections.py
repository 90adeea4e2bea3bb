"""Fences, headings, the first paragraph, and the replacement of one section."""

import pytest

from gitmem.errors import GitmemError
from gitmem.text.sections import first_paragraph, headings, replace_section, unfenced

BODY = """# Top

Intro.

## A

old

### A.1

deeper

```sh
## B is a comment
```

## B ##

keep me

Last
----
end
"""


def test_f_018_headings_count_outside_fences_only():
    found = [(each.level, each.title) for each in headings(BODY.splitlines(keepends=True))]

    assert found == [(1, "Top"), (2, "A"), (3, "A.1"), (2, "B"), (2, "Last")]


@pytest.mark.parametrize(
    ("body", "titles"),
    [
        ("#not a heading\n", []),
        ("####### seven\n", []),
        ("    # indented code\n", []),
        ("~~~\n# no\n```\n# no\n~~~\n# yes\n", ["yes"]),
        ("````\n```\n# no\n````\n# yes\n", ["yes"]),
        ("``` a ` b\n# yes\n", ["yes"]),
        ("```\n# never closed\n", []),
        ("- item\n---\n", []),
        ("---\n", []),
        ("two\nlines\n===\n", ["two lines"]),
        ("#\n", [""]),
    ],
)
def test_headings_follow_commonmark(body, titles):
    assert [each.title for each in headings(body.splitlines(keepends=True))] == titles


def test_unfenced_lines_keep_their_numbers():
    assert list(unfenced(["a\n", "```\n", "b\n", "```\n", "c\r\n"])) == [(0, "a"), (4, "c")]


@pytest.mark.parametrize(
    ("body", "paragraph"),
    [
        ("One\ntwo.\n\nThree.\n", "One two."),
        ("# H\n\n- a list\n", "- a list"),
        ("```\ncode\n```\ntext\n", "text"),
        ("```\ncode\n```\n", "code"),
        ("# Only a heading\n", "Only a heading"),
        ("---\n\nText.\n", "Text."),
        ("<!-- c -->\n\nText.\n", "Text."),
        ("\n\n", ""),
    ],
)
def test_the_first_paragraph_is_text(body, paragraph):
    assert first_paragraph(body) == paragraph


@pytest.mark.parametrize("text", ["new\n", "\n\nnew", "## A\n\nnew\n", "new\n\n### A.2\n\nmore\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_f_026_a_section_is_replaced_up_to_the_next_of_its_level_and_twice_is_once(text, end):
    body = BODY.replace("\n", end)

    once = replace_section(body, "A", text)

    assert replace_section(once, "## A", text) == once
    assert once.count("## A" + end) == 1
    assert "old" not in once
    assert "deeper" not in once
    assert once.startswith(body[: body.index("old")])
    assert once.endswith(body[body.index("## B ##") :])
    assert "\n" not in once.replace(end, "")


@pytest.mark.parametrize(("heading", "following"), [("A.1", "## B ##"), ("B", "Last\n----")])
def test_f_026_text_of_the_next_section_stays(heading, following):
    changed = replace_section(BODY, heading, "new")

    assert changed.endswith(BODY[BODY.index(following) :])
    assert replace_section(changed, heading, "new") == changed


def test_f_026_the_last_section_and_an_empty_text():
    assert replace_section("## A\nold", "A", "new") == "## A\n\nnew\n"
    assert replace_section("## A\nold\n## B\n", "A", "") == "## A\n\n## B\n"


@pytest.mark.parametrize("heading", ["C", "### A", "## B is a comment"])
def test_f_026_a_section_that_is_not_there_is_named_with_those_that_are(heading):
    with pytest.raises(GitmemError, match="no section") as caught:
        replace_section(BODY, heading, "x")

    assert "A.1" in caught.value.hint


def test_f_026_a_section_that_stands_twice_is_refused():
    with pytest.raises(GitmemError, match="lines 1 and 3"):
        replace_section("## A\nx\n## A\ny\n", "A", "z")
    assert replace_section("# A\nx\n## A\ny\n", "## A", "z") == "# A\nx\n## A\n\nz\n"


def test_f_026_text_that_would_open_a_section_of_its_own_level_is_refused():
    with pytest.raises(GitmemError, match="same or a higher level"):
        replace_section(BODY, "A", "new\n\n## C\n")
