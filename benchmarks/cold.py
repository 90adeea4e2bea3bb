"""A compile by the command line: a new process each time, with the cache in place."""

from benchmarks.generate import FLAT, FOLDERS, targets
from benchmarks.measure import bare_python, cpu, gitmem, interleaved
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting, build

NAME = "cold"
LIMIT = 10


def measured(setting: Setting) -> Table:
    figures: list[Figure] = []
    for layout, words in ((FOLDERS, "forty folders"), (FLAT, "one folder")):
        recipe = setting.recipe(layout)
        root, files = setting.repository(recipe), targets(recipe)
        build(root, files)
        commands = {
            "bare": bare_python(),
            "one": gitmem("compile", files[0]),
            "five": gitmem("compile", *files),
            "fresh": gitmem("compile", "--notices", "fresh", *files),
        }
        costs = interleaved(commands, root, setting.rounds)
        bare = cpu(costs["bare"])
        for side, what, limit in (
            ("five", "compile of 5 targets", LIMIT),
            ("one", "compile of 1 target", None),
            ("fresh", "5 targets, and a fresh look at the work tree", None),
        ):
            ours = cpu(costs[side])
            figures.append(
                Figure(NAME, f"{words}: {what}", ours, "ms", "`python -c pass`", bare, limit=limit, is_ratio=True)
            )
    title = f"By the command line, warm caches: {setting.rules:,} rules, {setting.files:,} files, CPU with Git"
    return Table(NAME, title, f"python -m benchmarks {NAME}", tuple(figures))
