"""Makes the searchable documents of a knowledge tree and keeps them in the cache. Refuses questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from gitmem.index import postings, segments, words
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.index.postings import Book, Document
from gitmem.index.segments import DamagedError
from gitmem.index.tables import Base
from gitmem.index.views import BASE_PREFIX
from gitmem.index.wording import wording
from gitmem.store import cache as caches
from gitmem.store import objects
from gitmem.store.cache import Cache
from gitmem.store.canonical import body_of
from gitmem.store.repo import Repo
from gitmem.store.uncollected import uncollected

PREFIX = f"words-{postings.VERSION}-"
FULLTEXT_PREFIX = f"whoosh-{postings.VERSION}-"
_BATCH = 4000
_KEPT = 4
_SKILL = "skill"

# One byte about a card that belongs to whoever ranks.
CodeOf = Callable[[Card], int]


def book_name(base: Base) -> str:
    return PREFIX + base.parts.name.removeprefix(BASE_PREFIX)


def open_book(cache: Cache, base: Base) -> Book | None:
    """The book of a base as it was kept; None when it is missing or is not what was written."""
    parts = segments.open_file(cache, book_name(base))
    if parts is None:
        return None
    try:
        found = postings.open_book(parts)
    except DamagedError:
        return None
    return found if found is not None and found.count == base.count else None


def is_there(cache: Cache, base: Base) -> bool:
    """Whether a file of that name is in the cache, sound or not."""
    return cache.folder is not None and (cache.folder / book_name(base)).exists()


def fulltext_name(base: Base) -> str:
    """The file of Whoosh's own index beside it."""
    return FULLTEXT_PREFIX + base.parts.name.removeprefix(BASE_PREFIX)


def has_fulltext(cache: Cache, base: Base) -> bool:
    return cache.folder is not None and (cache.folder / fulltext_name(base)).exists()


def drop_book(cache: Cache, base: Base) -> None:
    caches.remove(cache, book_name(base))


def make_book(repo: Repo, cache: Cache, base: Base, code_of: CodeOf) -> tuple[Book, str]:
    """Built from the blobs, and why it could not be kept ('' when it was)."""
    with uncollected():
        parts = postings.parts_of(documents(repo, base.cards(), code_of))
    kept, note = segments.keep(cache, book_name(base), parts)
    caches.drop_oldest(cache, PREFIX, ".seg", _KEPT)
    book = postings.open_book(kept)
    assert book is not None
    return book, note


def fresh_documents(repo: Repo, knowledge: Knowledge, code_of: CodeOf) -> tuple[Document, ...]:
    """Those of the cards that a tree has beyond its base."""
    return tuple(documents(repo, knowledge.added, code_of))


def is_document(card: Card) -> bool:
    """Engrams, rules and skills; an intention comes up by itself."""
    return bool(card.id) or card.kind == _SKILL


def documents(repo: Repo, cards: Iterable[Card], code_of: CodeOf) -> Iterator[Document]:
    """One a card, in their order."""
    for card, text in texts(repo, cards):
        yield words.document_of(card, None if text is None else wording(card, text), code_of(card))


def texts(repo: Repo, cards: Iterable[Card]) -> Iterator[tuple[Card, str | None]]:
    """Each card with its body, None for what is no document, in their order."""
    waiting = iter(cards)
    while batch := list(islice(waiting, _BATCH)):
        blobs = dict(objects.read_blobs(repo, sorted({card.blob for card in batch if is_document(card)})))
        for card in batch:
            yield card, body_of(blobs[card.blob]) if is_document(card) else None
