"""Points in time as they are written in files and requests. Refuses the clock: callers pass the time in."""

import re
from datetime import UTC, date, datetime, timedelta

_DAY = 10
_RFC3339 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?([Zz]|[+-][0-9]{2}:[0-9]{2})?)?"
)


def instant(text: str) -> datetime | None:
    """The UTC moment of a date (its first second) or of an RFC 3339 time; no zone is UTC. None: neither."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else _utc(moment)


def utc(text: str) -> str | None:
    """What a file may hold as a moment: a date alone as it is, a time in UTC by the second. None: neither is typed."""
    moment = instant(text.upper()) if _RFC3339.fullmatch(text) else None
    if moment is None:
        return None
    return text if len(text) == _DAY else moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return moment.replace(tzinfo=UTC)


def moved(moment: datetime, by: timedelta) -> datetime:
    """Later by so much, or earlier, as far as the calendar goes."""
    try:
        return moment + by
    except OverflowError:
        return (datetime.max if by > timedelta() else datetime.min).replace(tzinfo=UTC)


def is_before(moment: datetime, start: str) -> bool:
    """True when ``moment`` lies before ``start``; a text that is no time bounds nothing."""
    bound = instant(start) if start else None
    return bound is not None and moment < bound


def is_after(moment: datetime, end: str) -> bool:
    """True when ``moment`` lies after ``end``; a date as the end includes its whole day."""
    bound = instant(end) if end else None
    if bound is None:
        return False
    return moment.date() > bound.date() if len(end.strip()) == _DAY else moment > bound


def bounds(start: str, end: str) -> list[datetime]:
    """The moments at which something begins and ceases to be valid, as ``is_before`` and ``is_after`` judge it."""
    first, last = instant(start) if start else None, instant(end) if end else None
    if last is not None and len(end.strip()) == _DAY and last.date() < date.max:
        last += timedelta(days=1)
    return [moment for moment in (first, last) if moment is not None]


def rfc3339(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def rfc3339_of(seconds: int) -> str:
    """The time so many seconds after the epoch."""
    return rfc3339(datetime.fromtimestamp(seconds, UTC))
