"""Whoosh's index of a revision: opened when it is there, built behind what answers. Refuses to be waited for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gitmem.answers.reading import Place, ask, read
from gitmem.answers.searching import WHOOSH, engine_of
from gitmem.answers.session import Session
from gitmem.index import bookmaking, fulltext
from gitmem.index.fulltext import Fulltext
from gitmem.index.knowledge import Knowledge
from gitmem.index.tables import Base
from gitmem.index.wording import by_field
from gitmem.store.uncollected import uncollected

_KEPT_OPEN = 2


def of_base(place: Place, base: Base) -> Fulltext | None:
    """The one that is kept, opened once; None where nobody has built it yet."""
    name = bookmaking.fulltext_name(base)
    with place.opening:
        known = place.fulltexts.pop(name, None)
        if known is None:
            found = fulltext.open_kept(place.cache, name)
            known = found if found is not None and found.count == base.count else None
        if known is not None:
            place.fulltexts[name] = known
        for old in list(place.fulltexts)[:-_KEPT_OPEN]:
            del place.fulltexts[old]
    return known


def build_behind(session: Session, most: int = 0) -> bool:
    """Builds the index of what is trusted where it is missing, of at most so many cards, 0 for any; whether it did."""
    if engine_of(session)[0] != WHOOSH or session.place.cache.folder is None:
        return False
    reading = read(session.place)
    return ask(reading, lambda knowledge: _build(reading.place, knowledge, most))[0]


def _build(place: Place, knowledge: Knowledge, most: int) -> bool:
    base = knowledge.base
    if base is None or not base.count or 0 < most < base.count or of_base(place, base) is not None:
        return False
    with uncollected():
        fulltext.make(place.cache, bookmaking.fulltext_name(base), _rows(place, base))
    return True


def _rows(place: Place, base: Base) -> Iterator[Mapping[str, Sequence[str]]]:
    for card, text in bookmaking.texts(place.repo, base.cards()):
        yield {} if text is None else by_field(card, text)
