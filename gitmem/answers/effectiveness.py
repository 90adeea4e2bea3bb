"""How uses of knowledge ended, by kind and by item, in all clones that share it. Refuses a rate of fewer than three."""

from __future__ import annotations

from gitmem.answers.experience import Experience, experience
from gitmem.answers.reading import ask
from gitmem.answers.session import Session
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory import windows
from gitmem.memory.windows import Ended
from gitmem.record import record

_LISTED = 10
_DIGITS = 3


@record
class KindRow:
    """``window_hours`` is how long a use is watched; ``rate`` is None of fewer than three uses."""

    kind: str
    window_hours: int
    hits: int
    effective: int
    failed: int
    contradicted: int
    inconclusive: int
    rate: float | None


@record
class ItemRow:
    id: str
    slug: str
    hits: int
    effective: int
    failed: int
    contradicted: int
    inconclusive: int
    rate: float | None


@record
class Effectiveness:
    """``worst`` are the items with the lowest rates, of those below 1; ``total`` is how many items were of any use."""

    kinds: tuple[KindRow, ...]
    worst: tuple[ItemRow, ...]
    total: int


def effectiveness(session: Session) -> Effectiveness:
    known = experience(session)
    cards, _ = ask(known.reading, lambda knowledge: _used(knowledge, known))
    found = {card.id: _ended(known, card) for card in cards}
    kinds = sorted({card.kind for card in cards})
    rated = [(rate, card) for card in cards if (rate := found[card.id].rate) is not None and rate < 1]
    worst = sorted(rated, key=lambda row: (row[0], -found[row[1].id].total, row[1].id))[:_LISTED]
    rows = (
        _of_kind(kind, [(known.uses.hits.get(c.id, 0), found[c.id]) for c in cards if c.kind == kind]) for kind in kinds
    )
    return Effectiveness(tuple(rows), tuple(_of_item(known, card, found[card.id]) for _, card in worst), len(cards))


def _used(knowledge: Knowledge, known: Experience) -> list[Card]:
    """The items that were found or judged, each once; a private one is nobody else's business."""
    items = sorted({*known.uses.hits, *known.uses.days})
    return [card for item in items for card in knowledge.under(f"id:{item}")[:1] if card.visibility != "private"]


def _ended(known: Experience, card: Card) -> Ended:
    counts: dict[str, int] = {}
    for of_day in known.uses.of(card.id).days.values():
        for action, count in of_day.items():
            counts[action] = counts.get(action, 0) + count
    return windows.ended(counts)


def _of_kind(kind: str, found: list[tuple[int, Ended]]) -> KindRow:
    total = sum((each for _, each in found), Ended())
    hours = round(windows.window(kind).total_seconds() / 3600)
    return KindRow(kind, hours, sum(hits for hits, _ in found), *_counts(total), _rounded(total.rate))


def _of_item(known: Experience, card: Card, found: Ended) -> ItemRow:
    return ItemRow(card.id, card.slug, known.uses.hits.get(card.id, 0), *_counts(found), _rounded(found.rate))


def _counts(found: Ended) -> tuple[int, int, int, int]:
    return found.effective, found.failed, found.contradicted, found.inconclusive


def _rounded(rate: float | None) -> float | None:
    return None if rate is None else round(rate, _DIGITS)
