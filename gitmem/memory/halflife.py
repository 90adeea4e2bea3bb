"""After how many changes of its code half of the knowledge about it was changed too. Refuses to look at history."""

from collections import Counter
from collections.abc import Iterable

Life = tuple[int, bool]


def half_life(lives: Iterable[Life]) -> int | None:
    """The median of survival by the estimate of Kaplan and Meier (1958), None while more than half survive.

    Each life is (how many commits touched the files of an item, whether the item was changed then); one that was not
    is still open, and counts for as long as it was seen.
    """
    ended: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    for length, is_ended in lives:
        seen[length] += 1
        ended[length] += is_ended
    at_risk, survival = sum(seen.values()), 1.0
    for length in sorted(seen):
        survival *= 1 - ended[length] / at_risk
        if survival <= 0.5:
            return length
        at_risk -= seen[length]
    return None
