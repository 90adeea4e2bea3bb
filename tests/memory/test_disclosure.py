"""How deep each item is shown while a budget lasts: pure arithmetic over costs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory.disclosure import CATALOG, CONTENT, CONTENT_MOST, DIGEST, caps, climb, ranked, step_down

COSTS = (50, 120, 300)


def shown(count: int, budget: int, scores: tuple[float, ...] = ()) -> dict[int, int]:
    return climb(ranked(scores, count), caps(scores, count), budget, lambda _, tier: COSTS[tier])


@pytest.mark.capability("M-014")
@pytest.mark.parametrize(
    ("budget", "wanted"),
    [(300, {0: CONTENT}), (299, {0: DIGEST}), (120, {0: DIGEST}), (119, {0: CATALOG}), (50, {0: CATALOG}), (49, {})],
)
def test_one_item_gets_the_deepest_tier_that_fits(budget: int, wanted: dict[int, int]) -> None:
    assert shown(1, budget) == wanted


@pytest.mark.capability("M-015")
def test_all_are_named_then_all_are_digests_then_the_best_five_are_in_full() -> None:
    assert shown(7, 7 * 50) == dict.fromkeys(range(7), CATALOG)
    assert shown(7, 7 * 50 + 2 * 70) == {0: DIGEST, 1: DIGEST} | dict.fromkeys(range(2, 7), CATALOG)
    assert shown(7, 7 * 120 + 180) == {0: CONTENT} | dict.fromkeys(range(1, 7), DIGEST)
    assert shown(7, 100_000) == dict.fromkeys(range(CONTENT_MOST), CONTENT) | {5: DIGEST, 6: DIGEST}


@pytest.mark.capability("M-015")
def test_what_does_not_even_fit_by_name_is_left_out_from_the_end() -> None:
    assert shown(4, 149) == {0: CATALOG, 1: CATALOG}


@pytest.mark.capability("M-014")
def test_a_score_decides_who_comes_first_and_how_deep_it_may_go() -> None:
    assert shown(3, 50 * 2 + 120, (0.3, 0.9, 0.1)) == {1: DIGEST, 0: CATALOG, 2: CATALOG}
    assert shown(3, 100_000, (0.3, 0.9, 0.1)) == {1: CONTENT, 0: DIGEST, 2: CATALOG}


def test_a_step_down_takes_from_the_last_of_the_deepest() -> None:
    chosen = {0: CONTENT, 1: CONTENT, 2: DIGEST}
    steps = []
    while chosen:
        step_down([0, 1, 2], chosen)
        steps.append(dict(chosen))

    assert steps[:3] == [
        {0: CONTENT, 1: DIGEST, 2: DIGEST},
        {0: DIGEST, 1: DIGEST, 2: DIGEST},
        {0: DIGEST, 1: DIGEST, 2: CATALOG},
    ]
    assert steps[-1] == {}


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(*(st.integers(1, 90),) * 3), min_size=1, max_size=12),
    st.integers(0, 900),
)
def test_the_costs_never_add_up_to_more_than_the_budget(more: list[tuple[int, int, int]], budget: int) -> None:
    costs = [(a, a + b, a + b + c) for a, b, c in more]

    chosen = climb(range(len(costs)), [CONTENT] * len(costs), budget, lambda n, tier: costs[n][tier])

    assert sum(costs[n][tier] for n, tier in chosen.items()) <= budget
    assert sorted(chosen) == list(range(len(chosen)))
    assert sum(tier == CONTENT for tier in chosen.values()) <= CONTENT_MOST
