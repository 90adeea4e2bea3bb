"""The searchable documents of a revision, as the engine that was chosen has them. Refuses to rank.

The engine ``whoosh`` keeps posting arrays in the cache and Whoosh's own index beside them; ``memory`` leaves no file.
"""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.reading import Place, Reading
from gitmem.answers.session import Session
from gitmem.index import bookmaking
from gitmem.index.knowledge import Knowledge
from gitmem.index.postings import Document
from gitmem.index.words import Words, words_of
from gitmem.memory.ranking import code_of
from gitmem.record import record, replace
from gitmem.store.cache import Cache

WHOOSH, MEMORY = "whoosh", "memory"
ENGINES = (WHOOSH, MEMORY)
_KEPT_OPEN = 4


@record
class Opened:
    """``engine`` is the one that answers; ``notes`` say what stands in the way of the other."""

    words: Words
    engine: str
    notes: tuple[str, ...] = ()


def engine_of(session: Session) -> tuple[str, tuple[str, ...]]:
    """The engine that the surface was told to use; a word that names none means the stronger one, and is named."""
    wanted = session.engine.strip().lower()
    if not wanted or wanted in ENGINES:
        return wanted or WHOOSH, ()
    return WHOOSH, (f"unknown engine {session.engine[:40]!r}: {WHOOSH} answers; known: {', '.join(ENGINES)}",)


def opened(session: Session, reading: Reading, knowledge: Knowledge) -> Opened:
    """The documents of the revision that is read, kept open from call to call."""
    engine, notes = engine_of(session)
    place, key = reading.place, f"{engine}:{reading.tree}"
    with place.opening:
        known = place.words.pop(key, None)
        if known is None or known.knowledge is not knowledge:
            known, more = _made(place, knowledge, engine)
            notes = (*notes, *more)
        place.words[key] = known
        for old in list(place.words)[:-_KEPT_OPEN]:
            del place.words[old]
    unkept = "" if engine == MEMORY else known.unkept or place.cache.note
    return Opened(known, MEMORY, (*notes, unkept)) if unkept else Opened(known, engine, notes)


def with_extra(words: Words, extra: Sequence[Document]) -> Words:
    """The same with documents that count in nothing, of this one question."""
    return words_of(words.knowledge, words.book, words.fresh, extra) if extra else words


def _made(place: Place, knowledge: Knowledge, engine: str) -> tuple[Words, tuple[str, ...]]:
    cache = place.cache if engine == WHOOSH else replace(place.cache, folder=None, note="")
    fresh = bookmaking.fresh_documents(place.repo, knowledge, code_of)
    if knowledge.base is None:
        return words_of(knowledge, None, fresh), ()
    other = _open_already(place, knowledge, cache)
    book, unkept = (other.book, other.unkept) if other else (bookmaking.open_book(cache, knowledge.base), "")
    notes: tuple[str, ...] = ()
    if book is None:
        was_there = bookmaking.is_there(cache, knowledge.base)
        book, unkept = bookmaking.make_book(place.repo, cache, knowledge.base, code_of)
        rebuilt = f"cache file {bookmaking.book_name(knowledge.base)} was damaged and has been rebuilt"
        notes = (rebuilt,) if was_there else ()
    made = words_of(knowledge, book, fresh)
    made.unkept = unkept
    return made, notes


def _open_already(place: Place, knowledge: Knowledge, cache: Cache) -> Words | None:
    """Those of another revision with the same base."""
    base = knowledge.base
    for each in place.words.values():
        book = each.book if each.knowledge.base is base else None
        if book is not None and (book.parts.cache.folder is None) == (cache.folder is None):
            return each
    return None


def again(session: Session, reading: Reading, knowledge: Knowledge) -> Opened:
    """Anew from the blobs, where a part of the cache turned out to be damaged."""
    place = reading.place
    with place.opening:
        place.words.clear()
        if knowledge.base is not None:
            bookmaking.drop_book(place.cache, knowledge.base)
    found = opened(session, reading, knowledge)
    return replace(found, notes=("a damaged cache file of the search was rebuilt", *found.notes))
