"""What packets hold on tasks whose fix is known: the files of the fix by tier, the body that was changed, false claims.

Refuses to judge a body where the repository does not have the fix. The folder that is named holds ``tasks.jsonl`` (id,
repo, base, task, gold) and ``repositories/OWNER+NAME``, bare clones. ``python -m benchmarks.packets FOLDER [NTH]``
prints the table, of every NTH task.
"""

import json
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.measure import environment, sample
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting
from gitmem.answers import coding, context
from gitmem.answers.coding import Graph
from gitmem.answers.context import ContextCall
from gitmem.answers.packet_files import Material
from gitmem.answers.session import Session
from gitmem.code.source import BODIES
from gitmem.model.packet import MODES, NO_GAP, OPEN, OUTLINE, PATH, SKELETON, Packet

NAME = "packets"
TIERS = {
    "open": (OPEN,),
    "skeleton": (OPEN, SKELETON),
    "outline": (OPEN, SKELETON, OUTLINE),
    "all": (OPEN, SKELETON, OUTLINE, PATH),
}
LIMITS = {"max_savings": 80.0, "balanced": 90.0, "max_quality": 95.5}
BUDGETS = {"max_savings": 6_000, "balanced": 12_000, "max_quality": 24_000}
BODY_LIMIT = 60.0
# Nothing of the kind is in any of the repositories.
NEGATIVE = (
    "repair the tax ledger reconciliation of the payroll mainframe",
    "the orchard irrigation valve scheduler forgets the moisture calibration",
    "add seat maps to the airline boarding kiosk firmware",
    "translate the veterinary prescription labels into Faroese",
)


@dataclass(frozen=True, slots=True)
class Task:
    id: str
    repo: str
    base: str
    text: str
    gold: tuple[str, ...]
    forbidden: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()


@dataclass(slots=True)
class Tally:
    """Shares by tier, and by task whether the packet held what it should."""

    recall: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    bodies: list[float] = field(default_factory=list)
    claims: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    false_claims: int = 0
    forbidden: int = 0
    unexpected: int = 0
    precision: list[float] = field(default_factory=list)
    used: list[float] = field(default_factory=list)
    over: int = 0
    seconds: list[float] = field(default_factory=list)


def tasks(folder: Path, nth: int = 1) -> list[Task]:
    rows = [json.loads(line) for line in (folder / "tasks.jsonl").read_text("utf-8").splitlines()]
    return [_task(row) for row in rows[::nth]]


def _task(row: dict[str, object]) -> Task:
    """``forbidden`` are files that no packet may show, ``claims`` those of which one is to be made; both may lack."""
    texts = {name: str(row[name]) for name in ("id", "repo", "base", "task")}
    lists = {name: _texts(row.get(name, [])) for name in ("gold", "forbidden", "claims")}
    return Task(texts["id"], texts["repo"], texts["base"], texts["task"], *lists.values())


def _texts(value: object) -> tuple[str, ...]:
    assert isinstance(value, list)
    return tuple(str(each) for each in value)


def repository(folder: Path, task: Task) -> Path:
    return folder / "repositories" / task.repo.replace("/", "+")


def run(folder: Path, asked: Sequence[Task], modes: Iterable[str] = MODES) -> dict[str, Tally]:
    found = {mode: Tally() for mode in modes}
    sessions: dict[str, Session] = {}
    for task in sorted(asked, key=lambda each: (each.repo, each.base)):
        session = sessions.setdefault(task.repo, Session(repository(folder, task), datetime(2026, 1, 1, tzinfo=UTC)))
        graph = coding.read(session, task.base, 0, lambda: True)
        changed = changed_bodies(folder, task, graph)
        for mode, tally in found.items():
            packet, seconds = packet_of(session, graph, task, mode)
            count(tally, task, packet, changed)
            tally.seconds.append(seconds)
    for session in sessions.values():
        coding.shelf_of(session.place).close()
    return found


def packet_of(session: Session, graph: Graph, task: Task, mode: str) -> tuple[Packet, float]:
    began = time.perf_counter()
    # By its budget: the mode of a task that reads as critical is raised.
    wanted, _ = context.understood(session, ContextCall(task.text, mode=mode, at=task.base, budget=BUDGETS[mode]))
    packet = context.made(session, Material(session, graph, wanted))
    return packet, time.perf_counter() - began


def count(tally: Tally, task: Task, packet: Packet, changed: Sequence[str] | None) -> None:
    tiers = {row.path: row.tier for row in packet.files}
    for name, kept in TIERS.items():
        if task.gold:
            tally.recall[name].append(100 * sum(tiers.get(path) in kept for path in task.gold) / len(task.gold))
    shown = [path for path, tier in tiers.items() if tier != PATH]
    tally.forbidden += sum(path in shown for path in task.forbidden)
    tally.unexpected += bool(task.claims) and packet.coverage.claim not in task.claims
    if task.gold and shown:
        tally.precision.append(100 * sum(path in task.gold for path in shown[: len(task.gold)]) / len(task.gold))
    if changed:
        texts = [row.text for row in packet.files if row.tier == OPEN and row.path in task.gold and row.text]
        tally.bodies.append(100.0 * any(body in text for body in changed for text in texts))
    tally.claims[packet.coverage.claim] += 1
    tally.false_claims += packet.coverage.claim == NO_GAP and not all(path in tiers for path in task.gold)
    tally.used.append(packet.budget.used)
    tally.over += packet.budget.used > packet.budget.limit


