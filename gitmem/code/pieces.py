"""The best function-sized piece of a file, and the runs of words that it has in common with a task.

Refuses to order files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import log

from gitmem.code import terms
from gitmem.code.asking import Asked, flat
from gitmem.model.code import Facts
from gitmem.record import record

_SATURATION, _BY_LENGTH = 1.2, 0.4
_USUAL_WORDS = 45
_ROWS_LEAST, _ROWS_MOST = 6, 80
_LONGEST_BYTES = 400_000
_WORD = re.compile(r"[^\W\d]\w*")


@record
class Text:
    """What a file has of a task: a row for each of its pieces, and the runs of words, as numbers of ``Asked.runs``."""

    pieces: Sequence[Piece]
    runs: frozenset[tuple[str, ...]]


@record
class Piece:
    """``line`` is the first of it."""

    line: int
    length: int
    counts: Mapping[str, int]


class Reader:
    """Reads many files for one task; the words that they share are looked at once."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._words = _Words(asked)
        self._folded = _Folded(asked)

    def read(self, content: bytes, facts: Facts) -> Text:
        rows = content[:_LONGEST_BYTES].decode("utf-8", "replace").split("\n")
        pieces, runs = [], set[tuple[str, ...]]()
        for first, last in _cuts(len(rows), facts):
            words = _WORD.findall("\n".join(rows[first:last]))
            counts: dict[str, int] = {}
            for hits in filter(None, map(self._words.__getitem__, words)):
                for term in hits:
                    counts[term] = counts.get(term, 0) + 1
            if counts:
                pieces.append(Piece(first + 1, len(words), counts))
            runs.update(self._runs(words))
        return Text(pieces, frozenset(runs))

    def _runs(self, words: Sequence[str]) -> Iterator[tuple[str, ...]]:
        folded = list(map(self._folded.__getitem__, words))
        for run in zip(folded, folded[1:], folded[2:], strict=False):
            if run in self._asked.runs:
                yield run


class _Words(dict[str, tuple[str, ...]]):
    """What a word has of the task: the terms of its parts, and itself when it is joined of several."""

    def __init__(self, asked: Asked) -> None:
        super().__init__()
        self._asked = asked

    def __missing__(self, word: str) -> tuple[str, ...]:
        found = [term for term in terms.terms(word) if term in self._asked.terms]
        if flat(word) in self._asked.joined:
            found.append(joined_term(flat(word)))
        self[word] = hits = tuple(found)
        return hits


def joined_term(word: str) -> str:
    """No stem has this sign."""
    return f"={word}"


class _Folded(dict[str, str]):
    """A word in small letters when a run of the task has it, else ''."""

    def __init__(self, asked: Asked) -> None:
        super().__init__()
        self._known = frozenset(word for run in asked.runs for word in run)

    def __missing__(self, word: str) -> str:
        lowered = word.lower()
        self[word] = found = lowered if lowered in self._known else ""
        return found


def _cuts(count: int, facts: Facts) -> Iterator[tuple[int, int]]:
    """First row and the row behind the last of each piece: it begins at a definition and is not long."""
    start = 0
    for row in [*sorted({symbol.line - 1 for symbol in facts.symbols}), count]:
        if row - start < _ROWS_LEAST and row != count:
            continue
        while row - start > _ROWS_MOST:
            yield start, start + _ROWS_MOST
            start += _ROWS_MOST
        if row > start:
            yield start, row
        start = row


def best(text: Text, gains: Mapping[str, float]) -> float:
    """BM25 of the best piece; ``gains`` are weight times rarity."""
    return max((_score(piece, gains) for piece in text.pieces), default=0.0)


def _score(piece: Piece, gains: Mapping[str, float]) -> float:
    floor = _SATURATION * (1 - _BY_LENGTH + _BY_LENGTH * piece.length / _USUAL_WORDS)
    return sum(gains.get(term, 0.0) * count / (count + floor) for term, count in piece.counts.items())


def in_common(texts: Sequence[Text]) -> list[float]:
    """What the runs of each text weigh: a run that a quarter of them have says nothing."""
    holders: dict[tuple[str, ...], int] = {}
    for text in texts:
        for run in text.runs:
            holders[run] = holders.get(run, 0) + 1
    rare = {run: log(1 + len(texts) / (n + 0.5)) for run, n in holders.items() if n < max(2, len(texts) / 4)}
    return [sum(rare[run] for run in sorted(text.runs & rare.keys())) for text in texts]
