"""What a commit that changes one engram costs the next reader."""

from pathlib import Path

from benchmarks.change import an_engram, commit_change
from benchmarks.generate import FLAT, FOLDERS, targets
from benchmarks.measure import Sample, cpu, difference, gitmem, run
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting, build, inside

NAME = "refresh"
LIMIT_MS = 50


def by_command(root: Path, files: list[str], rounds: int) -> tuple[Sample, Sample]:
    """CPU of the first compile after a commit, and of the one after that."""
    command = gitmem("compile", "--notices", "fresh", *files)
    changed = an_engram(root)
    first, second = [], []
    for number in range(rounds):
        commit_change(root, changed, f"by command {number}")
        first.append(run(command, root))
        second.append(run(command, root))
    return cpu(first), cpu(second)


def measured(setting: Setting) -> Table:
    figures: list[Figure] = []
    for layout, words in ((FOLDERS, "forty folders"), (FLAT, "one folder")):
        recipe = setting.recipe(layout)
        root, files = setting.repository(recipe), targets(recipe)
        whole = cpu([build(root, files)])
        found = inside("refresh", str(root), str(setting.rounds), *files)
        for unit, note in (("cpu", "CPU with Git"), ("wall", "wall")):
            more = difference(found[f"first.{unit}"], found[f"second.{unit}"])
            theirs = whole if unit == "cpu" else None
            other = "building the index anew" if theirs else ""
            figures.append(Figure(NAME, f"{words}: refresh in process, {note}", more, "ms", other, theirs, LIMIT_MS))
        first, second = by_command(root, files, setting.rounds)
        more = difference(first, second)
        figures.append(Figure(NAME, f"{words}: refresh by the command, CPU", more, "ms", limit=LIMIT_MS))
        figures.append(Figure(NAME, f"{words}: that whole command", first, "ms", "the same without a refresh", second))
    title = f"After a commit that changes 1 of {setting.rules:,} engrams: what the first compile costs more"
    return Table(NAME, title, f"python -m benchmarks {NAME}", tuple(figures))
