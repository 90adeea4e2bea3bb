"""Which edges an engram has, near and far, by key look-ups in the index. Refuses to open synapse files."""

from __future__ import annotations

from collections.abc import Callable, Collection

from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.synapse import SYMMETRIC
from gitmem.record import record

IN, OUT, BOTH = "in", "out", "both"
DIRECTIONS = (IN, OUT, BOTH)


@record
class Edge:
    """One synapse of the index; ``rel`` is its path below ``.gitmem``."""

    from_: str
    to: str
    kind: str
    weight: float
    rel: str

    @property
    def id(self) -> str:
        return self.rel.rpartition("/")[2].removesuffix(".yaml")

    def beyond(self, end: str) -> str:
        """The other end."""
        return self.to if end == self.from_ else self.from_


@record
class Step:
    """An edge, the end of it that lies farther from the start, and how many edges away that is."""

    edge: Edge
    far: str
    depth: int


@record
class Walk:
    """What is followed: of no ``kinds`` all, ``depth`` steps far, until ``most`` engrams are reached."""

    direction: str = BOTH
    kinds: tuple[str, ...] = ()
    depth: int = 1
    most: int = 100


@record
class Walked:
    """The edges in the order in which they were met; ``is_cut``: there are more than ``Walk.most`` allows."""

    steps: tuple[Step, ...]
    is_cut: bool


def edge_of(card: Card) -> Edge | None:
    return Edge(*card.edge, card.path) if card.edge else None


def edges(knowledge: Knowledge, item: str, direction: str = BOTH, kinds: Collection[str] = ()) -> list[Edge]:
    """The edges of one engram by kind and far end; one without direction counts as in and as out."""
    outward = [edge for card in knowledge.under(f"from:{item}") if (edge := edge_of(card))]
    inward = [edge for card in knowledge.under(f"to:{item}") if (edge := edge_of(card))]
    kept = [edge for edge in outward if direction != IN or edge.kind in SYMMETRIC]
    kept += [edge for edge in inward if direction != OUT or edge.kind in SYMMETRIC]
    found = {edge.rel: edge for edge in kept if not kinds or edge.kind in kinds}
    return sorted(found.values(), key=lambda edge: (edge.kind, edge.beyond(item), edge.rel))


def evidence(knowledge: Knowledge, card: Card) -> int:
    """How many edges speak for an engram beside its header: what it derives from, what exemplifies it."""
    derived = len(edges(knowledge, card.id, OUT, ("derives_from",)))
    return derived + len(edges(knowledge, card.id, IN, ("exemplifies",)))


def walk(knowledge: Knowledge, start: str, along: Walk, is_hidden: Callable[[str], bool] | None = None) -> Walked:
    """Breadth first from ``start``; every edge once, none that ends at what is hidden."""
    seen, steps, level = {start}, dict[str, Step](), [start]
    for depth in range(1, along.depth + 1):
        reached: list[str] = []
        for item in level:
            for edge in edges(knowledge, item, along.direction, along.kinds):
                far = edge.beyond(item)
                if is_hidden is not None and far not in seen and is_hidden(far):
                    continue
                if far not in seen and len(seen) > along.most:
                    return Walked(tuple(steps.values()), is_cut=True)
                steps.setdefault(edge.rel, Step(edge, far, depth))
                if far not in seen:
                    seen.add(far)
                    reached.append(far)
        level = reached
    return Walked(tuple(steps.values()), is_cut=False)
