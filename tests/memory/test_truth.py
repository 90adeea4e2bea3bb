"""The five dimensions of truth and what they recommend, number by number."""

import inspect

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory import truth
from gitmem.memory.truth import Held, Measured, Record, Used, recommended

SHARE = st.floats(0, 1)


@pytest.mark.capability("M-058")
def test_the_weights_are_those_of_the_design_and_make_one() -> None:
    assert list(truth.WEIGHTS.values()) == [0.25, 0.20, 0.20, 0.15, 0.20]
    assert truth.truth([(name, 1.0, "") for name in truth.WEIGHTS]).score == 1
    scored = dict(zip(truth.WEIGHTS, (1.0, 0.5, 0.25, 0.8, 0.0), strict=True))
    assert truth.truth([(name, score, "") for name, score in scored.items()]).score == 0.52


@pytest.mark.capability("M-058")
@pytest.mark.parametrize(
    ("used", "score"),
    [(Used(), 0), (Used(1, 1, 1), 1 / 3), (Used(1, 2, 3), 2 / 3), (Used(3, 3, 3), 1), (Used(90, 0, 0), 1 / 3)],
)
def test_cross_context_is_the_mean_of_three_facets_each_full_at_three(used: Used, score: float) -> None:
    assert truth.cross_context(used) == pytest.approx(score)


@pytest.mark.capability("M-058")
@pytest.mark.parametrize(
    ("claims", "score"),
    [
        ([], 0.5),
        ([Held(True, 0)], 0.5),
        ([Held(True, 3)], 0.75),
        ([Held(True, 6)], 0.875),
        ([Held(False, 1)], 0.25),
        ([Held(False, 3)], 0.0625),
        ([Held(True, 3), Held(False, 1)], 0.5),
    ],
)
def test_time_stable_counts_commits_that_were_survived_or_missed(claims: list[Held], score: float) -> None:
    assert truth.time_stable(claims) == pytest.approx(score)


@pytest.mark.capability("M-058")
@pytest.mark.parametrize(
    ("support", "against", "score"), [(0, 0, 0.5), (1, 0, 0.75), (0, 0.5, 1 / 3), (1, 1, 0.5), (2, 0.5, 2.5 / 3.5)]
)
def test_mutual_support_is_support_against_contradiction(support: float, against: float, score: float) -> None:
    assert truth.mutual_support(support, against) == pytest.approx(score)


@pytest.mark.capability("M-061")
@pytest.mark.parametrize(
    ("record", "reliability", "is_unreliable"),
    [
        (Record(0, 0), 0.5, False),
        (Record(0, 2), 0.5, False),
        (Record(1, 2), 1 / 3, True),
        (Record(2, 3), 0.4, False),
        (Record(3, 0), 1, False),
    ],
)
def test_reliability_is_the_share_that_proved_and_half_under_three(
    record: Record, reliability: float, is_unreliable: bool
) -> None:
    assert record.reliability == pytest.approx(reliability)
    assert record.is_unreliable == is_unreliable


@pytest.mark.parametrize(
    ("source", "score"), [("firsthand", 0.8), ("secondhand", 0.52 / 0.85), ("inferred", 0.4 / 0.85)]
)
def test_a_source_at_second_hand_is_worth_less(source: str, score: float) -> None:
    assert truth.source_reliability(0.8, source) == pytest.approx(score)


@pytest.mark.capability("M-058")
@pytest.mark.parametrize(
    ("claims", "checks", "score"),
    [
        ([], [], 0.5),
        ([], [True], 1),
        ([Held(True, 0), Held(False, 1)], [], 0.5),
        ([Held(True, 0), Held(False, 1)], [True], 0.75),
        ([Held(True, 9)], [False, True], 2 / 3),
    ],
)
def test_executable_is_the_mean_of_claims_and_checks(claims: list[Held], checks: list[bool], score: float) -> None:
    assert truth.executable(claims, checks) == pytest.approx(score)


def test_truth_of_its_own_leaves_mutual_support_out() -> None:
    assert truth.own([1, 1, 1, 1]) == pytest.approx(1)
    assert truth.own([1, 0.5, 0, 0]) == pytest.approx(0.35 / 0.80)


RECOMMENDED = {
    "a step at .70": (0.70, "unverified", None, False, "plausible"),
    "not below": (0.6999, "unverified", 90, False, ""),
    "up to probable": (0.84, "plausible", None, False, "probable"),
    "no further": (0.84, "probable", 90, False, ""),
    "verified at .85 and seven days": (0.85, "probable", 7, False, "verified"),
    "not at six": (0.99, "probable", 6.9, False, ""),
    "not at an unknown age": (0.99, "probable", None, False, ""),
    "one step at a time": (0.99, "unverified", 90, False, "plausible"),
    "nothing above": (0.99, "verified", 90, False, ""),
    "refuted below .30 with a contradiction": (0.2999, "verified", 0, True, "refuted"),
    "not without": (0.1, "verified", 90, False, ""),
    "not at .30": (0.30, "verified", 90, True, ""),
    "once": (0.1, "refuted", 90, True, ""),
    "never back by itself": (0.99, "refuted", 90, False, ""),
}


@pytest.mark.capability("M-059")
@pytest.mark.parametrize(("score", "status", "age", "is_contradicted", "step"), RECOMMENDED.values(), ids=RECOMMENDED)
def test_what_is_recommended(score: float, status: str, age: float | None, is_contradicted: bool, step: str) -> None:
    assert recommended(Measured(score, status, age, is_contradicted)) == step


@pytest.mark.capability("M-059")
@given(st.floats(0, 0.6999), st.sampled_from(["unverified", "plausible", "probable"]), st.integers(0, 100_000))
@settings(derandomize=True, deadline=None)
def test_no_age_raises_what_is_not_borne_out(score: float, status: str, age: int) -> None:
    assert recommended(Measured(score, status, age, False)) == ""


@pytest.mark.capability("M-058")
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=4), SHARE, SHARE, st.integers(0, 9), SHARE)
@settings(derandomize=True, deadline=None)
def test_every_dimension_stays_within_nought_and_one(
    claims: list[tuple[bool, int]], support: float, against: float, contexts: int, reliability: float
) -> None:
    held = [Held(*row) for row in claims]
    for score in (
        truth.cross_context(Used(contexts, contexts, contexts)),
        truth.time_stable(held),
        truth.mutual_support(support, against),
        truth.source_reliability(reliability, "inferred"),
        truth.executable(held, ()),
    ):
        assert 0 <= score <= 1
    assert truth.mutual_support(support + 1, against) > truth.mutual_support(support, against)
    assert truth.mutual_support(support, against + 1) < truth.mutual_support(support, against)


@pytest.mark.capability("M-059")
def test_no_dimension_asks_for_age_or_tags() -> None:
    asked = {
        name
        for formula in (
            *(truth.cross_context, truth.time_stable, truth.mutual_support),
            *(truth.source_reliability, truth.executable, truth.truth, truth.own),
        )
        for name in inspect.signature(formula).parameters
    }

    assert not {name for name in asked if "age" in name or "tag" in name or "day" in name or "now" in name}
