"""Edges by the engrams that they join: their direction, their kinds, and how far one may walk along them."""

import pytest

from gitmem.index.card import of_unreadable
from gitmem.index.edges import BOTH, IN, OUT, Edge, Walk, edges, walk
from gitmem.index.knowledge import Knowledge, overlaid
from gitmem.index.refresh import open_tree
from gitmem.model.synapse import SYNAPSE_KINDS, link
from gitmem.record import replace
from gitmem.store.cache import Cache
from gitmem.store.repo import Repo
from gitmem.store.synapses import synapse_path

CHAIN = (("a", "extends", "b"), ("b", "extends", "c"), ("c", "supersedes", "d"), ("x", "contradicts", "a"))


@pytest.fixture
def chain() -> Knowledge:
    return linked(*CHAIN)


def linked(*rows: tuple[str, str, str]) -> Knowledge:
    cards = []
    for start, kind, end in rows:
        synapse = link(start, end, kind)
        blank = of_unreadable((synapse_path(synapse), "0" * 40), "digest", ())
        cards.append(replace(blank, edge=(synapse.from_, synapse.to, kind, synapse.weight)))
    nowhere = Repo.__new__(Repo)
    empty = open_tree(nowhere, Cache(None, b"k" * 32), "").knowledge
    return overlaid(empty, (), cards)


def told(found: list[Edge]) -> list[str]:
    return [f"{edge.from_} {edge.kind} {edge.to}" for edge in found]


@pytest.mark.capability("M-035")
@pytest.mark.parametrize(
    ("item", "direction", "kinds", "wanted"),
    [
        ("b", BOTH, (), ["a extends b", "b extends c"]),
        ("b", IN, (), ["a extends b"]),
        ("b", OUT, (), ["b extends c"]),
        ("c", BOTH, ("supersedes",), ["c supersedes d"]),
        ("d", IN, ("supersedes",), ["c supersedes d"]),
        ("d", OUT, (), []),
        ("nobody", BOTH, (), []),
    ],
)
def test_edges_of_an_item_by_direction_and_kind(chain, item, direction, kinds, wanted):
    assert told(edges(chain, item, direction, kinds)) == wanted


@pytest.mark.capability("M-032")
@pytest.mark.parametrize("end", ["a", "x"])
@pytest.mark.parametrize("direction", [IN, OUT, BOTH])
def test_an_edge_without_direction_is_seen_from_both_ends_whichever_is_asked(chain, end, direction):
    assert told(edges(chain, end, direction, ("contradicts",))) == ["a contradicts x"]


@pytest.mark.capability("M-035")
@pytest.mark.parametrize(("depth", "count"), [(1, 2), (2, 3), (3, 4)])
def test_a_walk_goes_as_many_steps_as_asked_and_meets_each_edge_once(chain, depth, count):
    found = walk(chain, "a", Walk(depth=depth))

    assert len(found.steps) == len({step.edge.id for step in found.steps}) == count
    assert (max(step.depth for step in found.steps), found.is_cut) == (depth, False)


def test_a_walk_round_a_circle_ends():
    found = walk(linked(("a", "causes", "b"), ("b", "causes", "c"), ("c", "causes", "a")), "a", Walk(OUT, depth=3))

    assert told([step.edge for step in found.steps]) == ["a causes b", "b causes c", "c causes a"]


def test_a_walk_that_meets_more_than_it_may_says_so():
    star = linked(*(("hub", "causes", f"leaf{n}") for n in range(10)))

    assert (len(walk(star, "hub", Walk(most=4)).steps), walk(star, "hub", Walk(most=4)).is_cut) == (4, True)
    assert (len(walk(star, "hub", Walk(most=10)).steps), walk(star, "hub", Walk(most=10)).is_cut) == (10, False)


@pytest.mark.capability("M-033")
@pytest.mark.parametrize("kind", SYNAPSE_KINDS)
def test_each_kind_can_be_asked_for_alone(kind):
    every = linked(*(("a", each, "b") for each in SYNAPSE_KINDS))

    assert told(edges(every, "a", BOTH, (kind,))) == [f"a {kind} b"]
