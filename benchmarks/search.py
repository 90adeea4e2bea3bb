"""What a search costs: warm and cold, beside SQLite's, at several sizes; and how long until it can be asked.

Refuses to measure in its own process.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from benchmarks.asked import SIZES
from benchmarks.measure import PROJECT, Sample, bare_python, environment, gitmem, run, sample
from benchmarks.notes import notes, questions
from benchmarks.report import Figure, Table
from benchmarks.retrieval import repository
from benchmarks.setting import Setting

NAME = "search"
STANDING, WHOOSH, CHANGED_MS, COLD, P95_MS = 5, 30, 100, 12, 50
# The size that the limits are for.
_AT = 10_000
_QUESTIONS, _FEW = 60, 4
_FTS5 = "SQLite FTS5"


def measured(setting: Setting) -> Table:
    figures = [figure for count in setting.sizes for figure in _at_size(setting, count)]
    return Table(NAME, "Search of notes of 1.2 kB, CPU with Git", f"python -m benchmarks {NAME}", tuple(figures))


def _at_size(setting: Setting, count: int) -> list[Figure]:
    root = _repository(setting.home, count)
    found = _asked(root, count, _QUESTIONS if setting.rounds > 1 else _FEW)
    rows = [
        *(_warm(found, size) for size in SIZES),
        *(_slowest(found, size) for size in SIZES),
        _beside(found, "from nothing to the first hits", ("ours.standing", "fts5.repository"), STANDING),
        _beside(found, "the same, beside texts at hand", ("ours.standing", "fts5.texts"), None),
        _beside(found, "Whoosh's own index, built behind", ("ours.whoosh", "fts5.repository"), WHOOSH),
        Figure(NAME, "one engram changed, then found", found["ours.changed"], "ms", limit=CHANGED_MS),
        Figure(NAME, "memory of the process that asked", found["ours.memory_mb"], "MB"),
        _cold(setting, root, count),
    ]
    named = [replace(row, what=f"{count:,}: {row.what}") for row in rows]
    return named if count == _AT else [replace(row, limit=None) for row in named]


def _repository(home: Path, count: int) -> Path:
    root, done = home / f"notes-{count}", home / f"notes-{count}.made"
    if not done.exists():
        repository(list(notes(count)), root)
        done.touch()
    return root


def _asked(root: Path, count: int, asked: int) -> dict[str, Sample]:
    command = [sys.executable, "-m", "benchmarks.asked", str(root), str(count), str(asked)]
    done = subprocess.run(
        command, cwd=PROJECT, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True
    )
    return {key: sample(values) for key, values in json.loads(done.stdout).items()}


def _warm(found: Mapping[str, Sample], size: int) -> Figure:
    return _beside(found, f"warm, {_words(size)}", (f"ours.{size}", f"fts5.{size}"), 1)


def _slowest(found: Mapping[str, Sample], size: int) -> Figure:
    """The one of twenty that takes longest."""
    slow = sample([found[f"ours.{size}"].quantile(0.95)])
    return Figure(NAME, f"warm, {_words(size)}, p95", slow, "ms", limit=P95_MS)


def _words(size: int) -> str:
    return f"{size} words" if size > 1 else "1 word"


def _beside(found: Mapping[str, Sample], what: str, keys: tuple[str, str], limit: float | None) -> Figure:
    ours, theirs = keys
    other = f"{_FTS5} from the same files" if theirs.endswith("repository") else _FTS5
    return Figure(NAME, what, found[ours], "ms", other, found[theirs], limit, is_ratio=True)


def _cold(setting: Setting, root: Path, count: int) -> Figure:
    words = questions(list(notes(min(count, 100))), 3, 1)[0].split()
    command = gitmem("search", *words, "--explain")
    run(command, root)
    pairs = [(run(command, root).cpu_ms, run(bare_python(), root).cpu_ms) for _ in range(setting.rounds)]
    ours, theirs = (sample(side) for side in zip(*pairs, strict=True))
    return Figure(NAME, "a command, cold", ours, "ms", "`python -c pass`", theirs, COLD, is_ratio=True)
