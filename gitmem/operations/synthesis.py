"""Operations that make one engram of many. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, CONTENT, FLAG, TEXT, TEXTS, Operation, Param

_SYNTHESIZE = Operation(
    verb="synthesize",
    tool="synthesize",
    help="propose a pattern over 2 to 20 engrams, with an edge derives_from to each of them",
    about="Without a text it drafts what can be computed: terms, tags and paths that they share, and the list of them. "
    "Such an engram is a draft, which nobody is given, until its text is written: propose edit --extend.",
    example="gitmem synthesize retry-twice time-out-early --tag http --dry-run",
    request="gitmem.answers.synthesizing:SynthesizeCall",
    target="gitmem.answers.synthesizing:synthesize",
    render="gitmem.render.synthesized:synthesized",
    surfaces=(CLI, ADMIN),
    writes=True,
    params=(
        Param("items", TEXTS, "2 to 20 engrams: id, slug or domain/slug", is_required=True),
        Param("title", TEXT, "one line (default: what they share)", "--title"),
        Param("tags", TEXTS, "tag, at most 5 (default: those of all of them)", "--tag"),
        Param("hint", TEXT, "what the text is to say, at most 500 characters", "--hint"),
        Param("body", CONTENT, "file with the text of the pattern, - for standard input", "--body"),
        Param("rationale", TEXT, "why; whoever decides gets to read it", "--rationale"),
        Param("agent", TEXT, "name of the agent, where one proposes", "--agent", in_tool=False),
        Param("model", TEXT, "the model, where an agent proposes", "--model"),
        Param("dry_run", FLAG, "only show the draft, write nothing", "--dry-run"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_SYNTHESIZE,)
