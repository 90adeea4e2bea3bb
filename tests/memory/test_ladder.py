"""What the numbers of two engrams advise, and how far a contradiction is from being settled."""

from datetime import UTC, datetime

import pytest

from gitmem.memory.ladder import Advice, Side, advice, age_days, is_overdue, state_of
from gitmem.model import contradiction
from gitmem.model.contradiction import Resolution

NOW = datetime(2026, 3, 8, 12, tzinfo=UTC)
ENDS = ("new", "old")


def side(confidence: float = 0.5, evidence: int = 0, source_type: str = "firsthand") -> Side:
    return Side("x", confidence, evidence, source_type)


@pytest.mark.capability("M-038")
@pytest.mark.parametrize(
    ("newer", "older", "verdict", "certainty"),
    [
        (side(0.8), side(0.5), "keep_new", 0.85),
        (side(0.5), side(0.8), "keep_old", 0.85),
        (side(0.7), side(0.5), "merge", 0.5),
        (side(0.65), side(0.85), "merge", 0.5),
        (side(evidence=3), side(), "keep_new", 0.8),
        (side(), side(evidence=4), "keep_old", 0.8),
        (side(evidence=2), side(), "merge", 0.5),
        (side(), side(source_type="inferred"), "keep_new", 0.75),
        (side(source_type="inferred"), side(), "keep_old", 0.75),
        (side(), side(source_type="secondhand"), "merge", 0.5),
        (side(0.9), side(0.5, 9), "keep_new", 0.85),
        (side(evidence=3, source_type="inferred"), side(), "keep_new", 0.8),
    ],
)
def test_the_first_gap_that_is_wide_enough_advises(newer: Side, older: Side, verdict: str, certainty: float) -> None:
    found = advice(newer, older)

    assert (found.verdict, found.certainty) == (verdict, certainty)
    assert found.is_clear is (verdict != "merge")


def test_advice_says_by_which_numbers() -> None:
    assert advice(side(0.9), side(0.5)) == Advice("keep_new", 0.85, "confidence 0.90 against 0.50")


def settled(state: str = "resolved", verdict: str = "keep_new", *retired: str) -> Resolution:
    return Resolution(state, verdict, retired=retired or ("old",))


@pytest.mark.capability("M-038")
@pytest.mark.parametrize(
    ("resolution", "since", "live", "state"),
    [
        (None, "2026-03-08", ENDS, "pending"),
        (None, "2026-03-01T12:00:01Z", ENDS, "pending"),
        (None, "2026-03-01T12:00:00Z", ENDS, "escalated"),
        (None, "", ENDS, "pending"),
        (None, "2030-01-01", ENDS, "pending"),
        (None, "2026-01-01", ("new",), "resolved"),
        (Resolution("contested"), "2026-03-08", ENDS, "contested"),
        (Resolution("escalated"), "2026-03-08", ENDS, "escalated"),
        (settled(), "2026-01-01", ("new",), "resolved"),
        (settled("auto_resolved"), "2026-01-01", ("new",), "auto_resolved"),
        (settled(), "2026-01-01", ENDS, "contested"),
        (settled("resolved", "archive", *ENDS), "2026-01-01", (), "resolved"),
        (settled("resolved", "archive", *ENDS), "2026-01-01", ("new",), "contested"),
        (Resolution("resolved", rationale="both hold, in their places"), "2026-01-01", ENDS, "resolved"),
    ],
)
def test_the_ladder(resolution: Resolution | None, since: str, live: tuple[str, ...], state: str) -> None:
    assert state_of(resolution, since, ENDS, live, NOW) == state


def test_overdue_is_what_somebody_should_have_looked_at() -> None:
    assert [state for state in contradiction.STATES if is_overdue(state)] == ["escalated", "contested"]
    assert (age_days("2026-03-01", NOW), age_days("", NOW), age_days("2027-01-01", NOW)) == (7, 0, 0)


@pytest.mark.capability("M-038")
@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("", None),
        ([], None),
        ("escalated", Resolution("escalated")),
        ("they speak of two compilers", Resolution("resolved", rationale="they speak of two compilers")),
        ({"state": "resolved", "verdict": "shrug", "kept": "a"}, Resolution("resolved", kept=("a",))),
        ({"state": "maybe", "rationale": "r"}, Resolution("resolved", rationale="r")),
    ],
)
def test_what_stands_in_a_file_is_read_whoever_wrote_it(written, wanted) -> None:
    assert contradiction.read(written) == wanted


def test_what_is_written_reads_back() -> None:
    whole = Resolution("resolved", "keep_old", "as agreed", ("a",), ("b",), "2026-01-01T00:00:00Z", "Ada")

    assert contradiction.read(contradiction.written(whole)) == whole
    assert contradiction.written(Resolution("pending")) == {"state": "pending"}
