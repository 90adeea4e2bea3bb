"""When each stage of upkeep is due. Refuses the clock: callers pass the time in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from gitmem.record import record

LIGHT, DEEP, REM = "light", "deep", "rem"
# In the order in which overdue ones run: what the last one tidies, the first one may have proposed.
STAGES = (REM, DEEP, LIGHT)
EVERY = {LIGHT: timedelta(minutes=5), DEEP: timedelta(hours=1), REM: timedelta(days=1)}
# So much new importance is worth a look before the day is over, half a day after the last one.
REM_IMPORTANCE = 12.0
REM_REST = timedelta(hours=12)


@record
class Last:
    """The last run of a stage. ``tree`` is the knowledge that the last one which came to its end saw; ``outcome`` is
    done or stopped; reports that came before ``until``, RFC 3339, were worked through."""

    at: datetime
    tree: str = ""
    outcome: str = ""
    until: str = ""


def due(last: Mapping[str, Last], now: datetime, fresh_importance: float = 0.0) -> tuple[str, ...]:
    """The stages that are overdue, in the order in which they run. ``fresh_importance`` is that of the engrams that
    came since the last rem. A run that lies ahead of the clock says nothing about how long ago it was."""
    return tuple(stage for stage in STAGES if _is_due(stage, last.get(stage), now, fresh_importance))


def _is_due(stage: str, last: Last | None, now: datetime, fresh_importance: float) -> bool:
    if last is None or last.at > now:
        return True
    age = now - last.at
    is_early = stage == REM and fresh_importance >= REM_IMPORTANCE and age >= REM_REST
    return is_early or age >= EVERY[stage]
