"""The request and the result of a compile. Refuses to compute either."""

from collections.abc import Mapping
from enum import StrEnum

from gitmem.model.claimed import ClaimState
from gitmem.model.finding import Notice
from gitmem.record import field, record

ALGORITHM = 1
MODES = ("auto", "always", "metadata")
# Of one item: ``branch`` says what the branch at hand does to it, ``claims`` whether that holds on which it rests.
Mark = Mapping[str, str | int | tuple[ClaimState, ...]]
Marks = Mapping[str, Mark]


class Delivery(StrEnum):
    INLINE = "inline"
    DEFERRED = "deferred"
    OMITTED = "omitted"


@record
class CompileRequest:
    """What somebody asks before touching files. ``tags`` None: those that the plan names; (): none.
    ``min_relevance`` is thousandths of the plan's terms (0..1000), so that no float decides an order."""

    target_files: tuple[str, ...]
    plan: str = ""
    command: str = ""
    layers: tuple[str, ...] = ()
    tags: tuple[str, ...] | None = None
    min_relevance: int = 0
    max_inline_bytes: int = 0
    max_tokens: int = 0
    mode: str = "auto"
    max_entries: int = 0
    as_of: str = ""


@record
class Edge:
    """What brought an item in: ``edge`` is path, layer, command or requires; ``pattern`` is the glob, the layer, the
    command or the id of the item that requires it. ``more`` counts further files for which the same holds."""

    item: str
    edge: str
    pattern: str
    file: str
    more: int | None = None


@record
class Ratio:
    """n of d, kept as integers."""

    n: int
    d: int


@record
class Document:
    """One rule in a result. ``content`` is there when it is inline; ``read`` says how to get it at this snapshot."""

    id: str
    slug: str
    title: str
    kind: str
    delivery: Delivery
    content_bytes: int
    content_hash: str
    source_path: str
    content: str | None = None
    summary: str | None = None
    read: str | None = None
    relevance: Ratio | None = None
    omit_reason: str | None = None


@record
class DomainCount:
    domain: str
    count: int


@record
class Base:
    """The part that tags cannot change. ``more`` counts by domain what was too much to list."""

    documents: tuple[Document, ...]
    templates: tuple[Document, ...]
    resolution_path: tuple[Edge, ...]
    more: tuple[DomainCount, ...] = ()


@record
class Engine:
    version: str
    algorithm: int = ALGORITHM


@record
class NearMiss:
    """A pattern that exists and brought nothing in; ``reason`` is wrong-path, wrong-name, excluded, or why the rule is
    never delivered, as in status-draft."""

    item: str
    slug: str
    pattern: str
    file: str
    reason: str


@record
class Explanation:
    """Why the result is what it is: ``layers`` by file, what the budget moved, what nearly matched."""

    near_misses: tuple[NearMiss, ...]
    layers: Mapping[str, str | None]
    dropped: tuple[Edge, ...]
    budget: Mapping[str, int]


@record
class Compiled:
    """The answer. ``base``, ``expanded`` and ``warnings`` are a function of request and snapshot alone."""

    compile_id: str
    snapshot_id: str
    knowledge_version: str
    knowledge_count: int
    engine: Engine
    partial: bool
    base: Base
    expanded: tuple[Document, ...]
    tag_catalog_hash: str
    warnings: tuple[Notice, ...]
    marks: Marks = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    receipt: str = ""
    explain: Explanation | None = None
