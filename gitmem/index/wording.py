"""What a document can be found by: its terms, how much each weighs there and in which fields, and their order.

Refuses to rank, and to know any other document.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from gitmem.index.card import Card
from gitmem.index.stems import forms, stem, stemmed
from gitmem.record import record

# A word weighs most where somebody chose it to say what the whole is about.
FIELDS = ("title", "tags", "summary", "body", "paths")
FIELD_WEIGHTS = (4, 3, 2, 1, 1)
TITLE, TAGS, SUMMARY, BODY, PATHS = range(len(FIELDS))
# As they are written: of ``by_field`` alone.
WRITTEN = "written"
_BODY_BIT = 1 << BODY
# More of one word says no more: stuffed text wins nothing.
WEIGHT_MAX = 255
WEIGHT_SHIFT = 8
FIELD_MASK = (1 << WEIGHT_SHIFT) - 1
TITLE_TERMS_MAX = 255
# What stands farther down is found, and counts in no passage.
SEQUENCE_MAX = 20_000
# So much of a summary tells whether it was drawn from the body.
_DRAWN_CHARS = 60


@record
class Wording:
    """``terms``: by stem its weight << 8 | the bits of ``FIELDS`` in which it stands. ``length`` is the sum of the
    weights before any cut. ``sequence`` has the words of the title, as many as ``title_terms``, then those of the body,
    as they are written."""

    terms: Mapping[str, int]
    length: int
    sequence: Sequence[str]
    title_terms: int


def wording(card: Card, body: str) -> Wording:
    """The terms of one item: what its card says of it, the paths that it is about, and its body."""
    return of_fields(_short(card, body), body, about(card))


def _short(card: Card, body: str) -> tuple[str, str, str]:
    """Title, tags and summary; one that is the start of a paragraph of the body says nothing that is not there."""
    summary = card.summary.removesuffix("...")[:_DRAWN_CHARS]
    return card.title, " ".join((*card.tags, *card.context_tags)), "" if summary in body else card.summary


def by_field(card: Card, body: str) -> dict[str, list[str]]:
    """The stems of each field in reading order, and under ``WRITTEN`` the words of title and body as they stand."""
    texts = (*_short(card, body), body, "\n".join(about(card)))
    found = {name: stemmed(text) for name, text in zip(FIELDS, texts, strict=True)}
    return {**found, WRITTEN: [*forms(card.title), *forms(body)]}


def about(card: Card) -> tuple[str, ...]:
    """The paths that an item names in its header: patterns, claims and what it mirrors; its commands and domain."""
    paths = (*card.paths, *(path for path, *_ in card.claims), *card.source[:1])
    return tuple(dict.fromkeys((*paths, *card.commands, card.domain)))


def of_fields(short: Sequence[str], body: str, paths: Sequence[str]) -> Wording:
    """``short`` are title, tags and summary."""
    text, title = forms(body), forms(short[TITLE])
    terms: dict[str, int] = {}
    for form, count in Counter(text).items():
        word = stem(form)
        terms[word] = terms.get(word, _BODY_BIT) + (count << WEIGHT_SHIFT)
    length = len(text)
    chosen = (list(map(stem, title)), stemmed(short[TAGS]), stemmed(short[SUMMARY]), (), stemmed("\n".join(paths)))
    for field, words in enumerate(chosen):
        weight, bit = FIELD_WEIGHTS[field], 1 << field
        length += weight * len(words)
        for word in words:
            terms[word] = terms.get(word, 0) + (weight << WEIGHT_SHIFT) | bit
    title = title[:TITLE_TERMS_MAX]
    return Wording(_capped(terms) if length > WEIGHT_MAX else terms, length, [*title, *text[:SEQUENCE_MAX]], len(title))


def _capped(terms: Mapping[str, int]) -> dict[str, int]:
    most = WEIGHT_MAX << WEIGHT_SHIFT
    return {word: min(value, most | value & FIELD_MASK) for word, value in terms.items()}
