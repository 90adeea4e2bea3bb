"""One edge as an answer lists it. Refuses evidence: the file of the synapse has that."""

from gitmem.record import record


@record
class SynapseRow:
    """``far`` is the slug of the end that lies farther from the item, where that may be said; ``depth`` how many edges
    away it is."""

    id: str
    from_: str
    kind: str
    to: str
    far: str | None
    weight: float
    depth: int
