"""Half-lives by importance and kind, the four states, and what age and retrievals weigh."""

from datetime import UTC, datetime

import pytest

from gitmem.memory.freshness import age_days, freshness, half_life_days, heat, recency

NOW = datetime(2026, 1, 31, tzinfo=UTC)


@pytest.mark.capability("M-046")
@pytest.mark.parametrize(
    ("importance", "kind", "days"),
    [
        (0.5, "fact", 23.2379),
        (0.5, "observation", 13.9427),
        (0.5, "hypothesis", 16.2665),
        (0.5, "procedure", 18.5903),
        (0.5, "pattern", 34.8569),
        (0.5, "decision", 23.2379),
        (0.0, "fact", 1.5811),
        (1.0, "fact", 57.6845),
    ],
)
def test_the_half_life(importance: float, kind: str, days: float) -> None:
    assert half_life_days(importance, kind) == pytest.approx(days, abs=1e-4)


@pytest.mark.capability("M-046")
@pytest.mark.parametrize(
    ("age", "wanted"),
    [(0, "fresh"), (10, "fresh"), (10.1, "aging"), (20, "aging"), (20.1, "stale"), (40, "stale"), (40.1, "forgotten")],
)
def test_the_states_are_one_two_and_four_half_lives(age: float, wanted: str) -> None:
    assert freshness(age, 10) == wanted


@pytest.mark.capability("M-019")
@pytest.mark.parametrize(("age", "wanted"), [(0, 1), (10, 0.5), (20, 0.25), (5, 0.70711), (-3, 1)])
def test_recency_halves_with_each_half_life(age: float, wanted: float) -> None:
    assert recency(age, 10) == pytest.approx(wanted, abs=1e-5)


@pytest.mark.capability("M-019")
@pytest.mark.parametrize(
    ("hits", "days", "wanted"), [(0, 0, 0), (1, 0, 2 / 3), (9, 0, 10 / 11), (1, 7, 1 / 3), (1, 14, 1 / 6)]
)
def test_heat(hits: int, days: float, wanted: float) -> None:
    assert heat(hits, days) == pytest.approx(wanted)


def test_the_clock_starts_at_the_last_effective_use_else_at_the_creation() -> None:
    assert age_days(NOW, "2026-01-30T00:00:00Z", "2026-01-01") == 1
    assert age_days(NOW, "", "2026-01-01") == 30
    assert age_days(NOW, "", "") == 0
    assert age_days(NOW, "2036-01-01") == 0
