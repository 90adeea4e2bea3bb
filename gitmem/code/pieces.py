"""The best function-sized piece of a file, and the runs of words that it has in common with a task.

Refuses to order files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log

from gitmem.code import terms
from gitmem.code.asking import Asked, flat
from gitmem.model.code import Facts
from gitmem.record import record

_SATURATION, _BY_LENGTH = 1.2, 0.4
_USUAL_WORDS = 45
_ROWS_LEAST, _ROWS_MOST = 6, 80
_LONGEST_BYTES = 100_000
_WORD = re.compile(r"[^\W\d]\w*")
# Over codes, a byte for each word.
_NOTHING = b"\0"
_WITH_TERMS = re.compile(b"[\2\3]")
_IN_RUNS = re.compile(b"[\1\3]{3,}")


@record
class Text:
    """What a file has of a task: its pieces that have anything, and the runs of words of ``Asked.runs``."""

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
        self._runs_asked = asked.runs
        self._codes = _Codes(asked)

    def read(self, content: bytes, facts: Facts) -> Text:
        rows = content[:_LONGEST_BYTES].decode("utf-8", "replace").split("\n")
        pieces, runs = [], set[tuple[str, ...]]()
        code_of, terms_of = self._codes.__getitem__, self._codes.terms
        for first, last in _cuts(len(rows), facts):
            words = _WORD.findall("\n".join(rows[first:last]))
            codes = bytes(map(code_of, words))
            if not codes.strip(_NOTHING):
                continue
            found = [term for at in _WITH_TERMS.finditer(codes) for term in terms_of[words[at.start()]]]
            if found:
                pieces.append(Piece(first + 1, len(words), Counter(found)))
            for stretch in _IN_RUNS.finditer(codes):
                folded = [word.lower() for word in words[stretch.start() : stretch.end()]]
                runs |= self._runs_asked.intersection(zip(folded, folded[1:], folded[2:], strict=False))
        return Text(pieces, frozenset(runs))


class _Codes(dict[str, int]):
    """What a word is to the task: 1 when a run of words has it, 2 more when it has ``terms``: those of its parts, and
    itself when it is joined of several."""

    def __init__(self, asked: Asked) -> None:
        super().__init__()
        self._asked = asked
        self._in_runs = frozenset(word for run in asked.runs for word in run)
        self.terms: dict[str, list[str]] = {}

    def __missing__(self, word: str) -> int:
        parts = terms.of_word(word)
        found = [term for term in parts if term in self._asked.terms]
        if len(parts) > 1 and flat(word) in self._asked.joined:
            found.append(joined_term(flat(word)))
        if found:
            self.terms[word] = found
        self[word] = code = (word.lower() in self._in_runs) + 2 * bool(found)
        return code


def joined_term(word: str) -> str:
    """No stem has this sign."""
    return f"={word}"


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
