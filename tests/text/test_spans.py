"""The digest of a span: what it is blind to, and what it sees."""

import pytest

from gitmem.text.spans import digest

SPAN = "def send():\n    return 1\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SPAN.replace("\n", "\r\n"), id="carriage returns"),
        pytest.param(SPAN.replace("send():", "send():  \t"), id="blanks at the end of a line"),
        pytest.param(SPAN.rstrip("\n"), id="no line end at the end"),
        pytest.param(SPAN + "\n  \n\n", id="blank lines at the end"),
        pytest.param("\ufeff" + SPAN, id="a byte order mark"),
    ],
)
def test_ends_of_lines_and_of_the_text_do_not_count(text: str) -> None:
    assert digest(text) == digest(SPAN)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SPAN.replace("    return", "  return"), id="indentation"),
        pytest.param(SPAN.replace(":\n", ":\n\n"), id="a blank line between"),
        pytest.param("\n" + SPAN, id="a blank line before"),
        pytest.param(SPAN.replace("1", "2"), id="a character"),
        pytest.param("", id="nothing"),
    ],
)
def test_everything_else_counts(text: str) -> None:
    assert digest(text) != digest(SPAN)


def test_the_digest_is_named_by_its_algorithm() -> None:
    assert digest("") == "t1:e3b0c44298fc1c149afbf4c8996fb924"
