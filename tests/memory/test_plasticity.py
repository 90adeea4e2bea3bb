"""Every formula of plasticity by exact numbers, and what their fold keeps of the order of events."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory import plasticity
from gitmem.memory.plasticity import State, advice, band, believed, fold, helped, learned, lent, misled, surprise
from gitmem.memory.tally import GAINED, HELPED, LOST, MISLED, SHORTFALL


@pytest.mark.capability("M-042")
@pytest.mark.parametrize(
    ("importance", "confidence", "effectiveness", "wanted"),
    [
        (0.5, 0.85, 1.0, (0.6, 0.9, 1.0)),
        (0.5, 0.25, 1.0, (0.55, 0.3, 1.0)),
        (0.5, 0.5, 0.4, (0.54, 0.55, 0.4)),
        (0.95, 0.8, 1.0, (1.0, 0.85, 1.0)),
        (0.95, 0.25, 1.0, (0.975, 0.3, 1.0)),
        (0.5, 0.98, 0.0, (0.5, 1.0, 0.0)),
        (0.5, 0.0, 1.0, (0.5, 0.05, 1.0)),
    ],
)
def test_a_success(
    importance: float, confidence: float, effectiveness: float, wanted: tuple[float, float, float]
) -> None:
    found = helped(State(importance, confidence), effectiveness)
    assert (found.importance, found.confidence, found.reinforced) == pytest.approx(wanted)
    assert found.gain == pytest.approx(found.importance - importance)


@pytest.mark.capability("M-043")
@pytest.mark.parametrize(
    ("importance", "confidence", "wanted"),
    [
        (0.5, 0.85, (0.4, 0.8)),
        (0.5, 0.5, (0.4, 0.45)),
        (0.5, 0.25, (0.35, 0.2)),
        (0.5, 0.0, (0.3, 0.0)),
        (0.05, 0.9, (0.0, 0.85)),
    ],
)
def test_a_failure(importance: float, confidence: float, wanted: tuple[float, float]) -> None:
    found = misled(State(importance, confidence, 0.7))
    assert (found.importance, found.confidence) == pytest.approx(wanted)
    assert found.reinforced == 0.7


@pytest.mark.parametrize(
    ("confidence", "verification", "wanted"),
    [
        (0.5, "unverified", 0.5),
        (0.5, "probable", 0.5),
        (0.5, "verified", 0.7),
        (0.85, "verified", 0.95),
        (0.98, "verified", 0.98),
        (0.5, "refuted", 0.15),
        (1.0, "refuted", 0.3),
    ],
)
def test_what_verification_makes_of_confidence(confidence: float, verification: str, wanted: float) -> None:
    assert believed(confidence, verification) == pytest.approx(wanted)


def test_a_refutation_lowers_and_a_confirmation_raises() -> None:
    """F-220."""
    assert believed(0.5, "refuted") < 0.5 < believed(0.5, "verified")


@pytest.mark.capability("M-044")
def test_a_neighbour_gets_half_of_a_success_by_the_weight_of_the_edge() -> None:
    assert lent(0.1, 0.7) == pytest.approx(0.035)


@pytest.mark.capability("M-043")
@pytest.mark.parametrize(
    ("failures", "wanted"), [(0, ""), (2, ""), (3, "archive"), (4, "archive"), (5, "forget"), (99, "forget")]
)
def test_failures_advise(failures: int, wanted: str) -> None:
    assert advice(failures) == wanted


@pytest.mark.capability("M-045")
@pytest.mark.parametrize(
    ("value", "wanted"), [(1.0, "high"), (0.7, "high"), (0.69, "medium"), (0.3, "medium"), (0.29, "low"), (0, "low")]
)
def test_bands(value: float, wanted: str) -> None:
    assert band(value) == wanted


@pytest.mark.capability("M-045")
def test_outcomes_are_effectiveness() -> None:
    assert plasticity.EFFECTIVENESS == {"success": 1.0, "partial": 0.5, "failure": 0.0}


@pytest.mark.capability("M-049")
@pytest.mark.parametrize(
    ("weights", "score", "error", "said"),
    [
        ((0.8,), 0.5, 0.4, "effective"),
        ((0.8,), None, 0.4, "effective"),
        ((-0.7,), 0.5, -0.35, "failed"),
        ((-0.8, -0.4), 0.9, -0.9, "failed"),
        ((0.8, 0.6, 0.4), 0.9, 0.1, "effective"),
        ((0.8,), 0.9, 0.0, ""),
        ((0.8,), 0.95, 0.0, ""),
        ((0.8,), 0.96, -0.06, "failed"),
        ((0.8,), 0.84, 0.06, "effective"),
        ((), 0.5, 0.0, ""),
    ],
)
def test_a_surprise_is_what_was_observed_less_what_was_predicted(
    weights: tuple[float, ...], score: float | None, error: float, said: str
) -> None:
    found = surprise(weights, score)
    assert found == pytest.approx(error)
    assert learned(found) == said


@pytest.mark.capability("M-049")
def test_a_surprise_moves_the_strength_by_a_tenth_and_nothing_else() -> None:
    found = fold(State(0.5, 0.5), [("2026-01-01", {GAINED: 400, LOST: 150, "effective": 1, "failed": 1})])
    assert (found.importance, found.confidence, found.reinforced) == pytest.approx((0.5, 0.5, 0.025))


def test_days_count_in_their_order_and_each_has_its_successes_first() -> None:
    days = [("2026-01-02", {MISLED: 1}), ("2026-01-01", {HELPED: 2, SHORTFALL: 500})]
    by_hand = misled(helped(helped(State(0.5, 0.45), 0.75), 0.75))

    assert fold(State(0.5, 0.45), days) == by_hand
    assert fold(State(0.5, 0.45), reversed(days)) == by_hand


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.floats(0, 1), st.floats(0.5, 1), st.lists(st.integers(0, 1000), min_size=1, max_size=8))
def test_a_day_of_successes_is_what_the_events_of_it_make_one_by_one(
    importance: float, confidence: float, effects: list[int]
) -> None:
    """Where the confidence is at least a half, and short of the cap, the mean loses nothing."""
    one_by_one = State(importance, confidence)
    for thousandths in effects:
        one_by_one = helped(one_by_one, thousandths / 1000)
    short = sum(1000 - each for each in effects)
    found = fold(State(importance, confidence), [("d", {HELPED: len(effects), SHORTFALL: short})])

    assert (found.importance, found.confidence) == pytest.approx((one_by_one.importance, one_by_one.confidence))
    assert (found.reinforced, found.gain) == pytest.approx((one_by_one.reinforced, one_by_one.gain))


def test_counts_that_nobody_can_reach_take_no_time() -> None:
    """A forged count is as good as a few."""
    found = fold(State(0.5, 0.0), [("d", {HELPED: 10**12, SHORTFALL: 10**15 - 10**3, MISLED: 10**12})])
    assert (found.importance, found.confidence) == (0.0, 0.0)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.floats(0, 1),
    st.floats(0, 1),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5000)), max_size=8),
)
def test_values_stay_within_0_and_1(importance: float, confidence: float, days: list[tuple[int, int, int]]) -> None:
    rows = [(str(n), {HELPED: h, MISLED: m, SHORTFALL: s}) for n, (h, m, s) in enumerate(days)]
    found = fold(State(importance, confidence), rows)
    assert 0 <= found.importance <= 1
    assert 0 <= found.confidence <= 1
    assert 0 <= found.strength <= 1
