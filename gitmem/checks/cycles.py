"""Circles in a directed graph, in time linear in its size. Refuses to know what the nodes are."""

from collections.abc import Mapping, Sequence


def components(edges: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Strongly connected components, each sorted, in the order of their smallest id (Tarjan 1972, without
    recursion).
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    held: set[str] = set()
    found: list[list[str]] = []
    for root in sorted(edges):
        work = [(root, 0)] if root not in index else []
        while work:
            node, at = work.pop()
            if at == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                held.add(node)
            targets = edges.get(node, ())
            if at > 0:
                low[node] = min(low[node], low[targets[at - 1]]) if targets[at - 1] in held else low[node]
            while at < len(targets) and targets[at] in index:
                if targets[at] in held:
                    low[node] = min(low[node], index[targets[at]])
                at += 1
            if at < len(targets):
                work += [(node, at + 1), (targets[at], 0)]
            elif low[node] == index[node]:
                found.append(_component(stack, held, node))
    return sorted(found)


def _component(stack: list[str], held: set[str], root: str) -> list[str]:
    members = []
    while True:
        node = stack.pop()
        held.discard(node)
        members.append(node)
        if node == root:
            return sorted(members)
