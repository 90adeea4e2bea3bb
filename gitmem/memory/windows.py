"""How long a use of an item is watched by its kind, and how often what was watched ended well. Refuses events.

Feedback ends a use by itself, so what helped counts as effective and what misled as failed.
"""

from collections.abc import Mapping
from datetime import timedelta

from gitmem.memory import tally
from gitmem.record import record

HOURS: Mapping[str, int] = {"observation": 6, "fact": 24, "pattern": 48, "procedure": 48, "hypothesis": 168}
LONGEST = timedelta(hours=max(HOURS.values()))
# Of fewer uses no rate is told.
RATED_LEAST = 3
_USUAL = "fact"


def window(kind: str) -> timedelta:
    """What is of no listed kind is watched as a fact is."""
    return timedelta(hours=HOURS.get(kind, HOURS[_USUAL]))


@record
class Ended:
    """How uses ended; ``inconclusive`` are those of which nothing can be said."""

    effective: int = 0
    failed: int = 0
    contradicted: int = 0
    inconclusive: int = 0

    def __add__(self, other: "Ended") -> "Ended":
        return Ended(
            self.effective + other.effective,
            self.failed + other.failed,
            self.contradicted + other.contradicted,
            self.inconclusive + other.inconclusive,
        )

    @property
    def total(self) -> int:
        return self.effective + self.failed + self.contradicted + self.inconclusive

    @property
    def rate(self) -> float | None:
        """The effective ones among those of which something can be said; None of fewer than three uses."""
        decided = self.effective + self.failed + self.contradicted
        return self.effective / decided if decided and self.total >= RATED_LEAST else None


def ended(counts: Mapping[str, int]) -> Ended:
    """From the counts of one item by action."""
    return Ended(
        effective=counts.get(tally.HELPED, 0) + counts.get(tally.EFFECTIVE, 0),
        failed=counts.get(tally.MISLED, 0) + counts.get(tally.FAILED, 0),
        contradicted=counts.get(tally.CONTRADICTED, 0),
        inconclusive=counts.get(tally.IRRELEVANT, 0) + counts.get(tally.INCONCLUSIVE, 0),
    )
