"""Operations that write knowledge files for the user to commit. Refuses behaviour: this is data."""

from gitmem.operations.table import CONTENT, FLAG, TEXT, TEXTS, Operation, Param

_KINDS = "observation, fact, pattern, procedure, hypothesis, decision, guideline, constraint, template or reference"
_ITEM = Param("item", TEXT, "id, slug or domain/slug", is_required=True)

_INIT = Operation(
    verb="init",
    help="prepare this repository: writes .gitmem/, commits nothing",
    example="gitmem init",
    request="gitmem.answers.start:InitCall",
    target="gitmem.answers.start:init",
    render="gitmem.render.written:started",
    writes=True,
    params=(
        Param("standalone", FLAG, "make a repository of its own for knowledge, in this folder", "--standalone"),
        Param("trust", TEXT, "whose word counts: head, a branch of the remote, or signed", "--trust"),
        Param(
            "without_driver",
            FLAG,
            "do not set the merge driver in this clone's Git settings; GITMEM_NO_MERGE_DRIVER=1 says the same",
            "--no-merge-driver",
        ),
    ),
)
_NEW = Operation(
    verb="new",
    help="write a new engram; with a scope it is a rule",
    example='gitmem new constraint "Call the API through the client" --path "src/ui/**" --body note.md',
    request="gitmem.answers.composing:NewCall",
    target="gitmem.answers.author:new",
    render="gitmem.render.written:new",
    writes=True,
    params=(
        Param("kind", TEXT, _KINDS, is_required=True),
        Param("title", TEXT, "one line, at most 200 characters", is_required=True),
        Param("path", TEXTS, "glob of the files that it is a rule for", "--path"),
        Param("excluded", TEXTS, "glob of files that it is no rule for", "--except"),
        Param("layer", TEXTS, "layer that it is a rule for", "--layer"),
        Param("command", TEXTS, "command that it is a rule for", "--command"),
        Param("requires", TEXTS, "id or slug of an engram that comes along", "--requires"),
        Param("tag", TEXTS, "tag; the first one is the default domain", "--tag"),
        Param("domain", TEXT, "folder below .gitmem/engrams (default: the first tag, else general)", "--domain"),
        Param("slug", TEXT, "file name (default: from the title)", "--slug"),
        Param("summary", TEXT, "one sentence, at most 300 characters (default: from the body)", "--summary"),
        Param(
            "body",
            CONTENT,
            "file with the text, - for standard input; without it a pipe, or $EDITOR on a terminal",
            "--body",
        ),
        Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret"),
        Param("private", FLAG, "for this clone alone: it is found here and never committed", "--private"),
    ),
)
_EDIT = Operation(
    verb="edit",
    help="change one field of an engram and no other byte",
    example="gitmem edit use-the-client tags --add http",
    request="gitmem.answers.fields:EditCall",
    target="gitmem.answers.author:edit",
    render="gitmem.render.written:changed",
    writes=True,
    params=(
        _ITEM,
        Param(
            "field", TEXT, "header key (scope.paths and the like for nested ones), or body; without it $EDITOR opens"
        ),
        Param("value", TEXTS, "the new value"),
        Param("add", TEXTS, "add to the list", "--add"),
        Param("remove", TEXTS, "take out of the list", "--remove"),
        Param("unset", FLAG, "remove the key", "--unset"),
        Param("file", CONTENT, "file with the new text, - for standard input", "--file"),
        Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret"),
    ),
)
_MV = Operation(
    verb="mv",
    help="move or rename an engram; its id and all references stay",
    example="gitmem mv use-the-client http/client",
    request="gitmem.answers.moving:MvCall",
    target="gitmem.answers.moving:mv",
    render="gitmem.render.written:changed",
    writes=True,
    params=(_ITEM, Param("to", TEXT, "new slug, or domain/slug", is_required=True)),
)
_RM = Operation(
    verb="rm",
    help="remove an engram's file; history keeps it",
    example="gitmem rm use-the-client",
    request="gitmem.answers.moving:RmCall",
    target="gitmem.answers.moving:rm",
    render="gitmem.render.written:changed",
    writes=True,
    params=(_ITEM,),
)
_FMT = Operation(
    verb="fmt",
    help="write the slugs in requires as ids, and change nothing else",
    example="gitmem fmt --check",
    request="gitmem.answers.tidy:FmtCall",
    target="gitmem.answers.tidy:fmt",
    render="gitmem.render.written:formatted",
    writes=True,
    params=(
        Param("items", TEXTS, "ids or slugs (default: all)"),
        Param("check", FLAG, "change nothing; exit 1 when something would change", "--check"),
    ),
)
_IMPORT = Operation(
    verb="import",
    help="turn other tools' rule files into engrams, losing nothing: files for you to commit, or proposals",
    example="gitmem import --propose",
    request="gitmem.exchange.arrival:ImportCall",
    target="gitmem.exchange.arrival:import_files",
    render="gitmem.render.written:imported",
    writes=True,
    params=(
        Param("paths", TEXTS, "files or folders (default: every known format in the repository)"),
        Param("format", TEXT, "read the named files as this format", "--format"),
        Param("dry_run", FLAG, "say what would come of it and change nothing", "--dry-run"),
        Param("write", FLAG, "write files for you to commit (the default)", "--write"),
        Param("propose", FLAG, "open a proposal for each source, under one bundle, and write no file", "--propose"),
        Param("rationale", TEXT, "why; whoever decides about the proposals gets to read it", "--rationale"),
        Param("allow_secret", TEXTS, "fingerprint of a finding that is no secret", "--allow-secret"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_INIT, _NEW, _EDIT, _MV, _RM, _FMT, _IMPORT)
