"""Plans an edge between two engrams, or its end: which file, from which bytes to which. Refuses to write.

The same plan serves the work tree and a proposal: both bring the knowledge and the bytes that they start from.
"""

from __future__ import annotations

from collections.abc import Callable

from gitmem.answers import naming
from gitmem.answers.edge_names import by_id, kind_of, named
from gitmem.answers.naming import NotFoundError
from gitmem.errors import GitmemError, UsageError
from gitmem.index.card import Card
from gitmem.index.edges import Edge, edge_of, edges
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Notice
from gitmem.model.synapse import Evidence, Synapse, link, synapse_id, unite
from gitmem.record import record, replace
from gitmem.store.edit import set_setting
from gitmem.store.repo import FOLDER
from gitmem.store.synapses import decode_synapse, encode_synapse, synapse_path, value_of

# What cannot hold both ways.
_ONE_WAY = frozenset({"extends", "part_of", "depends_on", "derives_from", "supersedes", "consolidates", "exemplifies"})
_NAMED = 10

# The bytes of a synapse file at its path below .gitmem.
Read = Callable[[Card], bytes]


@record
class Wanted:
    """An edge as it is asked for: ends by any name, ``weight`` None for that of the file or of the kind.

    Without a ``description`` nothing new speaks for the edge.
    """

    start: str
    kind: str
    end: str
    weight: float | None = None
    description: str = ""
    confidence: float | None = None


@record
class Stamp:
    """Who says it and when (RFC 3339)."""

    by: str
    at: str


@record
class EdgePlan:
    """``rel`` is below .gitmem; ``before`` None: a new file; ``after`` None: the file goes; equal: nothing to do."""

    edge: Edge
    rel: str
    before: bytes | None
    after: bytes | None
    warnings: tuple[Notice, ...] = ()

    @property
    def is_change(self) -> bool:
        return self.before != self.after


def plan_link(knowledge: Knowledge, wanted: Wanted, read: Read, stamp: Stamp) -> EdgePlan:
    """Makes the edge, or adds to the one that is there: evidence united, the weight only when one is given."""
    kind = kind_of(wanted.kind)
    _check_share("weight", wanted.weight)
    _check_share("confidence", wanted.confidence)
    if wanted.confidence is not None and not wanted.description.strip():
        raise UsageError("--confidence goes with --description", hint="say in one line what speaks for the edge")
    start, end = _end(knowledge, wanted.start), _end(knowledge, wanted.end)
    description = " ".join(wanted.description.split())
    evidence = (Evidence(description, stamp.by, stamp.at, wanted.confidence),) if description else ()
    fresh = replace(link(start.id, end.id, kind, wanted.weight, evidence), created_at=stamp.at, created_by=stamp.by)
    rel = synapse_path(fresh)
    edge = Edge(fresh.from_, fresh.to, kind, fresh.weight, rel)
    card = knowledge.at_path(rel)
    doubts = _doubts(knowledge, edge, (start, end))
    if card is None:
        return EdgePlan(edge, rel, None, encode_synapse(fresh), doubts)
    before = read(card)
    after, weight = _joined(before, fresh, rel, keeps_weight=wanted.weight is None)
    return EdgePlan(replace(edge, weight=weight), rel, before, after, doubts)


def plan_unlink(knowledge: Knowledge, words: tuple[str, ...], read: Read) -> EdgePlan:
    """``words`` are the id of a synapse, or FROM KIND TO."""
    card = find(knowledge, words)
    before = read(card)
    edge = edge_of(card)
    assert edge is not None
    return EdgePlan(edge, card.path, before, None)


