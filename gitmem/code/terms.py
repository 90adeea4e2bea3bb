"""The terms by which a source file is found, each with what it weighs there. Refuses to rank files.

A term is the stem of a part of a word: ``getUserName`` and ``get_user_name`` have get, user and name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from gitmem.index.stems import stem
from gitmem.model.code import Facts
from gitmem.text import words

_MOST_LETTERS = 100
_KEPT_MOST = 200_000
_WORD = re.compile(r"[^\W\d]\w*")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+[0-9]*|[^\W_A-Za-z0-9]+")
# BM25F: what a definition weighs more than a word of the text, and how soon more of the same, or a longer file, counts
# for less. The averages are fixed so that what a blob says never depends on the files around it.
_DEFINED = 3.0
_SATURATION = 0.5
_BY_LENGTH = 0.5
_TERMS_DEFINED, _TERMS_OF_TEXT = 60, 1200
_STEPS = 8
MOST = 255
_BETWEEN = "\n"


class _Parts(dict[str, tuple[str, ...]]):
    """The terms of a word; the same words come again in every file."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) > _KEPT_MOST:
            self.clear()
        self[word] = found = _terms_of(word)
        return found


def _terms_of(word: str) -> tuple[str, ...]:
    if len(word) > _MOST_LETTERS:
        return ()
    if not word.isascii():
        return tuple(words.terms(word))
    parts = (part.lower() for part in _PART.findall(word))
    return tuple(stem(part) for part in parts if len(part) > 1)


_PARTS = _Parts()
of_word = _PARTS.__getitem__


def terms(text: str) -> list[str]:
    """The terms of a text in reading order, as files have them."""
    return [term for word in _WORD.findall(text) for term in _PARTS[word]]


def counts(text: str) -> dict[str, int]:
    """How often each term of a text is in it."""
    return _counted(_WORD.findall(text))


def impacts(content: bytes, facts: Facts) -> dict[str, int]:
    """What each term weighs in a file, 1 to 255, sorted by term; {} for a file that was not read."""
    if facts.skipped:
        return {}
    text = _counted(_WORD.findall(content.decode("utf-8", "replace")))
    defined = _counted(symbol.name for symbol in facts.symbols)
    long, wide = sum(defined.values()) / _TERMS_DEFINED, sum(text.values()) / _TERMS_OF_TEXT
    flat = 1 - _BY_LENGTH
    by_name = _DEFINED / (flat + _BY_LENGTH * long)
    by_text = 1 / (flat + _BY_LENGTH * wide)
    rows = {}
    for term in sorted(text.keys() | defined.keys()):
        weight = by_name * defined.get(term, 0) + by_text * text.get(term, 0)
        rows[term] = min(MOST, int(_STEPS * weight) + 1)
    return rows


def _counted(found: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word, times in Counter(found).items():
        for term in _PARTS[word]:
            counts[term] = counts.get(term, 0) + times
    return counts


def encode(content: bytes, facts: Facts) -> bytes:
    """The terms with their weights as one row of a pack."""
    return packed(impacts(content, facts))


def packed(rows: Mapping[str, int]) -> bytes:
    return _BETWEEN.join(rows).encode() + b"\0" + bytes(rows.values())


def unpacked(row: bytes) -> tuple[list[str], bytes]:
    """The terms in their order, and their weights."""
    names, _, weights = row.partition(b"\0")
    return names.decode().split(_BETWEEN) if names else [], weights
