"""Operations on figures about the knowledge as a whole. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, FLAG, Operation, Param

_STATS = Operation(
    verb="stats",
    tool="stats",
    help="how far the knowledge reaches, what of it reached anybody, and how uses of it ended",
    about="Coverage is counted in the newest 5,000 commits of the trusted history; deliveries and uses in the journal "
    "and in the counts that others share.",
    example="gitmem stats --coverage",
    request="gitmem.answers.stats:StatsCall",
    target="gitmem.answers.stats:stats",
    render="gitmem.render.stats:text",
    surfaces=(CLI, ADMIN),
    params=(
        Param("coverage", FLAG, "busy files without an item, items on dead paths, how long items last", "--coverage"),
        Param("delivery", FLAG, "what was delivered, and what never was; every part where none is named", "--delivery"),
        Param("effectiveness", FLAG, "how uses ended, by kind and by item", "--effectiveness"),
        Param("packets", FLAG, "packets given, folds opened, signals that ran, files that feedback moved", "--packets"),
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_STATS,)
