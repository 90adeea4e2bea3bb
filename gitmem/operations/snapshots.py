"""Operations on snapshots: named ones, and any two revisions compared. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, INTEGER, TEXT, Operation, Param

_SURFACES = (CLI, ADMIN)
_REVISION = "commit, branch, tag, date, snapshot name or snapshot ID"

_LIST = Operation(
    verb="snapshots list",
    tool="list_snapshots",
    help="the named snapshots, newest first",
    example="gitmem snapshots list",
    request="gitmem.answers.snapshots:ListCall",
    target="gitmem.answers.snapshots:list_snapshots",
    render="gitmem.render.snapshots:listed",
    surfaces=_SURFACES,
    params=(
        Param("limit", INTEGER, "at most this many, 1 to 500 (default 50)", "--limit"),
        Param("cursor", TEXT, "go on where the last answer's next points", "--cursor"),
    ),
)
_SHOW = Operation(
    verb="snapshots show",
    tool="show_snapshot",
    help="the knowledge at a snapshot or any other revision in short",
    example="gitmem snapshots show before-audit",
    request="gitmem.answers.snapshots:ShowCall",
    target="gitmem.answers.snapshots:show",
    render="gitmem.render.snapshots:shown",
    surfaces=_SURFACES,
    params=(Param("snapshot", TEXT, _REVISION, is_required=True),),
)
_CREATE = Operation(
    verb="snapshots create",
    tool="create_snapshot",
    help="keep the knowledge of one revision under a name, even when its branch is gone",
    about="A snapshot never changes: a name that holds other knowledge is refused.",
    example="gitmem snapshots create before-audit",
    request="gitmem.answers.keeping:CreateCall",
    target="gitmem.answers.keeping:create",
    render="gitmem.render.snapshots:created",
    surfaces=_SURFACES,
    writes=True,
    params=(
        Param("name", TEXT, "its name, of small letters, digits, dots, - and _", is_required=True),
        Param("at", TEXT, f"{_REVISION}; default: what is canonical", "--at"),
        Param("note", TEXT, "what it is for, in a line", "--note"),
    ),
)
_DIFF = Operation(
    verb="snapshots diff",
    tool="compare_snapshots",
    help="two revisions by meaning: which files gain and lose which rules, tokens, contradictions",
    about="Without a second revision: against what is canonical now.",
    example="gitmem snapshots diff before-audit main",
    request="gitmem.answers.snapshots:DiffCall",
    target="gitmem.answers.snapshots:compare",
    render="gitmem.render.snapshots:compared",
    surfaces=_SURFACES,
    params=(
        Param("before", TEXT, _REVISION, is_required=True),
        Param("after", TEXT, f"{_REVISION}; default: what is canonical"),
        Param("limit", INTEGER, "at most so many rows in each list, 1 to 10000 (default 500)", "--limit"),
    ),
)


_DROP = Operation(
    verb="snapshots drop",
    tool="drop_snapshot",
    help="take the name of a snapshot away in this clone",
    about="A remote that has it gives it back at the next sync.",
    example="gitmem snapshots drop before-audit",
    request="gitmem.answers.keeping:DropCall",
    target="gitmem.answers.keeping:drop",
    render="gitmem.render.snapshots:dropped",
    surfaces=_SURFACES,
    writes=True,
    params=(Param("name", TEXT, "its name; see: gitmem snapshots list", is_required=True),),
)


def operations() -> tuple[Operation, ...]:
    return (_LIST, _SHOW, _CREATE, _DIFF, _DROP)
