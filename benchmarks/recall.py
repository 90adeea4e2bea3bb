"""Recall on a long history: the first time, again, after one more commit; beside what Git itself says of it."""

from benchmarks.past import history
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting, inside

NAME = "recall"
FIRST_MS, AGAIN_CPU_MS = 20_000, 200
_COMMITS, _QUICK_COMMITS = 20_000, 300
_LARGE = 1_000


def measured(setting: Setting) -> Table:
    count = _COMMITS if setting.rules >= _LARGE else _QUICK_COMMITS
    root = history(setting.home, count)
    file = min(root.glob("src/**/*.py")).relative_to(root).as_posix()
    found = inside("recall", str(root), str(max(2, setting.rounds)), file)
    grep = ("git log --all --grep=revert -i", found["grep.wall"])
    log = ("git log --all -- FILE", found["log.wall"])
    figures = (
        Figure(NAME, "the first recall, wall", found["first.wall"], "ms", *grep, limit=FIRST_MS),
        Figure(NAME, "of it: CPU with Git", found["first.cpu"], "ms"),
        Figure(NAME, "recall FILE again, CPU with Git", found["file.cpu"], "ms", limit=AGAIN_CPU_MS),
        Figure(NAME, "recall FILE again, wall", found["file.wall"], "ms", *log),
        Figure(NAME, "recall --text again, CPU with Git", found["text.cpu"], "ms", limit=AGAIN_CPU_MS),
        Figure(NAME, "recall --text again, wall", found["text.wall"], "ms", *grep),
        Figure(NAME, "recall after one more commit, wall", found["moved.wall"], "ms"),
        Figure(NAME, "attempts for a compile, first time after a commit, CPU with Git", found["notice_cold.cpu"], "ms"),
        Figure(NAME, "attempts for a compile, again, CPU with Git", found["notice.cpu"], "ms"),
    )
    return Table(NAME, f"Recall: a history of {count:,} commits, in process", f"python -m benchmarks {NAME}", figures)
