"""Costs of processes and samples of them. Refuses single numbers: every figure has a median and a spread."""

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
_MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one process and all that it waited for. ``peak_mb`` is that of the largest of them."""

    cpu_ms: float
    wall_ms: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class Sample:
    """Several measurements of one thing, in the order in which they were taken."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        return self.quantile(0.5)

    @property
    def quartiles(self) -> tuple[float, float]:
        return self.quantile(0.25), self.quantile(0.75)

    def quantile(self, share: float) -> float:
        """Interpolated between neighbours. Not by ``statistics``: what measures memory stays small."""
        ordered = sorted(self.values)
        at = share * (len(ordered) - 1)
        below = int(at)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (ordered[above] - ordered[below]) * (at - below)


def sample(values: Iterable[float]) -> Sample:
    return Sample(tuple(values))


def difference(of: Sample, minus: Sample) -> Sample:
    """Round by round, so that what slows a machine down for a while weighs on both sides."""
    return Sample(tuple(a - b for a, b in zip(of.values, minus.values, strict=True)))


def environment(home: Path | None = None) -> dict[str, str]:
    """The surroundings of everything that is measured: byte code is kept, nobody's own Git settings."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "GIT_"))}
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    for role in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{role}_NAME": "A U Thor", f"GIT_{role}_EMAIL": "author@example.org"}
    return env | ({"HOME": str(home)} if home else {})


def run(command: Sequence[str], where: Path) -> Cost:
    """Runs a command to its end with nowhere to print to; a failure ends the benchmark with what it said."""
    read, write = os.pipe()
    before = _now_ms()
    process = subprocess.Popen(
        command, cwd=where, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=write
    )
    os.close(write)
    with os.fdopen(read, "rb") as stderr:
        said = stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall_ms = _now_ms() - before
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit {process.returncode}\n{said.decode(errors='replace')}")
    peak = usage.ru_maxrss if sys.platform == "darwin" else usage.ru_maxrss * 1024
    return Cost((usage.ru_utime + usage.ru_stime) * 1000, wall_ms, peak / _MEGABYTE)


def _now_ms() -> float:
    return time.perf_counter() * 1000


def interleaved(commands: Mapping[str, Sequence[str]], where: Path, rounds: int) -> dict[str, list[Cost]]:
    """Runs every command once a round, each round in another order; the first round warms up and is not counted."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    names = list(commands)
    for number in range(rounds + 1):
        shift = number % len(names)
        for name in names[shift:] + names[:shift]:
            cost = run(commands[name], where)
            if number:
                costs[name].append(cost)
    return costs


def cpu(costs: Iterable[Cost]) -> Sample:
    return sample(cost.cpu_ms for cost in costs)


def peak(costs: Iterable[Cost]) -> Sample:
    return sample(cost.peak_mb for cost in costs)


def bare_python() -> list[str]:
    """The other side of every command: the same interpreter, doing nothing."""
    return [sys.executable, "-c", "pass"]


def gitmem(*args: str) -> list[str]:
    """The installed command, or the module where it is not installed."""
    script = Path(sys.executable).with_name("gitmem")
    return [str(script), *args] if script.exists() else [sys.executable, "-m", "gitmem", *args]
