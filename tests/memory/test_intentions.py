"""What brings an intention up, and the states that follow from it."""

from datetime import UTC, datetime

import pytest

from gitmem.memory.intentions import signs, snoozes, state
from gitmem.model.intention import CANCELLED, COMPLETED, FIRED, MERGE, PENDING, SNOOZED, TOUCHED, When

pytestmark = pytest.mark.capability("M-072")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("when", "files", "events", "expected"),
    [
        (When(at="2026-03-01"), (), (), ["time"]),
        (When(at="2026-03-01T12:00:00Z"), (), (), ["time"]),
        (When(at="2026-03-01T12:00:01Z"), (), (), []),
        (When(at="2026-03-02"), (), (), []),
        (When(paths=("src/**",)), ("src/a.py",), (), ["path"]),
        (When(paths=("src/**",)), ("docs/a.md",), (), []),
        (When(paths=("src/**",)), (), (), []),
        (When(event=MERGE), (), ("3fa9",), ["event"]),
        (When(event=MERGE), (), (), []),
        (When(event=TOUCHED, paths=("src/**",)), ("src/a.py",), (), []),
        (When(event=TOUCHED, paths=("src/**",)), (), ("src/a.py",), ["event"]),
        (When("2026-01-01", MERGE, "", ("src/**",)), ("src/a.py",), ("3fa9",), ["time", "event", "path"]),
    ],
)
def test_any_one_sign_is_enough(
    when: When, files: tuple[str, ...], events: tuple[str, ...], expected: list[str]
) -> None:
    assert [sign.what for sign in signs(when, NOW, files, events)] == expected


def test_a_sign_names_three_events_and_counts_the_rest() -> None:
    assert signs(When(event=MERGE), NOW, (), list("abcde"))[0].told == "merge: a, b, c and 2 more"


@pytest.mark.parametrize(
    ("status", "has_come_up", "until", "expected"),
    [
        (PENDING, False, "", PENDING),
        (PENDING, True, "", FIRED),
        (PENDING, True, "2026-03-02", SNOOZED),
        (PENDING, False, "2026-03-02", SNOOZED),
        (PENDING, True, "2026-03-01T12:00:00Z", FIRED),
        (PENDING, True, "2026-02-01", FIRED),
        (COMPLETED, True, "2026-03-02", COMPLETED),
        (CANCELLED, True, "", CANCELLED),
    ],
)
def test_the_end_counts_before_a_snooze_and_a_snooze_before_what_has_come_up(
    status: str, has_come_up: bool, until: str, expected: str
) -> None:
    assert state(status, until, NOW, has_come_up=has_come_up) == expected


def test_the_last_snooze_counts_and_what_is_none_is_passed_over() -> None:
    told = [
        {"intention": "a", "action": SNOOZED, "until": "2026-03-02"},
        {"intention": "a", "action": SNOOZED, "until": "2026-03-09"},
        {"intention": "b", "action": "else", "until": "2026-03-09"},
        {"intention": 3, "action": SNOOZED, "until": "2026-03-09"},
        {},
    ]
    assert snoozes(told) == {"a": "2026-03-09"}
