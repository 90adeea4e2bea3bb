"""How long uses are watched, and when they make a rate."""

from datetime import timedelta

import pytest

from gitmem.memory import tally
from gitmem.memory.windows import Ended, ended, window


@pytest.mark.capability("M-050")
@pytest.mark.parametrize(
    ("kind", "hours"),
    [("observation", 6), ("fact", 24), ("pattern", 48), ("procedure", 48), ("hypothesis", 168), ("decision", 24)],
)
def test_windows_by_kind(kind: str, hours: int) -> None:
    assert window(kind) == timedelta(hours=hours)


@pytest.mark.capability("M-050")
@pytest.mark.parametrize(
    ("found", "rate"),
    [
        (Ended(), None),
        (Ended(effective=2), None),
        (Ended(effective=3), 1.0),
        (Ended(1, 1, 1, 0), 1 / 3),
        (Ended(1, 0, 0, 2), 1.0),
        (Ended(inconclusive=9), None),
        (Ended(0, 3), 0.0),
    ],
)
def test_no_rate_of_fewer_than_three_uses(found: Ended, rate: float | None) -> None:
    assert found.rate == rate


def test_feedback_ends_a_use_too() -> None:
    counts = {tally.HELPED: 2, tally.EFFECTIVE: 1, tally.MISLED: 1, tally.FAILED: 3, tally.CONTRADICTED: 1}
    counts |= {tally.IRRELEVANT: 1, tally.INCONCLUSIVE: 4, tally.SHORTFALL: 900}
    assert ended(counts) == Ended(3, 4, 1, 5)
    assert Ended(1, 2, 3, 4) + Ended(1, 1, 1, 1) == Ended(2, 3, 4, 5)
