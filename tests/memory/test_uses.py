"""Uses of items: they add up however their events are split over clones, segments, folds and seals."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory import plasticity, tally
from gitmem.memory.plasticity import State
from gitmem.memory.uses import Uses, read
from gitmem.model.plain import Plain

_ITEMS = st.lists(st.sampled_from(["A", "B", "C"]), max_size=3)
_DATA = st.one_of(
    st.fixed_dictionaries(
        {
            "kind": st.just("feedback"),
            "data": st.fixed_dictionaries(
                {"items": _ITEMS, "outcome": st.sampled_from(["helped", "misled", "irrelevant", "odd"])},
                optional={"effectiveness": st.sampled_from([0, 0.25, 0.333, 1, 2, -1, "x", True])},
            ),
        }
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("retrieval"),
            "data": st.fixed_dictionaries({"items": _ITEMS, "scores": st.lists(st.floats(-1, 2), max_size=3)}),
        }
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("maintenance"),
            "data": st.fixed_dictionaries(
                {
                    "item": st.sampled_from(["A", "B"]),
                    "outcome": st.sampled_from(["effective", "failed", "inconclusive"]),
                },
                optional={"surprise": st.sampled_from([0.4, -0.35, 0]), "on": st.just("2026-01-01")},
            ),
        }
    ),
    st.fixed_dictionaries({"kind": st.just("compile"), "data": st.fixed_dictionaries({"items": _ITEMS})}),
)
_ROWS = st.lists(
    st.tuples(st.sampled_from(["2026-01-01T00:00:00Z", "2026-01-02T23:59:59Z", ""]), _DATA), max_size=12
).map(lambda rows: [{"at": at, "clock": clock, **row} for clock, (at, row) in enumerate(rows)])
Rows = list[dict[str, Plain]]


def of(rows: Rows) -> Uses:
    found = Uses()
    found.add_rows(rows)
    return found


@pytest.mark.capability("M-031")
@settings(derandomize=True, deadline=None, max_examples=60)
@given(_ROWS, st.lists(st.integers(0, 2), min_size=12, max_size=12), st.permutations([0, 1, 2]))
def test_however_events_are_split_the_sum_is_the_same(rows: Rows, places: list[int], order: list[int]) -> None:
    """Of three clones: one whose lines are here, one who shares counts, one whose lines were folded before."""
    parts = [[row for row, place in zip(rows, places, strict=False) if place == each] for each in range(3)]
    joined = Uses()
    for each in order:
        if each == 0:
            joined.join(of(parts[0]))
        elif each == 1:
            joined.add(tally.read(json.loads(json.dumps(tally.of_rows(parts[1]).plain()))).counts)
        else:
            joined.add(tally.of_rows(parts[2]).counts)
    whole = of(rows)

    assert joined.plain()[:3] == whole.plain()[:3]
    for item in "ABC":
        both = [plasticity.fold(State(0.4, 0.3), uses.of(item).days.items()) for uses in (joined, whole)]
        assert both[0] == both[1]


@settings(derandomize=True, deadline=None, max_examples=40)
@given(_ROWS)
def test_uses_read_back_as_they_were_written(rows: Rows) -> None:
    found = of(rows)
    assert read(json.loads(json.dumps(found.plain()))).plain() == found.plain()


def test_the_score_is_that_of_the_latest_retrieval_whatever_is_read_first() -> None:
    rows: Rows = [
        {"kind": "retrieval", "at": "2026", "clock": clock, "data": {"items": ["A"], "scores": [score]}}
        for clock, score in ((2, 0.9), (1, 0.1))
    ]
    assert of(rows).of("A").score == 0.9
    assert of(rows[::-1]).of("A").score == 0.9
    both = of(rows[:1])
    both.join(of(rows[1:]))
    assert both.of("A").score == 0.9


def test_what_was_asked_of_an_item_stays_as_it_was_asked() -> None:
    """A server answers several calls at once."""
    found = of([{"kind": "feedback", "at": "2026-01-01", "data": {"items": ["A"], "outcome": "helped"}}])
    use = found.of("A")
    for day in ("2026-01-01", "2026-01-02"):
        found.add({(day, "A", "helped"): 1, (day, "A", "misled"): 1})
    assert use.days == {"2026-01-01": {"helped": 1}}
    assert found.of("A").count("misled") == 2
