"""Patterns that nearly matched, and why they did not."""

import pytest

from gitmem.rules.match import why_not_live
from gitmem.rules.near import near_misses, why_no_match
from tests.asking import rule
from tests.rules.made import knowledge_of

TARGET = "src/ui/form.tsx"


def card_of(*patterns: str, **over):
    (card,) = knowledge_of(rule("one", 1, *patterns, **over)).cards()
    return card


def misses(*parts, targets=(TARGET,), matched=frozenset()):
    knowledge = knowledge_of(*parts)
    found = near_misses(knowledge.cards(), dict.fromkeys(targets, matched), lambda card: why_not_live(card, {}, ""))
    return [(miss.pattern, miss.reason) for miss in found]


@pytest.mark.capability("R-018")
@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("src/ui/form.tsx", "fits"),
        ("src/api/form.tsx", "wrong-path"),
        ("web/**/*.tsx", "wrong-path"),
        ("form.tsx", "wrong-path"),
        ("src/ui/*.ts", "wrong-name"),
        ("src/api/**", "wrong-name"),
        ("docs/**", "no-match"),
        ("**/*.md", "no-match"),
    ],
)
def test_a_miss_is_a_wrong_path_or_a_wrong_name(pattern: str, reason: str) -> None:
    assert why_no_match(card_of(pattern), pattern, TARGET)[0] == reason


@pytest.mark.capability("R-018")
def test_what_the_scope_excepts_is_the_nearest_miss() -> None:
    files = rule("a", 1, scope={"paths": ["src/ui/**"], "except": ["src/ui/*.tsx"]}), rule("b", 2, "src/api/form.tsx")

    assert misses(*files) == [("src/ui/**", "excluded"), ("src/api/form.tsx", "wrong-path")]


@pytest.mark.parametrize("status", ["draft", "deprecated", "superseded", "forgotten"])
def test_a_pattern_that_fits_misses_because_its_rule_is_not_live(status: str) -> None:
    assert misses(rule("a", 1, "src/ui/**", status=status)) == [("src/ui/**", f"status-{status}")]


def test_what_is_only_given_by_name_is_no_near_miss() -> None:
    assert misses(rule("a", 1, "src/ui/**", visibility="restricted")) == []


def test_what_was_brought_in_is_no_miss() -> None:
    card = card_of("src/ui/**", "src/ui/*.ts")

    assert misses(rule("one", 1, "src/ui/**", "src/ui/*.ts"), matched=frozenset({card.id})) == []


def test_ten_are_named_nearest_first() -> None:
    rules = [rule(f"r{n:02}", n, f"src/{'ui/' * (n % 3)}other{n}/*.ts") for n in range(1, 31)]

    found = misses(*rules)

    assert len(found) == 10
    assert all(pattern.startswith("src/ui/") for pattern, _ in found)
    assert found == misses(*reversed(rules))
