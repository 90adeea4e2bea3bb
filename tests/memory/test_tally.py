"""Counts of events: they add up in any order, and read back as they were written."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory import tally
from gitmem.memory.tally import Tally
from gitmem.model.plain import Plain, canonical

_ITEMS = st.sampled_from(["", "01A", "01B", "01C"])
_ACTIONS = st.sampled_from(tally.ACTIONS)
_DAYS = st.sampled_from(["2026-01-01", "2026-01-02"])
TALLIES = st.dictionaries(st.tuples(_DAYS, _ITEMS, _ACTIONS), st.integers(1, 1000)).map(Tally)


@settings(derandomize=True, deadline=None)
@given(TALLIES, TALLIES, TALLIES)
def test_the_sum_is_associative_and_commutative(one: Tally, two: Tally, three: Tally) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)
    assert one + Tally() == one


@settings(derandomize=True, deadline=None)
@given(TALLIES)
def test_a_tally_reads_back_as_it_was_written(one: Tally) -> None:
    assert tally.read(json.loads(canonical(one.plain()))) == one


@pytest.mark.parametrize(
    ("kind", "data", "wanted"),
    [
        (
            "compile",
            {"items": {"inline": ["A", "B"], "deferred": ["C"], "omitted": ["D"]}},
            {"A": "delivered", "B": "delivered", "C": "deferred", "D": "omitted"},
        ),
        ("compile", {"items": {"inline": "A", "else": ["B"]}}, {}),
        ("compile", {"items": {"inline": [1, None, ["A"], {"a": 1}, "B"]}}, {"B": "delivered"}),
        ("delivery", {"items": ["A"]}, {"A": "delivered"}),
        ("retrieval", {"items": ["A"]}, {"A": "retrieved"}),
        ("feedback", {"item": "A", "outcome": "helped"}, {"A": "helped"}),
        ("feedback", {"items": ["A", "B"], "outcome": "misled"}, {"A": "misled", "B": "misled"}),
        ("feedback", {"item": "A", "outcome": "anything"}, {}),
        ("observation", {"item": "A"}, {}),
        ("compile", "no data at all", {}),
    ],
)
def test_what_each_event_says_of_items(kind: str, data: Plain, wanted: dict[str, str]) -> None:
    found = tally.of_rows([{"at": "2026-01-02T03:04:05Z", "kind": kind, "data": data}])
    day = "2026-01-02"

    assert found.counts == {(day, tally.EVENTS, kind): 1} | {(day, item, done): 1 for item, done in wanted.items()}


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        "x",
        {"d": 1},
        {"d": {"i": 1}},
        {"d": {"i": {"a": 0}}},
        {"d": {"i": {"a": True}}},
        {"d" * 99: {"i": {"a": 1}}},
    ],
)
def test_what_is_no_count_counts_nothing(plain: object) -> None:
    assert tally.read(plain) == Tally()


def test_only_keeps_the_named_items_and_all_kinds() -> None:
    whole = Tally({("d", "", "compile"): 2, ("d", "A", "helped"): 1, ("d", "B", "helped"): 1})
    assert whole.only({"A"}).counts == {("d", "", "compile"): 2, ("d", "A", "helped"): 1}
    assert whole.items() == {"A", "B"}
    assert whole.of("A") == {"helped": 1}
