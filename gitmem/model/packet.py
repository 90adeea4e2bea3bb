"""What a task needs to be read: files in tiers, coverage, rules, knowledge, budget. Refuses to choose any of it."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.model.compiled import Document
from gitmem.model.finding import Notice
from gitmem.record import record

# It counts up when the same request at the same tree may give another packet.
ALGORITHM = 1
OPEN, SKELETON, OUTLINE, PATH = "open", "skeleton", "outline", "path"
TIERS = (OPEN, SKELETON, OUTLINE, PATH)
MAX_SAVINGS, BALANCED, MAX_QUALITY = "max_savings", "balanced", "max_quality"
MODES = (MAX_SAVINGS, BALANCED, MAX_QUALITY)
POINTER, MINIMAL, STANDARD, DIAGNOSTIC = "pointer", "minimal", "standard", "diagnostic"
DETAILS = (POINTER, MINIMAL, STANDARD, DIAGNOSTIC)
NO_SEED, NO_MATCH, PARTIAL, BOUNDED, NO_GAP = (
    *("no_seed_resolved", "no_confident_match", "partial", "bounded", "no_recorded_gap"),
)
CLAIMS = (NO_SEED, NO_MATCH, PARTIAL, BOUNDED, NO_GAP)


@record
class Fold:
    """A part of a blob that is not shown; lines count from 1, both included."""

    fold_id: str
    symbol: str
    start_line: int
    end_line: int
    tokens: int


@record
class PacketFile:
    """``score`` is that of the ranking, 0 to 1; ``tokens`` are those of ``text``, 0 for a bare path."""

    path: str
    score: float
    tier: str
    tokens: int
    text: str | None = None
    folds: tuple[Fold, ...] = ()


@record
class ClusterCovered:
    """A part of the task: ``state`` is found, weak or missing; ``missing`` are its names and words without a hit."""

    text: str
    state: str
    missing: tuple[str, ...] = ()


@record
class Coverage:
    """``claim`` is one of CLAIMS; ``next`` are commands that would close the gap."""

    claim: str
    clusters: tuple[ClusterCovered, ...]
    next: tuple[str, ...]


@record
class Spent:
    """Tokens of the whole serialised answer, and what it might take at most."""

    limit: int
    used: int


@record
class Known:
    """Memory that bears on the task; ``get`` gives its text."""

    id: str
    slug: str
    kind: str
    title: str
    score: float
    summary: str | None = None


@record
class CandidateRow:
    """A file of the ranking: ``parts`` are its score by source, ``why`` names what brought it, ``stage`` where it was
    left: open, skeleton, outline, path, or why it is not there."""

    path: str
    score: float
    why: str
    stage: str
    parts: Mapping[str, float]


@record
class Packet:
    """The answer. All but ``notices`` is a function of the request, the tree and the knowledge."""

    packet_id: str
    files: tuple[PacketFile, ...]
    coverage: Coverage
    rules: tuple[Document, ...]
    knowledge: tuple[Known, ...]
    budget: Spent
    receipt: str
    mode: str = BALANCED
    raised: str | None = None
    candidates: tuple[CandidateRow, ...] | None = None
    notices: tuple[Notice, ...] = ()


@record
class Expanded:
    """``text`` is the bytes of the blob; what is no UTF-8 in them is kept as ``surrogateescape`` keeps it. ``path`` is
    '' when nothing tells any more where the blob was."""

    fold_id: str
    path: str
    start_line: int
    end_line: int
    text: str
    symbol: str | None = None
    tokens: int | None = None


@record
class Outlined:
    """``text`` has the signatures with folds, or only what was asked for, open; ``tokens`` are its own."""

    path: str
    text: str
    folds: tuple[Fold, ...]
    tokens: int = 0
    notices: tuple[Notice, ...] = ()


@record
class SeedRow:
    """``by`` is what the task names it by: path hint, path, trace, symbol, route, changed."""

    path: str
    by: str
    named: str


@record
class TierRow:
    path: str
    tier: str
    tokens: int


@record
class FeedbackRow:
    """A feedback on a packet moved the weight of a file from ``before`` to ``after``."""

    at: str
    outcome: str
    path: str
    before: float
    after: float


@record
class PacketExplained:
    """``candidates`` are the first of ``total``; ``recomputed`` is matches, differs, or None where the record tells.
    ``weights`` are what feedback has made of its files since, ``feedback`` what was said of it and moved."""

    packet_id: str
    claim: str
    seeds: tuple[SeedRow, ...]
    candidates: tuple[CandidateRow, ...]
    total: int
    tiers: tuple[TierRow, ...]
    budget: Spent
    mode: str
    when: str | None = None
    recomputed: str | None = None
    weights: Mapping[str, float] | None = None
    feedback: tuple[FeedbackRow, ...] | None = None
