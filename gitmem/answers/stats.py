"""Figures about the knowledge as a whole, measured when they are asked for. Refuses to keep any."""

from __future__ import annotations

from gitmem.answers import coverage as reach
from gitmem.answers.coverage import Coverage
from gitmem.answers.reading import Session, read
from gitmem.model.finding import Notice
from gitmem.record import record


@record
class StatsCall:
    """Names parts; every part where none is named."""

    coverage: bool = False


@record
class Stats:
    coverage: Coverage
    warnings: tuple[Notice, ...] = ()


def stats(session: Session, _call: StatsCall) -> Stats:
    return Stats(reach.coverage(session.place), read(session.place).warnings)
