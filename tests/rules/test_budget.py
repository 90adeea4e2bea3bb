"""What is inlined, deferred or omitted within a budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.compiled import Ratio
from gitmem.rules import budget
from gitmem.rules.budget import Candidate, Limits
from tests.asking import rule
from tests.rules.made import knowledge_of

ROOM = 8192
MODES = ("auto", "always", "metadata")


def candidate(number: int, size: int, group: str = "document", **over) -> Candidate:
    fields = {"kind": "template"} if group == "template" else {}
    slug = over.pop("slug", f"rule-{number}")
    relevance = over.pop("relevance", None)
    text = rule(slug, number, "src/**", body="x" * (size - 1) + "\n", **fields | over)
    (card,) = knowledge_of(text).cards()
    assert card.content_bytes == size
    return Candidate(number, card, group, Ratio(*relevance) if relevance else None)


def decide(*candidates: Candidate, room: int = ROOM, mode: str = "auto", command: str = ""):
    cost = {each.number: each.card.content_bytes for each in candidates}
    return budget.decide(candidates, Limits(mode, command, 4096, room, cost))


def told(*candidates: Candidate, **limits) -> dict[int, str]:
    found = decide(*candidates, **limits)
    return {n: f"{d.delivery.value} {d.reason}".strip() for n, d in sorted(found.decisions.items())}


@pytest.mark.capability("R-008")
def test_of_three_rules_of_4_kb_two_are_inlined_and_one_deferred() -> None:
    rules = [candidate(number, 4096) for number in (1, 2, 3)]

    assert told(*rules) == {1: "inline", 2: "inline", 3: "deferred budget"}
    assert decide(*rules).used == ROOM


@pytest.mark.capability("R-009")
@pytest.mark.parametrize(
    ("mode", "at_limit", "above"),
    [
        ("auto", "inline", "deferred size"),
        ("always", "inline", "inline"),
        ("metadata", "deferred mode", "deferred mode"),
    ],
)
def test_auto_never_inlines_more_than_4096_bytes_of_one_rule(mode: str, at_limit: str, above: str) -> None:
    assert told(candidate(1, 4096), mode=mode) == {1: at_limit}
    assert told(candidate(1, 4097), mode=mode) == {1: above}


@pytest.mark.capability("R-007")
@pytest.mark.parametrize(
    ("mode", "command", "decision"),
    [
        ("auto", "", "omitted template"),
        ("auto", "scaffold", "inline"),
        ("auto", "scaffolding", "omitted template"),
        ("auto", "Scaffold", "omitted template"),
        ("always", "", "inline"),
        ("metadata", "", "omitted template"),
        ("metadata", "scaffold", "deferred mode"),
    ],
)
def test_templates_are_omitted_unless_something_is_scaffolded(mode: str, command: str, decision: str) -> None:
    assert told(candidate(1, 100, "template"), mode=mode, command=command) == {1: decision}


@pytest.mark.capability("R-008")
def test_templates_claim_before_documents_and_documents_before_what_tags_add() -> None:
    rules = [candidate(1, 60, "expanded"), candidate(2, 60), candidate(3, 60, "template")]

    assert told(*rules, room=60, mode="always") == {1: "deferred budget", 2: "deferred budget", 3: "inline"}
    assert told(*rules, room=120, mode="always") == {1: "deferred budget", 2: "inline", 3: "inline"}
    assert told(*rules, room=180, mode="always") == {1: "inline", 2: "inline", 3: "inline"}


@pytest.mark.capability("R-008")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"relevance": (2, 3), "priority": 9, "slug": "z"}, {"relevance": (1, 3), "slug": "a"}),
        ({"priority": -1, "slug": "z"}, {"priority": 0, "slug": "a"}),
        ({"slug": "a"}, {"slug": "b"}),
    ],
    ids=["relevance", "priority", "slug"],
)
def test_within_a_group_claims_go_by_relevance_then_priority_then_slug(first: dict, second: dict) -> None:
    rules = [candidate(2, 60, **first), candidate(1, 60, **second)]

    assert told(*rules, room=60) == {1: "deferred budget", 2: "inline"}


def test_what_does_not_fit_leaves_room_for_something_smaller() -> None:
    rules = [candidate(1, 3000), candidate(2, 3000), candidate(3, 2000), candidate(4, 90)]

    assert told(*rules, room=5100) == {1: "inline", 2: "deferred budget", 3: "inline", 4: "inline"}


def test_no_room_at_all_defers_everything() -> None:
    """F-240: a limit below the smallest part is no endless loop."""
    assert told(candidate(1, 50), candidate(2, 50), room=0) == {1: "deferred budget", 2: "deferred budget"}


POOL = [
    candidate(n, size, group)
    for n, (size, group) in enumerate([(s, g) for s in (50, 700, 2000, 4096, 4097) for g in budget.GROUPS], 1)
]


@given(st.permutations(POOL), st.integers(0, 30000), st.sampled_from(MODES), st.sampled_from(["", "scaffold"]))
def test_the_budget_is_never_exceeded_and_no_order_of_asking_matters(
    rules: list[Candidate], room: int, mode: str, command: str
) -> None:
    found = decide(*rules, room=room, mode=mode, command=command)

    inline = [r for r in rules if found.decisions[r.number].delivery == "inline"]
    assert sum(r.card.content_bytes for r in inline) == found.used <= room
    assert found == decide(*sorted(rules, key=lambda r: r.number), room=room, mode=mode, command=command)
    assert set(found.decisions) == {r.number for r in rules}
