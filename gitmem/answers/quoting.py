"""Which documents hold what was asked for in quotes or of one field. Refuses to rank them."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.finding import Desk, fulltext_of
from gitmem.index.card import Card
from gitmem.index.stems import stem, stemmed
from gitmem.index.wording import FIELDS, SEQUENCE_MAX, about
from gitmem.memory import query
from gitmem.memory.query import Phrase

_BODY = "body"
_GAP = ""


def holding(desk: Desk, engine: str, phrases: Sequence[Phrase]) -> list[int]:
    """The live documents that hold every one of the phrases, ascending; side by side is looked at by ``standing``."""
    found = frozenset.intersection(*(_having(desk, engine, phrase) for phrase in phrases))
    gone = desk.knowledge.removed
    return sorted(number for number in found if number not in gone)


def _having(desk: Desk, engine: str, phrase: Phrase) -> frozenset[int]:
    """The documents with all of the words of a phrase in its field, in any order.

    Whoosh says which of the base have them, where its index is there; the arrays say the same.
    """
    full = fulltext_of(desk, engine)
    bit = 1 << FIELDS.index(phrase.field) if phrase.field else (1 << len(FIELDS)) - 1
    first = full.count if full is not None else 0
    sets = []
    for term in dict.fromkeys(phrase.terms):
        row = desk.words.postings(term)
        sets.append(
            frozenset(n for n, bits in zip(row.documents, row.fields, strict=True) if bits & bit and n >= first)
        )
    found = frozenset.intersection(*sets)
    return found | full.holding(phrase.terms, phrase.field) if full is not None else found


def standing(desk: Desk, numbers: Sequence[int], phrases: Sequence[Phrase]) -> list[int]:
    """Those in which the words of each phrase stand side by side in one field."""
    several = [phrase for phrase in phrases if len(phrase.terms) > 1]
    return [number for number in numbers if all(_side_by_side(desk, number, phrase) for phrase in several)]


def _side_by_side(desk: Desk, number: int, phrase: Phrase) -> bool:
    card, body = desk.card(number), False
    for name in _fields(desk, number, phrase):
        if name == _BODY:
            body = True
        elif any(query.holds(stemmed(text), phrase.terms) for text in _texts(card, name)):
            return True
    return body and query.holds(_of_body(desk, number, phrase), phrase.terms)


def _fields(desk: Desk, number: int, phrase: Phrase) -> list[str]:
    """The fields that are asked for in which all of the words stand."""
    bits = 1 << FIELDS.index(phrase.field) if phrase.field else (1 << len(FIELDS)) - 1
    for term in dict.fromkeys(phrase.terms):
        row = desk.words.row(term, number)
        bits &= row[1] if row is not None else 0
    return [name for at, name in enumerate(FIELDS) if bits >> at & 1]


def _texts(card: Card, name: str) -> Sequence[str]:
    short = {"title": (card.title,), "tags": (*card.tags, *card.context_tags), "summary": (card.summary,)}
    return short[name] if name in short else about(card)


def _of_body(desk: Desk, number: int, phrase: Phrase) -> Sequence[str]:
    """The words of the phrase where they stand in the body, a gap for all others; a very long one is read whole."""
    if desk.words.length(number) > SEQUENCE_MAX:
        return stemmed(desk.body(number))
    spots, title = desk.words.spots(number, tuple(dict.fromkeys(phrase.terms)))
    found, last = [], -1
    for at, form in spots:
        if at >= title:
            found += [stem(form)] if at == last + 1 else [_GAP, stem(form)]
            last = at
    return found
