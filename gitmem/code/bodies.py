"""Which bodies of a few files a task is about: BM25 over the bodies, names, trace lines. Refuses to rank files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log

from gitmem.code import terms
from gitmem.code.frames import Frame
from gitmem.code.source import BODIES, Source
from gitmem.code.task import Task
from gitmem.record import record

# Measured on public tasks whose fix is known; see docs/context.md.
_OFTEN = 2.0
_NAMED_TIMES, _SATURATION, _BY_LENGTH = 3, 1.5, 0.4
_IDENTIFIER, _SAMPLE, _TRACED, _TRACED_NAME = 6.0, 1.0, 6.0, 12.0


@record
class Body:
    """A definition with a body; ``score`` is comparable within one call of ``ranked`` alone."""

    path: str
    number: int
    score: float


@record
class _Counted:
    source: Source
    number: int
    counts: Mapping[str, int]
    length: int


def ranked(task: Task, asked: Mapping[str, float], sources: Iterable[Source]) -> dict[str, list[Body]]:
    """The bodies of each file, the best first; how rare a term is is judged among all of them. ``asked`` is what each
    term of the task counts; said often it counts more, but not in proportion."""
    held = {term: weight * (_OFTEN + 1) / (weight + _OFTEN) for term, weight in asked.items()}
    counted = [row for source in sources for row in _counted(source, asked)]
    seen = Counter(term for row in counted for term in row.counts)
    total = len(counted)
    rare = {term: held[term] * log(1 + (total - n + 0.5) / (n + 0.5)) for term, n in seen.items()}
    usual = sum(row.length for row in counted) / max(1, total)
    found: dict[str, list[Body]] = {}
    names = _Names(task)
    for row in counted:
        score = _score(row, rare, usual) + names.bonus(row.source, row.number)
        found.setdefault(row.source.path, []).append(Body(row.source.path, row.number, round(score, 6)))
    for bodies in found.values():
        bodies.sort(key=lambda body: (-body.score, body.number))
    return found


def _counted(source: Source, asked: Mapping[str, float]) -> Iterable[_Counted]:
    for number, symbol in enumerate(source.facts.symbols):
        if symbol.kind not in BODIES or not symbol.body_end:
            continue
        said = terms.counts(source.text(symbol.start, symbol.end))
        counts = {term: said[term] for term in asked.keys() & said.keys()}
        for term in terms.terms(source.name(number)):
            if term in counts:
                counts[term] += _NAMED_TIMES
        yield _Counted(source, number, counts, sum(said.values()))


def _score(row: _Counted, rare: Mapping[str, float], usual: float) -> float:
    floor = _SATURATION * (1 - _BY_LENGTH + _BY_LENGTH * row.length / max(1.0, usual))
    return sum(rare[term] * n / (n + floor) for term, n in row.counts.items())


class _Names:
    """What the task calls by name, and the lines that its traces tell."""

    def __init__(self, task: Task) -> None:
        self._named = frozenset(name.rpartition(".")[2] for name in task.identifiers)
        self._sampled = frozenset(name.rpartition(".")[2] for name in task.sampled)
        self._frames: dict[str, list[Frame]] = {}
        for frame in task.frames:
            file = frame.path.replace("\\", "/").rpartition("/")[2]
            self._frames.setdefault(file, []).append(frame)

    def bonus(self, source: Source, number: int) -> float:
        symbol = source.symbol(number)
        found = 0.0
        if symbol.name in self._named:
            found = _IDENTIFIER
        elif symbol.name in self._sampled:
            found = _SAMPLE
        for frame in self._frames.get(source.path.rpartition("/")[2], ()):
            found += _TRACED if symbol.line <= frame.line <= symbol.end_line else 0.0
            found += _TRACED_NAME if frame.symbol.rpartition(".")[2] == symbol.name else 0.0
        return found
