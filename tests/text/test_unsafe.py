"""Hidden characters, active HTML and conflict marks: found where they act, left alone where they are needed."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.text.unsafe import conflict_markers, escape_hidden, scan

FLAG = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


def codes(text: str) -> list[tuple[str, int, int]]:
    return [(found.code, found.line, found.column) for found in scan(text)]


@pytest.mark.parametrize(
    ("text", "code", "severity"),
    [
        ("a\u202eb", "bidi-character", "error"),
        ("a\u2066b", "bidi-character", "error"),
        ("a\U000e0041b", "tag-character", "error"),
        ("a\u200bb", "hidden-character", "warning"),
        ("a\u200db", "hidden-character", "warning"),
        ("a\u00adb", "hidden-character", "warning"),
        ("a\ufeffb", "hidden-character", "warning"),
        ("a\u2060b", "hidden-character", "warning"),
        ("a\u200fb", "hidden-character", "warning"),
        ("a\U000e0100b", "hidden-character", "warning"),
        ("a\ufe0fb", "hidden-character", "warning"),
        ("a\x1bb", "hidden-character", "warning"),
        ("a\rb", "hidden-character", "warning"),
    ],
)
def test_a_hidden_character_is_found_and_shown(text: str, code: str, severity: str) -> None:
    """F-130."""
    (found,) = scan(text)

    assert (found.code, found.severity, found.line, found.column) == (code, severity, 1, 2)
    assert escape_hidden(
        text
    ) == f"a{text[1].encode('unicode_escape').decode().replace(chr(92) + 'x', chr(92) + 'u00')}b".replace(
        "\\r", "\\u000d"
    )


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f469\u200d\U0001f4bb",
        "\U0001f469\u200d\U0001f469\u200d\U0001f467",
        "\U0001f9d1\U0001f3fd\u200d\U0001f680",
        "\u2764\ufe0f 1\ufe0f\u20e3",
        FLAG,
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0915\u094d\u200d\u0937",
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
        "\u0d28\u0d4d\u200d ",
        "\u0e44\u0e17\u0e22\u200b\u0e44\u0e17\u0e22",
        "\u05e9\u05dc\u05d5\u05dd\u200f (API)",
        "\u6f22\U000e0100",
        "\ufeffwith a mark at its start",
        "a\r\nb\tc\n",
    ],
)
def test_characters_that_a_script_or_an_emoji_needs_are_fine(text: str) -> None:
    """F-130: the joins of emoji, Persian and Indic words are no hiding place."""
    assert scan(text) == []
    assert escape_hidden(text) == text


@pytest.mark.parametrize(
    "text", ["\u200c\u200d\u0645", "\u0645\u200c\u200c\u0645", "\u0645\u200ca", FLAG[:-1], "\u6f22\U000e0100\U000e0101"]
)
def test_joiners_and_tags_out_of_place_are_found(text: str) -> None:
    assert scan(text)


def test_a_lone_surrogate_can_be_shown() -> None:
    """F-126."""
    assert escape_hidden("a\ud800b").encode() == b"a\\ud800b"


@pytest.mark.capability("M-009")
def test_a_script_is_one_warning() -> None:
    (found,) = scan("Intro.\n\nUse <script>alert(1)</script> here.\n")

    assert (found.code, found.severity, found.line, found.column) == ("unsafe-html", "warning", 3, 5)
    assert "<script>" in found.message


@pytest.mark.capability("M-009")
@pytest.mark.parametrize(
    "text",
    [
        "<SCRIPT src=x>",
        "<iframe src='https://a.test'>",
        "<object data=x>",
        "<embed src=x>",
        "<img src=x onerror=alert(1)>",
        "<img alt='>' onerror=x>",
        '<a title="a"onclick=x>',
        "<svg/onload=x>",
        "<b\nonmouseover = x>",
        "[a](javascript:alert(1))",
        "[a](JavaScript:alert(1))",
        "[a]( java\tscript:x)",
        "[a](java&#115;cript:x)",
        "[a](javascript&colon;x)",
        "[a]: vbscript:x",
        "<javascript:x>",
        "<a href='javascript:x'>",
        '<a href="&#x6a;avascript:x">',
        "[a](data:text/html;base64,aaaa)",
        "![a](data:image/svg+xml,x)",
    ],
)
def test_active_html_is_a_warning(text: str) -> None:
    """F-248."""
    assert {found.code for found in scan(text)} == {"unsafe-html"}


@pytest.mark.parametrize(
    "text",
    [
        "Write `<script>` in backticks.",
        "```html\n<script>alert(1)</script>\n<img onerror=x>\n```\n",
        "1. Do it:\n\n    ```html\n    <iframe>\n    ```\n",
        "> ```html\n> <script>\n> ```\n",
        "In JavaScript: use const. (JavaScript: the language.)",
        "**TypeScript/JavaScript:** both",
        "A Promise<object> and a Map<string, Array<script>>",
        "if a < b and on = 3 > 2",
        "![x](data:image/png;base64,AAAA)",
        "[a](https://a.test/javascript:x)",
        "<details><summary>more</summary></details>",
        "the <b>bold</b> <a href='https://a.test'>link</a>",
    ],
)
def test_harmless_markup_and_code_are_left_alone(text: str) -> None:
    assert scan(text) == []


def test_each_code_comes_once_a_line_and_in_order() -> None:
    text = "a\u200bb\u200bc <script><script>\nx\u202ey\u200bz\n"

    assert codes(text) == [
        ("hidden-character", 1, 2),
        ("unsafe-html", 1, 7),
        ("bidi-character", 2, 2),
        ("hidden-character", 2, 4),
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n", [2, 4, 6]),
        ("<<<<<<< HEAD\r\nx\r\n=======\r\ny\r\n>>>>>>> b\r\n", [1, 3, 5]),
        ("<<<<<<<\n||||||| base\n=======\n>>>>>>>\n", [1, 2, 3, 4]),
        ("x\n=======\n>>>>>>> theirs\n", [2, 3]),
        ("<<<<<<< ours\nx\n", [1]),
        ("Title\n=======\n\ntext\n", []),
        ("Title\n=======\n<<<<<<< a\n=======\n>>>>>>> b\n", [3, 4, 5]),
        ("```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n", []),
        ("<<<<<<<< eight\n <<<<<<< indented\n>>>>>>>>\n", []),
        ("", []),
    ],
)
def test_conflict_marks_are_found_outside_code(text: str, lines: list[int]) -> None:
    assert conflict_markers(text) == lines


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("<>`[]()\u200b\u202e\U000e0041\n"))))
def test_places_lie_inside_the_text_and_what_is_escaped_shows(text: str) -> None:
    lines = text.split("\n")
    for found in scan(text):
        assert 1 <= found.line <= len(lines)
        assert 1 <= found.column <= len(lines[found.line - 1]) + 1
    assert not [found for found in scan(escape_hidden(text)) if found.code.endswith("-character")]


@pytest.mark.parametrize(
    "unit",
    [
        "\n",
        "<",
        "<a ",
        '<a "',
        "](",
        "&#",
        "[a]: ",
        "<!--",
        "\u200b",
        "\u202e",
        "\u200f",
        "\U000e0041",
        "\x1b",
        "`",
        "<<<<<<<\n",
    ],
)
def test_time_grows_with_the_length(unit: str) -> None:
    """F-237."""
    text = (unit * 65536)[:65536]
    started = time.process_time()

    scan(text)
    escape_hidden(text)
    conflict_markers(text)

    assert time.process_time() - started < 2.5
