"""The posting arrays of one knowledge tree in a segmented file: by term the documents that hold it.

Refuses to rank, and to change once built.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, count

from gitmem.index.segments import Segments
from gitmem.index.stems import stem
from gitmem.index.wording import FIELD_MASK, WEIGHT_SHIFT, Wording
from gitmem.record import field, record, state

VERSION = 2
_HEAD, _LENGTHS, _TITLES, _TRAITS, _IDS, _FIXED = range(6)
_TERMS_A_SHARD = 256
_SEQUENCES_A_PART = 32
_KEPT_BYTES = 8 << 20
_NUMBER = "I"
_NUMBER_SHIFT = 16


@record
class Postings:
    """The documents of one stem, ascending by number; how much it weighs in each, and the bits of the fields."""

    documents: Sequence[int]
    weights: Sequence[int]
    fields: Sequence[int]

    def __len__(self) -> int:
        return len(self.documents)


EMPTY = Postings((), (), ())
NO_FORMS: Mapping[int, str] = {}


@state
class Book:
    """A reader. Documents have the numbers of the cards of the tree; what is no document has the length 0.

    ``titles`` are the numbers of terms in the titles, ``total`` is the sum of the lengths. What was asked for stays in
    ``seen``, with the forms of the stem by their numbers in a sequence, while there is room.
    """

    parts: Segments
    count: int
    shards: int
    total: int
    documents: int
    lengths: Sequence[int]
    titles: Sequence[int]
    seen: dict[str, tuple[Postings, Mapping[int, str]]] = field(default_factory=dict)
    room: int = _KEPT_BYTES

    def postings(self, term: str) -> Postings:
        return self._row(term)[0]

    def forms(self, term: str) -> Mapping[int, str]:
        """The forms in which a stem is written, by their numbers in ``sequence``."""
        return self._row(term)[1]

    def _row(self, term: str) -> tuple[Postings, Mapping[int, str]]:
        known = self.seen.get(term)
        if known is not None:
            return known
        row = _found(self.parts.part(_FIXED + _shard(term, self.shards)), term)
        size = len(row[0]) * _ROW_BYTES + len(term) + 200
        if size > self.room:
            self.seen.clear()
            self.room = _KEPT_BYTES
        self.seen[term] = row
        self.room -= size
        return row

    def sequence(self, number: int) -> Sequence[int]:
        """The words of title and body of a document, as numbers of forms."""
        part = self.parts.part(_FIXED + self.shards + number // _SEQUENCES_A_PART)
        ends = array(_NUMBER, part[: (_SEQUENCES_A_PART + 1) * _NUMBER_BYTES])
        place = number % _SEQUENCES_A_PART
        return array(_NUMBER, part[ends[place] : ends[place + 1]])

    def terms(self) -> Iterator[tuple[str, int]]:
        """Every stem, and in how many documents it stands."""
        for number in range(self.shards):
            shard = self.parts.part(_FIXED + number)
            for line in shard[1 : shard.find(b"\n\n")].split(b"\n"):
                term, _, place = line.partition(b"\t")
                if term:
                    yield term.decode("utf-8", "surrogatepass"), int(place.split(b" ", 2)[1])

    def traits(self) -> tuple[Sequence[float], Sequence[float], bytes]:
        """Importance, creation in seconds since 1970, and one byte of codes, by document."""
        data, size = self.parts.part(_TRAITS), 8 * self.count
        return array("d", data[:size]), array("d", data[size : 2 * size]), data[2 * size :]

    def ids(self) -> list[str]:
        """By document; '' for what is none."""
        return self.parts.part(_IDS).decode().split("\n")


@record
class Document:
    """What the file keeps of one document. ``code`` is one byte that belongs to whoever ranks; ``created`` is -1 where
    it is not known."""

    id: str
    wording: Wording | None
    importance: float
    created: float
    code: int


_NUMBER_BYTES = array(_NUMBER).itemsize
_ROW_BYTES = _NUMBER_BYTES + 2


def open_book(parts: Segments) -> Book | None:
    """A reader over a segmented file, or None when another version wrote it."""
    head = json.loads(parts.part(_HEAD))
    if head["version"] != VERSION or head["sizes"] != _sizes():
        return None
    lengths = array(_NUMBER, parts.part(_LENGTHS))
    titles = parts.part(_TITLES)
    return Book(parts, head["count"], head["shards"], head["total"], head["documents"], lengths, titles)


def _sizes() -> list[int]:
    """Arrays are in the form of this machine: another one builds its own."""
    return [_NUMBER_BYTES, array(_NUMBER, [1]).tobytes()[0]]


def parts_of(documents: Iterable[Document]) -> list[bytes]:
    """The parts of a book over documents in the order of their numbers."""
    rows: defaultdict[str, list[int]] = defaultdict(list)
    forms: defaultdict[str, int] = defaultdict(count().__next__)
    sequences: list[bytes] = []
    lengths, importance, created = array(_NUMBER), array("d"), array("d")
    ids, titles, codes = [], bytearray(), bytearray()
    for number, document in enumerate(documents):
        words = document.wording
        lengths.append(words.length if words else 0)
        titles.append(words.title_terms if words else 0)
        importance.append(document.importance)
        created.append(document.created)
        codes.append(document.code)
        ids.append(document.id)
        sequences.append(array(_NUMBER, map(forms.__getitem__, words.sequence)).tobytes() if words else b"")
        if words:
            start, columns = number << _NUMBER_SHIFT, map(rows.__getitem__, words.terms)
            for column, value in zip(columns, words.terms.values(), strict=True):
                column.append(start + value)
    shards = _shards_of(rows, forms)
    head = {
        "version": VERSION,
        "sizes": _sizes(),
        "count": len(ids),
        "shards": len(shards),
        "total": sum(lengths),
        "documents": sum(map(bool, lengths)),
    }
    traits = importance.tobytes() + created.tobytes() + bytes(codes)
    fixed = (json.dumps(head).encode(), lengths.tobytes(), bytes(titles), traits, "\n".join(ids).encode())
    return [*fixed, *shards, *_sequence_parts(sequences)]


def _sequence_parts(sequences: Sequence[bytes]) -> Iterator[bytes]:
    """Where each one begins and the last one ends, then all of them."""
    head = (_SEQUENCES_A_PART + 1) * _NUMBER_BYTES
    for at in range(0, len(sequences), _SEQUENCES_A_PART):
        share = [*sequences[at : at + _SEQUENCES_A_PART]]
        share += [b""] * (_SEQUENCES_A_PART - len(share))
        yield array(_NUMBER, accumulate(map(len, share), initial=head)).tobytes() + b"".join(share)


def _shards_of(rows: Mapping[str, list[int]], forms: Mapping[str, int]) -> list[bytes]:
    written: defaultdict[str, list[str]] = defaultdict(list)
    for form, number in forms.items():
        written[stem(form)].append(f"{number}={form}")
    most = max(1, len(rows) // _TERMS_A_SHARD)
    shards: list[list[str]] = [[] for _ in range(most)]
    for term in rows:
        shards[_shard(term, most)].append(term)
    return [_shard_of(sorted(names), rows, written) for names in shards]


def _shard_of(names: list[str], rows: Mapping[str, list[int]], forms: Mapping[str, list[str]]) -> bytes:
    """A table of lines ``stem TAB offset SPACE documents SPACE forms``, an empty line, then the columns of each."""
    lines, columns, at = [], [], 0
    for name in names:
        values = rows[name]
        lines.append(f"{name}\t{at} {len(values)} {' '.join(forms.get(name, ()))}\n".encode("utf-8", "surrogatepass"))
        numbers = array(_NUMBER, [value >> _NUMBER_SHIFT for value in values]).tobytes()
        weights = bytes([value >> WEIGHT_SHIFT & FIELD_MASK for value in values])
        columns.append(numbers + weights + bytes([value & FIELD_MASK for value in values]))
        at += len(columns[-1])
    return b"".join((b"\n", *lines, b"\n", *columns))


def _found(shard: bytes, term: str) -> tuple[Postings, Mapping[int, str]]:
    mark = f"\n{term}\t".encode("utf-8", "surrogatepass")
    end = shard.find(b"\n\n")
    at = shard.find(mark, 0, end + 1)
    if at < 0:
        return EMPTY, NO_FORMS
    first = at + len(mark)
    offset, documents, *written = shard[first : shard.index(b"\n", first)].split(b" ")
    size, start = int(documents), end + 2 + int(offset)
    middle = start + size * _NUMBER_BYTES
    numbers = array(_NUMBER, shard[start:middle])
    forms = (row.decode("utf-8", "surrogatepass").partition("=") for row in written if row)
    postings = Postings(numbers, shard[middle : middle + size], shard[middle + size : middle + 2 * size])
    return postings, {int(number): form for number, _, form in forms}


def _shard(term: str, count: int) -> int:
    return zlib.crc32(term.encode("utf-8", "surrogatepass")) % count
