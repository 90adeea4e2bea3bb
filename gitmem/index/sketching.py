"""Keeps the sketches of a tree's engrams up, by tree diff and in bounded slices. Refuses to compare texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gitmem.index import sketches
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.index.sketches import Row, Sketches
from gitmem.record import record, replace
from gitmem.store.cache import Cache, drop_oldest
from gitmem.store.canonical import body_of
from gitmem.store.git import GitError
from gitmem.store.layout import Place, place_of
from gitmem.store.objects import Change, diff_trees, read_blobs
from gitmem.store.repo import Repo

# So many are sketched at once, 1 ms each; of more a call takes a slice, and says that it leaves the rest.
AT_ONCE_MAX = 2000
SLICE = 100
# Loose rows are read one by one, so they are gathered into a base file now and then.
_LOOSE_MAX = 512
_DEAD_SPARED = 2000
_KEPT_BASES = 3


@record
class Others:
    """Texts of no tree: their blob ids, and how the card and the body of some of them are had."""

    blobs: tuple[str, ...]
    texts_of: Callable[[Sequence[str]], Iterable[tuple[Card, str]]]


@record
class Ground:
    """A knowledge tree with its index, and where its sketches are kept."""

    repo: Repo
    cache: Cache
    tree: str
    knowledge: Knowledge


def kept_up(ground: Ground, others: Others | None = None, *, is_whole: bool = False) -> Sketches:
    """The sketches of the tree, and of ``others``, texts that are not in it.

    What is missing is made, all of it when it is little, else a slice; ``is_whole``: all, and gathered in the base.
    """
    before = sketches.load(ground.cache)
    pending = _pending(ground, before) if ground.tree else []
    most = len(pending) if is_whole or len(pending) <= AT_ONCE_MAX else SLICE
    wanted = others.blobs if others else ()
    known = before.blobs() if pending or wanted else set()
    cards = (ground.knowledge.at_path(rel) for rel in pending[:most])
    rows = [*_rows_of_tree(ground, {card.blob: card for card in cards if card and card.id and card.blob not in known})]
    unknown = [blob for blob in wanted if blob not in known]
    rows += _rows(others.texts_of(unknown)) if others and unknown else ()
    after = replace(before, loose=(*before.loose, *rows))
    if ground.tree:
        after = replace(after, tree=ground.tree, pending=tuple(pending[most:]))
    if after == before and not (is_whole and after.loose):
        return before
    return _kept(ground, after, 0 if is_whole else _LOOSE_MAX)


def _pending(ground: Ground, before: Sketches) -> list[str]:
    """The engrams of the tree of which nothing is known, by path."""
    if before.tree == ground.tree:
        return list(before.pending)
    changes = _changes(ground.repo, before.tree, ground.tree)
    known = before.blobs()
    if changes is None:
        return sorted(card.path for card in ground.knowledge.cards() if card.id and card.blob not in known)
    engrams = [change for change in changes if place_of(change.rel) is Place.ENGRAM]
    fresh = {change.rel for change in engrams if change.new_oid and change.new_oid not in known}
    return sorted(fresh | set(before.pending).difference(change.rel for change in engrams))


def _changes(repo: Repo, old: str, new: str) -> Sequence[Change] | None:
    """None when there is nothing to start from: no tree, or one that is gone from this clone."""
    if not old or not new:
        return None
    try:
        return diff_trees(repo, old, new)
    except GitError:
        return None


def _rows_of_tree(ground: Ground, cards: Mapping[str, Card]) -> Iterator[Row]:
    blobs = read_blobs(ground.repo, list(cards))
    return _rows((cards[blob], body_of(data)) for blob, data in blobs)


def _rows(texts: Iterable[tuple[Card, str]]) -> Iterator[Row]:
    for card, text in texts:
        yield sketches.row_of(card.id, card.blob, card.title, text)


def _kept(ground: Ground, found: Sketches, loose_max: int) -> Sketches:
    if len(found.loose) > loose_max:
        found, note = sketches.gathered(ground.cache, found, _live(ground, found))
        if note:
            return found
    sketches.save(ground.cache, found)
    drop_oldest(ground.cache, sketches.KIND, ".bin", _KEPT_BASES)
    return found


def _live(ground: Ground, found: Sketches) -> frozenset[str] | None:
    """The blobs to keep when most rows are of texts that are gone; None to keep all."""
    items = sum(ground.knowledge.facts.counts.get("status", {}).values())
    if len(found.entries) + len(found.loose) <= 2 * items + _DEAD_SPARED:
        return None
    return frozenset(card.blob for card in ground.knowledge.cards())
