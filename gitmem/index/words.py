"""The searchable documents of one knowledge tree: those of its base file, less what is gone, and what was added.

Counts of documents and lengths are those of this tree alone, whatever was indexed before. Refuses to rank.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.index.postings import EMPTY, Book, Document, Postings
from gitmem.index.stems import stem
from gitmem.index.wording import FIELD_MASK, WEIGHT_SHIFT, Wording
from gitmem.model.moments import instant
from gitmem.record import field, state

_KEPT_TERMS = 20_000
# Document, weight, bits of fields.
Row = tuple[int, int, int]
Traits = tuple[Sequence[float], Sequence[float], Sequence[int]]


@state
class Words:
    """A document has the number of its card; ``extra`` follow behind them: they are found, and count in nothing.

    ``fresh`` are the documents of the cards that the tree has beyond its base, in their order. ``unkept`` says why
    the file of the base could not be kept, '' when it was.
    """

    knowledge: Knowledge
    book: Book | None
    fresh: tuple[Document, ...]
    extra: tuple[Document, ...] = ()
    average: float = 0.0
    documents: int = 0
    loose: Mapping[str, Postings] = field(default_factory=dict)
    norms: list[float] = field(default_factory=list)
    joined: dict[str, Postings] = field(default_factory=dict)
    frequencies: dict[str, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    columns: list[Traits] = field(default_factory=list)
    hidden: list[frozenset[int]] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
    shares: dict[str, Sequence[float]] = field(default_factory=dict)
    about: dict[str, frozenset[int]] = field(default_factory=dict)
    unkept: str = ""

    @property
    def first_fresh(self) -> int:
        return self.book.count if self.book else 0

    @property
    def first_extra(self) -> int:
        return self.first_fresh + len(self.fresh)

    @property
    def count(self) -> int:
        return self.first_extra + len(self.extra)

    def postings(self, term: str) -> Postings:
        """The live documents that hold a term."""
        known = self.joined.get(term)
        if known is None:
            if len(self.joined) > _KEPT_TERMS:
                self.joined.clear()
                self.frequencies.clear()
            known = self.joined[term] = self._join(term)
        return known

    def frequency(self, term: str) -> int:
        """In how many documents of the tree a term stands; those that count in nothing are left out."""
        known = self.frequencies.get(term)
        if known is None:
            documents = self.postings(term).documents
            extra = sum(number >= self.first_extra for number in documents[-len(self.extra) :]) if self.extra else 0
            known = self.frequencies[term] = len(documents) - extra
        return known

    def _join(self, term: str) -> Postings:
        found = self.book.postings(term) if self.book else EMPTY
        removed = self.knowledge.removed
        loose = self.loose.get(term, EMPTY)
        if not removed or removed.isdisjoint(found.documents):
            return _chained(found, loose) if len(found) and len(loose) else loose if len(loose) else found
        rows = zip(found.documents, found.weights, found.fields, strict=True)
        kept = [row for row in rows if row[0] not in removed]
        return _chained(Postings(*zip(*kept, strict=True)), loose) if kept else loose

    def forms(self, term: str) -> list[str]:
        """In which forms a stem is written; the stem itself where only documents beside the base have it."""
        found = self.book.forms(term).values() if self.book else ()
        return list(found) or [term]

    def spots(self, number: int, terms: Sequence[str]) -> tuple[list[tuple[int, str]], int]:
        """Where in title and body of a document one of these stems stands, with the form that is written there; and
        how many of the positions are the title's."""
        if self.book and number < self.book.count:
            forms = {id_: form for term in terms for id_, form in self.book.forms(term).items()}
            sequence = self.book.sequence(number)
            return [(at, forms[each]) for at, each in enumerate(sequence) if each in forms], self.book.titles[number]
        words = self._loose_document(number).wording
        assert words is not None
        wanted = frozenset(terms)
        return [(at, form) for at, form in enumerate(words.sequence) if stem(form) in wanted], words.title_terms

    def _loose_document(self, number: int) -> Document:
        at = number - self.first_fresh
        return self.fresh[at] if at < len(self.fresh) else self.extra[at - len(self.fresh)]

    def row(self, term: str, number: int) -> tuple[int, int] | None:
        """How much a stem weighs in a document and the bits of the fields; None where it does not stand there."""
        found = self.postings(term)
        at = bisect_left(found.documents, number)
        if at == len(found) or found.documents[at] != number:
            return None
        return found.weights[at], found.fields[at]

    def ids(self) -> Sequence[str]:
        """By document; '' for what is none."""
        if not self.names:
            loose = [each.id for each in (*self.fresh, *self.extra)]
            self.names = [*(self.book.ids() if self.book else ()), *loose]
        return self.names

    def number_of(self, item: str) -> int | None:
        if not self.numbers:
            self.numbers = {name: number for number, name in enumerate(self.ids()) if name}
        return self.numbers.get(item)

    def traits(self) -> Traits:
        """Importance, creation in seconds since 1970 (-1 for unknown), and one byte of codes, by document."""
        if not self.columns:
            self.columns.append(self._traits())
        return self.columns[0]

    def _traits(self) -> Traits:
        loose = (*self.fresh, *self.extra)
        importance, created, codes = self.book.traits() if self.book else ((), (), b"")
        if not loose:
            return importance, created, codes
        return (
            [*importance, *(each.importance for each in loose)],
            [*created, *(each.created for each in loose)],
            [*codes, *(each.code for each in loose)],
        )

    def length(self, number: int) -> int:
        if self.book and number < self.book.count:
            return self.book.lengths[number]
        words = self._loose_document(number).wording
        return words.length if words else 0

    def lengths(self) -> list[int]:
        """By document, 0 for what is none."""
        loose = [each.wording.length if each.wording else 0 for each in (*self.fresh, *self.extra)]
        return [*(self.book.lengths if self.book else ()), *loose]


def words_of(
    knowledge: Knowledge, book: Book | None, fresh: Sequence[Document], extra: Sequence[Document] = ()
) -> Words:
    """Made ready for questions: ``fresh`` are for the cards that ``knowledge`` adds to its base."""
    assert (book.count if book else 0) == knowledge.first_added
    made = Words(knowledge, book, tuple(fresh), tuple(extra))
    removed = [book.lengths[number] for number in knowledge.removed] if book else []
    lengths = [each.wording.length for each in fresh if each.wording]
    total = (book.total if book else 0) - sum(removed) + sum(lengths)
    made.documents = (book.documents if book else 0) - sum(map(bool, removed)) + sum(map(bool, lengths))
    made.average = total / made.documents if made.documents else 1.0
    made.loose = _loose(made.first_fresh, (*fresh, *extra))
    return made


def _loose(first: int, documents: Sequence[Document]) -> dict[str, Postings]:
    rows: dict[str, list[Row]] = {}
    for number, document in enumerate(documents, first):
        for term, value in document.wording.terms.items() if document.wording else ():
            rows.setdefault(term, []).append((number, value >> WEIGHT_SHIFT, value & FIELD_MASK))
    return {term: Postings(*zip(*found, strict=True)) for term, found in rows.items()}


def _chained(one: Postings, other: Postings) -> Postings:
    return Postings([*one.documents, *other.documents], [*one.weights, *other.weights], [*one.fields, *other.fields])


def document_of(card: Card, wording: Wording | None, code: int) -> Document:
    """``wording`` None: a card that nobody can find."""
    return Document(card.ref, wording, card.importance, seconds(card.created_at), code)


def seconds(moment: str) -> float:
    """Since 1970; -1 for a moment that is not known."""
    found = instant(moment) if moment else None
    return -1.0 if found is None else found.timestamp()
