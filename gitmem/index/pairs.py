"""All pairs of texts of gathered sketches that are worth comparing, in bounded work. Refuses to open the texts."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, groupby, islice, pairwise

from gitmem.index.sketches import Sketches
from gitmem.record import record

# Texts that share 70 of 100 shingles share half of the bands.
_BANDS_LEAST = 5
# Of more texts in one place only neighbours are paired: so each is compared with one that is like it.
_GROUP_MAX = 30
# Of each text so many others are told as akin, those that share most bands.
_AKIN_MAX = 40
# Pairs on one matter that are looked at, and that are kept.
_LOOKED_AT_MAX, _ON_A_MATTER_MAX = 2000, 200

# Numbers of rows, the one that comes first in the order first.
Pair = tuple[int, int]


@record
class Pairs:
    """``is_cut``: on some matter more texts take another side than were paired."""

    near: tuple[Pair, ...]
    opposed: tuple[Pair, ...]
    is_cut: bool


def pairs(kept: Sketches, live: Sequence[int], meet: Callable[[int, int], bool]) -> Pairs:
    """The pairs among the rows ``live``, in the order in which these are given; loose rows are not looked at.

    ``meet``: whether two texts may apply together; others do not oppose each other.
    """
    places = {number: place for place, number in enumerate(live)}
    near = _near(kept, places)
    opposed, is_cut = _opposed(kept, places, lambda pair: meet(live[pair[0]], live[pair[1]]))
    return Pairs(_named(near, live), _named(opposed, live), is_cut)


def near(kept: Sketches, live: Sequence[int]) -> tuple[Pair, ...]:
    """The pairs of ``pairs`` that are alike, without looking for those that oppose each other."""
    return _named(_near(kept, {number: place for place, number in enumerate(live)}), live)


def opposed(kept: Sketches, live: Sequence[int], meet: Callable[[int, int], bool]) -> tuple[Pair, ...]:
    """The pairs of ``pairs`` that oppose each other, without looking for those that are alike."""
    places = {number: place for place, number in enumerate(live)}
    return _named(_opposed(kept, places, lambda pair: meet(live[pair[0]], live[pair[1]]))[0], live)


def akin(kept: Sketches, live: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """For each of the rows ``live`` the later ones that share any band with it, those that share most first: of texts
    that share 30 of 100 shingles nine in ten are met. Work grows with the number of texts alone."""
    places = {number: place for place, number in enumerate(live)}
    held: list[list[tuple[list[int], int]]] = [[] for _ in live]
    for values, numbers in kept.bands():
        for _, rows in groupby(zip(values, numbers, strict=True), lambda row: row[0]):
            group = sorted(places[number] for _, number in rows if number in places)
            for at, place in enumerate(group[:-1]):
                # What lies behind the place, or in a large group the neighbour alone.
                held[place].append((group, at + 1) if len(group) <= _GROUP_MAX else ([group[at + 1]], 0))
    for place, number in enumerate(live):
        counts: Counter[int] = Counter()
        for group, start in held[place]:
            counts.update(islice(group, start, None))
        met = heapq.nsmallest(_AKIN_MAX, counts, key=lambda other: (-counts[other], other))
        yield number, [live[other] for other in met]


def _named(found: set[Pair], live: Sequence[int]) -> tuple[Pair, ...]:
    return tuple((live[first], live[second]) for first, second in sorted(found))


def _near(kept: Sketches, places: Mapping[int, int]) -> set[Pair]:
    counts: Counter[Pair] = Counter()
    for values, numbers in kept.bands():
        for _, rows in groupby(zip(values, numbers, strict=True), lambda row: row[0]):
            group = sorted(places[number] for _, number in rows if number in places)
            counts.update(combinations(group, 2) if len(group) <= _GROUP_MAX else pairwise(group))
    return {pair for pair, count in counts.items() if count >= _BANDS_LEAST}


def _opposed(kept: Sketches, places: Mapping[int, int], meet: Callable[[Pair], bool]) -> tuple[set[Pair], bool]:
    found: set[Pair] = set()
    is_cut = False
    for _, rows in groupby(zip(*kept.says(), strict=True), lambda row: row[0]):
        held = sorted({(places[number], side) for _, number, side in rows if number in places})
        if len({side for _, side in held}) > 1:
            against = [*islice(_against(held), _LOOKED_AT_MAX)]
            together = [pair for pair in against if pair in found or meet(pair)]
            is_cut = is_cut or len(against) == _LOOKED_AT_MAX or len(together) > _ON_A_MATTER_MAX
            found.update(together[:_ON_A_MATTER_MAX])
    return found, is_cut


def _against(held: Sequence[Pair]) -> Iterator[Pair]:
    """The pairs of places whose sides differ; ``held`` are places with their sides."""
    for (first, mine), (second, theirs) in combinations(held, 2):
        if mine != theirs and first != second:
            yield first, second
