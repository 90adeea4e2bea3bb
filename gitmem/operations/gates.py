"""Operations that guard the folder: checks, Git hooks, settings. Refuses behaviour: this is data."""

from gitmem.operations.table import CLI, FLAG, TEXT, Operation, Param

_CHECK = Operation(
    verb="check",
    help="what is wrong with the knowledge, where, and how to mend it; writes nothing",
    example="gitmem check --staged",
    request="gitmem.answers.checking:CheckCall",
    target="gitmem.answers.checking:check",
    render="gitmem.render.checked:text",
    params=(
        Param(
            "staged",
            FLAG,
            "judge the tree as the index would make it; report what the staged change causes or touches",
            "--staged",
        ),
        Param("range", TEXT, "judge what B changes against A, under the policy of A: A..B", "--range"),
        Param("fix", FLAG, "mend what can be mended without a question; with --range as a patch", "--fix"),
        Param("strict", FLAG, "exit 1 on warnings too", "--strict"),
        Param("alike", FLAG, "also name engrams that repeat, reword or contradict each other", "--alike"),
        Param(
            "format",
            TEXT,
            "text (default), json, sarif, markdown for a pull request, patch with --fix",
            "--format",
            choices=("text", "json", "sarif", "markdown", "patch"),
        ),
    ),
)
_HOOKS = Operation(
    verb="hooks",
    help="install, remove or list the Git hooks of gitmem; with them the merge driver",
    example="gitmem hooks install",
    request="gitmem.hooks.install:HooksCall",
    target="gitmem.hooks.install:hooks",
    render="gitmem.render.checked:hooks",
    writes=True,
    params=(
        Param("action", TEXT, "install, uninstall or list (default)"),
        Param(
            "without_driver",
            FLAG,
            "leave the merge driver out of this clone's Git settings; GITMEM_NO_MERGE_DRIVER=1 says the same",
            "--no-merge-driver",
        ),
    ),
)
_CONFIG = Operation(
    verb="config",
    help="settings in force, with where each comes from",
    example="gitmem config show",
    request="gitmem.answers.settings:ConfigCall",
    target="gitmem.answers.settings:config",
    render="gitmem.render.checked:settings",
    surfaces=(CLI,),
    writes=True,
    params=(
        Param("action", TEXT, "show (default), get or set"),
        Param("key", TEXT, "the setting"),
        Param("value", TEXT, "its new value"),
        Param("origin", FLAG, "say where each value comes from", "--origin"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_CHECK, _HOOKS, _CONFIG)
