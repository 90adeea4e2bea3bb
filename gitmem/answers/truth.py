"""How far engrams are borne out: what the journal, the code, the edges and their authors' record say of each.

Refuses to change any: what follows from it is proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gitmem.answers.authors import author_name, records
from gitmem.answers.contexts import contexts
from gitmem.answers.contradictions import against
from gitmem.answers.held import held
from gitmem.answers.judged import judged
from gitmem.answers.proofs import cases
from gitmem.answers.reading import Reading, ask, read
from gitmem.answers.session import Session
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.edges import Edge, edges
from gitmem.index.knowledge import Knowledge
from gitmem.memory import truth as formulas
from gitmem.memory.contexts import Contexts, area_of
from gitmem.memory.truth import Held, Record, Used
from gitmem.model.evidence import TEST, Evidence
from gitmem.model.truth import Truth
from gitmem.model.verification import REFUTED, Case, support
from gitmem.record import record

LIVE = ("draft", "active", "frozen")
SUPPORTS = frozenset({"extends", "part_of", "similar_to", "derives_from", "exemplifies", "consolidates"})
AGAINST = "contradicts"
# Of one item the weightiest.
_EDGES_MOST = 200


@record
class Measures:
    """What was found about some engrams and their neighbours, by id; ``records`` are by author."""

    contexts: Contexts
    held: Mapping[str, tuple[Held, ...]]
    cases: Mapping[str, Case]
    passed: Mapping[str, bool]
    records: Mapping[str, Record]
    near: Mapping[str, Sequence[tuple[Edge, Card]]]


def of_item(session: Session, card: Card) -> Truth:
    return of_items(session, read(session.place), [card])[card.id]


def of_items(session: Session, reading: Reading, cards: Sequence[Card]) -> dict[str, Truth]:
    """By id, in the order of ``cards``."""
    found = measures(session, reading, cards)
    return {card.id: truth_of(found, card) for card in cards}


def measures(session: Session, reading: Reading, cards: Sequence[Card]) -> Measures:
    """One look at each source for all of them."""
    used = contexts(session)
    near = ask(reading, lambda known: _all_near(known, reading, cards, session))[0]
    both = {each.id: each for rows in near.values() for _, each in rows} | {card.id: card for card in cards}
    everyone = list(both.values())
    return Measures(
        used,
        held(reading, everyone),
        cases(reading.place.repo, everyone),
        judged(reading, used.verdicts, everyone),
        records(reading, used),
        near,
    )


def _all_near(
    knowledge: Knowledge, reading: Reading, cards: Sequence[Card], session: Session
) -> dict[str, list[tuple[Edge, Card]]]:
    """By id; of what contradicts it only what nobody has settled."""
    found = {card.id: _near(knowledge, card) for card in cards}
    contradicted = [item for item, rows in found.items() if any(edge.kind == AGAINST for edge, _ in rows)]
    unsettled = against(knowledge, reading.place, contradicted, session.now) if contradicted else {}
    for item in contradicted:
        found[item] = [row for row in found[item] if row[0].kind != AGAINST or row[1].id in unsettled.get(item, ())]
    return found


def _near(knowledge: Knowledge, card: Card) -> list[tuple[Edge, Card]]:
    """The edges that speak for or against it, each once, with the live engram at the other end."""
    found = []
    for edge in sorted(edges(knowledge, card.id), key=lambda edge: (-edge.weight, edge.rel))[:_EDGES_MOST]:
        if edge.kind in SUPPORTS or edge.kind == AGAINST:
            others = knowledge.under(f"id:{edge.beyond(card.id)}")
            found += [(edge, far) for far in others[:1] if far.id != card.id and far.status in LIVE]
    return found


def truth_of(found: Measures, card: Card) -> Truth:
    mine = _own(found, card)
    near = [(edge, 0.0 if far.verification == REFUTED else _alone(found, far)) for edge, far in found.near[card.id]]
    speaking = sum(edge.weight * weight for edge, weight in near if edge.kind in SUPPORTS)
    against = sum(edge.weight * weight for edge, weight in near if edge.kind == AGAINST)
    count = sum(edge.kind == AGAINST for edge, _ in near)
    mutual = formulas.mutual_support(speaking, against)
    rows = {
        **mine,
        formulas.MUTUAL_SUPPORT: (mutual, f"edges that support it: {len(near) - count}, that contradict it: {count}"),
    }
    return formulas.truth([(name, *rows[name]) for name in formulas.WEIGHTS], tuple(_doubts(found, card)))


def is_contradicted(found: Measures, card: Card) -> bool:
    """By an engram that holds itself, as far as nobody has settled it."""
    return any(edge.kind == AGAINST for edge, _ in found.near[card.id])


def _alone(found: Measures, card: Card) -> float:
    return formulas.own([score for score, _ in _own(found, card).values()])


def _own(found: Measures, card: Card) -> dict[str, tuple[float, str]]:
    """The four dimensions that do not look at neighbours, in the order of the weights."""
    backing = support(found.cases[card.id])
    used = _used(found, card, backing)
    claims = found.held.get(card.id, ())
    checks = [True for each in backing if each.kind == TEST][:1]
    checks += [found.passed[card.id]] if card.id in found.passed else []
    record_ = found.records.get(author_name(card.created_by), Record())
    good = sum(claim.holds for claim in claims)
    commits = sum(claim.commits for claim in claims if claim.holds)
    told = [f"{good} of {len(claims)} claim(s) hold"] if claims else []
    told += [f"{sum(checks)} of {len(checks)} check(s) passed"] if checks else []
    return {
        formulas.CROSS_CONTEXT: (
            formulas.cross_context(used),
            f"used with success: domains {used.domains}, authors {used.authors}, code areas {used.areas}",
        ),
        formulas.TIME_STABLE: (
            formulas.time_stable(claims),
            f"{good} of {len(claims)} claim(s) hold, through {commits} commit(s)" if claims else "no claim to judge",
        ),
        formulas.SOURCE_RELIABILITY: (
            formulas.source_reliability(record_.reliability, card.source_type),
            f"of what its author wrote {record_.effective} proved, {record_.failed} failed; {card.source_type}",
        ),
        formulas.EXECUTABLE: (
            formulas.executable(claims, checks),
            "; ".join(told) or "no claim, check or test to judge",
        ),
    }


def _used(found: Measures, card: Card, backing: Iterable[Evidence]) -> Used:
    """What people say they saw counts beside what the journal tells; what gitmem measured itself does not."""
    use = found.contexts.of(card.id)
    told = [each for each in backing if each.was_seen]
    domains = {each.domain or card.domain for each in told} | ({card.domain} if use.net > 0 else set())
    areas = {*use.areas, *(area_of(each.claim.partition("#")[0]) for each in told if each.claim)}
    # A clone is somebody's, and nobody knows whose.
    authors = max(len(use.authors), len({author_name(each.by) for each in told if each.by}))
    return Used(len(domains), authors, len(areas))


def _doubts(found: Measures, card: Card) -> Iterable[str]:
    """What an author wrote whose knowledge fails more often than not, and what derives from that."""
    if (record_ := found.records.get(author_name(card.created_by))) and record_.is_unreliable:
        yield f"its author's record is {record_.reliability:.2f}: {record_.failed} that failed"
    for edge, far in found.near[card.id]:
        source = found.records.get(author_name(far.created_by))
        if edge.kind == "derives_from" and edge.from_ == card.id and source and source.is_unreliable:
            name = far.id if far.visibility in NEVER_BY_SCOPE else far.slug
            yield f"it derives from {name}, whose author's record is {source.reliability:.2f}"
