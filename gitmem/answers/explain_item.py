"""What experience has made of one item: day by day before and after, and the events behind it. Refuses to judge any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os.path import lexists

from gitmem.answers import naming
from gitmem.answers.experience import Experience, experience, start_of
from gitmem.answers.reading import Reading, Revision, ask, read
from gitmem.answers.session import Session
from gitmem.answers.truth import of_items
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory import freshness, plasticity, tally
from gitmem.memory.plasticity import State
from gitmem.model.event import FEEDBACK, MAINTENANCE, Entry
from gitmem.model.experienced import (
    About,
    Behind,
    Day,
    Effective,
    ItemExplained,
    Lent,
    Moved,
    Outlook,
    Stated,
)
from gitmem.store.mentions import entries_with

_DAYS, _EVENTS = 30, 20
_DIGITS = 6
_BYTES_MAX = 1 << 40
_TOLD = ("effectiveness", "result", "reason", "surprise", "signals")


def named(session: Session, text: str, at: str = "") -> bool:
    """Whether a text names an item and nothing else in the work tree."""
    root = session.place.repo.root
    if root is not None and lexists(f"{session.start}/{text}"):
        return False
    try:
        ask(read(session.place, Revision(at=at)), lambda knowledge: naming.one(knowledge, text))
    except (naming.NotFoundError, naming.AmbiguousError):
        return False
    return True


def explain_item(session: Session, text: str, at: str = "") -> ItemExplained:
    reading = read(session.place, Revision(at=at))
    card = naming.find(reading, text)
    known = experience(session, reading)
    now = known.effective(card)
    days = list(_days(card, known))
    return ItemExplained(
        item=About(card.id, card.slug, card.title, card.kind, card.verification),
        stated=Stated(card.importance, card.confidence),
        now=now,
        outlook=_outlook(session, card, now),
        days=tuple(days[-_DAYS:]),
        days_total=len(days),
        lent=_lent(reading, known, card),
        events=tuple(_events(session, card)),
        truth=of_items(session, reading, [card])[card.id],
        warnings=reading.warnings,
    )


def _moved(before: float, after: float) -> Moved:
    return Moved(round(before, _DIGITS), round(after, _DIGITS))


def _days(card: Card, known: Experience) -> Iterator[Day]:
    """The fold in its steps."""
    before = start_of(card)
    for day, counts in sorted(known.uses.of(card.id).days.items()):
        after = plasticity.fold(before, [(day, counts)])
        yield _day(day, counts, before, after)
        before = after


def _day(day: str, counts: Mapping[str, int], before: State, after: State) -> Day:
    return Day(
        day,
        dict(sorted(counts.items())),
        _moved(before.importance, after.importance),
        _moved(before.confidence, after.confidence),
        _moved(before.strength, after.strength),
    )


def _outlook(session: Session, card: Card, now: Effective) -> Outlook:
    half_life = freshness.half_life_days(now.importance, card.kind)
    days = freshness.age_days(session.now, now.last_use, card.created_at)
    return Outlook(
        freshness=freshness.state(card, now.importance, now.last_use, session.now),
        half_life_days=round(half_life, 2),
        age_days=round(days, 2),
        since=now.last_use or card.created_at,
        importance=plasticity.band(now.importance),
        confidence=plasticity.band(now.confidence),
        advice=plasticity.advice(now.misled),
    )


def _lent(reading: Reading, known: Experience, card: Card) -> tuple[Lent, ...]:
    received = known.received.get(card.id, {})

    def rows(knowledge: Knowledge) -> tuple[Lent, ...]:
        pairs = [(item, near) for item in sorted(received) for near in knowledge.under(f"id:{item}")[:1]]
        shown = [(item, near) for item, near in pairs if near.visibility not in NEVER_BY_SCOPE]
        return tuple(Lent(item, near.slug, round(received[item], _DIGITS)) for item, near in shown)

    return ask(reading, rows)[0]


def _events(session: Session, card: Card) -> Iterator[Behind]:
    """The newest first."""
    marks = (f'"kind":"{kind}"'.encode() for kind in (FEEDBACK, MAINTENANCE))
    entries = entries_with(session.place.repo, *marks, most=_BYTES_MAX)
    found = [entry for entry in entries if _outcome(entry, card.id)]
    for entry in reversed(found[-_EVENTS:]):
        data = {name: entry.data[name] for name in _TOLD if name in entry.data}
        yield Behind(entry.id, entry.at, entry.kind, _outcome(entry, card.id), entry.agent, data)


def _outcome(entry: Entry, item: str) -> str:
    """What happened to the item by this event, '' for nothing."""
    touched = tally.touched(entry.kind, entry.data)
    return next((action for action, ids in touched if item in ids), "")
