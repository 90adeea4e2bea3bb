"""What was perhaps meant by words that no document holds: from the index's own words. Refuses to search for it."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from gitmem.answers.finding import Desk, fulltext_of
from gitmem.index.stems import stem
from gitmem.memory.query import Query

_WORDS_MOST, _EACH = 5, 1
_SHORTEST, _LONGEST = 3, 40
_NEARNESS = 0.7


def suggested(desk: Desk, engine: str, question: Query) -> tuple[str, ...]:
    """One word for each of the first few that stand nowhere; nothing for a word that has no near one."""
    unknown = [
        form for form in dict.fromkeys(question.forms) if _is_word(form) and not desk.words.frequency(stem(form))
    ]
    found = (each for form in unknown[:_WORDS_MOST] for each in _near(desk, engine, form))
    return tuple(dict.fromkeys(found))


def _is_word(form: str) -> bool:
    return form.isalpha() and _SHORTEST <= len(form) <= _LONGEST


def _near(desk: Desk, engine: str, form: str) -> list[str]:
    full = fulltext_of(desk, engine)
    words = full.suggest(form, _EACH) if full else get_close_matches(form, set(_words(desk, form)), _EACH, _NEARNESS)
    return [word for word in words if desk.words.frequency(stem(word))]


def _words(desk: Desk, form: str) -> Iterator[str]:
    """The words of the documents that begin as this one does, in every form in which they are written."""
    terms = [term for term, _ in desk.words.book.terms()] if desk.words.book else []
    for term in (*terms, *desk.words.loose):
        if term[:1] == form[:1] and abs(len(term) - len(form)) <= _SHORTEST:
            yield from desk.words.forms(term)
