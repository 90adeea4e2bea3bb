"""The word that was probably meant."""

import pytest

from gitmem.text.nearest import nearest, slips

WORDS = ("guideline", "constraint", "fact", "pattern", "status")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("guidline", "guideline"),
        ("Constriant", "constraint"),
        ("fcat", "fact"),
        ("stat", "status"),
        ("fact", "fact"),
        ("banana", ""),
        ("", ""),
        ("x" * 100_000, ""),
    ],
)
def test_the_nearest_word_is_found_or_none(typed, meant):
    assert nearest(typed, WORDS) == meant


def test_nothing_is_near_when_there_are_no_words():
    assert nearest("fact", ()) == ""


@pytest.mark.parametrize(
    ("left", "right", "number"),
    [
        ("", "", 0),
        ("abc", "abc", 0),
        ("abc", "acb", 1),
        ("abc", "ab", 1),
        ("abc", "axc", 1),
        ("abc", "cab", 2),
        ("", "ab", 2),
    ],
)
def test_slips_are_counted(left, right, number):
    assert slips(left, right) == slips(right, left) == number
