"""Which traces answer a question and in which order: half text, a quarter recency, a quarter nearness.

Refuses floats, clocks and any source of traces. A score is in millionths, each part rounded down:
    500,000 x found / asked    the asked terms that occur in the trace; 0 without a text
    250,000 x 90 / (90 + days) whole days before the present time: half of it after 90 days
    250,000 x nearness / 4     see ``Nearness``; 0 without files
and half of the sum, rounded down, where the trace was superseded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gitmem.model.past import DAY_S
from gitmem.model.recalled import Trace
from gitmem.record import field, record

WHOLE = 1_000_000
_TEXT, _RECENCY, _NEARNESS = WHOLE // 2, WHOLE // 4, WHOLE // 4
_HALF_LIFE_DAYS = 90
_PREFIX_LEAST = 8
# Nearness in quarters.
SAME, BESIDE, JOINED, FAR = 4, 2, 1, 0

Nearness = Callable[[str], int]


@record
class Query:
    """``now`` in seconds since the epoch. ``found`` says how many of the ``asked`` terms occur in some; without a
    text ``asked`` is 0. ``near`` gives the nearness of a path in quarters, None without files. ``recent`` 0: any.
    """

    now: int
    asked: int = 0
    found: Callable[[frozenset[str]], int] = field(default=len)
    near: Nearness | None = None
    run: str = ""
    recent: int = 0


@record
class Ranked:
    trace: Trace
    score: int


def rank(traces: Iterable[Trace], query: Query, terms: Callable[[str], Iterable[str]]) -> list[Ranked]:
    """The traces that fit every part of the question, the highest score first; ties: the latest, then by order."""
    fitting = [row for trace in traces if (row := _fit(trace, query, terms))]
    if query.recent:
        fitting = sorted(fitting, key=lambda row: _latest(row.trace), reverse=True)[: query.recent]
    return sorted(fitting, key=lambda row: (row.score, *_latest(row.trace)), reverse=True)


def _latest(trace: Trace) -> tuple[int, int, str]:
    return trace.time, trace.order, trace.ref


def _fit(trace: Trace, query: Query, terms: Callable[[str], Iterable[str]]) -> Ranked | None:
    """None where a part of the question has nothing in common with the trace."""
    if query.run and not any(_is_run(query.run, run) for run in trace.runs):
        return None
    near = max(map(query.near, trace.files), default=FAR) if query.near else FAR
    if query.near and near == FAR:
        return None
    found = query.found(_terms(trace, terms)) if query.asked else 0
    if query.asked and not found:
        return None
    return Ranked(trace, score(trace, query, (found, near)))


def _is_run(asked: str, run: str) -> bool:
    return asked == run or (len(asked) >= _PREFIX_LEAST and run.startswith(asked))


def _terms(trace: Trace, terms: Callable[[str], Iterable[str]]) -> frozenset[str]:
    return frozenset(trace.terms.split(" ") if trace.terms else terms("\n".join((trace.text, *trace.files))))


def score(trace: Trace, query: Query, parts: tuple[int, int]) -> int:
    """``parts``: how many of the asked terms were found, and the nearness in quarters."""
    found, near = parts
    days = max(query.now - trace.time, 0) // DAY_S
    text = _TEXT * found // query.asked if query.asked else 0
    sum_ = text + _RECENCY * _HALF_LIFE_DAYS // (_HALF_LIFE_DAYS + days) + _NEARNESS * near // SAME
    return sum_ // 2 if trace.is_superseded else sum_
