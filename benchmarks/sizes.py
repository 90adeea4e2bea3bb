"""Cost against size: the same questions to ever more rules."""

from collections.abc import Iterator

from benchmarks.generate import targets
from benchmarks.measure import bare_python, cpu, difference, gitmem, interleaved, peak, sample
from benchmarks.refresh import by_command
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting, build, inside

NAME = "sizes"


def measured(setting: Setting) -> Table:
    figures = tuple(figure for rules in setting.sizes for figure in _of_size(setting, rules))
    title = f"Cost against size: 5 targets, {setting.files:,} files, forty folders, CPU with Git"
    return Table(NAME, title, f"python -m benchmarks {NAME}", figures)


def _of_size(setting: Setting, rules: int) -> Iterator[Figure]:
    recipe = setting.recipe(rules=rules)
    root, files = setting.repository(recipe), targets(recipe)
    rounds = max(2, setting.rounds // 3)
    builds = [build(root, files) for _ in range(2)]
    commands = {"bare": bare_python(), "compile": gitmem("compile", *files)}
    costs = interleaved(commands, root, rounds)
    warm = inside("compile", str(root), str(setting.rounds), *files)
    first, second = by_command(root, files, rounds)
    cached = sum(path.stat().st_size for path in (root / ".gitmem" / "cache").iterdir())

    def figure(what: str, *args: object) -> Figure:
        return Figure(NAME, f"{rules:,}: {what}", *args)  # type: ignore[arg-type]

    yield figure("first compile", cpu(builds), "ms")
    yield figure("its peak memory", peak(builds), "MB", "a compile from the cache", peak(costs["compile"]))
    yield figure("cache on disk", sample([cached / (1 << 20)]), "MB")
    yield figure("refresh after 1 change", difference(first, second), "ms")
    yield figure("by the command line", cpu(costs["compile"]), "ms", "`python -c pass`", cpu(costs["bare"]))
    yield figure("warm, in process", warm["compile.cpu"], "ms")
