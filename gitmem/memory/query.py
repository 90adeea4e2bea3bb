"""What a person typed into a search: words, phrases in quotes, words of one field. Refuses every other operator.

Nothing in it is a pattern, and reading it takes time that grows with its length and no faster.
"""

import re
from collections.abc import Sequence

from gitmem.index.stems import forms, stemmed
from gitmem.index.wording import FIELDS
from gitmem.record import record

CHARS_MAX = 100_000
_ALIASES = {"tag": "tags", "path": "paths", **{name: name for name in FIELDS}}
_QUOTED = re.compile(r'(?:\b(title|tags?|summary|body|paths?):)?"([^"]*)"')
_OF_FIELD = re.compile(r"(?<![^\s])(title|tags?|summary|body|paths?):(?![\s/\\])(\S+)")


@record
class Phrase:
    """Terms that must stand side by side, in ``field`` or, where that is '', in any one."""

    terms: tuple[str, ...]
    field: str
    text: str


@record
class Query:
    """``forms`` are the words in reading order, as they are written; ``phrases`` of stems must all be there."""

    forms: tuple[str, ...]
    phrases: tuple[Phrase, ...] = ()

    @property
    def has_operators(self) -> bool:
        return bool(self.phrases)


def words(text: str) -> Query:
    """All of the text as words that may match."""
    return Query(tuple(forms(text[:CHARS_MAX])))


def read(text: str) -> Query:
    """Quotes and ``field:`` taken as what they are; a quote that is never closed is a sign like any other."""
    text = text[:CHARS_MAX]
    phrases: list[Phrase] = []
    rest, at = [], 0
    for match in _QUOTED.finditer(text):
        phrase = _phrase(match[2], match[1])
        if phrase is not None:
            phrases.append(phrase)
            rest += [text[at : match.start()], match[2]]
            at = match.end()
    remaining = "".join((*(f"{part} " for part in rest), text[at:]))
    for match in _OF_FIELD.finditer(remaining):
        phrase = _phrase(match[2], match[1])
        phrases += [phrase] if phrase is not None else []
    plain = _OF_FIELD.sub(lambda match: match[2], remaining)
    return Query(tuple(forms(plain)), tuple(dict.fromkeys(phrases)))


def _phrase(text: str, field: str | None) -> Phrase | None:
    terms = tuple(stemmed(text))
    return Phrase(terms, _ALIASES[field] if field else "", text.strip()) if terms else None


def holds(terms: Sequence[str], phrase: Sequence[str]) -> bool:
    """Whether the terms of a phrase stand side by side in a text."""
    return _line(phrase) in _line(terms)


def _line(terms: Sequence[str]) -> str:
    """No term holds a line end, so what is looked for in such a text is whole terms, in time that grows with both."""
    return "\n".join(("", *terms, ""))
