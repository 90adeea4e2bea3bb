"""Whether two patterns can meet: never "no" where a path matches both."""

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gitmem.globs.dialect import GlobError, matches
from gitmem.globs.overlap import overlap

NAMES = st.sampled_from(["a", "b", "ab", "a.py", "b.ts"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
SEGMENTS = st.sampled_from(["**", "*", "a", "b", "a*", "*.py", "?", "*.{py,ts}", "{a,b}", "[ab]", "a{b,}", "[!a]*"])
PATTERNS = st.lists(SEGMENTS, min_size=1, max_size=4).map("/".join)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("src/**", "src/api/*.py", True),
        ("src/**", "docs/**", False),
        ("**", "a/b/c", True),
        ("**/*.py", "src/*", True),
        ("**/*.py", "**/*.ts", False),
        ("src/*.{ts,tsx}", "src/*.py", False),
        ("src/*.{ts,tsx}", "**/*.tsx", True),
        ("a/*/c", "a/b/*", True),
        ("a/*", "a/b/c", False),
        ("a/**/z", "**/y", False),
        ("src/{api,web}/**", "src/jobs/**", False),
        ("{src,lib}/a.py", "lib/*", True),
        ("test_*", "*_test", True),
        ("test_*", "conf*", False),
        ("[ab].py", "[cd].py", True),
        ("README.md", "readme.md", False),
    ],
)
def test_patterns_meet_or_not(left: str, right: str, expected: bool) -> None:
    assert overlap(left, right) is overlap(right, left) is expected


@given(PATTERNS, PATTERNS, PATHS)
def test_patterns_that_match_one_path_meet(left: str, right: str, path: str) -> None:
    assume(matches(left, path) and matches(right, path))

    assert overlap(left, right)


@given(PATTERNS, PATTERNS)
def test_the_answer_does_not_depend_on_the_order(left: str, right: str) -> None:
    assert overlap(left, right) == overlap(right, left)


def test_what_is_no_glob_is_refused() -> None:
    with pytest.raises(GlobError):
        overlap("a//b", "**")


def test_long_patterns_are_judged_in_bounded_time() -> None:
    left, right = "/".join(["**", "a*"] * 500), "/".join(["**", "*b"] * 500)
    start = time.process_time()

    assert overlap(left, right)
    assert time.process_time() - start < 2
