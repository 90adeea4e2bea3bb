"""Where a Markdown text is code: what looks like code and is none must stay to be looked at."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.text.fences import code_lines, without_code


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a `CODE` b", "a        b"),
        ("``a`CODE`` b", "           b"),
        ("```sh\nCODE\n```\nb", "     \n    \n   \nb"),
        ("~~~\n```\nCODE\n~~~\nb", "   \n   \n    \n   \nb"),
        ("````\n```\nCODE\n````\nb", "    \n   \n    \n    \nb"),
        ("- x\n\n  ```\n  CODE\n  ```\nb", "- x\n\n     \n      \n     \nb"),
        ("1. a\n    ```\n    CODE\n    ```\n", "1. a\n       \n        \n       \n"),
        ("- a\n  - b\n    ```\n    CODE\n    ```\n    c", "- a\n  - b\n       \n        \n       \n    c"),
        ("> ```\n> CODE\nb", "     \n      \nb"),
        ("`a\nCODE` b", "  \n      b"),
        ("```\nCODE", "   \n    "),
        ("```\r\nCODE\r\n```\r\nb", "    \n     \n    \nb"),
    ],
)
def test_code_is_blanked_and_everything_keeps_its_place(text: str, shown: str) -> None:
    assert without_code(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "- ```\n\n<b>",
        "> ```\n<b>",
        "> > ```\n> > x\n> <b>",
        "    ```\n<b>\n",
        "``` a`b\n<b>",
        "\\`<b>\\`",
        "- `\n- <b>`",
        "`\n\n<b>`",
        "`a\nb` <b> `c`",
        "# `\n<b>`",
        "`\n---\n<b>`",
        "`\n===\n<b>`",
        "`` <b> `",
        "- a\n\n```\nx\n```\n<b>",
    ],
)
def test_what_only_looks_like_code_is_left(text: str) -> None:
    assert "<b>" in without_code(text)


def test_lines_of_fences_and_their_content_are_code() -> None:
    assert code_lines(["a", "```", "b", "```", "c"]) == [False, True, True, True, False]


@given(st.text(alphabet="`~ -*>\n1.\\a\t", max_size=80))
def test_length_and_lines_stay(text: str) -> None:
    shown = without_code(text)

    assert len(shown) == len(text)
    assert [at for at, char in enumerate(shown) if char == "\n"] == [at for at, char in enumerate(text) if char == "\n"]


@pytest.mark.parametrize("unit", ["`", "` `` ", "- ", "> ", "```\n", "~~~\n- ", "\\`", "-\n", "\t"])
def test_time_grows_with_the_length(unit: str) -> None:
    """F-237."""
    text = (unit * 65536)[:65536]
    started = time.process_time()

    without_code(text + "`")

    assert time.process_time() - started < 1.0
