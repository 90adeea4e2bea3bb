"""The order of rules is total, and no float decides it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.globs import dialect
from gitmem.model.compiled import CompileRequest, Ratio
from gitmem.rules import order
from gitmem.rules.match import match
from tests.asking import rule
from tests.rules.made import knowledge_of

TARGET = "src/api/client.ts"


def ranked(*parts, plan=None, targets=(TARGET,)):
    knowledge = knowledge_of(*parts)
    found = match(knowledge, CompileRequest(target_files=targets))
    relevance = {n: Ratio(*plan[card.slug]) for n, card in found.cards.items()} if plan else {}
    return [found.cards[n].name for n in order.ranked(found.cards, found.specificity, relevance)]


@pytest.mark.capability("R-004")
@pytest.mark.parametrize(
    ("pattern", "specificity"),
    [
        ("src/api/client.ts", 6),
        ("src/api/**", 4),
        ("src/**", 2),
        ("**", 0),
        ("*", 1),
        ("src/*/client.ts", 5),
        ("src/**/client.ts", 4),
        ("/src/", 2),
        ("{src,lib}/api", 3),
    ],
)
def test_literal_segments_count_two_wildcards_one_and_any_depth_nothing(pattern: str, specificity: int) -> None:
    assert dialect.specificity(pattern) == specificity


@pytest.mark.capability("R-004")
def test_specificity_then_priority_then_slug_then_id() -> None:
    rules = [
        rule("z-exact", 1, TARGET, priority=9),
        rule("b-folder", 2, "src/api/**", priority=-1),
        rule("a-folder", 3, "src/api/**"),
        rule("same", 5, "src/api/**", domain="one"),
        rule("same", 4, "src/api/**", domain="two"),
        rule("a-wide", 6, "src/**"),
        rule("a-layer", 7, scope={"layers": ["core"]}),
    ]
    expected = [
        "api/z-exact",
        "api/b-folder",
        "api/a-folder",
        "two/same",
        "one/same",
        "api/a-wide",
        "api/a-layer",
    ]

    for seed in range(20):
        random.Random(seed).shuffle(rules)
        assert ranked({".gitmem/layers.yaml": "src/**: core\n"}, *rules) == expected


def test_the_best_of_several_matching_patterns_counts() -> None:
    wide_first = rule("two-patterns", 1, "src/**", TARGET)

    assert ranked(wide_first, rule("one-pattern", 2, "src/api/*")) == ["api/two-patterns", "api/one-pattern"]


@pytest.mark.parametrize(
    "order_of_targets", [(TARGET, "docs/a.md"), ("docs/a.md", TARGET), ("docs/a.md", TARGET, "docs/a.md")]
)
def test_the_order_of_the_targets_decides_nothing(order_of_targets: tuple[str, ...]) -> None:
    rules = [rule("api", 1, "src/api/**"), rule("docs", 2, "docs/**"), rule("exact", 3, "docs/a.md")]

    assert ranked(*rules, targets=order_of_targets) == ["api/api", "api/exact", "api/docs"]


@pytest.mark.capability("R-006")
def test_with_a_plan_relevance_comes_first_and_the_rest_breaks_ties() -> None:
    rules = [rule("exact", 1, TARGET), rule("near", 2, "src/**"), rule("nearer", 3, "src/**"), rule("far", 4, TARGET)]
    plan = {"exact": (1, 3), "near": (2, 3), "nearer": (2, 3), "far": (0, 3)}

    assert ranked(*rules, plan=plan) == ["api/near", "api/nearer", "api/exact", "api/far"]


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 40)), min_size=2, max_size=8))
def test_ratios_are_compared_exactly(ratios: list[tuple[int, int]]) -> None:
    """Two ratios with one denominator are as their numerators; equal ones are equal."""
    d = max(d for _, d in ratios)
    ns = [n for n, _ in ratios]

    assert sorted(ns, key=lambda n: order.by_relevance(Ratio(n, d))) == sorted(ns, reverse=True)
    assert len({order.by_relevance(Ratio(n, d)) for n in ns}) == len(set(ns))


@pytest.mark.capability("R-006")
@pytest.mark.parametrize(
    ("n", "d", "thousandths", "kept"),
    [
        (1, 3, 333, True),
        (1, 3, 334, False),
        (0, 3, 0, True),
        (0, 3, 1, False),
        (3, 3, 1000, True),
        (0, 0, 500, True),
        (1, 8, 125, True),
    ],
)
def test_the_least_relevance_is_reached_or_not_by_whole_numbers(n: int, d: int, thousandths: int, kept: bool) -> None:
    assert order.is_relevant(Ratio(n, d), thousandths) is kept
