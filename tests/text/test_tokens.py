"""The token estimate: above a byte-pair count for prose, code and other scripts, and linear."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.text.tokens import estimate

# Each text with the higher of what the cl100k and the o200k vocabulary count, taken once by hand.
COUNTED = [
    ("Never call the payment service from a component; go through the client.", 14),
    ("def retry(call: Callable[[], T]) -> T:\n    for each in range(n):\n", 19),
    ("| path | layer | owner |\n|---|---|---|\n| src/api/** | api | web |\n", 23),
    ("\u6211\u4eec\u4f7f\u7528\u91cd\u8bd5\u7b56\u7565\u5904\u7406\u8d85\u65f6", 11),
    (
        "Сначала проверь ключ",
        6,
    ),
    ("3fa9c1d07be24f5588aa61c09d3e7b42", 22),
]


@pytest.mark.parametrize(("text", "counted"), COUNTED)
def test_an_estimate_errs_high_but_not_far(text: str, counted: int) -> None:
    assert counted <= estimate(text) <= counted * 1.9


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("hello world", 2), ("\n", 1), ("12345", 2), ("\0", 1)]
)
def test_small_texts(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


@given(st.text(min_size=1))
def test_what_is_there_costs_something_and_never_more_than_bytes_and_a_little(text: str) -> None:
    size_bytes = len(text.encode("utf-8", "surrogatepass"))

    assert 1 <= estimate(text) <= size_bytes * 1.5 + 1


@given(st.text(), st.text())
def test_two_texts_cost_about_what_they_cost_together(left: str, right: str) -> None:
    apart, together = estimate(left) + estimate(right), estimate(left + right)

    assert abs(apart - together) <= 2 + (len(left) + len(right)) // 2


@pytest.mark.parametrize("unit", ["\n", "-", ":", " ", "a", "aB3", "\u00e9", "\u6f22", "\0"])
def test_time_grows_with_the_length(unit: str) -> None:
    """F-237."""
    text = (unit * 262_144)[:262_144]
    started = time.process_time()

    estimate(text)

    assert time.process_time() - started < 1.0
