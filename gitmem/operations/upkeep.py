"""Operations that tend knowledge by themselves. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, FLAG, TEXT, Operation, Param

_MAINTAIN = Operation(
    verb="maintain",
    tool="maintain",
    help="tend the knowledge: what has aged, doubled or broken becomes proposals and findings; nothing is edited",
    about="light folds in what happened and proposes to merge new twins; deep looks at everything once more and ends "
    "with the doctor; rem looks for what belongs together. Servers and gitmem watch run what is due by themselves.",
    example="gitmem maintain --due",
    request="gitmem.upkeep.maintain:MaintainCall",
    target="gitmem.upkeep.maintain:maintain",
    render="gitmem.render.upkeep:maintained",
    surfaces=(CLI, ADMIN),
    writes=True,
    params=(
        Param("stage", TEXT, "light, deep or rem", choices=("light", "deep", "rem")),
        Param("due", FLAG, "what its time has come for: light every 5 minutes, deep every hour, rem daily", "--due"),
        Param("dry_run", FLAG, "only tell what would be proposed", "--dry-run"),
    ),
)
_WATCH = Operation(
    verb="watch",
    help="tend the knowledge as long as this runs: at changes of files, and when a stage is due",
    about="It ends with SIGTERM, or when its standard input closes. git config gitmem.upkeep off switches it off.",
    example="gitmem watch",
    request="gitmem.upkeep.watch:WatchCall",
    target="gitmem.upkeep.watch:watch",
    render="gitmem.render.upkeep:watched",
    writes=True,
)


def operations() -> tuple[Operation, ...]:
    return (_MAINTAIN, _WATCH)
