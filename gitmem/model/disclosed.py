"""An item as it is told: as deep as asked, with all that its header says, where it comes from, who wrote its lines.

Refuses input and output.
"""

from collections.abc import Mapping

from gitmem.model.edge import SynapseRow
from gitmem.model.finding import Notice
from gitmem.model.vocabulary import Text
from gitmem.record import field, record

# The ways of a lineage.
ANCESTORS, DESCENDANTS, BOTH = "ancestors", "descendants", "both"
DIRECTIONS = (ANCESTORS, DESCENDANTS, BOTH)


@record
class Learned:
    """What experience has made of what the header says; ``last_use`` is RFC 3339, '' for never."""

    importance: float
    confidence: float
    strength: float
    freshness: str
    hits: int = 0
    helped: int = 0
    misled: int = 0
    last_use: str = ""


@record
class Meta:
    """The whole header, with defaults filled in; ``extra`` are the keys that gitmem does not know.

    ``scope`` and ``valid`` have what is stated, None where nothing is.
    """

    status: str
    visibility: str
    importance: float
    confidence: float
    verification: str
    source_type: str
    priority: int
    kinds: tuple[str, ...] = ()
    context_tags: tuple[str, ...] = ()
    context: str = ""
    scope: Mapping[str, tuple[str, ...]] | None = None
    requires: tuple[str, ...] = ()
    claims: tuple[Mapping[str, str], ...] = ()
    source: Mapping[str, str] = field(default_factory=dict)
    evidence: tuple[Text, ...] = ()
    valid: Mapping[str, str] | None = None
    aliases: tuple[str, ...] = ()
    created_at: str = ""
    created_by: str = ""
    extra: Mapping[str, Text] = field(default_factory=dict)
    effective: Learned | None = None


@record
class Line:
    """``line`` counts from 1 in the file; ``author`` is who last changed it, in ``commit``; ``ledger`` is the decision
    that the commit belongs to, '' for none."""

    line: int
    commit: str
    author: str
    text: str
    ledger: str = ""


@record
class Ancestry:
    """One item of a lineage. ``depth`` is how many edges it is from the item asked for: below 0 it came before, above
    after. ``status`` is ``missing`` for an end that is not in this revision: then ``slug`` is ''."""

    id: str
    slug: str
    title: str
    kind: str
    status: str
    depth: int


@record
class Descent:
    """An edge of a lineage: ``from_`` came later and rests on ``to``."""

    id: str
    from_: str
    kind: str
    to: str


@record
class Lineage:
    """``nodes`` from the oldest to the newest by their distance; ``origins`` are those that come from nothing,
    ``terminals`` those from which nothing came. ``cycle`` are the ids of the first circle, where ``has_cycle``.
    ``is_cut``: there is more than the depth or the number of items allows."""

    item: str
    direction: str
    depth: int
    nodes: tuple[Ancestry, ...]
    edges: tuple[Descent, ...]
    origins: tuple[str, ...]
    terminals: tuple[str, ...]
    has_cycle: bool
    cycle: tuple[str, ...]
    is_cut: bool
    snapshot_id: str = ""
    warnings: tuple[Notice, ...] = ()


@record
class Item:
    """One item at a tier; what the tier does not hold is None. ``source_path`` is repo-relative.

    ``status`` is there at any tier of what is not simply active, ``visibility`` where it is private: for nobody else to
    read. ``superseded_by`` are ids. ``synapses``, ``meta``,
    ``lineage`` and ``lines`` are there when they were asked for.
    """

    id: str
    slug: str
    title: str
    kind: str
    tags: tuple[str, ...]
    summary: str | None = None
    importance: float | None = None
    status: str | None = None
    superseded_by: tuple[str, ...] | None = None
    content: str | None = None
    source_path: str | None = None
    content_hash: str | None = None
    content_bytes: int | None = None
    paths: tuple[str, ...] | None = None
    requires: tuple[str, ...] | None = None
    tier: str | None = None
    synapses: tuple[SynapseRow, ...] | None = None
    meta: Meta | None = None
    lineage: Lineage | None = None
    lines: tuple[Line, ...] | None = None
    visibility: str | None = None
