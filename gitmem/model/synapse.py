"""A synapse: one edge between two engrams, its kinds, and how evidence for it is united. Refuses input and output."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from types import MappingProxyType

from gitmem.errors import GitmemError
from gitmem.model.moments import instant
from gitmem.model.vocabulary import Text
from gitmem.record import field, record

FAMILIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "structural": ("extends", "part_of", "similar_to"),
        "causal": ("depends_on", "causes", "follows"),
        "evidential": ("derives_from", "contradicts", "exemplifies"),
        "temporal": ("supersedes", "consolidates"),
        "modulatory": ("contextualizes",),
    }
)
DEFAULT_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "extends": 0.7,
        "part_of": 0.7,
        "similar_to": 0.6,
        "depends_on": 0.8,
        "causes": 0.8,
        "follows": 0.6,
        "derives_from": 0.7,
        "contradicts": 0.9,
        "exemplifies": 0.5,
        "supersedes": 0.8,
        "consolidates": 0.7,
        "contextualizes": 0.5,
    }
)
SYNAPSE_KINDS = tuple(DEFAULT_WEIGHTS)
SYMMETRIC = frozenset({"similar_to", "contradicts"})
_EVER = datetime.min.replace(tzinfo=UTC)


@record
class Evidence:
    """One reason for an edge; ``at`` is empty, a date, or RFC 3339; ``confidence`` is 0 to 1, None when not stated."""

    description: str
    by: str = ""
    at: str = ""
    confidence: float | None = None


@record
class Synapse:
    """One synapse file; `link` makes one with the ends in order. ``weight`` is 0 to 1.

    ``extra`` holds the keys that gitmem does not know.
    """

    from_: str
    to: str
    kind: str
    weight: float
    evidence: tuple[Evidence, ...] = ()
    resolution: Text = ""
    created_at: str = ""
    created_by: str = ""
    extra: Mapping[str, Text] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return synapse_id(self.from_, self.to, self.kind)

    @property
    def family(self) -> str:
        return next(name for name, kinds in FAMILIES.items() if self.kind in kinds)


def link(one: str, other: str, kind: str, weight: float | None = None, evidence: Iterable[Evidence] = ()) -> Synapse:
    """The edge from ``one`` to ``other``; where the kind has no direction the ends are sorted."""
    if kind not in DEFAULT_WEIGHTS:
        hint = f"use one of {', '.join(SYNAPSE_KINDS)}"
        raise GitmemError(f"unknown kind of synapse {kind!r}", hint=hint, code="unknown-kind")
    if one == other:
        raise GitmemError(f"{one} cannot be linked to itself", hint="name two engrams", code="same-ends")
    start, end = ends(one, other, kind)
    return Synapse(start, end, kind, DEFAULT_WEIGHTS[kind] if weight is None else weight, unite(evidence))


def ends(one: str, other: str, kind: str) -> tuple[str, str]:
    """From and to: as given, or sorted where the kind has no direction."""
    return (other, one) if kind in SYMMETRIC and other < one else (one, other)


def synapse_id(one: str, other: str, kind: str) -> str:
    """``syn-`` and 16 hex digits: the same wherever the same edge is made."""
    start, end = ends(one, other, kind)
    return "syn-" + sha256(f"{start}|{end}|{kind}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def unite(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Evidence one entry a (description, by), the newest of each, sorted."""
    newest: dict[tuple[str, str], Evidence] = {}
    for each in evidence:
        key = (each.description, each.by)
        known = newest.get(key)
        if known is None or seniority(each.at, each.confidence) > seniority(known.at, known.confidence):
            newest[key] = each
    return tuple(newest[key] for key in sorted(newest))


def seniority(at: str, confidence: float | None) -> tuple[datetime, float]:
    """Greater for what was stated later, at equal times with more confidence. What has no time is the oldest."""
    return instant(at) or _EVER, -1.0 if confidence is None else confidence