def find(knowledge: Knowledge, words: tuple[str, ...]) -> Card:
    """The card of the edge that ``words`` name: the id of a synapse, or FROM KIND TO."""
    if len(words) == 3:
        kind = kind_of(words[1])
        start, end = _end(knowledge, words[0]), _end(knowledge, words[2])
        card = by_id(knowledge, synapse_id(start.id, end.id, kind))
        if card is None:
            hint = _ends_hint(knowledge, start)
            raise NotFoundError(f"no edge: {start.slug} {kind} {end.slug}", hint=hint)
        return card
    if len(words) != 1:
        raise UsageError("name the edge by its id, or by FROM KIND TO", hint="gitmem get ITEM --tier synapses")
    card = by_id(knowledge, words[0])
    if card is None:
        raise NotFoundError(f"no edge {words[0]!r} here", hint="list them: gitmem get ITEM --tier synapses")
    return card


def left_behind(knowledge: Knowledge, item: Card) -> tuple[Notice, ...]:
    """What is said to somebody who removes an engram to which edges lead."""
    found = edges(knowledge, item.id)
    if not found:
        return ()
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    rows = ", ".join(f"{named(knowledge, edge)} ({edge.id})" for edge in found[:_NAMED])
    return (
        Notice(
            "synapse-end-missing",
            f"{len(found)} edge(s) now lead nowhere: {rows}{more}",
            f"{FOLDER}/{item.path}",
            "take each out: gitmem unlink SYNAPSE, or bring the engram back",
        ),
    )


def _end(knowledge: Knowledge, reference: str) -> Card:
    """One engram; of a private one nobody learns here that it exists."""
    card = naming.one(knowledge, reference)
    if card.visibility == "private":
        raise NotFoundError(f"no item {reference!r} here", hint="see: gitmem list")
    return card


def _ends_hint(knowledge: Knowledge, start: Card) -> str:
    found = [named(knowledge, edge) for edge in edges(knowledge, start.id)[:_NAMED]]
    return f"it has: {', '.join(found)}" if found else f"{start.slug} has no edges"


def _check_share(name: str, value: float | None) -> None:
    if value is not None and not 0 <= value <= 1:
        raise UsageError(f"{name} must be from 0 to 1, not {value:g}", hint="for example 0.7")


def _joined(before: bytes, fresh: Synapse, rel: str, *, keeps_weight: bool) -> tuple[bytes, float]:
    """The file with what is new, and the weight in it; a file in its usual form keeps that, others their bytes."""
    old = synapse_of(before, rel)
    weight = old.weight if keeps_weight else fresh.weight
    new = replace(old, weight=weight, evidence=unite((*old.evidence, *fresh.evidence)))
    return rewritten(before, old, new, rel), weight


def synapse_of(data: bytes, rel: str) -> Synapse:
    found = decode_synapse(data, rel).synapse
    if found is None:
        hint = "mend it, or remove it; see: gitmem check"
        raise GitmemError("the file of this edge cannot be read", hint=hint, place=f"{FOLDER}/{rel}", code="schema")
    return found


def rewritten(before: bytes, old: Synapse, new: Synapse, rel: str) -> bytes:
    """The file of an edge after a change; one in its usual form keeps that, others their bytes beside it."""
    if new == old:
        return before
    if before == encode_synapse(old):
        return encode_synapse(new)
    after = before
    for key in ("weight", "evidence", "resolution"):
        if getattr(new, key) != getattr(old, key):
            after = set_setting(after, key, value_of(new, key), rel)
    return after


def _doubts(knowledge: Knowledge, edge: Edge, ends: tuple[Card, Card]) -> tuple[Notice, ...]:
    place = f"{FOLDER}/{edge.rel}"
    asleep = [card.slug for card in ends if card.status == "forgotten"]
    found = [Notice("forgotten-end", f"{slug} is forgotten: nobody will meet the edge there", place) for slug in asleep]
    turned = by_id(knowledge, synapse_id(edge.to, edge.from_, edge.kind))
    if edge.kind in _ONE_WAY and turned is not None:
        back = Edge(edge.to, edge.from_, edge.kind, edge.weight, turned.path)
        message = f"the opposite is said too: {named(knowledge, back)}"
        found.append(Notice("both-ways", message, f"{FOLDER}/{turned.path}", "take one out: gitmem unlink SYNAPSE"))
    return tuple(found)
