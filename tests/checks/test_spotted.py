"""A finding is brought to the line of its word, never to another that looks like it."""

import pytest

from gitmem.checks.spotted import Spotted, placed
from gitmem.model.finding import Finding, Severity

TEXT = """---
id: X
title: a and b
requires:
  - ab
  - a
scope:
  paths:
    - src/**
    - "src/*"
---
requires: nothing here
"""


@pytest.mark.parametrize(
    ("key", "word", "line"),
    [
        ("", "", 0),
        ("id", "", 2),
        ("requires", "a", 6),
        ("requires", "ab", 5),
        ("requires", "gone", 4),
        ("paths", "src/*", 10),
        ("paths", "src/**", 9),
        ("layers", "ui", 0),
    ],
)
def test_the_line_is_that_of_the_word_below_its_key(key: str, word: str, line: int) -> None:
    finding = Finding("x", Severity.ERROR, "a.md", 0, "m")

    assert placed(Spotted(finding, key, word), TEXT).line == line
