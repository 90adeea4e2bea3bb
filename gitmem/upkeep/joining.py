"""Edges that the texts themselves ask for: alike and not joined, one within the other, joined and hardly alike.

Refuses to touch any other kind of edge than similar_to: what a person meant by one is not measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from gitmem.answers import plans
from gitmem.answers.edges import Wanted, synapse_of
from gitmem.answers.ground import SCAFFOLD, Ground
from gitmem.answers.machine import DISMISSED, WAITS
from gitmem.answers.opening import Plan
from gitmem.index.card import Card
from gitmem.index.edges import Edge
from gitmem.model.synapse import unite
from gitmem.record import record, replace
from gitmem.store.synapses import encode_synapse
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.kin import TWINS_LEAST, Family, Kin
from gitmem.upkeep.raising import Earlier
from gitmem.upkeep.twins import moment_of

STAGE = "rem"
KIND, WIDER = "similar_to", "extends"
A_NODE_MOST, A_RUN_MOST = 5, 30
DROP_UNDER = 0.1
# So much of the smaller text is in the larger one, which is so much larger.
WITHIN_LEAST, LARGER_LEAST = 0.9, 1.25

Before = Callable[[Draft], Earlier]


def drafts(family: Family, before: Before) -> list[Draft]:
    """What to take out or to name anew first; what was dismissed is left out, what waits counts among the thirty."""
    changed = [draft for draft in _changed(family) if before(draft).outcome != DISMISSED]
    return [*changed, *_links(family, before)]


def _links(family: Family, before: Before) -> list[Draft]:
    """The nearest pairs that nothing joins, those that wait already first."""
    degrees = Counter(end for edge in family.edges if edge.kind == KIND for end in (edge.from_, edge.to))
    rows = [(kin, _link(kin)) for kin in family.kin if _is_open(family, kin)]
    states = [before(draft).outcome for _, draft in rows]
    ordered = [row for row, state in zip(rows, states, strict=True) if state == WAITS]
    ordered += [row for row, state in zip(rows, states, strict=True) if not state]
    found: list[Draft] = []
    for kin, draft in ordered:
        ends = (kin.first.id, kin.second.id)
        if len(found) < A_RUN_MOST and all(degrees[end] < A_NODE_MOST for end in ends):
            degrees.update(ends)
            found.append(draft)
    return found


def _is_open(family: Family, kin: Kin) -> bool:
    return kin.share < TWINS_LEAST and (kin.first.id, kin.second.id) not in family.joined


def _link(kin: Kin) -> Draft:
    one, other = kin.first, kin.second
    told = _shared(kin.shared, kin.total)

    def plan(under: Ground) -> Plan:
        wanted = Wanted(one.id, KIND, other.id, description=told, confidence=round(kin.share, 2))
        return plans.plan_link(under, wanted, SCAFFOLD, moment_of(under))

    title = f"Link: {one.slug} {KIND} {other.slug}"
    return Draft(STAGE, "link", _rests_on(one, other), title, plan, f"{_capital(told)}, and no edge joins them.")


def _shared(shared: int, total: int) -> str:
    return f"their texts share {shared} of {total} shingles ({shared / total:.2f})"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rests_on(one: Card, other: Card, *more: str) -> tuple[str, ...]:
    return (one.id, other.id, one.blob, other.blob, *more)


@record
class _Measured:
    """An edge similar_to with its ends, and how many shingles both have, the one, and the other."""

    edge: Edge
    one: Card
    other: Card
    sizes: tuple[int, int, int]

    @property
    def share(self) -> float:
        both, mine, theirs = self.sizes
        return both / (mine + theirs - both or 1)


def _changed(family: Family) -> Iterator[Draft]:
    rows = [edge for edge in family.edges if edge.kind == KIND]
    family.texts.fetch(family.cards[end] for edge in rows for end in (edge.from_, edge.to))
    for edge in sorted(rows, key=lambda each: each.rel):
        one, other = family.cards[edge.from_], family.cards[edge.to]
        found = _Measured(edge, one, other, family.texts.sizes(one, other))
        if found.share < DROP_UNDER:
            yield _dropped(found)
        elif wider := _wider(found):
            yield _retyped(found, wider)


def _dropped(found: _Measured) -> Draft:
    both, mine, theirs = found.sizes
    rel = found.edge.rel
    return Draft(
        stage=STAGE,
        rule="unlink",
        rests_on=_rests_on(found.one, found.other, found.edge.id),
        title=f"Unlink: {found.one.slug} {KIND} {found.other.slug}",
        plan=lambda _: Plan("unlink", "", {rel: None}),
        rationale=f"{_capital(_shared(both, mine + theirs - both or 1))}; under {DROP_UNDER} they are hardly alike.",
    )


def _wider(found: _Measured) -> tuple[Card, Card] | None:
    """The one that says all that the other says and more, and that other."""
    both, mine, theirs = found.sizes
    small, large = sorted((mine, theirs))
    if not small or both < WITHIN_LEAST * small or large < LARGER_LEAST * small:
        return None
    return (found.one, found.other) if mine == large else (found.other, found.one)


def _retyped(found: _Measured, ends: tuple[Card, Card]) -> Draft:
    wide, narrow = ends
    both, small = found.sizes[0], min(found.sizes[1:])
    told = f"{wide.slug} has {both} of the {small} shingles of {narrow.slug} ({both / small:.2f}), and more"
    wanted = Wanted(wide.id, WIDER, narrow.id, description=told, confidence=round(both / small, 2))
    return Draft(
        stage=STAGE,
        rule="retype",
        rests_on=_rests_on(found.one, found.other, found.edge.id),
        title=f"Retype: {wide.slug} {WIDER} {narrow.slug}, instead of {KIND}",
        plan=lambda under: _plan_retype(under, found.edge, wanted),
        rationale=f"{told}.",
    )


def _plan_retype(under: Ground, edge: Edge, wanted: Wanted) -> Plan:
    """What spoke for the edge goes along."""
    linked = plans.plan_link(under, wanted, SCAFFOLD, moment_of(under))
    ((rel, data),) = linked.changes.items()
    old = synapse_of(under.data_at([edge.rel])[edge.rel], edge.rel)
    new = synapse_of(data or b"", rel)
    joined = encode_synapse(replace(new, evidence=unite((*old.evidence, *new.evidence))))
    return Plan("link", "", {edge.rel: None, rel: joined}, warnings=linked.warnings)
