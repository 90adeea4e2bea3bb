"""Two revisions of the knowledge side by side, and the files that differ, paired by item. Refuses to read any file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.record import record
from gitmem.rules.match import is_live
from gitmem.store.layout import Place, is_leftover, place_of
from gitmem.store.objects import Change


@record
class Pair:
    """One item, or one file that is no engram, before and after; None on the side that has it not."""

    old: Card | None
    new: Card | None

    @property
    def either(self) -> Card:
        card = self.new or self.old
        assert card is not None
        return card


@record
class Turn:
    """What became of the knowledge; ``pairs`` come in the order of their paths."""

    before: Knowledge
    after: Knowledge
    pairs: tuple[Pair, ...]


def turned(before: Knowledge, after: Knowledge, changes: Iterable[Change]) -> Turn:
    """``changes`` are those between the trees of the two."""
    told = [c for c in changes if not is_leftover(c.rel) and place_of(c.rel) is not Place.CACHE]
    gone = [card for c in told if c.old_oid and (card := before.at_path(c.rel))]
    come = [card for c in told if c.new_oid and (card := after.at_path(c.rel))]
    pairs = sorted(_paired(gone, come), key=lambda pair: (pair.either.path, pair.new is None))
    return Turn(before, after, tuple(pair for pair in pairs if not _is_same(pair)))


def _is_same(pair: Pair) -> bool:
    """Whether only the mode of a file differs."""
    old, new = pair.old, pair.new
    return old is not None and new is not None and (old.path, old.blob) == (new.path, new.blob)


def _paired(gone: Sequence[Card], come: Sequence[Card]) -> Iterable[Pair]:
    """By id where that is clear, else by path where not both have one; else what went and what came are two things."""
    ids_gone, ids_come = _once(gone), _once(come)
    by_id = ids_gone.keys() & ids_come.keys()
    yield from (Pair(ids_gone[id_], ids_come[id_]) for id_ in by_id)
    paths = {card.path: card for card in come if card.id not in by_id}
    for card in gone:
        if card.id in by_id:
            continue
        new = paths.get(card.path)
        if new is not None and not (card.id and new.id):
            del paths[card.path]
            yield Pair(card, new)
        else:
            yield Pair(card, None)
    yield from (Pair(None, card) for card in paths.values())


def _once(cards: Iterable[Card]) -> dict[str, Card]:
    found: dict[str, list[Card]] = {}
    for card in cards:
        if card.id:
            found.setdefault(card.id, []).append(card)
    return {id_: same[0] for id_, same in found.items() if len(same) == 1}


def may_be_delivered(knowledge: Knowledge, card: Card | None) -> bool:
    """Whether a compile without a date can deliver it at all."""
    return card is not None and is_live(card, knowledge.facts.duplicates, "")
