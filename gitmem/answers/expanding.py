"""What the edges of the hits bring in beside them: neighbours, what they contradict, what became of their claims.

Refuses to change the order of what was found by its words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.answers.finding import Desk, Found, hit_of
from gitmem.index.card import Card
from gitmem.index.edges import edges
from gitmem.lazy import load
from gitmem.memory.filters import PROPOSAL, Filters
from gitmem.memory.ranking import Ranked
from gitmem.model.claimed import HOLDS, ClaimState
from gitmem.model.hit import Hit
from gitmem.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.search import SearchCall

ALONG = ("extends", "consolidates", "supersedes", "derives_from", "part_of")
_CONTRADICTS = "contradicts"
# What a step costs a neighbour beside the weight of its edge.
_DECAY = 0.5
_DIGITS = 4


def expanded(found: Found, asked: tuple[SearchCall, Filters]) -> Found:
    """The same hits with their neighbours, at the places that their scores give them, as many as the limit allows."""
    call, wanted = asked
    desk = found.desk
    if not call.expand or not desk.knowledge.facts.counts.get("edge"):
        return replace(found, hits=tuple(_marked(desk, found.hits)))
    hits = list(found.hits)
    seen = {hit.id for hit in hits}
    level: Sequence[Hit] = hits
    for _ in range(call.expand):
        level = [each for hit in level for each in _neighbours(desk, hit, (call, wanted), seen)]
        hits += level
    hits.sort(key=lambda hit: (hit.kind == PROPOSAL, -hit.score))
    shown = hits[: call.limit]
    return replace(found, hits=tuple(_marked(desk, shown)))


def _neighbours(desk: Desk, hit: Hit, asked: tuple[SearchCall, Filters], seen: set[str]) -> list[Hit]:
    call, wanted = asked
    if hit.kind == PROPOSAL:
        return []
    found = []
    for edge in edges(desk.knowledge, hit.id, kinds=ALONG):
        far = edge.beyond(hit.id)
        number = next(iter(desk.knowledge.numbers(f"id:{far}")), None)
        if far in seen or number is None or not desk.admitted(wanted, [number]):
            continue
        seen.add(far)
        score = round(hit.score * edge.weight * _DECAY, _DIGITS)
        parts = desk.standing.parts(number, 0.0)
        near = hit_of(desk, Ranked(number, score, parts), (), call)
        found.append(replace(near, via=edge.kind, via_item=hit.id))
    return found


def _marked(desk: Desk, hits: Sequence[Hit]) -> list[Hit]:
    """With what speaks against each, and the claims of each that no longer hold."""
    own = {hit.id: card for hit in hits if (card := _card(desk, hit)) is not None}
    resting = [card for card in own.values() if card.claims]
    states: dict[str, tuple[ClaimState, ...]] = (
        load("gitmem.answers.claims:states")(desk.reading, resting) if resting else {}
    )
    against = _against(desk, [*own])
    if not states and not against:
        return list(hits)
    marked = []
    for hit in hits:
        broken = tuple(f"{row.path}: {row.state}" for row in states.get(hit.id, ()) if row.state != HOLDS)
        marked.append(replace(hit, contradicts=against.get(hit.id), claims=broken or None))
    return marked


def _against(desk: Desk, items: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    if not desk.knowledge.facts.counts.get("edge", {}).get(_CONTRADICTS):
        return {}
    contradicted = [item for item in items if edges(desk.knowledge, item, kinds=(_CONTRADICTS,))]
    if not contradicted:
        return {}
    place, now = desk.reading.place, desk.session.now
    found: Mapping[str, tuple[str, ...]] = load("gitmem.answers.contradictions:against")(
        desk.knowledge, place, contradicted, now
    )
    return found


def _card(desk: Desk, hit: Hit) -> Card | None:
    if hit.kind == PROPOSAL:
        return None
    return next(iter(desk.knowledge.under(f"id:{hit.id}")), None)
