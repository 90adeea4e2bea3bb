"""What the trusted knowledge lacks, as findings for `doctor --gaps`. Refuses private and restricted items."""

from __future__ import annotations

from gitmem.answers.experience import Experience, experience
from gitmem.answers.proofs import backing
from gitmem.answers.reading import Session, ask, read
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory import freshness
from gitmem.memory import gaps as lacking
from gitmem.memory.gaps import Gap, Row
from gitmem.model.finding import Finding, Severity
from gitmem.model.verification import REFUTED
from gitmem.record import record
from gitmem.store.repo import FOLDER

_ACTIVE = "active"


@record
class _Seen:
    """The items by id, and the edges, in one pass over the cards."""

    cards: dict[str, Card]
    edges: tuple[tuple[str, str, str], ...]
    joined: frozenset[str]


def gaps(session: Session) -> list[Finding]:
    """By kind, the most important item first."""
    reading = read(session.place)
    seen, _ = ask(reading, _seen)
    lived = experience(session, reading)
    told = backing(reading.place.repo, seen.cards.values())
    rows = [_row(session, lived, card, seen, told[card.id]) for card in seen.cards.values()]
    return [_finding(gap, seen.cards[gap.item]) for gap in lacking.gaps(rows, lacking.links_of(seen.edges))]


def _seen(knowledge: Knowledge) -> _Seen:
    cards: dict[str, Card] = {}
    edges: list[tuple[str, str, str]] = []
    required: set[str] = set()
    for card in knowledge.cards():
        if card.edge:
            edges.append((card.edge[0], card.edge[1], card.edge[2]))
        elif _is_meant(card):
            cards[card.id] = card
            required.update(card.requires)
    joined = {card.id for card in cards.values() if card.requires or required & {card.id, card.slug, card.name}}
    return _Seen(cards, tuple(edges), frozenset(joined))


def _is_meant(card: Card) -> bool:
    """What is in force for everybody: of what was refuted nothing lacks."""
    is_active = bool(card.id) and card.status == _ACTIVE and card.verification != REFUTED
    return is_active and card.visibility not in NEVER_BY_SCOPE


def _row(session: Session, lived: Experience, card: Card, seen: _Seen, evidence: int) -> Row:
    effective = lived.effective(card)
    age_days = freshness.age_days(session.now, effective.last_use, card.created_at)
    half_life = freshness.half_life_days(effective.importance, card.kind)
    return Row(
        id=card.id,
        name=card.slug,
        kind=card.kind,
        importance=card.importance,
        evidence=evidence,
        verification=card.verification,
        tags=card.tags,
        is_rule=card.has_scope,
        is_joined=card.id in seen.joined,
        freshness="" if card.has_scope else freshness.freshness(age_days, half_life),
        helped=effective.helped,
        misled=effective.misled,
    )


def _finding(gap: Gap, card: Card) -> Finding:
    return Finding(gap.kind, Severity.WARNING, f"{FOLDER}/{card.path}", 0, gap.message, gap.hint, card.id)
