"""Edge learning: what was touched together, in which order and with what outcome, strengthens or weakens files and the
ways between them, by kind of task. Refuses clocks and journals: it is given lessons, and the day.

A way from one file to another grows when the second was touched after the first and it helped, the more the closer they
were (as between nerve cells), shrinks a little the other way round, and fades with time (as a trail of ants does).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from math import exp, tanh

from gitmem.record import field, record

# What all that was learned may add to or take from the score of a file, and where its growth ends.
MOST = 0.25
_FULL = 3.0
_HALF_LIFE_DAYS = 45.0
_BACKWARDS = -0.3
_NEAR = 2.0
_TOUCHED_MOST = 20
# What lessons of other kinds of tasks count for this one.
_OTHERS = 0.3
_FORGOTTEN = 0.001
_DIGITS = 4
ANY = ""


@record
class Lesson:
    """What became of one packet. ``day`` is its date, ``context`` the intent of its task, ``delivered`` the files that
    it showed and ``touched`` those that were used, in their order; ``outcome`` is from -1, misled, to 1, helped."""

    day: str
    context: str
    delivered: tuple[str, ...]
    touched: tuple[str, ...]
    outcome: float


@record
class Learned:
    """Sums by context: of files, and of ways from a file to another. ``lessons`` is how many there were."""

    files: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    ways: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    lessons: int = 0


NOTHING = Learned()


def learned(lessons: Iterable[Lesson], day: str) -> Learned:
    """As of a day, ``2026-01-31``; what comes later counts in full. The order of the lessons does not matter."""
    files: dict[str, dict[str, float]] = {}
    ways: dict[str, dict[str, dict[str, float]]] = {}
    count = 0
    for lesson in sorted(lessons, key=_order):
        strength = _faded(lesson.day, day) * max(-1.0, min(1.0, lesson.outcome))
        count += 1
        touched = tuple(dict.fromkeys(lesson.touched))[:_TOUCHED_MOST]
        # Without a word on what was used, the packet as a whole is praised or blamed, thinly.
        told = touched or lesson.delivered[:_TOUCHED_MOST]
        share = 1.0 if touched else 1.0 / max(1, len(told))
        of_files = files.setdefault(lesson.context, {})
        for path in told:
            of_files[path] = of_files.get(path, 0.0) + strength * share
        if touched:
            _grow(ways.setdefault(lesson.context, {}), touched, strength)
    return Learned(_rounded(files), {context: _rounded(rows) for context, rows in sorted(ways.items())}, count)


def _order(lesson: Lesson) -> tuple[str, str, tuple[str, ...], tuple[str, ...], float]:
    return lesson.day, lesson.context, lesson.touched, lesson.delivered, lesson.outcome


def _grow(ways: dict[str, dict[str, float]], touched: Sequence[str], strength: float) -> None:
    for at, first in enumerate(touched):
        for gap, second in enumerate(touched[at + 1 :]):
            more = strength * exp(-gap / _NEAR)
            for one, other, part in ((first, second, 1.0), (second, first, _BACKWARDS)):
                row = ways.setdefault(one, {})
                row[other] = row.get(other, 0.0) + part * more


def _faded(of: str, day: str) -> float:
    """How much is left of a lesson."""
    try:
        age = (date.fromisoformat(day) - date.fromisoformat(of[:10])).days
    except ValueError:
        return 0.0
    return float(0.5 ** (max(0, age) / _HALF_LIFE_DAYS))


def _rounded(rows: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    kept = {
        key: {name: round(value, _DIGITS) for name, value in sorted(row.items()) if abs(value) >= _FORGOTTEN}
        for key, row in sorted(rows.items())
    }
    return {key: row for key, row in kept.items() if row}


def weight(known: Learned, context: str, path: str) -> float:
    """What was learned of a file for tasks of this kind, -``MOST`` to ``MOST``."""
    return _bounded(_sum(known.files, context, path))


def gains(known: Learned, context: str, seeds: Mapping[str, float]) -> dict[str, float]:
    """What to add to the score of each file that anything was learned of; ``seeds`` are the files that the task leads
    to, with weights from 0 to 1: ways count from them on. Without seeds only what was said of files themselves does."""
    sums: dict[str, float] = {}
    for other, rows in known.files.items():
        part = 1.0 if other == context else _OTHERS
        for path, value in rows.items():
            sums[path] = sums.get(path, 0.0) + part * value
    for other, ways in known.ways.items():
        part = 1.0 if other == context else _OTHERS
        for seed, share in seeds.items():
            for path, value in ways.get(seed, {}).items():
                sums[path] = sums.get(path, 0.0) + part * share * value
    return {path: gain for path, value in sorted(sums.items()) if (gain := _bounded(value))}


def _sum(rows: Mapping[str, Mapping[str, float]], context: str, path: str) -> float:
    return sum((1.0 if other == context else _OTHERS) * row.get(path, 0.0) for other, row in rows.items())


def _bounded(value: float) -> float:
    """The first lessons move most, and none moves a file beyond the bound."""
    return round(MOST * tanh(value / _FULL), _DIGITS)
