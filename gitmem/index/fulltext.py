"""Whoosh's own index of a base, beside the posting arrays: the one door to Whoosh. Refuses files that are not ours.

Whoosh opens an index with pickle, so its files are parts of one cache file under a keyed hash, and are opened from
memory once every one of them was found right.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from whoosh import __version__, fields, formats
from whoosh.filedb.filestore import RamStorage
from whoosh.query import And, Or, Term
from whoosh.searching import Searcher

from gitmem.index import segments
from gitmem.index.bookmaking import FULLTEXT_PREFIX
from gitmem.index.postings import EMPTY, Postings
from gitmem.index.segments import DamagedError, Segments
from gitmem.index.wording import FIELD_WEIGHTS, FIELDS, WEIGHT_MAX, WRITTEN
from gitmem.record import record
from gitmem.store import cache as caches
from gitmem.store.cache import Cache

_MEMORY_MB = 128
_KEPT = 2
_DISTANCE = 2


@record
class Fulltext:
    """One open searcher. A document has the number of its card, since all are written in order and into one segment."""

    searcher: Searcher
    count: int

    def postings(self, term: str) -> Postings:
        """As ``postings.Book.postings`` of the same documents."""
        weights: Counter[int] = Counter()
        bits: dict[int, int] = {}
        for at, name in enumerate(FIELDS):
            for number, times in self._matches(name, term):
                weights[number] += FIELD_WEIGHTS[at] * times
                bits[number] = bits.get(number, 0) | 1 << at
        if not bits:
            return EMPTY
        numbers = sorted(bits)
        capped = bytes(min(weights[number], WEIGHT_MAX) for number in numbers)
        return Postings(array("I", numbers), capped, bytes(bits[number] for number in numbers))

    def _matches(self, name: str, term: str) -> Iterator[tuple[int, int]]:
        if (name, term) not in self.searcher.reader():
            return
        matcher = self.searcher.postings(name, term)
        while matcher.is_active():
            yield matcher.id(), round(matcher.weight())
            matcher.next()

    def holding(self, terms: Sequence[str], field: str = "") -> frozenset[int]:
        """The documents that hold all of these stems, in one field where it is named."""
        names = (field,) if field else FIELDS
        wanted = And([Or([Term(name, term) for name in names]) for term in dict.fromkeys(terms)])
        return frozenset(wanted.docs(self.searcher))

    def suggest(self, word: str, most: int) -> list[str]:
        """Words of the index that differ from this one by little, the nearest and commonest first."""
        found: list[str] = self.searcher.corrector(WRITTEN).suggest(word, limit=most, maxdist=_DISTANCE, prefix=1)
        return found


def _schema() -> fields.Schema:
    plain = {name: fields.FieldType(formats.Frequency(), None) for name in FIELDS}
    return fields.Schema(**plain, **{WRITTEN: fields.FieldType(formats.Existence(), None)})


def open_kept(cache: Cache, name: str) -> Fulltext | None:
    """As it was kept; None when it is missing or is not what was written."""
    parts = segments.open_file(cache, name)
    if parts is None:
        return None
    try:
        return _opened(parts)
    except DamagedError:
        return None


def _opened(parts: Segments) -> Fulltext | None:
    head = json.loads(parts.part(0))
    if head["version"] != [*__version__]:
        return None
    storage = RamStorage()
    storage.files = {name: parts.part(at) for at, name in enumerate(head["files"], 1)}
    return Fulltext(storage.open_index().searcher(), head["count"])


def make(cache: Cache, name: str, rows: Iterable[Mapping[str, Sequence[str]]]) -> tuple[Fulltext, str]:
    """Built anew of what ``wording.by_field`` says of each document, and why it could not be kept ('' when it was)."""
    storage = RamStorage()
    writer = storage.create_index(_schema()).writer(limitmb=_MEMORY_MB)
    count = 0
    for row in rows:
        words = sorted({form for form in row.get(WRITTEN, ()) if form.isalpha()})
        writer.add_document(**{field: row[field] for field in FIELDS if row.get(field)}, **{WRITTEN: words})
        count += 1
    writer.commit(optimize=True)
    files: Mapping[str, bytes] = {each: bytes(storage.files[each]) for each in sorted(storage.list())}
    head = {"version": [*__version__], "files": list(files), "count": count}
    kept, note = segments.keep(cache, name, [json.dumps(head).encode(), *files.values()])
    caches.drop_oldest(cache, FULLTEXT_PREFIX, ".seg", _KEPT)
    found = _opened(kept)
    assert found is not None
    return found, note
