"""One answer of a search and why it is one. Refuses to know how it was found."""

from collections.abc import Mapping

from gitmem.record import record


@record
class Reason:
    """A word of the question that stands in a field, and its share of the relevance, 0 to 1."""

    field: str
    term: str
    weight: float


@record
class Hit:
    """``score`` is 0 to 1, ``tokens`` what the text takes; ``via`` is the kind of edge that it came in by, from the hit
    with the id ``via_item``. ``contradicts`` and ``claims`` are there where something speaks against it or what it
    rests on has changed; ``parts`` where they were asked for: each part of the score from 0 to 1, not weighed.

    ``at`` names the proposal of a hit that is one: its items are not approved.
    """

    id: str
    slug: str
    title: str
    kind: str
    score: float
    reasons: tuple[Reason, ...]
    tokens: int
    status: str
    tags: tuple[str, ...] = ()
    path: str = ""
    via: str | None = None
    via_item: str | None = None
    contradicts: tuple[str, ...] | None = None
    claims: tuple[str, ...] | None = None
    visibility: str | None = None
    parts: Mapping[str, float] | None = None
