"""Where an item comes from and what came of it, along the edges that say so. Refuses to follow any other edge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gitmem.answers import naming
from gitmem.answers.edge_names import is_private
from gitmem.answers.reading import Reading, Revision, Session, ask, read
from gitmem.checks import cycles
from gitmem.errors import UsageError
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.edges import IN, OUT, Step, Walk, edges, walk
from gitmem.index.knowledge import Knowledge
from gitmem.model.disclosed import ANCESTORS, BOTH, DESCENDANTS, DIRECTIONS, Ancestry, Descent, Lineage
from gitmem.model.finding import Notice
from gitmem.record import record

# Each leads from what came later to what it rests on.
KINDS = ("derives_from", "consolidates", "supersedes")
DEPTH, DEPTH_MAX = 10, 20
_REACHED_MOST = 200
MISSING = "missing"


@record
class LineageCall:
    item: str
    direction: str = BOTH
    depth: int = DEPTH
    at: str = ""


def lineage(session: Session, call: LineageCall) -> Lineage:
    check(call.direction, call.depth)
    reading = read(session.place, Revision(at=call.at))
    return of_card(reading, naming.find(reading, call.item), call.direction, call.depth)


def check(direction: str, depth: int) -> None:
    if direction not in DIRECTIONS:
        raise UsageError(f"unknown direction {direction!r}", hint=f"one of: {', '.join(DIRECTIONS)}")
    if not 1 <= depth <= DEPTH_MAX:
        raise UsageError(f"depth must be from 1 to {DEPTH_MAX}, not {depth}", hint=f"usually {DEPTH}")


def beside(reading: Reading, card: Card, direction: str, depth: int) -> Lineage:
    """As it is told with an item; a depth of 0 is the usual one."""
    check(direction, depth or DEPTH)
    return of_card(reading, card, direction, depth or DEPTH)


def of_card(reading: Reading, card: Card, direction: str, depth: int) -> Lineage:
    found, _ = ask(reading, lambda knowledge: _traced(knowledge, card, direction, depth, reading.warnings))
    return found


def _traced(knowledge: Knowledge, card: Card, direction: str, depth: int, warnings: tuple[Notice, ...]) -> Lineage:
    """Up and down apart: what else came of an ancestor is no kin of the item."""
    depths, steps, is_cut = {card.id: 0}, list[Step](), False
    for way, sign in ((OUT, -1), (IN, 1)):
        if direction == (DESCENDANTS if way == OUT else ANCESTORS):
            continue
        found = walk(knowledge, card.id, Walk(way, KINDS, depth, _REACHED_MOST), lambda end: is_private(knowledge, end))
        steps += found.steps
        for step in found.steps:
            depths.setdefault(step.far, sign * step.depth)
        is_cut = is_cut or found.is_cut or _goes_on(knowledge, found.steps, way, depth)
    rows = {step.edge.id: Descent(step.edge.id, step.edge.from_, step.edge.kind, step.edge.to) for step in steps}
    circle = _circle(rows.values())
    ordered = sorted(depths.items(), key=lambda row: (row[1], row[0]))
    return Lineage(
        item=card.id,
        direction=direction,
        depth=depth,
        nodes=tuple(_node(knowledge, item, at) for item, at in ordered),
        edges=tuple(rows.values()),
        origins=tuple(item for item, _ in ordered if not _next(knowledge, item, OUT)),
        terminals=tuple(item for item, _ in ordered if not _next(knowledge, item, IN)),
        has_cycle=bool(circle),
        cycle=circle,
        is_cut=is_cut,
        snapshot_id=knowledge.facts.snapshot_id,
        warnings=warnings,
    )


def _next(knowledge: Knowledge, item: str, way: str) -> list[str]:
    """The items one edge further that may be told."""
    ends = (edge.beyond(item) for edge in edges(knowledge, item, way, KINDS))
    return [end for end in ends if not is_private(knowledge, end)]


def _goes_on(knowledge: Knowledge, steps: Iterable[Step], way: str, depth: int) -> bool:
    """Whether anything lies beyond the last step that is not there already."""
    seen = {end for step in steps for end in (step.edge.from_, step.edge.to)}
    last = (step.far for step in steps if step.depth == depth)
    return any(end not in seen for item in last for end in _next(knowledge, item, way))


def _circle(rows: Iterable[Descent]) -> tuple[str, ...]:
    """The ids of the first circle along the direction of the edges; two ways to one item make none."""
    later: dict[str, list[str]] = {}
    for row in rows:
        later.setdefault(row.from_, []).append(row.to)
        later.setdefault(row.to, [])
    return tuple(next((each for each in _components(later) if len(each) > 1), ()))


def _components(later: Mapping[str, Sequence[str]]) -> list[list[str]]:
    return cycles.components({item: sorted(ends) for item, ends in later.items()})


def _node(knowledge: Knowledge, item: str, depth: int) -> Ancestry:
    """Of a restricted item nothing but the id and that it is there."""
    card = next(iter(knowledge.under(f"id:{item}")), None)
    if card is None:
        return Ancestry(item, "", "", "", MISSING, depth)
    if card.visibility in NEVER_BY_SCOPE and depth:
        return Ancestry(item, "", "", card.kind, card.status, depth)
    return Ancestry(item, card.slug, card.title, card.kind, card.status, depth)
