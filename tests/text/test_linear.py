"""Patterns in linear time: what RE2 takes, how it matches, and what it says of the rest."""

import pytest

from gitmem.text import linear
from gitmem.text.linear import PatternError


@pytest.mark.parametrize(
    ("pattern", "data", "span"),
    [
        ("b+", b"abbc", (1, 3)),
        ("^b$", b"a\nb\nc", (2, 3)),
        ("a.b", b"a\nb", None),
        ("(?i)CONSOLE", b"console", (0, 7)),
        ("caf\u00e9", "x caf\u00e9".encode(), (2, 7)),
        ("a.c", b"a\xffc", None),
        ("", b"", (0, 0)),
    ],
)
def test_a_pattern_is_searched_line_by_line(pattern: str, data: bytes, span: tuple[int, int] | None) -> None:
    assert linear.compile(pattern).search(data) == span


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(?=x)", "(?="),
        ("(?<!x)y", "(?<"),
        (r"(a)\1", r"\1"),
        ("(", "missing )"),
        ("[z-a]", "z-a"),
        ("a{1001}", "{1001}"),
        (r"(\pL{50}){20}" * 20, "too large"),
        ("a" * 2001, "2001 characters"),
        ("\udc80", "half a character"),
    ],
)
def test_what_cannot_be_linear_is_refused_with_its_reason(pattern: str, said: str, capfd) -> None:
    with pytest.raises(PatternError) as caught:
        linear.compile(pattern)

    assert said in caught.value.message
    assert caught.value.hint
    assert capfd.readouterr() == ("", "")
