"""What is followed to from what a task names: callees, callers, bases, by edges that are resolved. Refuses the rest.

Only the neighbourhood is looked at, never the whole graph; one package does not take all the places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gitmem.code.atlas import Atlas
from gitmem.code.graph import CodeGraph
from gitmem.code.testing import is_test
from gitmem.model.code import Place
from gitmem.model.graph import CALLS, INHERITS, PROVEN, REFERS, Edge
from gitmem.model.packet import BALANCED, MAX_QUALITY, MAX_SAVINGS
from gitmem.record import record

# What one packet may look into: definitions, and files for callers of each.
NODES_MOST = 24
_CALLER_FILES = 6
_EDGES_MOST = 24
_STRENGTHS = {CALLS: 1.0, INHERITS: 0.9, REFERS: 0.5}
_CALLER, _LIKELY, _FURTHER = 0.6, 0.5, 0.5
# What is at least so strong enters although its package has its share.
_STRONG = 0.9


@record
class Limits:
    """``per_package`` places beside the seeds of a package, ``overflow`` strong ones beyond that, ``files`` in all."""

    per_package: int
    overflow: int
    files: int
    hops: int


LIMITS = {
    MAX_SAVINGS: Limits(0, 0, 0, 1),
    BALANCED: Limits(2, 4, 5, 2),
    MAX_QUALITY: Limits(3, 6, 8, 3),
}


@record
class Followed:
    """``why`` names the edge, ``strength`` is 0 to 1."""

    path: str
    number: int
    strength: float
    why: str


@record
class Neighbourhood:
    """Strongest first; ``touched`` counts the definitions that were looked into."""

    found: tuple[Followed, ...]
    touched: int


_LAST: list[CodeGraph] = []


def graph_of(atlas: Atlas) -> CodeGraph:
    """The last one stays, with what it has resolved: the same tree is asked again and again."""
    if not _LAST or _LAST[0].atlas is not atlas:
        _LAST[:] = [CodeGraph(atlas)]
    return _LAST[0]


def neighbourhood(graph: CodeGraph, seeds: Sequence[Place], hops: int) -> Neighbourhood:
    """What the seeds lead to within so many steps."""
    found: dict[Place, Followed] = {}
    known = set(seeds)
    ring, reach, touched = list(seeds), 1.0, 0
    for _ in range(hops):
        ahead: list[Place] = []
        for place in ring:
            if touched >= NODES_MOST:
                break
            touched += 1
            # Who calls what is far away is further away than it is worth.
            near = _around(graph, place, reach, is_start=reach == 1.0)
            for each in near:
                target = Place(each.path, each.number)
                if each.number < 0 or target in known or is_test(each.path):
                    continue
                if target not in found or found[target].strength < each.strength:
                    found[target] = each
                    ahead.append(target)
        known.update(ahead)
        ring, reach = ahead, reach * _FURTHER
    rows = sorted(found.values(), key=lambda row: (-row.strength, row.path, row.number))
    return Neighbourhood(tuple(rows), touched)


def _around(graph: CodeGraph, place: Place, reach: float, *, is_start: bool) -> Iterator[Followed]:
    name = graph.names.symbol_name(place)
    edges, _ = graph.callees(place)
    for edge in edges[:_EDGES_MOST]:
        yield Followed(edge.target.path, edge.target.number, _strength(edge) * reach, f"{edge.kind} from {name}")
    if not is_start:
        return
    for edge in graph.callers(place, _CALLER_FILES).edges[:_EDGES_MOST]:
        strength = _strength(edge) * _CALLER * reach
        yield Followed(edge.source.path, edge.source.number, strength, f"{edge.kind} {name}")


def _strength(edge: Edge) -> float:
    return _STRENGTHS.get(edge.kind, 0.5) * (1.0 if edge.confidence == PROVEN else _LIKELY)


def chosen(found: Iterable[Followed], seeds: Iterable[str], limits: Limits) -> list[Followed]:
    """The files that enter, each by its strongest definition: a soft cap for each package."""
    taken: dict[str, Followed] = {}
    counts: dict[str, int] = {}
    present = set(seeds)
    overflow = limits.overflow
    for each in found:
        if each.path in present or each.path in taken or len(taken) >= limits.files:
            continue
        package = each.path.rpartition("/")[0]
        if counts.get(package, 0) >= limits.per_package:
            if overflow <= 0 or each.strength < _STRONG:
                continue
            overflow -= 1
        counts[package] = counts.get(package, 0) + 1
        taken[each.path] = each
    return list(taken.values())
