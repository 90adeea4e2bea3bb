"""The edges of an item as an answer lists them, and one edge as an item. Refuses edges that end at private items."""

from __future__ import annotations

from gitmem.answers import naming
from gitmem.answers.edge_names import by_id, is_private, kind_of, named
from gitmem.answers.reading import Reading, ask
from gitmem.errors import UsageError
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.edges import BOTH, DIRECTIONS, Step, Walk, edge_of, edges, walk
from gitmem.index.knowledge import Knowledge
from gitmem.model.edge import SynapseRow
from gitmem.model.finding import Notice
from gitmem.record import record, replace

_DEPTH_MAX = 3
_REACHED_MOST = 100


@record
class Neighbours:
    rows: tuple[SynapseRow, ...]
    warnings: tuple[Notice, ...] = ()


def walk_of(direction: str, kinds: tuple[str, ...], depth: int) -> Walk:
    """What was asked for; '', () and 0 are the usual ones: both ways, all kinds, one step."""
    direction = direction or BOTH
    if direction not in DIRECTIONS:
        raise UsageError(f"unknown direction {direction!r}", hint=f"one of: {', '.join(DIRECTIONS)}")
    if not 0 <= depth <= _DEPTH_MAX:
        raise UsageError(f"depth must be from 1 to {_DEPTH_MAX}, not {depth}", hint="usually 1")
    return Walk(direction, tuple(kind_of(kind) for kind in kinds), depth or 1, _REACHED_MOST)


def neighbours(knowledge: Knowledge, item: Card, along: Walk) -> Neighbours:
    """The edges that a walk from an item meets, the nearest first."""
    found = walk(knowledge, item.id, along, lambda end: is_private(knowledge, end))
    rows = tuple(_row(knowledge, step) for step in found.steps)
    if not found.is_cut:
        return Neighbours(rows)
    message = f"more than {along.most} engrams are linked to {item.slug} that way; the farthest are left out"
    return Neighbours(rows, (Notice("edges-cut", message, hint="ask for less: --edges in or out, --kind, --depth"),))


def find(reading: Reading, reference: str) -> Card:
    """The card of an edge by its id, with that id and a title in words; a name that only looks like it is an item's."""
    found, _ = ask(reading, lambda knowledge: _edge_card(knowledge, reference))
    return naming.find(reading, reference) if found is None else found


def _edge_card(knowledge: Knowledge, reference: str) -> Card | None:
    card = by_id(knowledge, reference)
    edge = edge_of(card) if card else None
    if card is None or edge is None or any(is_private(knowledge, end) for end in (edge.from_, edge.to)):
        return None
    return replace(card, id=edge.id, title=named(knowledge, edge), kind=edge.kind)


def joined(knowledge: Knowledge, item: str) -> frozenset[str]:
    """The items that an edge joins with this one, either way."""
    ends = {edge.beyond(item) for edge in edges(knowledge, item)}
    return frozenset(end for end in ends if not is_private(knowledge, end))


def _row(knowledge: Knowledge, step: Step) -> SynapseRow:
    edge = step.edge
    shown = (card.slug for card in knowledge.under(f"id:{step.far}") if card.visibility not in NEVER_BY_SCOPE)
    return SynapseRow(edge.id, edge.from_, edge.kind, edge.to, next(shown, None), edge.weight, step.depth)
