"""A compile in a process that lives on, as the MCP server does."""

from benchmarks.generate import targets
from benchmarks.measure import Sample
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting, build, inside

NAME = "warm"
LIMIT_MS = 10


def measured(setting: Setting) -> Table:
    recipe = setting.recipe()
    root, files = setting.repository(recipe), targets(recipe)
    build(root, files)
    found = inside("warm", str(root), str(max(5, 4 * setting.rounds)), *files)
    rules, pairs = (int(found[name].median) for name in ("rules", "pairs"))

    def against(what: str, ours: Sample, other: str, theirs: str, note: str = "") -> Figure:
        return Figure(NAME, what, ours, "ms", other, found[theirs], note=note)

    ours, match = found["compile.cpu"], found["match.cpu"]
    from_disk = "read, parse and match every file with"
    in_memory = "loop over rules in memory with"
    figures = (
        Figure(NAME, "compile, CPU with Git", ours, "ms", limit=LIMIT_MS, note=f"{rules} rules brought in"),
        Figure(NAME, "compile, wall", found["compile.wall"], "ms"),
        against("compile, CPU with Git", ours, f"{from_disk} pathspec", "disk.pathspec.cpu"),
        against("compile, CPU with Git", ours, f"{from_disk} wcmatch", "disk.wcmatch.cpu"),
        Figure(NAME, "of it: match, order, budget, hash", found["pure.cpu"], "ms"),
        against("of it: patterns", match, f"{in_memory} pathspec", "loop.pathspec.cpu", f"{pairs} pairs"),
        against("of it: patterns", match, f"{in_memory} wcmatch", "loop.wcmatch.cpu"),
        against("of it: patterns", match, f"{in_memory} our own matcher", "loop.dialect.cpu"),
    )
    return Table(NAME, f"Warm, in process: 5 targets, {recipe.title()}", f"python -m benchmarks {NAME}", figures)
