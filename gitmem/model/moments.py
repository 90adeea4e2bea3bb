"""Points in time as they are written in files and requests. Refuses the clock: callers pass the time in."""

from datetime import UTC, datetime, timedelta

_DAY = 10


def instant(text: str) -> datetime | None:
    """The UTC moment of a date (its first second) or of an RFC 3339 time; without a zone UTC is meant. None: neither."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else _utc(moment)


def _utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return moment.replace(tzinfo=UTC)


def is_before(moment: datetime, start: str) -> bool:
    """True when ``moment`` lies before ``start``; a text that is no time bounds nothing."""
    bound = instant(start) if start else None
    return bound is not None and moment < bound


def is_after(moment: datetime, end: str) -> bool:
    """True when ``moment`` lies after ``end``; a date as the end includes its whole day."""
    bound = instant(end) if end else None
    if bound is None:
        return False
    return moment >= bound + timedelta(days=1) if len(end.strip()) == _DAY else moment > bound


def rfc3339(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
