"""What is known of the use of each item: how often found, how often it helped, by day. Refuses texts and formulas.

Uses add up in any order and grouping, as the counts do from which they are made.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from gitmem.memory import tally
from gitmem.memory.tally import RETRIEVED
from gitmem.model.event import COMPILE, DELIVERY, FEEDBACK, MAINTENANCE, RETRIEVAL
from gitmem.model.plain import Plain
from gitmem.record import field, record, state

# Deliveries are no evidence of anything, and no retrieval.
KINDS = (RETRIEVAL, FEEDBACK, MAINTENANCE)
UNTOLD = (COMPILE, DELIVERY)
_OF_USE = frozenset(
    (*tally.ENDS, tally.HELPED, tally.MISLED, tally.IRRELEVANT, tally.SHORTFALL, tally.GAINED, tally.LOST)
)
_NO_SCORE = (-1, 0.0)

Days = dict[str, dict[str, int]]


@record
class Use:
    """Of one item. ``days`` has the counts of each day on which it was of use or failed; days are of UTC, '' unknown.

    ``score`` is that of the last retrieval on record here, None where there is none.
    """

    hits: int = 0
    last_hit: str = ""
    days: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    score: float | None = None

    def count(self, action: str) -> int:
        return sum(counts.get(action, 0) for counts in self.days.values())


NONE = Use()


@state
class Uses:
    """By item: ``hits``, ``last`` day of one, ``days`` of use, and ``scores`` with the Lamport time of each."""

    hits: dict[str, int] = field(default_factory=dict)
    last: dict[str, str] = field(default_factory=dict)
    days: dict[str, Days] = field(default_factory=dict)
    scores: dict[str, tuple[int, float]] = field(default_factory=dict)

    def of(self, item: str) -> Use:
        """As it is now: what is added later does not change it."""
        found = self.scores.get(item)
        days = {day: {**counts} for day, counts in list(self.days.get(item, {}).items())}
        return Use(self.hits.get(item, 0), self.last.get(item, ""), days, found[1] if found else None)

    def add_rows(self, rows: Iterable[Mapping[str, Plain]]) -> set[str]:
        """Adds lines as they were written; the items that they tell of."""
        found: dict[str, list[str]] = {}
        others = []
        for row in rows:
            kind = row.get("kind")
            if kind == RETRIEVAL:
                self._retrieved(row, found)
            elif kind in KINDS:
                others.append(row)
        touched = self.add(tally.of_rows(others).counts)
        for day, items in found.items():
            touched |= self._hit(day, items)
        return touched

    def _retrieved(self, row: Mapping[str, Plain], found: dict[str, list[str]]) -> None:
        """Puts the items of a retrieval under their day: there are so many that they are counted together."""
        data, clock, day = row.get("data"), row.get("clock"), tally.day_of(row)
        for _, items in tally.touched(RETRIEVAL, data):
            found.setdefault(day, []).extend(items)
            scores = data.get("scores") if isinstance(data, dict) else None
            if isinstance(scores, list) and len(scores) == len(items) and isinstance(clock, int):
                self._score(clock, items, scores)

    def _hit(self, day: str, items: list[str]) -> set[str]:
        counts = Counter(items)
        hits, last = self.hits, self.last
        for item, count in counts.items():
            hits[item] = hits.get(item, 0) + count
            if day > last.get(item, ""):
                last[item] = day
        return set(counts)

    def add(self, counts: Mapping[tuple[str, str, str], int]) -> set[str]:
        """Adds a tally; the items that it tells of."""
        touched = set()
        for (day, item, action), count in counts.items():
            if action == RETRIEVED and item:
                touched.add(item)
                self.hits[item] = self.hits.get(item, 0) + count
                if day > self.last.get(item, ""):
                    self.last[item] = day
            elif action in _OF_USE and item:
                touched.add(item)
                of_day = self.days.setdefault(item, {}).setdefault(day, {})
                of_day[action] = of_day.get(action, 0) + count
        return touched

    def _score(self, clock: int, items: list[str], scores: list[Plain]) -> None:
        known = self.scores
        for item, score in zip(items, scores, strict=False):
            if isinstance(score, int | float) and 0 <= score <= 1 and clock >= known.get(item, _NO_SCORE)[0]:
                known[item] = clock, score

    def join(self, other: "Uses") -> None:
        for item, count in other.hits.items():
            self.hits[item] = self.hits.get(item, 0) + count
        for item, day in other.last.items():
            self.last[item] = max(day, self.last.get(item, ""))
        for item, days in other.days.items():
            for day, counts in days.items():
                of_day = self.days.setdefault(item, {}).setdefault(day, {})
                for action, count in counts.items():
                    of_day[action] = of_day.get(action, 0) + count
        for item, score in other.scores.items():
            self.scores[item] = max(score, self.scores.get(item, score))

    def plain(self) -> list[object]:
        """As JSON, for ``read``."""
        return [self.hits, self.last, self.days, self.scores]


def read(rows: object) -> Uses:
    """Of ``Uses.plain`` as JSON has it, from a place that nobody else can write."""
    parts = rows if isinstance(rows, list) else []
    hits, last, days, scores = (part if isinstance(part, dict) else {} for part in parts)
    return Uses(hits, last, days, {item: (clock, score) for item, (clock, score) in scores.items()})