def changed_bodies(folder: Path, task: Task, graph: Graph) -> list[str] | None:
    """The texts of the outermost functions that the fix changes; None where nobody knows the fix."""
    where = repository(folder, task)
    fix = _fix(where, task)
    if not fix:
        return None
    bodies = []
    for path in task.gold:
        if _git(where, "rev-parse", f"{fix}^1:{path}") == _git(where, "rev-parse", f"{task.base}:{path}"):
            bodies += list(_bodies(graph, path, _lines(where, fix, path)))
    return bodies


def _bodies(graph: Graph, path: str, lines: Sequence[tuple[int, int]]) -> Iterator[str]:
    symbols = [each for each in graph.atlas.facts(path).symbols if each.kind in BODIES and each.body_end]
    content = graph.atlas.text(path)
    for first, last in lines:
        around = [each for each in symbols if each.line <= first and last <= each.end_line]
        if around:
            outer = min(around, key=lambda each: each.start)
            yield content[outer.start : outer.end].decode("utf-8", "replace")


def _fix(where: Path, task: Task) -> str:
    """The commit that the task names, or that names the task's number and changes its files."""
    if "@" in task.id:
        return task.id.rpartition("@")[2]
    number = task.id.rpartition("-")[2]
    commits = _git(where, "log", "--format=%H", "-E", f"--grep=#{number}([^0-9]|$)", "HEAD").split()
    for commit in reversed(commits):
        if subprocess.run(["git", "merge-base", "--is-ancestor", task.base, commit], cwd=where, check=False).returncode:
            continue
        changed = _git(where, "diff", "--name-only", f"{commit}^1", commit).splitlines()
        if set(task.gold) & set(changed):
            return commit
    return ""


def _lines(where: Path, fix: str, path: str) -> list[tuple[int, int]]:
    diff = _git(where, "diff", "-U0", "--no-renames", f"{fix}^1", fix, "--", path)
    found = re.findall(r"^@@ -(\d+)(?:,(\d+))? ", diff, re.MULTILINE)
    return [(int(first), int(first) + max(int(size or 1), 1) - 1) for first, size in found]


def _git(where: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=where, env=environment(), capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace").strip()


def negatives(folder: Path, asked: Sequence[Task]) -> tuple[int, int]:
    """How many packets of tasks that have nothing to find claim that nothing is missing, and of how many."""
    wrong = total = 0
    for name in sorted({task.repo for task in asked}):
        task = next(each for each in asked if each.repo == name)
        session = Session(repository(folder, task), datetime(2026, 1, 1, tzinfo=UTC))
        graph = coding.read(session, task.base, 0, lambda: True)
        for text in NEGATIVE:
            wanted, _ = context.understood(session, ContextCall(text, at=task.base, budget=BUDGETS["balanced"]))
            claim = context.made(session, Material(session, graph, wanted)).coverage.claim
            total += 1
            wrong += claim == NO_GAP
        coding.shelf_of(session.place).close()
    return wrong, total


def measured(setting: Setting) -> Table:
    return table(setting.data[NAME], 1)


def table(folder: Path, nth: int) -> Table:
    asked = tasks(folder, nth)
    found = run(folder, asked)
    figures = []
    for mode, tally in found.items():
        for tier, values in tally.recall.items():
            limit = LIMITS[mode] if tier == "all" else None
            figures.append(_mean(f"{mode}: gold files, tier {tier}", values, "%", limit))
        figures.append(_mean(f"{mode}: gold among as many files as there are gold ones", tally.precision, "%", None))
        figures.append(
            Figure(NAME, f"{mode}: forbidden files shown", sample([float(tally.forbidden)]), "files", limit=0)
        )
        limit = BODY_LIMIT if mode == "balanced" else None
        figures.append(_mean(f"{mode}: a changed body is open, of {len(tally.bodies)}", tally.bodies, "%", limit))
        figures.append(_mean(f"{mode}: tokens", tally.used, "tokens", None))
        figures.append(Figure(NAME, f"{mode}: packets over budget", sample([float(tally.over)]), "packets", limit=0))
        figures.append(Figure(NAME, f"{mode}: time", sample([1000 * each for each in tally.seconds]), "ms"))
        false = 100 * tally.false_claims / max(1, tally.claims[NO_GAP])
        claims = ", ".join(f"{name} {number}" for name, number in sorted(tally.claims.items()))
        figures.append(Figure(NAME, f"{mode}: false no_recorded_gap", sample([false]), "%", note=claims))
    wrong, total = negatives(folder, asked)
    figures.append(Figure(NAME, f"nothing to find, and no gap claimed, of {total}", sample([float(wrong)]), "packets"))
    title = f"Packets of {len(asked)} tasks whose fix is known"
    return Table(NAME, title, f"python -m benchmarks {NAME} --data {NAME}=FOLDER", tuple(figures))


def _mean(what: str, values: Sequence[float], unit: str, limit: float | None) -> Figure:
    mean = sum(values) / max(1, len(values))
    return Figure(NAME, what, sample([mean]), unit, limit=limit, is_floor=True)


if __name__ == "__main__":
    for row in table(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1).figures:
        print(f"{row.what:60} {row.ours.median:10.1f} {row.unit:8} {row.note}")
