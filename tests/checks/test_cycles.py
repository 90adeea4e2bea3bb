"""Circles are found in time linear in the graph, and told along one shortest way."""

import random
import time
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.checks.cycles import components
from gitmem.checks.references import Named, circles

NODES = [f"n{number:02}" for number in range(12)]


def reaches(edges: Mapping[str, Sequence[str]], start: str, goal: str) -> bool:
    seen, waiting = set(), list(edges.get(start, ()))
    while waiting:
        node = waiting.pop()
        if node == goal:
            return True
        if node not in seen:
            seen.add(node)
            waiting += edges.get(node, ())
    return False


def named(edges: Mapping[str, Sequence[str]]) -> dict[str, Named]:
    return {n: Named(n, f"{n}.md", n) for n in {*edges, *(t for ts in edges.values() for t in ts)}}


@given(st.dictionaries(st.sampled_from(NODES), st.lists(st.sampled_from(NODES), max_size=4)))
def test_components_are_those_who_reach_each_other(edges: dict[str, list[str]]) -> None:
    place = {node: number for number, group in enumerate(components(edges)) for node in group}

    assert set(place) == set(named(edges))
    for a in place:
        for b in place:
            is_mutual = a == b or (reaches(edges, a, b) and reaches(edges, b, a))
            assert (place[a] == place[b]) == is_mutual, (a, b)


@pytest.mark.capability("R-003")
@pytest.mark.capability("G-025")
@pytest.mark.parametrize(
    ("edges", "messages"),
    [
        ({}, []),
        ({"a": ["b"], "b": ["c"]}, []),
        ({"a": ["a"]}, ["a -> a"]),
        ({"a": ["b"], "b": ["a"]}, ["a -> b -> a"]),
        ({"b": ["c"], "c": ["d"], "d": ["b", "c"]}, ["b -> c -> d -> b"]),
        ({"a": ["b"], "b": ["a"], "c": ["d"], "d": ["c"]}, ["a -> b -> a", "c -> d -> c"]),
    ],
)
def test_a_circle_is_told_from_its_first_to_its_first(edges: dict[str, list[str]], messages: list[str]) -> None:
    found = circles(edges, named(edges))

    assert [spot.finding.message.rpartition(": ")[2] for spot in found] == messages


def test_only_circles_through_what_was_touched_count() -> None:
    edges = {"a": ["b"], "b": ["a"], "c": ["d"], "d": ["c"]}

    found = circles(edges, named(edges), {"d": 0, "c": 1})

    assert [spot.finding.path for spot in found] == ["d.md"]


def test_a_long_circle_is_cut_in_the_telling() -> None:
    edges = {f"n{i:03}": [f"n{(i + 1) % 500:03}"] for i in range(500)}

    (found,) = circles(edges, named(edges))

    assert found.finding.message.endswith("-> ...")
    assert len(found.finding.message) < 200


def test_a_hundred_thousand_edges_with_a_ladder_of_forty_rungs() -> None:
    """F-232"""
    chance = random.Random(3)
    edges = {f"l{i:02}{side}": [f"l{i + 1:02}a", f"l{i + 1:02}b"] for i in range(40) for side in "ab"}
    for node in (f"x{i:05}" for i in range(20_000)):
        edges[node] = [f"x{chance.randrange(20_000):05}" for _ in range(5)]
    edges["l40a"] = ["l00a"]
    start = time.process_time()

    found = circles(edges, named(edges))

    assert found[0].finding.item == "l00a"
    assert time.process_time() - start < 2


def test_a_chain_deeper_than_the_stack_is_walked() -> None:
    edges = {f"n{i:06}": [f"n{i + 1:06}"] for i in range(50_000)}

    assert circles(edges, named(edges)) == []
    edges["n050000"] = ["n000000"]
    assert len(circles(edges, named(edges))) == 1
