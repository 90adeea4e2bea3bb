"""What a change or a merge did to the meaning of edges and tags, by key look-ups. Refuses what no change touched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from gitmem.checks import meaning
from gitmem.checks.references import Named
from gitmem.checks.spotted import Spotted
from gitmem.index.card import DELIVERED, Card
from gitmem.index.edges import IN, edge_of, edges
from gitmem.index.knowledge import Knowledge
from gitmem.store.codec import decode

_SUPERSEDES = "supersedes"
# Edges that say why something was refuted are no use of it.
_AGAINST = frozenset({_SUPERSEDES, "contradicts"})
_REFUTED = "refuted"

Read = Callable[[list[str]], Mapping[str, str]]


def of_change(after: Knowledge, gone: Iterable[Card], come: Iterable[Card], read: Read) -> list[Spotted]:
    """Of the engrams that changed, and of both ends of the edges that came; ``read`` gives texts by path."""
    come = list(come)
    touched = {card.id: card for card in come if card.id}
    ends = {end for edge in map(edge_of, come) if edge is not None for end in (edge.from_, edge.to)}
    for end in sorted(ends - touched.keys()):
        touched.update((end, card) for card in after.under(f"id:{end}"))
    had = {card.id for card in gone if card.id and card.tags}
    found = [meaning.without_tags(_named(card)) for card in come if card.id in had and not card.tags]
    found += (spot for card in touched.values() for spot in _superseded(after, card))
    return found + _refuted(after, list(touched.values()), read)


def _superseded(after: Knowledge, card: Card) -> Iterator[Spotted]:
    """Seen from either end of the edge."""
    pairs = [(card.id, edge.from_) for edge in edges(after, card.id, IN, (_SUPERSEDES,))]
    pairs += [(edge.to, card.id) for edge in edges(after, card.id, kinds=(_SUPERSEDES,)) if edge.from_ == card.id]
    for old, new in pairs:
        item, by = _live(after, old), _live(after, new)
        if item is not None and by is not None:
            yield meaning.still_active(_named(item), _named(by))


def _refuted(after: Knowledge, cards: list[Card], read: Read) -> list[Spotted]:
    joined = {card.path: (card, others) for card in cards if (others := _neighbours(after, card))}
    texts = read(sorted(joined)) if joined else {}
    found = []
    for path, text in sorted(texts.items()):
        engram = decode(text.encode(), path).engram
        if engram is not None and engram.verification == _REFUTED:
            card, others = joined[path]
            found.append(meaning.refuted(_named(card), [_named(each) for each in others]))
    return found


def _neighbours(after: Knowledge, card: Card) -> list[Card]:
    ends = (edge.beyond(card.id) for edge in edges(after, card.id) if edge.kind not in _AGAINST)
    return [each for end in dict.fromkeys(ends) if (each := _live(after, end)) is not None]


def _live(after: Knowledge, item: str) -> Card | None:
    return next((card for card in after.under(f"id:{item}") if card.status in DELIVERED), None)


def _named(card: Card) -> Named:
    return Named(card.id, card.path, card.slug)
