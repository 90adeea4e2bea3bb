"""What a commit waits for: the check of what is staged."""

from benchmarks.change import an_engram, stage
from benchmarks.generate import FLAT, FOLDERS, targets
from benchmarks.measure import bare_python, cpu, gitmem, interleaved
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting, build

NAME = "check"
LIMIT = 8


def measured(setting: Setting) -> Table:
    figures: list[Figure] = []
    for layout, words in ((FOLDERS, "forty folders"), (FLAT, "one folder")):
        recipe = setting.recipe(layout)
        root = setting.repository(recipe)
        build(root, targets(recipe))
        changed = an_engram(root)
        before = changed.read_bytes()
        changed.write_bytes(before + b"One more line.\n")
        stage(root, changed)
        commands = {
            "bare": bare_python(),
            "staged": gitmem("check", "--staged"),
            "status": ["git", "status", "--porcelain"],
        }
        costs = interleaved(commands, root, setting.rounds)
        changed.write_bytes(before)
        stage(root, changed)
        ours, bare, status = (cpu(costs[side]) for side in ("staged", "bare", "status"))
        what = f"{words}: check --staged"
        figures.append(Figure(NAME, what, ours, "ms", "`python -c pass`", bare, LIMIT, is_ratio=True))
        figures.append(Figure(NAME, what, ours, "ms", "`git status`", status))
    title = f"Check of 1 staged engram among {setting.rules:,}, {setting.files:,} files, CPU with Git"
    return Table(NAME, title, f"python -m benchmarks {NAME}", tuple(figures))
