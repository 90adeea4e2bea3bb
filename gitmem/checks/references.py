"""What engrams require of each other: references that name nothing or several, and circles. Refuses to resolve them."""

from collections.abc import Mapping, Sequence

from gitmem.checks.cycles import components
from gitmem.checks.spotted import Spotted
from gitmem.model.finding import Finding, Severity
from gitmem.record import record

_SHOWN = 10


@record
class Named:
    """One engram as a finding names it."""

    id: str
    path: str
    slug: str


def missing(item: Named, reference: str) -> Spotted:
    message = f"requires {reference!r}, which is not here"
    hint = "bring it back, mend it if it is named above, name another, or take the line out of requires"
    return Spotted(
        Finding("requires-missing", Severity.ERROR, item.path, 0, message, hint, item.id), "requires", reference
    )


def ambiguous(item: Named, reference: str, found: Sequence[Named]) -> Spotted:
    named = ", ".join(f"{each.path} ({each.id})" for each in found[:_SHOWN])
    message = f"requires {reference!r}, which names {len(found)} items: {named}"
    finding = Finding(
        "requires-ambiguous", Severity.ERROR, item.path, 0, message, "write the id of the one meant", item.id
    )
    return Spotted(finding, "requires", reference)


def circles(
    edges: Mapping[str, Sequence[str]], items: Mapping[str, Named], touching: Mapping[str, int] | None = None
) -> list[Spotted]:
    """One finding for each group of engrams that require each other, told along one circle of it.

    ``edges`` leads from an id to the ids that it requires, ``items`` names those ids. With ``touching`` only groups
    that hold one of these ids count, and they are told from the one with the lowest number.
    """
    found = []
    for component in components(edges):
        starts = component if touching is None else [id_ for id_ in component if id_ in touching]
        if not starts:
            continue
        first = starts[0] if touching is None else min(starts, key=lambda id_: (touching[id_], id_))
        if len(component) > 1 or first in edges.get(first, ()):
            ring = _ring(edges, first, frozenset(component))
            shown = " -> ".join(items[id_].slug for id_ in ring[:_SHOWN])
            shown += " -> ..." if len(ring) > _SHOWN else f" -> {items[first].slug}"
            message = f"these require each other in a circle: {shown}"
            item = items[first]
            hint = "take one of these lines out of requires"
            found.append(
                Spotted(Finding("requires-cycle", Severity.ERROR, item.path, 0, message, hint, first), "requires")
            )
    return found


def _ring(edges: Mapping[str, Sequence[str]], first: str, members: frozenset[str]) -> list[str]:
    """The shortest way from ``first`` back to itself within its component."""
    came_from: dict[str, str] = {}
    waiting = [first]
    for node in waiting:
        for target in edges.get(node, ()):
            if target == first:
                return _back(came_from, first, node)
            if target in members and target not in came_from:
                came_from[target] = node
                waiting.append(target)
    return [first]


def _back(came_from: Mapping[str, str], first: str, last: str) -> list[str]:
    way = [last]
    while way[-1] != first:
        way.append(came_from[way[-1]])
    return way[::-1]
