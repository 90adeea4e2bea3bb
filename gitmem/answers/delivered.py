"""Which items reached anybody, by the record of this clone and the counts that others share. Refuses to read texts."""

from __future__ import annotations

from gitmem.answers.counting import of_team
from gitmem.answers.reading import Session, ask, read
from gitmem.index.card import NEVER_BY_SCOPE
from gitmem.index.knowledge import Knowledge
from gitmem.memory.tally import DELIVERED, EVENTS, RETRIEVED
from gitmem.model.event import COMPILE, RETRIEVAL
from gitmem.record import record

_LISTED_MOST = 100
_LIVE = ("active", "frozen")
_REACHED = (DELIVERED, RETRIEVED)


@record
class Unmet:
    """An item that no compile delivered and no search found."""

    item: str
    slug: str
    kind: str
    importance: float


@record
class Deliveries:
    """``compiles`` and ``searches`` are on record, ``items`` are live and ``delivered`` of them reached somebody.
    ``never_delivered`` are the first hundred of ``never_total``, the most important first: what recall misses, or what
    nobody needs."""

    compiles: int
    searches: int
    items: int
    delivered: int
    never_delivered: tuple[Unmet, ...]
    never_total: int


def deliveries(session: Session) -> Deliveries:
    tally = of_team(session)
    reached = {item for _, item, action in tally.counts if action in _REACHED}
    events = tally.of(EVENTS)

    def unmet(knowledge: Knowledge) -> tuple[int, list[Unmet]]:
        cards = [card for card in knowledge.cards() if card.id and card.status in _LIVE]
        cards = [card for card in cards if card.visibility not in NEVER_BY_SCOPE]
        rows = [Unmet(c.id, c.slug, c.kind, c.importance) for c in cards if c.id not in reached]
        return len(cards), sorted(rows, key=lambda row: (-row.importance, row.slug))

    items, rows = ask(read(session.place), unmet)[0]
    return Deliveries(
        compiles=events.get(COMPILE, 0),
        searches=events.get(RETRIEVAL, 0),
        items=items,
        delivered=items - len(rows),
        never_delivered=tuple(rows[:_LISTED_MOST]),
        never_total=len(rows),
    )
