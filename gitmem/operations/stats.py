"""Operations on figures about the knowledge as a whole. Refuses behaviour: this is data."""

from gitmem.operations.table import ADMIN, CLI, FLAG, Operation, Param

_STATS = Operation(
    verb="stats",
    tool="stats",
    help="how far the knowledge reaches: busy files without an item, items on dead paths, how long items last",
    about="Counted in the newest 5,000 commits of the trusted history.",
    example="gitmem stats --coverage",
    request="gitmem.answers.stats:StatsCall",
    target="gitmem.answers.stats:stats",
    render="gitmem.render.stats:text",
    surfaces=(CLI, ADMIN),
    params=(Param("coverage", FLAG, "only this part; every part there is where none is named", "--coverage"),),
)


def operations() -> tuple[Operation, ...]:
    return (_STATS,)
