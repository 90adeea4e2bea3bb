"""The operation that exchanges knowledge with a remote. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, FLAG, TEXT, Operation, Param

_SYNC = Operation(
    verb="sync",
    tool="sync",
    help="exchange proposals, what was said about them and the trusted branch with the remote",
    about="Fetches, merges knowledge, checks it, pushes. It asks nobody for a password; not_synced says what did not "
    "come through and why.",
    example="gitmem sync --dry-run",
    request="gitmem.answers.sync:SyncCall",
    target="gitmem.answers.sync:sync",
    render="gitmem.render.synced:synced",
    surfaces=(CLI, ADMIN),
    writes=True,
    decides=True,
    reaches_out=True,
    params=(
        Param("remote", TEXT, "another remote than the chosen one; its branch is left alone", "--remote"),
        Param("dry_run", FLAG, "say what would move; only tracking refs are updated", "--dry-run"),
        Param("no_push", FLAG, "fetch and merge, push nothing", "--no-push"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_SYNC,)
