"""Proposals in a process that lives on: the list, a new one, an approval beside the same merge by Git."""

import shutil

from benchmarks.generate import targets
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting, build, inside

NAME = "review"
LIST_MS, PROPOSE_MS, APPROVE_MS = 300, 100, 300
_PROPOSALS = 1000
_QUICK_PROPOSALS = 10


def measured(setting: Setting) -> Table:
    recipe = setting.recipe()
    source = setting.repository(recipe)
    root = setting.home / "review"
    if not root.exists():
        shutil.copytree(source, root, symlinks=True)
    build(root, targets(recipe))
    count = _PROPOSALS if setting.rules >= _PROPOSALS else _QUICK_PROPOSALS
    found = inside("review", str(root), str(max(2, setting.rounds)), str(count))
    merge = ("the same merge by git merge", found["merge.wall"], found["merge.cpu"])
    figures = (
        Figure(NAME, f"list {count} open proposals, wall", found["list.wall"], "ms", limit=LIST_MS),
        Figure(NAME, "of it: CPU with Git", found["list.cpu"], "ms"),
        Figure(NAME, "the first list, nothing kept, wall", found["cold.wall"], "ms"),
        Figure(NAME, "propose a new engram, wall", found["propose.wall"], "ms", limit=PROPOSE_MS),
        Figure(NAME, "of it: CPU with Git", found["propose.cpu"], "ms"),
        Figure(NAME, "the same while most texts have no sketch yet, wall", found["unsketched.wall"], "ms"),
        Figure(NAME, "approve one, wall", found["approve.wall"], "ms", merge[0], merge[1], limit=APPROVE_MS),
        Figure(NAME, "of it: CPU with Git", found["approve.cpu"], "ms", merge[0], merge[2]),
    )
    return Table(NAME, f"Proposals, in process: {recipe.title()}", f"python -m benchmarks {NAME}", figures)
