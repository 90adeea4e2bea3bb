"""The stems of the words of a text, in any script: the one door to the Snowball stemmer. Refuses to rank them."""

import re
from functools import cache
from itertools import chain
from threading import Lock

import Stemmer

from gitmem.text.english import BASE_FORMS
from gitmem.text.words import terms

_SHORTEST = 2
_KEPT_MOST = 200_000
# What Markdown is full of beside ASCII, as ``text.words`` reads it.
_PUNCTUATION = str.maketrans(
    {
        "\u2026": "...",
        "\u2019": "'",
        **dict.fromkeys("\u2013\u2014\u2018\u201c\u201d\u2022\u2192\u2190\u2713\u2705\u274c\xa0\xb7\u2265\u2264", " "),
    }
)


class _Stems(dict[str, str]):
    """By word; only what is written in plain Latin letters changes. A stemmer serves one thread at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._english = Stemmer.Stemmer("english", 0)
        self._lock = Lock()

    def __missing__(self, word: str) -> str:
        if len(self) > _KEPT_MOST:
            self.clear()
        found = word
        if len(word) >= _SHORTEST and word.isascii() and word.isalpha():
            with self._lock:
                found = self._english.stemWord(BASE_FORMS.get(word, word))
        self[word] = found
        return found


class _Runs(dict[str, tuple[str, ...]]):
    """The terms of a run of ASCII letters, digits and what joins them: the same runs come again."""

    def __missing__(self, run: str) -> tuple[str, ...]:
        if len(self) > _KEPT_MOST:
            self.clear()
        self[run] = found = tuple(_words(run))
        return found


_STEMS, _RUNS = _Stems(), _Runs()
stem = _STEMS.__getitem__
_terms_of_run = _RUNS.__getitem__


def _words(text: str) -> list[str]:
    """What an apostrophe joins counts as its parts, and the s of a genitive as nothing."""
    found = terms(text)
    if not any("'" in term for term in found):
        return found
    return [term for at, term in enumerate(found) if "'" not in term and not _is_genitive(found, at)]


def _is_genitive(found: list[str], at: int) -> bool:
    """``found`` has a compound before its parts: john's, john, s."""
    return found[at] == "s" and at > 1 and found[at - 2].endswith("'s")


@cache
def _ascii_runs() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9]+(?:[_/.:@'\\\-]{1,2}[A-Za-z0-9]+)*(?:(?:\+\+|#)(?![A-Za-z0-9]))?")


def forms(text: str) -> list[str]:
    """As ``text.words.terms``, in a third of the time where the text is plain."""
    plain = text if text.isascii() else text.translate(_PUNCTUATION)
    if plain.isascii():
        return list(chain.from_iterable(map(_terms_of_run, _ascii_runs().findall(plain))))
    return _words(text)


def stemmed(text: str) -> list[str]:
    """The terms of a text in reading order, each as its stem."""
    return list(map(stem, forms(text)))
