"""Operations that take documents in as proposals. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, CONTENT, FLAG, TEXT, TEXTS, Operation, Param

_BOTH = (CLI, ADMIN)
_DOCUMENT = Operation(
    verb="propose document",
    help="propose a document as an engram; once more with another text it is the difference that is proposed",
    about="Takes a file of the repository or the text itself. Nothing that is approved changes.",
    example='gitmem propose document docs/style.md --kind guideline --path "src/**"',
    request="gitmem.exchange.document:DocumentCall",
    target="gitmem.exchange.document:propose_document",
    render="gitmem.render.proposed:proposed",
    tool="import_doc",
    surfaces=_BOTH,
    writes=True,
    params=(
        Param("file", TEXT, "a file of the repository, by its path from the root"),
        Param("content", CONTENT, "the text in place of a file: a file name, - for standard input", "--text"),
        Param(
            "item", TEXT, "id, slug or domain/slug: the engram that it is the text of, or that it shall be", "--item"
        ),
        Param("title", TEXT, "one line (default: the heading, or what was there)", "--title"),
        Param("kind", TEXT, "constraint, guideline, decision and the like (default: by the format)", "--kind"),
        Param("summary", TEXT, "one sentence, at most 300 characters", "--summary"),
        Param("domain", TEXT, "folder below .gitmem/engrams for a new one (default: the first tag)", "--domain"),
        Param("tags", TEXTS, "all tags; the first one is the default domain", "--tag"),
        Param("paths", TEXTS, "globs of the files that it is a rule for: all of them, others are dropped", "--path"),
        Param("excluded", TEXTS, "globs of files that it is no rule for", "--except"),
        Param("layers", TEXTS, "layers that it is a rule for", "--layer"),
        Param("commands", TEXTS, "commands that it is a rule for", "--command"),
        Param("requires", TEXTS, "ids or slugs of engrams that come along", "--requires"),
        Param("links", TEXTS, "edges to other engrams, each KIND:ITEM; one that is there stays as it is", "--link"),
        Param("rationale", TEXT, "why; whoever decides gets to read it", "--rationale"),
        Param("evidence", TEXTS, "id of an observation that speaks for it", "--evidence"),
        Param("bundle", TEXT, "id of a bundle, of a proposal in it, or new", "--bundle"),
        Param("agent", TEXT, "name of the agent, where one proposes", "--agent", in_tool=False),
        Param("model", TEXT, "the model, where an agent proposes", "--model"),
        Param("agent_session", TEXT, "the session, where an agent proposes", "--agent-session"),
        Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret"),
    ),
)
_ANALYZE = Operation(
    verb="analyze",
    help="what documents would be as engrams, topic by topic, and what they repeat; as a plan, changing nothing",
    about="The plan is a text: look at it, change it, then: gitmem propose --file PLAN.",
    example="gitmem analyze docs/guide.md",
    request="gitmem.exchange.analysis:AnalyzeCall",
    target="gitmem.exchange.analysis:analyze",
    render="gitmem.render.intake:analyzed",
    tool="analyze",
    surfaces=_BOTH,
    params=(
        Param("paths", TEXTS, "files or folders of the repository", from_stdin=True),
        Param("content", CONTENT, "one text in place of files: a file name, - for standard input", "--text"),
        Param("title", TEXT, "what that text is called (default: its heading)", "--title"),
        Param("format", TEXT, "read the named files as this format", "--format"),
    ),
)
_SYNC_SOURCES = Operation(
    verb="sync-sources",
    help="propose an update of each engram that is not as the document that it mirrors",
    about="A source is a file, a section of it or lines. The same proposal in every clone, once: what was declined "
    "comes again only when the source has changed again.",
    example="gitmem sync-sources --dry-run",
    request="gitmem.answers.sourcing:SyncSourcesCall",
    target="gitmem.answers.sourcing:sync_sources",
    render="gitmem.render.sourced:sourced",
    tool="sync_sources",
    surfaces=_BOTH,
    writes=True,
    params=(
        Param("items", TEXTS, "ids or slugs (default: all that mirror something); by name also those without a hash"),
        Param("dry_run", FLAG, "show what is not as its source is and write nothing", "--dry-run"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_DOCUMENT, _ANALYZE, _SYNC_SOURCES)
