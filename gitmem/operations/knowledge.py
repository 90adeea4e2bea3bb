"""Operations that read knowledge. Refuses behaviour: this is data."""

from gitmem.operations.rules import AT
from gitmem.operations.search import FILTERS
from gitmem.operations.table import ADMIN, AGENT, CLI, FLAG, INTEGER, TEXT, TEXTS, Operation, Param

_WAYS = ("ancestors", "descendants", "both")
_ITEMS = Param("items", TEXTS, "ids, slugs or domain/slug names; ids of edges")

_GET = Operation(
    verb="get",
    tool="get",
    help="items by id or slug, as deep as the budget allows",
    about="Reads what search, compile or overview listed. auto is the deepest of catalog, digest, content that fits.",
    example="gitmem get use-the-client",
    request="gitmem.answers.getting:GetCall",
    target="gitmem.answers.getting:get",
    render="gitmem.render.disclosed:got",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        _ITEMS,
        Param(
            "tier",
            TEXT,
            "catalog, digest, content, meta (the whole header), synapses (the edges) or auto (default)",
            "--tier",
            choices=("auto", "catalog", "digest", "content", "meta", "synapses"),
        ),
        Param("budget", INTEGER, "tokens that the answer may take (default 4096, none for a tier by name)", "--budget"),
        Param("reserved", INTEGER, "tokens of the budget that something else needs (default 0)", "--reserved"),
        Param("score", TEXTS, "how relevant each item is, 0 to 1, in their order: auto goes by it", "--score"),
        Param("edges", TEXT, "edges to list: in, out or both", "--edges", choices=("in", "out", "both")),
        Param("kind", TEXTS, "only these kinds of edge", "--kind"),
        Param(
            "depth",
            INTEGER,
            "steps along the edges, 1 (default) to 3; of a lineage 10 (default), at most 20",
            "--depth",
        ),
        Param("lineage", FLAG, "what it comes from and what came of it", "--lineage"),
        Param(
            "direction", TEXT, "of a lineage: ancestors, descendants or both (default)", "--direction", choices=_WAYS
        ),
        Param("blame", FLAG, "who wrote each line, in which commit, by which decision", "--blame"),
        AT,
    ),
)
_SHOW = Operation(
    verb="show",
    help="one item in full, with its header",
    example="gitmem show use-the-client",
    request="gitmem.answers.items:ShowCall",
    target="gitmem.answers.items:show",
    render="gitmem.render.items:shown",
    params=(Param("item", TEXT, "id, slug or domain/slug", is_required=True), AT),
)
_LIST = Operation(
    verb="list",
    help="items with filters, most important first",
    example="gitmem list --kind constraint --path src/api/users.py",
    request="gitmem.answers.listing:ListCall",
    target="gitmem.answers.listing:list_items",
    render="gitmem.render.items:listed",
    params=(
        *FILTERS,
        Param("linked_to", TEXT, "only items that an edge joins with this one", "--linked-to"),
        Param("limit", INTEGER, "at most this many, 1 to 500 (default 50)", "--limit"),
        Param("cursor", TEXT, "go on where the last answer's next points", "--cursor"),
        AT,
    ),
)
_LINEAGE = Operation(
    verb="lineage",
    tool="lineage",
    help="where an item comes from and what came of it: derives_from, consolidates, supersedes",
    example="gitmem lineage use-the-client --direction ancestors",
    request="gitmem.answers.lineage:LineageCall",
    target="gitmem.answers.lineage:lineage",
    render="gitmem.render.disclosed:lineage",
    surfaces=(CLI, ADMIN),
    params=(
        Param("item", TEXT, "id, slug or domain/slug", is_required=True),
        Param("direction", TEXT, "ancestors, descendants or both (default)", "--direction", choices=_WAYS),
        Param("depth", INTEGER, "steps, 1 to 20 (default 10)", "--depth"),
        AT,
    ),
)
_OVERVIEW = Operation(
    verb="overview",
    tool="overview",
    help="what there is: domains with counts, tags, layers, health",
    about="The breadth before the depth: call it once at the start of a session.",
    example="gitmem overview",
    request="gitmem.answers.overview:OverviewCall",
    target="gitmem.answers.overview:overview",
    render="gitmem.render.items:overview",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        Param("depth", INTEGER, "levels of domains, 1 to 10 (default 5)", "--depth"),
        Param("tags", FLAG, "list the whole tag catalogue", "--tags"),
        AT,
    ),
)
_WHY = Operation(
    verb="why",
    help="who put an engram there, when, in which commit; blame of its lines",
    example="gitmem why use-the-client",
    request="gitmem.answers.why:WhyCall",
    target="gitmem.answers.why:why",
    render="gitmem.render.items:why",
    params=(Param("item", TEXT, "id, slug or domain/slug", is_required=True), AT),
)
_STATUS = Operation(
    verb="status",
    help="what is canonical here and on whose word; edits that wait; problems",
    example="gitmem status",
    request="gitmem.answers.overview:StatusCall",
    target="gitmem.answers.overview:status",
    render="gitmem.render.items:status",
    params=(Param("trust", TEXT, "preview under another trust policy: head or a branch", "--trust"),),
)


def operations() -> tuple[Operation, ...]:
    return (_GET, _SHOW, _LIST, _LINEAGE, _OVERVIEW, _WHY, _STATUS)
