"""Edges whose ends are not there, in a whole tree or after a change. Refuses to read files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gitmem.checks import ends
from gitmem.checks.spotted import Spotted
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge


def of_whole(cards: Iterable[Card]) -> list[Spotted]:
    cards = list(cards)
    ids = {card.id for card in cards if card.id}
    return [spot for card in cards if card.edge for spot in _missing(card, ids.__contains__)]


def of_change(after: Knowledge, gone: Iterable[Card], come: Iterable[Card]) -> list[Spotted]:
    """Of the edges that came, and of those whose engram went."""
    touched = {card.path: card for card in come if card.edge}
    for item in sorted({card.id for card in gone if card.id}):
        if not _is_here(after, item):
            touched.update((card.path, card) for key in ("from", "to") for card in after.under(f"{key}:{item}"))
    return [spot for card in touched.values() for spot in _missing(card, lambda item: _is_here(after, item))]


def _is_here(knowledge: Knowledge, item: str) -> bool:
    return bool(knowledge.numbers(f"id:{item}"))


def _missing(card: Card, is_here: Callable[[str], bool]) -> Iterator[Spotted]:
    if card.edge:
        start, end, kind, _ = card.edge
        for item in (start, end):
            if not is_here(item):
                yield ends.missing(card.path, (start, end, kind), item)
