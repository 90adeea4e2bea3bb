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
    offered = full.suggest(form, _EACH) if full else []
    words = {*(offered if full else _of_base(desk, form)), *_beside_base(desk, form)}
    near = get_close_matches(form, words, _EACH, _NEARNESS) or offered
    return [word for word in near if desk.words.frequency(stem(word))]


def _of_base(desk: Desk, form: str) -> Iterator[str]:
    """The words of the documents of the base that look like this one, in every form in which they are written."""
    terms = [term for term, _ in desk.words.book.terms()] if desk.words.book else []
    for term in terms:
        if _is_like(term, form):
            yield from desk.words.forms(term)


def _beside_base(desk: Desk, form: str) -> Iterator[str]:
    """Those of the documents that came since; no index of Whoosh has them."""
    for document in desk.words.fresh:
        if document.wording:
            yield from (word for word in document.wording.sequence if _is_like(word, form))
            yield from (term for term in document.wording.terms if _is_like(term, form))


def _is_like(word: str, form: str) -> bool:
    return word[:1] == form[:1] and abs(len(word) - len(form)) <= _SHORTEST
