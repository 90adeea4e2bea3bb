"""What the knowledge lacks: evidence, procedures, a challenge, links, a fresh look; and what has earned a firmer kind.

Refuses to read anything, and to call a gap an error: each is advice with the next step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gitmem.memory.freshness import FORGOTTEN, STALE
from gitmem.record import field, record

THIN, NO_PROCEDURE, UNCHALLENGED = "gap-evidence", "gap-procedure", "gap-challenge"
ORPHAN, STALE_ACTIVE, PROMOTION = "gap-orphan", "gap-stale", "gap-promotion"
KINDS = (THIN, NO_PROCEDURE, UNCHALLENGED, ORPHAN, STALE_ACTIVE, PROMOTION)
# How much must speak for an item of a kind.
EVIDENCE_LEAST: Mapping[str, int] = {"fact": 2, "hypothesis": 3, "pattern": 3}
RELATED_LEAST = 5
IMPORTANT = 0.7
# The next kind, the evidence that it asks for, and how often the item must have helped as what it is.
_PROMOTED: Mapping[str, tuple[str, int, int]] = {
    "observation": ("fact", 2, 0),
    "fact": ("pattern", 3, 2),
    "pattern": ("procedure", 3, 3),
}
_PROCEDURE, _UNVERIFIED = "procedure", "unverified"
_SUPPORT_OUT, _SUPPORT_IN, _AGAINST = "derives_from", "exemplifies", "contradicts"


@record
class Row:
    """One active item. ``evidence`` counts what its header has; ``is_rule``: it has a scope; ``freshness`` is '' for
    what does not age, ``is_joined``: an item requires it or it requires one, ``helped`` and ``misled`` are counts."""

    id: str
    name: str
    kind: str
    importance: float
    evidence: int = 0
    verification: str = _UNVERIFIED
    tags: tuple[str, ...] = ()
    is_rule: bool = False
    is_joined: bool = False
    freshness: str = ""
    helped: int = 0
    misled: int = 0


@record
class Gap:
    """``item`` is the id that it is about, the most important one where it is about several."""

    kind: str
    item: str
    message: str
    hint: str


@record
class Links:
    """By item: the kinds of the edges that lead from it, and of those that lead to it."""

    out: Mapping[str, Sequence[str]] = field(default_factory=dict)
    into: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def evidence(self, row: Row) -> int:
        derived = [*self.out.get(row.id, ())].count(_SUPPORT_OUT)
        return row.evidence + derived + [*self.into.get(row.id, ())].count(_SUPPORT_IN)

    def is_challenged(self, row: Row) -> bool:
        return _AGAINST in self.out.get(row.id, ()) or _AGAINST in self.into.get(row.id, ())

    def has_any(self, row: Row) -> bool:
        return bool(self.out.get(row.id) or self.into.get(row.id))


def links_of(edges: Iterable[tuple[str, str, str]]) -> Links:
    """``edges`` are (from, to, kind)."""
    out: dict[str, list[str]] = {}
    into: dict[str, list[str]] = {}
    for start, end, kind in edges:
        out.setdefault(start, []).append(kind)
        into.setdefault(end, []).append(kind)
    return Links(out, into)


def gaps(rows: Sequence[Row], links: Links) -> list[Gap]:
    """By kind in the order of ``KINDS``, the most important item first."""
    ranked = sorted(rows, key=lambda row: (-row.importance, row.id))
    found = list(_without_procedure(ranked))
    found += [gap for look in _LOOKS for row in ranked if (gap := look(row, links)) is not None]
    return sorted(found, key=lambda gap: KINDS.index(gap.kind))


def _thin(row: Row, links: Links) -> Gap | None:
    least, count = EVIDENCE_LEAST.get(row.kind, 0), links.evidence(row)
    if count >= least:
        return None
    message = f"{row.name}: {count} piece(s) of evidence, and a {row.kind} wants {least}"
    return Gap(THIN, row.id, message, f"gitmem verification add {row.name} WORDS, or link what it derives from")


def _without_procedure(rows: Sequence[Row]) -> Iterator[Gap]:
    """By tag; a group that has been told by one of its tags is not told again by another with the same items."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        for tag in row.tags:
            groups.setdefault(tag, []).append(row)
    told: set[tuple[str, ...]] = set()
    for tag in sorted(groups):
        group = groups[tag]
        ids = tuple(row.id for row in group)
        if len(group) < RELATED_LEAST or ids in told or any(row.kind == _PROCEDURE for row in group):
            continue
        told.add(ids)
        message = f"{len(group)} items about {tag}, and no procedure says what to do"
        yield Gap(NO_PROCEDURE, ids[0], message, f"write one: gitmem propose new procedure TITLE --tag {tag}")


def _unchallenged(row: Row, links: Links) -> Gap | None:
    if row.importance < IMPORTANT or row.verification != _UNVERIFIED or row.misled or links.is_challenged(row):
        return None
    message = f"{row.name}: importance {row.importance:.2f}, and nobody has put it to the test"
    return Gap(
        UNCHALLENGED, row.id, message, f"try it, then: gitmem verification set {row.name} plausible --evidence ..."
    )


def _orphan(row: Row, links: Links) -> Gap | None:
    """A rule is joined to the files of its scope."""
    if row.is_rule or row.is_joined or links.has_any(row):
        return None
    return Gap(
        ORPHAN, row.id, f"{row.name}: no edge, no scope, nothing requires it", f"gitmem link {row.name} KIND ITEM"
    )


def _stale(row: Row, _links: Links) -> Gap | None:
    if row.freshness not in (STALE, FORGOTTEN):
        return None
    message = f"{row.name}: still active, and {row.freshness} by its age"
    hint = f"confirm it: gitmem feedback {row.name} helped, or: gitmem propose archive {row.name}"
    return Gap(STALE_ACTIVE, row.id, message, hint)


def _promotion(row: Row, links: Links) -> Gap | None:
    if row.kind not in _PROMOTED:
        return None
    kind, least, uses = _PROMOTED[row.kind]
    count = links.evidence(row)
    if count < least or row.helped < uses:
        return None
    grounds = f"{count} piece(s) of evidence" + (f", helped {row.helped} times" if uses else "")
    message = f"{row.name}: {grounds}; it could be a {kind}"
    return Gap(PROMOTION, row.id, message, f"gitmem propose edit {row.name} kind {kind}")


_LOOKS: tuple[Callable[[Row, Links], Gap | None], ...] = (_thin, _unchallenged, _orphan, _stale, _promotion)
