"""When stages are due: the intervals, the order, what came since the last rem, and clocks that were set back."""

from datetime import UTC, datetime, timedelta

import pytest

from gitmem.upkeep.schedule import DEEP, LIGHT, REM, Last, due

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def ago(**times: float) -> Last:
    return Last(NOW - timedelta(**times))


def fresh(**stages: Last) -> dict[str, Last]:
    return {LIGHT: ago(), DEEP: ago(), REM: ago(), **stages}


@pytest.mark.capability("M-052")
@pytest.mark.parametrize(
    ("last", "wanted"),
    [
        ({}, (REM, DEEP, LIGHT)),
        (fresh(), ()),
        (fresh(light=ago(minutes=4, seconds=59)), ()),
        (fresh(light=ago(minutes=5)), (LIGHT,)),
        (fresh(deep=ago(minutes=59)), ()),
        (fresh(deep=ago(hours=1), light=ago(hours=1)), (DEEP, LIGHT)),
        (fresh(rem=ago(hours=23)), ()),
        (fresh(rem=ago(days=1)), (REM,)),
    ],
)
def test_overdue_stages_run_rem_deep_light(last: dict[str, Last], wanted: tuple[str, ...]) -> None:
    assert due(last, NOW) == wanted


@pytest.mark.capability("M-052")
@pytest.mark.parametrize(
    ("hours", "importance", "is_due"),
    [(12, 24 * 0.5, True), (11.9, 24 * 0.5, False), (12, 11.9, False), (24, 0.0, True)],
)
def test_enough_new_importance_makes_rem_due_after_half_a_day(hours: float, importance: float, is_due: bool) -> None:
    assert (REM in due(fresh(rem=ago(hours=hours)), NOW, importance)) is is_due


def test_a_clock_that_was_set_back_ten_years_holds_nothing_up() -> None:
    assert due(fresh(light=Last(NOW + timedelta(days=3653))), NOW) == (LIGHT,)
