"""Points in time: what lies beyond the calendar is its last day."""

from datetime import UTC, datetime, timedelta

import pytest

from gitmem.model.moments import moved, rfc3339

_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "by", "wanted"),
    [
        (_FIRST, timedelta(days=-30), "0001-01-01T00:00:00Z"),
        (_LAST, timedelta(days=30), "9999-12-31T23:59:59Z"),
        (datetime(2026, 3, 1, tzinfo=UTC), timedelta(days=-1), "2026-02-28T00:00:00Z"),
    ],
)
def test_no_step_leaves_the_calendar(moment: datetime, by: timedelta, wanted: str) -> None:
    assert rfc3339(moved(moment, by)) == wanted
