"""Utility, stability and retention of skills, number by number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.skills import (
    ACTIVE,
    AGING,
    FORGOTTEN,
    HEALTH,
    STALE,
    Use,
    health_of,
    is_to_retire,
    retention,
    stability_days,
    standing,
    utility,
)

pytestmark = pytest.mark.capability("M-070")
SHARES = st.floats(0, 1, allow_nan=False)


@pytest.mark.parametrize(
    ("rewards", "expected"),
    [
        ((), 0.5),
        ((1,), 0.55),
        ((0,), 0.45),
        ((1, 1), 0.595),
        ((1, 0), 0.495),
        ((0, 1), 0.505),
        ((0.5, 0.5), 0.5),
        ((0.8,), 0.53),
        ((1,) * 20, 0.9392116727047153),
    ],
)
def test_a_use_moves_utility_by_a_tenth_of_the_surprise(rewards: tuple[float, ...], expected: float) -> None:
    assert utility(rewards) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("useful", "uses", "days"),
    [(0.5, 0, 9.0), (0.55, 1, 10.5), (1.0, 20, 31.5), (1.0, 200, 31.5), (0.0, 0, 1.5), (0.0, 10, 9.0), (0.25, 5, 9.0)],
)
def test_stability_grows_with_utility_and_with_the_first_twenty_uses(useful: float, uses: int, days: float) -> None:
    assert stability_days(useful, uses) == pytest.approx(days, abs=1e-12)


@pytest.mark.parametrize(
    ("age", "stability", "kept"),
    [(0, 9, 1.0), (9, 9, 0.367879441171442), (30, 9, 0.035673993347252), (10.5, 31.5, 0.716531310573789), (-5, 9, 1.0)],
)
def test_retention_falls_by_days_over_stability_and_a_clock_set_back_adds_nothing(
    age: float, stability: float, kept: float
) -> None:
    assert retention(age, stability) == pytest.approx(kept, abs=1e-12)


@pytest.mark.parametrize(
    ("kept", "health"),
    [
        (1.0, ACTIVE),
        (0.7500001, ACTIVE),
        (0.75, AGING),
        (0.5000001, AGING),
        (0.5, STALE),
        (0.2500001, STALE),
        (0.25, FORGOTTEN),
        (0.0, FORGOTTEN),
    ],
)
def test_the_bounds_of_health_belong_to_the_worse_side(kept: float, health: str) -> None:
    assert health_of(kept) == health


@pytest.mark.parametrize(
    ("rewards", "age", "days", "health"),
    [
        ((), 2.0, 9.0, ACTIVE),
        ((), 3.0, 9.0, AGING),
        ((), 7.0, 9.0, STALE),
        ((), 13.0, 9.0, FORGOTTEN),
        ((1, 1), 3.0, 11.925, ACTIVE),
        ((1,) * 20, 13.0, 30.58817509057073, AGING),
    ],
)
def test_how_a_skill_stands_follows_from_its_uses_and_its_age(
    rewards: tuple[float, ...], age: float, days: float, health: str
) -> None:
    found = standing([Use(f"2026-01-{n + 1:02}T00:00:00Z", reward) for n, reward in enumerate(rewards)], age)
    assert (found.stability_days, found.health) == (pytest.approx(days, abs=1e-12), health)
    assert found.last_use == (f"2026-01-{len(rewards):02}T00:00:00Z" if rewards else "")


@pytest.mark.capability("M-071")
@pytest.mark.parametrize(
    ("uses", "age", "expected"), [(0, 30, True), (0, 29.9, False), (1, 300, False), (0, 300, True)]
)
def test_only_what_was_never_used_in_thirty_days_is_to_be_retired(uses: int, age: float, expected: bool) -> None:
    assert is_to_retire(standing([Use("2026-01-01T00:00:00Z", 1.0)] * uses, age), age) is expected


@given(st.lists(SHARES, max_size=40), st.floats(0, 10_000))
def test_every_figure_stays_within_its_bounds_and_time_never_helps(rewards: list[float], age: float) -> None:
    uses = [Use("", reward) for reward in rewards]
    young, old = standing(uses, age), standing(uses, age + 1)
    assert 0 <= young.utility <= 1
    assert 1.5 <= young.stability_days <= 31.5
    assert 0 <= old.retention <= young.retention <= 1
    assert HEALTH.index(old.health) >= HEALTH.index(young.health)
