"""Which items belong together, from how alike pairs of them are. Refuses to measure, and to name what they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gitmem.record import record

SIZE_LEAST, SIZE_MOST = 3, 10
ALIKE_LEAST = 0.3
# What derives from so many of a group says already what they have in common.
_COVERED = 0.7


@record
class Alike:
    """Two items and how much of both they share, from 0 to 1."""

    one: str
    other: str
    share: float


def clusters(pairs: Iterable[Alike]) -> list[tuple[str, ...]]:
    """Groups of 3 to 10, each item in one at most: from the nearest pair on, whoever is alike to half of a group or
    more joins it, the nearest first. The same in whatever order the pairs come."""
    near: dict[str, dict[str, float]] = {}
    ordered = sorted((each for each in pairs if each.share >= ALIKE_LEAST), key=_nearest_first)
    for each in ordered:
        near.setdefault(each.one, {})[each.other] = each.share
        near.setdefault(each.other, {})[each.one] = each.share
    found: list[tuple[str, ...]] = []
    taken: set[str] = set()
    for each in ordered:
        if taken.isdisjoint((each.one, each.other)):
            group = _grown((each.one, each.other), near, taken)
            if len(group) >= SIZE_LEAST:
                taken.update(group)
                found.append(tuple(sorted(group)))
    return found


def _nearest_first(pair: Alike) -> tuple[float, str, str]:
    return -pair.share, min(pair.one, pair.other), max(pair.one, pair.other)


def _grown(start: tuple[str, str], near: Mapping[str, Mapping[str, float]], taken: set[str]) -> list[str]:
    group = list(start)
    while len(group) < SIZE_MOST:
        around = {item for member in group for item in near[member]}.difference(group, taken)
        ranked = []
        for item in around:
            shares = [near[item][member] for member in group if member in near[item]]
            if 2 * len(shares) >= len(group):
                ranked.append((-sum(shares), item))
        if not ranked:
            break
        group.append(min(ranked)[1])
    return group


def is_covered(items: Iterable[str], sources: Iterable[frozenset[str]]) -> bool:
    """Whether something derives from most of the items; ``sources`` are what each thing derives from."""
    wanted = frozenset(items)
    return any(len(wanted & each) >= _COVERED * len(wanted) for each in sources)
