"""Connector flow: the files that join what a task names, by adaptive flow over a small neighbourhood.

As a slime mould does between its feeds: an edge that carries much grows, one that carries little withers. Refuses fewer
than two seeds, and neighbourhoods beyond a cap; there is no random choice in it and no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from heapq import nsmallest

from gitmem.record import record

NODES_MOST, EDGES_MOST, SEEDS_MOST = 250, 400, 4
# So far from a seed neighbours are looked for.
_DEPTH = 3
# Of one file: a hub says nothing of any of its neighbours.
_NEAR_MOST = 24
# Of one ring so many are asked for their neighbours, which is what takes the time.
_RING_MOST = 12
_ROUNDS, _SWEEPS = 9, 8
# What a file must carry of the flow to be told, and how many are.
_LEAST, _TOLD_MOST = 0.05, 12
_THINNEST = 1e-6
_DIGITS = 4
Neighbours = Callable[[str], Mapping[str, float]]


@record
class Flow:
    """``found`` has the share of the flow that goes through each file that joins seeds, most first; ``has_run`` is
    False where there was nothing to join."""

    found: Mapping[str, float]
    has_run: bool
    nodes: int = 0
    edges: int = 0


NO_FLOW = Flow({}, has_run=False)


@record
class _Net:
    """Edges as pairs of numbers with the first seeds as the first numbers; ``width`` is how well each carries."""

    names: Sequence[str]
    seeds: int
    edges: Sequence[tuple[int, int]]
    width: Sequence[float]


def flow(seeds: Mapping[str, float], neighbours: Neighbours) -> Flow:
    """``seeds`` have their weight, ``neighbours`` gives each file's neighbours with the width of the way, above 0."""
    chosen = sorted(seeds, key=lambda name: (-seeds[name], name))[:SEEDS_MOST]
    if len(chosen) < 2:
        return NO_FLOW
    net = _net(chosen, neighbours)
    if not net.edges:
        return Flow({}, has_run=False, nodes=len(net.names))
    through = _through(net)
    found = {net.names[at]: round(share, _DIGITS) for at, share in enumerate(through) if at >= net.seeds}
    best = sorted((name for name, share in found.items() if share >= _LEAST), key=lambda name: (-found[name], name))
    return Flow(
        {name: found[name] for name in best[:_TOLD_MOST]}, has_run=True, nodes=len(net.names), edges=len(net.edges)
    )


def _net(seeds: Sequence[str], neighbours: Neighbours) -> _Net:
    """Ring by ring around all seeds at once, the widest ways first, until a cap is reached."""
    numbers = {name: at for at, name in enumerate(seeds)}
    edges: dict[tuple[int, int], float] = {}
    ring = list(seeds)
    for _ in range(_DEPTH):
        following: list[str] = []
        for name in ring:
            if len(edges) >= EDGES_MOST:
                break
            near = neighbours(name)
            for other in nsmallest(_NEAR_MOST, near, key=lambda each: (-near[each], each)):
                if other == name or near[other] <= 0 or len(edges) >= EDGES_MOST:
                    continue
                if other not in numbers:
                    if len(numbers) >= NODES_MOST:
                        continue
                    numbers[other] = len(numbers)
                    following.append(other)
                pair = (min(numbers[name], numbers[other]), max(numbers[name], numbers[other]))
                edges[pair] = max(edges.get(pair, 0.0), near[other])
        ring = following[:_RING_MOST]
    kept = sorted(edges)
    return _Net(tuple(numbers), len(seeds), kept, [edges[pair] for pair in kept])


def _through(net: _Net) -> list[float]:
    """What goes through each node: the mean over the seeds, each one the spring in its turn."""
    tubes = list(net.width)
    sums = [0.0] * len(net.names)
    for turn in range(_ROUNDS):
        spring = turn % net.seeds
        flows = _flows(net, tubes, spring)
        total = sum(abs(flow) for (a, b), flow in zip(net.edges, flows, strict=True) if spring in (a, b))
        if total <= _THINNEST:
            continue
        for at, flow_ in enumerate(flows):
            share = abs(flow_) / total
            # Half of what it was, half of what it carries: the rule by which tubes grow and wither.
            tubes[at] = max(_THINNEST, 0.5 * tubes[at] + 0.5 * share * net.width[at])
            if turn >= _ROUNDS - net.seeds:
                a, b = net.edges[at]
                sums[a] += share / 2
                sums[b] += share / 2
    return [value / net.seeds for value in sums]


def _flows(net: _Net, tubes: Sequence[float], spring: int) -> list[float]:
    """The pressure is 1 at the spring and 0 at the other seeds; elsewhere what flows in flows out."""
    around: list[list[tuple[int, float]]] = [[] for _ in net.names]
    for (a, b), width in zip(net.edges, tubes, strict=True):
        around[a].append((b, width))
        around[b].append((a, width))
    pressure = [0.0] * len(net.names)
    pressure[spring] = 1.0
    free = [(at, near, sum(width for _, width in near)) for at, near in enumerate(around) if at >= net.seeds and near]
    for sweep in range(_SWEEPS):
        for at, near, total in free if sweep % 2 == 0 else reversed(free):
            pressure[at] = sum(width * pressure[other] for other, width in near) / total
    return [(pressure[a] - pressure[b]) * width for (a, b), width in zip(net.edges, tubes, strict=True)]
