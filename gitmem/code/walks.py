"""Walks over the graph of the code: what is some calls away, and the shortest ways between two. Refuses to run on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gitmem.code.graph import CodeGraph
from gitmem.code.scopes import CALLABLE
from gitmem.model.code import METHOD_OWNERS, Place
from gitmem.model.graph import ANSWERS, CALLS, CATCHES, INHERITS, LIKELY, REFERS, RENDERS, THROWS, USES, Edge
from gitmem.record import record

HOPS_MOST = 25
DEPTH_MOST = 6
PATH_DEPTH_MOST = 10
# Definitions that one search for a path looks into, and ways that it tells.
_SEARCHED_MOST = 4_000
PATHS_MOST = 20
# Fewer files are looked into the further away a definition is: each may be a hub of its own.
_FILES_MOST = (400, 120, 60, 40, 30, 20)
_WALKED = frozenset({CALLS, THROWS, CATCHES, INHERITS, USES, RENDERS, ANSWERS})


@record
class Hop:
    """One step of a walk: ``place`` is ``depth`` steps away and reached over ``via`` by ``edge``."""

    place: Place
    depth: int
    via: Place
    edge: Edge


@record
class Walk:
    """The hops in the order in which they were found; ``more`` counts those beyond the cap, as far as they were seen,
    ``unread`` the files that may hold further ones and were not looked into."""

    hops: tuple[Hop, ...]
    more: int = 0
    unread: int = 0


@record
class Paths:
    """``paths`` are the shortest ways, each a list of edges; ``depth`` is their length, None where there is none within
    the limit. ``is_whole`` is false when the search was stopped, ``more`` counts ways that are not told."""

    paths: tuple[tuple[Edge, ...], ...]
    depth: int | None
    more: int = 0
    is_whole: bool = True


def callers(graph: CodeGraph, place: Place, depth: int, hops_most: int = HOPS_MOST) -> Walk:
    """Who reaches the definition, nearest first, proven before likely, production before tests."""
    unread = 0

    def step(one: Place, level: int) -> Sequence[tuple[Place, Edge]]:
        nonlocal unread
        if one.number < 0:
            return ()
        found = graph.callers(one, _FILES_MOST[min(level, len(_FILES_MOST) - 1)])
        unread += found.unread if level == 0 else 0
        wanted = _WALKED | {REFERS} if level == 0 else _WALKED
        return [(edge.source, edge) for edge in found.edges if edge.kind in wanted]

    walk = _walked(place, depth, hops_most, step)
    return Walk(walk.hops, walk.more, unread)


def callees(graph: CodeGraph, place: Place, depth: int, hops_most: int = HOPS_MOST) -> Walk:
    """What the definition reaches, nearest first."""

    def step(one: Place, level: int) -> Sequence[tuple[Place, Edge]]:
        edges = graph.callees(one, is_whole=level == 0)[0]
        return [(edge.target, edge) for edge in sorted(edges, key=_order) if edge.kind in _WALKED]

    return _walked(place, depth, hops_most, step)


def _order(edge: Edge) -> tuple[object, ...]:
    return edge.confidence == LIKELY, len(edge.candidates), edge.sites, edge.target.path, edge.target.number


def _walked(
    place: Place, depth: int, hops_most: int, step: Callable[[Place, int], Sequence[tuple[Place, Edge]]]
) -> Walk:
    """Level by level; a guess among several is told and not followed. What uses itself is a hop of its own."""
    seen, hops, more = {place}, list[Hop](), 0
    level = [place]
    for number in range(depth):
        further = []
        for one in level:
            for other, edge in step(one, number):
                is_itself = other == place and number == 0
                if other in seen and not is_itself:
                    continue
                seen.add(other)
                if len(hops) >= hops_most:
                    more += 1
                    continue
                hops.append(Hop(other, number + 1, one, edge))
                if not edge.candidates and not is_itself:
                    further.append(other)
        level = further if not more else []
        if not level:
            break
    return Walk(tuple(hops), more)


def paths(graph: CodeGraph, start: Place, end: Place, depth: int = PATH_DEPTH_MOST) -> Paths:
    """Every shortest way from one definition to another over calls; guesses among several are not followed."""
    before: dict[Place, list[tuple[Place, Edge]]] = {} if start == end else {start: []}
    level, searched = [start], 0
    for number in range(depth):
        reached: dict[Place, list[tuple[Place, Edge]]] = {}
        for one in level:
            searched += 1
            if searched > _SEARCHED_MOST:
                return Paths((), None, is_whole=False)
            for edge in _calls(graph, one):
                for other in _entered(graph, edge.target):
                    if other not in before:
                        reached.setdefault(other, []).append((one, edge))
        before |= reached
        if end in reached:
            found = list(_unwound(before, start, end))
            return Paths(tuple(found[:PATHS_MOST]), number + 1, max(0, len(found) - PATHS_MOST))
        level = list(reached)
        if not level:
            break
    return Paths((), None)


def _calls(graph: CodeGraph, place: Place) -> list[Edge]:
    edges = graph.callees(place)[0]
    return sorted((edge for edge in edges if edge.kind in (CALLS, THROWS) and not edge.candidates), key=_order)


def _entered(graph: CodeGraph, place: Place) -> Iterator[Place]:
    """What runs when a definition is called: itself, and of a type the constructor."""
    yield place
    sheet = graph.names.scopes(place.path)
    if sheet.symbol(place.number).kind in METHOD_OWNERS:
        for number, symbol in enumerate(sheet.facts.symbols):
            if symbol.owner == place.number and symbol.kind in CALLABLE and symbol.name in ("__init__", "constructor"):
                yield Place(place.path, number)


def _unwound(before: dict[Place, list[tuple[Place, Edge]]], start: Place, end: Place) -> Iterator[tuple[Edge, ...]]:
    """The ways back from the end, without recursion, a few more than are told."""
    left: list[tuple[Place, tuple[Edge, ...]]] = [(end, ())]
    told = 0
    while left and told <= PATHS_MOST * 5:
        place, way = left.pop()
        if place == start and way:
            told += 1
            yield way
            continue
        left += [(one, (edge, *way)) for one, edge in reversed(before[place])]
