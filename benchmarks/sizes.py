"""Cost against size: the same questions to ever more rules."""

from collections.abc import Iterator
from dataclasses import replace

from benchmarks.generate import targets
from benchmarks.measure import Sample, bare_python, cpu, difference, gitmem, interleaved, peak, sample
from benchmarks.refresh import by_command
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting, build, inside

NAME = "sizes"


def measured(setting: Setting) -> Table:
    figures = tuple(figure for rules in setting.sizes for figure in _of_size(setting, rules))
    title = f"Cost against size: 5 targets, {setting.files:,} files, forty folders, CPU with Git"
    return Table(NAME, title, f"python -m benchmarks {NAME}", figures, is_grid=True)


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

    def figure(what: str, ours: Sample, unit: str = "ms") -> Figure:
        return Figure(NAME, what, ours, unit, note=f"{rules:,} rules")

    yield figure("brought in", warm["rules"], "rules")
    yield figure("first compile", cpu(builds))
    yield figure("its peak memory", peak(builds), "MB")
    yield figure("cache on disk", sample([cached / (1 << 20)]), "MB")
    yield figure("refresh after 1 change", difference(first, second))
    bare = cpu(costs["bare"])
    ours = figure("by the command line", cpu(costs["compile"]))
    yield replace(ours, other="`python -c pass`", theirs=bare, is_ratio=True)
    yield figure("peak memory of that", peak(costs["compile"]), "MB")
    yield figure("warm, in process", warm["compile.cpu"])
