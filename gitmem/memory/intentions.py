"""Whether an intention has come up, from what it waits for and what came about. Refuses to look anything up."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from gitmem.globs.dialect import matches
from gitmem.model.intention import CANCELLED, COMPLETED, FIRED, PENDING, SNOOZED, TOUCHED, When
from gitmem.model.moments import instant
from gitmem.record import record

_NAMED = 3


@record
class Sign:
    """What brought an intention up: ``what`` is time, event or path, ``told`` the words for a reader."""

    what: str
    told: str


def signs(when: When, now: datetime, files: Sequence[str], events: Sequence[str]) -> list[Sign]:
    """Every sign that it has come up. ``files`` are those somebody is about to work on, ``events`` tells of what
    came about since, by name: of the merge, release or touched files that it waits for."""
    found: list[Sign] = []
    moment = instant(when.at) if when.at else None
    if moment is not None and moment <= now:
        found.append(Sign("time", f"since {when.at}"))
    if when.event and events:
        more = f" and {len(events) - _NAMED} more" if len(events) > _NAMED else ""
        found.append(Sign("event", f"{when.event}: {', '.join(events[:_NAMED])}{more}"))
    near = matching(when.paths, files) if when.event != TOUCHED else []
    if near:
        found.append(Sign("path", f"you work on {near[0]}"))
    return found


def matching(patterns: Sequence[str], files: Iterable[str]) -> list[str]:
    """The files that any of the globs matches."""
    return [file for file in files if any(matches(pattern, file) for pattern in patterns)]


def state(status: str, until: str, now: datetime, *, has_come_up: bool) -> str:
    """One of ``STATES``; ``until`` is when a snooze ends, '' for none."""
    if status in (COMPLETED, CANCELLED):
        return status
    end = instant(until) if until else None
    if end is not None and now < end:
        return SNOOZED
    return FIRED if has_come_up else PENDING


def snoozes(told: Iterable[Mapping[str, object]]) -> dict[str, str]:
    """Until when each intention is left alone; ``told`` are the data of events in their order: the last one counts."""
    found: dict[str, str] = {}
    for data in told:
        slug, until = data.get("intention"), data.get("until")
        if isinstance(slug, str) and isinstance(until, str) and data.get("action") == SNOOZED:
            found[slug] = until
    return found
