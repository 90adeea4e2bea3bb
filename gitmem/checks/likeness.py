"""Whether a text is new, one that is known, or a new wording of one that is known. Refuses to look for what is known.

The caller finds near texts by ``shingles.bands``, brings the bodies of the ``shortlist``, and acts on the verdict.
"""

import heapq
from collections.abc import Iterable, Sequence
from enum import StrEnum

from gitmem.record import record
from gitmem.text import shingles
from gitmem.text.words import fold

CANDIDATES_MOST = 5
SHORTLIST_MOST = 16

_CANDIDATE, _UPDATE, _UPDATE_SAME_TITLE = 30, 85, 70
_FINE = 10**15  # two ratios of fewer than 30 million shingles differ by more


class Kind(StrEnum):
    """From the strongest on."""

    DUPLICATE = "duplicate"
    UPDATE = "update"
    NEW = "new"


@record
class Known:
    """A text to compare with: live, proposed or dismissed. ``item`` is whatever the caller knows it by."""

    item: str
    title: str
    body: str


@record
class Likeness:
    """How near a known text is: ``shared`` of ``total`` shingles; ``kind`` is new when it is only a candidate."""

    item: str
    title: str
    shared: int
    total: int
    kind: Kind

    @property
    def percent(self) -> int:
        return self.shared * 100 // self.total


@record
class Verdict:
    """``target`` is the item that is repeated or reworded, "" when the text is new; it is the first of ``candidates``.

    The score is ``shared`` of ``total`` shingles with the first candidate, 0 of 1 when there is none.
    """

    kind: Kind
    target: str
    shared: int
    total: int
    reason: str
    candidates: tuple[Likeness, ...]


def verdict(title: str, body: str, known: Iterable[Known]) -> Verdict:
    """What a text is beside those that are known, in whatever order these come.

    An equal body is a duplicate. From 85 of 100 shared shingles on, with the same title from 70, it is an update; from
    30 on a known text is a candidate, and the nearest five are named.
    """
    same = (_plain(title), shingles.text_hash(body), shingles.shingles(body))
    near = sorted(filter(None, (_likeness(same, each) for each in known)), key=_nearest_first)[:CANDIDATES_MOST]
    if not near:
        return Verdict(Kind.NEW, "", 0, 1, "nothing known is like it", ())
    first = near[0]
    target = "" if first.kind is Kind.NEW else first.item
    return Verdict(first.kind, target, first.shared, first.total, _reason(first), tuple(near))


def shortlist(holders: Iterable[Sequence[int]], most: int = SHORTLIST_MOST) -> list[int]:
    """The numbers that occur most often in the lists that stand under the bands of a text; equally often: lower first.

    These are the texts whose bodies are worth reading.
    """
    counts: dict[int, int] = {}
    for numbers in holders:
        for number in numbers:
            counts[number] = counts.get(number, 0) + 1
    return heapq.nsmallest(most, counts, key=lambda number: (-counts[number], number))


def _likeness(wanted: tuple[str, str, frozenset[int]], known: Known) -> Likeness | None:
    """``wanted`` are the plain title, the hash and the shingles of the text that is judged."""
    title, digest, found = wanted
    shared, total = shingles.jaccard(found, shingles.shingles(known.body))
    if found and shared * 100 < total * _CANDIDATE:
        return None
    if shingles.text_hash(known.body) == digest:
        return Likeness(known.item, known.title, total, total, Kind.DUPLICATE)
    least = _UPDATE_SAME_TITLE if _plain(known.title) == title else _UPDATE
    kind = Kind.UPDATE if shared * 100 >= total * least else Kind.NEW
    return Likeness(known.item, known.title, shared, total, kind) if shared else None


def _nearest_first(one: Likeness) -> tuple[int, int, str]:
    return list(Kind).index(one.kind), -(one.shared * _FINE // one.total), one.item


def _reason(first: Likeness) -> str:
    match first.kind:
        case Kind.DUPLICATE:
            return f"says the same as {first.title!r}"
        case Kind.UPDATE:
            return f"{first.percent} % alike: a new wording of {first.title!r}"
        case Kind.NEW:
            return f"{first.percent} % like {first.title!r}, which is too little for a new wording of it"


def _plain(title: str) -> str:
    return " ".join(fold(title).split())
