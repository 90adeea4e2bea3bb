"""Where a benchmark runs and how large it is. Refuses to measure."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.generate import FOLDERS, Recipe, repository
from benchmarks.measure import PROJECT, Cost, Sample, environment, gitmem, run, sample
from benchmarks.report import Table


@dataclass(frozen=True, slots=True)
class Setting:
    """``home`` holds the repositories; ``rounds`` is how often a command runs.

    ``data`` says by the name of a benchmark where that lies which is not ours to ship.
    """

    home: Path
    rounds: int = 15
    rules: int = 10_000
    files: int = 50_000
    sizes: tuple[int, ...] = (100, 1_000, 10_000, 50_000)
    data: Mapping[str, Path] = field(default_factory=dict)

    def recipe(self, layout: str = FOLDERS, *, rules: int = 0, is_loose: bool = False) -> Recipe:
        return Recipe(rules or self.rules, self.files, layout, is_loose)

    def repository(self, recipe: Recipe) -> Path:
        return repository(self.home, recipe)


Benchmark = Callable[[Setting], Table]


def inside(name: str, *args: str) -> dict[str, Sample]:
    """Runs a function of ``benchmarks.inside`` in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.inside", name, *args]
    done = subprocess.run(
        command, cwd=PROJECT, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True
    )
    return {key: sample(values) for key, values in json.loads(done.stdout).items()}


def build(root: Path, files: list[str]) -> Cost:
    """The cost of the first compile, with no cache at all."""
    shutil.rmtree(root / ".gitmem" / "cache", ignore_errors=True)
    return run(gitmem("compile", *files), root)
