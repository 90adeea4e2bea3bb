"""Figures about the knowledge as a whole, measured when they are asked for. Refuses to keep any."""

from __future__ import annotations

from gitmem.answers import coverage as reach
from gitmem.answers import delivered
from gitmem.answers import effectiveness as use
from gitmem.answers.coverage import Coverage
from gitmem.answers.delivered import Deliveries
from gitmem.answers.effectiveness import Effectiveness
from gitmem.answers.packet_stats import PacketStats, packet_stats
from gitmem.answers.reading import Session, read
from gitmem.model.finding import Notice
from gitmem.record import record


@record
class StatsCall:
    """Names parts; every part where none is named."""

    coverage: bool = False
    delivery: bool = False
    effectiveness: bool = False
    packets: bool = False


@record
class Stats:
    """A part that was not asked for is None."""

    coverage: Coverage | None = None
    delivery: Deliveries | None = None
    effectiveness: Effectiveness | None = None
    packets: PacketStats | None = None
    warnings: tuple[Notice, ...] = ()


def stats(session: Session, call: StatsCall) -> Stats:
    is_all = not (call.coverage or call.delivery or call.effectiveness or call.packets)
    return Stats(
        coverage=reach.coverage(session.place) if is_all or call.coverage else None,
        delivery=delivered.deliveries(session) if is_all or call.delivery else None,
        effectiveness=use.effectiveness(session) if is_all or call.effectiveness else None,
        packets=packet_stats(session) if is_all or call.packets else None,
        warnings=read(session.place).warnings,
    )
