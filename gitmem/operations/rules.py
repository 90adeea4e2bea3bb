"""Operations on rules: what applies where, and why. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, AGENT, CLI, FLAG, INTEGER, NUMBER, TEXT, TEXTS, Operation, Param

AT = Param("at", TEXT, "read the knowledge of this commit, branch, tag, date or snapshot:ID instead", "--at")
AS_OF = Param("as_of", TEXT, "date on which validity is judged, for example 2026-01-31", "--as-of")
_FILES = Param(
    "files",
    TEXTS,
    "repository paths that are about to be read or changed; they need not exist yet",
    tool_name="target_files",
    from_stdin=True,
)

_COMPILE = Operation(
    verb="compile",
    tool="compile_context",
    help="the approved rules for the files at hand, within a budget",
    about="Call it before you touch files, with every path you are about to change or create. What is deferred "
    "is approved too: read it with get.",
    example="gitmem compile src/api/users.py",
    request="gitmem.answers.compile:CompileCall",
    target="gitmem.answers.compile:compile_context",
    render="gitmem.render.compiled:text",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        _FILES,
        Param(
            "plan",
            TEXT,
            "what you are about to do, in words; orders the rules by how many of its terms they share",
            "--plan",
        ),
        Param("command", TEXT, "the command that is being run, for example scaffold", "--command"),
        Param("layer", TEXTS, "layers to use instead of classifying the files", "--layer", tool_name="layers"),
        Param("tag", TEXTS, "intent tags of the catalogue to expand beside the base", "--tag", tool_name="tags"),
        Param("no_tags", FLAG, "expand no intent tags, not even those that the plan names", "--no-tags"),
        Param(
            "min_relevance",
            NUMBER,
            "leave out rules that share less of the plan, 0 to 1; needs a plan",
            "--min-relevance",
        ),
        Param("max_inline_bytes", INTEGER, "bytes of rule text to inline at most (default 8192)", "--max-inline-bytes"),
        Param("max_tokens", INTEGER, "tokens that the whole serialised answer may take", "--max-tokens"),
        Param(
            "mode",
            TEXT,
            "auto inlines what is small, always tries all, metadata inlines nothing",
            "--mode",
            choices=("auto", "always", "metadata"),
        ),
        Param(
            "max_entries", INTEGER, "rules to list in full (default 50); further ones take one line", "--max-entries"
        ),
        AT,
        AS_OF,
        Param("trust", TEXT, "preview under another trust policy: head or a branch", "--trust", in_tool=False),
        Param(
            "notices",
            TEXT,
            "fresh: look at the work tree even if it was looked at two seconds ago",
            "--notices",
            choices=("fresh",),
        ),
        Param("explain", FLAG, "add near misses, layers, and what the budget dropped", "--explain"),
        Param("agent_id", TEXT, "who asks; recorded, never part of the result", "--agent-id"),
    ),
)

_EXPLAIN = Operation(
    verb="explain",
    tool="explain",
    help="why a compile or a packet came out as it did: near misses, layers, budget; or what was learned of one item",
    about="Use it when a rule that you expected is missing: it names what nearly matched and why it did not. "
    "The id of a packet in target_files: its candidates, score parts, and where each was left.",
    example="gitmem explain src/api/users.py",
    request="gitmem.answers.explain:ExplainCall",
    target="gitmem.answers.explain:explain",
    render="gitmem.render.explained:text",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        _FILES,
        Param("plan", TEXT, "the plan of the compile", "--plan"),
        Param("command", TEXT, "the command of the compile", "--command"),
        Param(
            "item",
            TEXT,
            "an id or slug: why it was delivered or not; without files, what was learned of it",
            "--item",
        ),
        Param(
            "compile",
            TEXT,
            "the id of a compile on record in this clone: explain that one again instead",
            "--compile",
            tool_name="compile_id",
        ),
        AT,
        AS_OF,
    ),
)

_WHY_NOT = Operation(
    verb="why-not",
    help="why an engram is not delivered for a file",
    example="gitmem why-not use-the-client src/ui/form.tsx",
    request="gitmem.answers.explain:WhyNotCall",
    target="gitmem.answers.explain:why_not",
    render="gitmem.render.explained:why_not",
    params=(
        Param("item", TEXT, "id, slug or domain/slug of the engram", is_required=True),
        Param("file", TEXT, "repository path", is_required=True),
        Param("command", TEXT, "the command of the compile", "--command"),
        AT,
        AS_OF,
    ),
)

_LAYERS = Operation(
    verb="layers",
    help="the layers of the project, or the layer of each file named",
    example="gitmem layers src/ui/form.tsx",
    request="gitmem.answers.explain:LayersCall",
    target="gitmem.answers.explain:layers",
    render="gitmem.render.explained:layers",
    params=(Param("files", TEXTS, "repository paths to classify"), AT),
)


def operations() -> tuple[Operation, ...]:
    return (_COMPILE, _EXPLAIN, _WHY_NOT, _LAYERS)
