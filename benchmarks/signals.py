"""What each of the four signals of a packet is worth: ranks with and without it, tokens, hits, milliseconds.

Refuses to ship the tasks: the folder that is named is that of ``benchmarks.localisation``. Use is played back: each
task of a repository, in the order of its commits, teaches the later ones which files its fix touched.
"""

from __future__ import annotations

import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from benchmarks.localisation import Task, repository, tasks_of
from benchmarks.measure import sample
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting
from gitmem.answers import coding, heard, packet_signals
from gitmem.answers.context import made
from gitmem.answers.packet_files import Material
from gitmem.answers.session import Session
from gitmem.code import learning, ranking
from gitmem.code.critical import critical
from gitmem.code.graph import CodeGraph
from gitmem.code.learning import Lesson
from gitmem.code.ranking import Extra
from gitmem.code.request import Wanted, limit_of
from gitmem.model.packet import BALANCED, MAX_QUALITY, STANDARD, Packet
from gitmem.record import replace

NAME = "signals"
OFF, FLOW, FLOW_TOP = "off", "flow between named files", "flow, named or best"
FILES, WAYS = "files learned", "files and ways learned"
FRESH_FILES, FRESH_WAYS = f"{FILES}, none faded", f"{WAYS}, none faded"
VARIANTS = (OFF, FLOW, FLOW_TOP, FILES, WAYS, FRESH_FILES, FRESH_WAYS)
_FIRST_MOST = 3
_SAMPLES = 1000


@dataclass(slots=True)
class Measured:
    """Reciprocal ranks of the first gold file by variant; the others are of the tasks that they say."""

    ranks: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    flow_ms: list[float] = field(default_factory=list)
    has_flow: int = 0
    gated: list[tuple[float, float, int, int]] = field(default_factory=list)
    ready_ms: list[float] = field(default_factory=list)
    plain_ms: list[float] = field(default_factory=list)
    folds: int = 0
    ready: int = 0


def measure(tasks: Sequence[Task], repos: Path, home: Path) -> Measured:
    """Repository by repository, each in the order of its commits."""
    found = Measured()
    by_repo: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        by_repo[task.repo].append(task)
    for name in sorted(by_repo):
        clone = repository(repos, name, home)
        session = Session(clone, datetime.now(UTC), "admin", run="bench")
        dated = sorted((_day(clone, task.base), task.id, task) for task in by_repo[name])
        lessons: list[Lesson] = []
        for day, _, task in dated:
            _of_task(session, (task, day), lessons, found)
        session.place.code[0].close()
    return found


def _day(clone: Path, commit: str) -> str:
    command = ["git", "-C", str(clone), "show", "-s", "--format=%cs", commit]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _of_task(session: Session, dated: tuple[Task, str], lessons: list[Lesson], found: Measured) -> None:
    task, day = dated
    graph = coding.read(session, task.base, 0, lambda: True)
    wanted = Wanted(task.text, BALANCED, STANDARD, limit_of(0, BALANCED), at=task.base)
    material = Material(session, graph, wanted)
    told = heard.heard(session.place, graph.tree.commit)
    rows = ranking.ranked(material.ground, material.asked, told)
    plain = [row.path for row in rows]
    named = list(dict.fromkeys(seed.path for seed in material.seeded.seeds))
    known = learning.learned(lessons, day)
    # Public tasks lie months apart; whoever works on one part says so day after day.
    fresh = learning.learned([replace(lesson, day=day) for lesson in lessons], day)
    intent = material.task.intent
    seeds = dict.fromkeys(named or plain[:_FIRST_MOST], 1.0)
    extras = {
        FLOW: _flow(material, named, found),
        FLOW_TOP: _flow(material, named if len(named) > 1 else plain[:_FIRST_MOST], found),
        FILES: learning.gains(known, intent, {}),
        WAYS: learning.gains(known, intent, seeds),
        FRESH_FILES: learning.gains(fresh, intent, {}),
        FRESH_WAYS: learning.gains(fresh, intent, seeds),
    }
    found.ranks[OFF].append(_reciprocal(plain, task.gold))
    for name, extra in extras.items():
        again = ranking.ranked(material.ground, material.asked, told, Extra(extra)) if extra else rows
        found.ranks[name].append(_reciprocal([row.path for row in again], task.gold))
    packet = made(session, material)
    _gate(session, task, (graph, packet), found)
    _prefetch(session, material, packet, found)
    lessons.append(Lesson(day, intent, tuple(plain[:20]), task.gold, 1.0))


def _flow(material: Material, seeds: Sequence[str], found: Measured) -> Mapping[str, float]:
    graph = CodeGraph(material.atlas)
    packet_signals.joined(graph, dict.fromkeys(seeds, 1.0))
    start = time.perf_counter()
    flow = packet_signals.joined(graph, dict.fromkeys(seeds, 1.0))
    if flow.has_run:
        found.flow_ms.append(1000 * (time.perf_counter() - start))
        found.has_flow += 1
    return packet_signals.gains_of(flow)


def _gate(session: Session, task: Task, given: tuple[coding.Graph, Packet], found: Measured) -> None:
    """Of critical tasks, how many gold files the usual packet has, and the one that they get."""
    if critical(task.text) is None:
        return
    graph, usual = given
    wanted = Wanted(task.text, MAX_QUALITY, STANDARD, limit_of(0, MAX_QUALITY), at=task.base)
    fullest = made(session, Material(session, graph, wanted))
    recalls = _recall(usual, task.gold), _recall(fullest, task.gold)
    found.gated.append((*recalls, usual.budget.used, fullest.budget.used))


def _recall(packet: Packet, gold: Sequence[str]) -> float:
    paths = {row.path for row in packet.files}
    return sum(path in paths for path in gold) / len(gold)


def _prefetch(session: Session, material: Material, packet: Packet, found: Measured) -> None:
    """Of all folds of a packet, how many would be served, and what one costs without."""
    packet_signals.hold_ready(session, material.atlas, packet.files)
    ready = packet_signals.ready_of(session.place)
    folds = [(row.path, material.atlas.oid(row.path)) for row in packet.files for _ in row.folds]
    found.folds += len(folds)
    found.ready += sum(oid in ready.texts for _, oid in folds)
    for path, oid in folds[:2]:
        start = time.perf_counter()
        ready.take(oid[:10])
        middle = time.perf_counter()
        material.atlas.text(path)
        found.ready_ms.append(1000 * (middle - start))
        found.plain_ms.append(1000 * (time.perf_counter() - middle))


def _reciprocal(paths: Sequence[str], gold: Sequence[str]) -> float:
    return next((1 / rank for rank, path in enumerate(paths, 1) if path in gold), 0.0)


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """The middle 95 % of the means of samples that are drawn again."""
    random, count = Random(7), len(differences)
    means = sorted(sum(random.choices(differences, k=count)) / count for _ in range(_SAMPLES))
    return means[int(0.025 * _SAMPLES)], means[int(0.975 * _SAMPLES)]


def figures(found: Measured) -> Iterator[Figure]:
    plain = found.ranks[OFF]
    for name in VARIANTS:
        ranks = found.ranks[name]
        note = f"{len(ranks)} tasks"
        if name != OFF:
            low, high = interval([one - other for one, other in zip(ranks, plain, strict=True)])
            note = f"difference {sum(ranks) / len(ranks) - sum(plain) / len(plain):+.3f} [{low:+.3f}, {high:+.3f}]"
        yield Figure(NAME, f"MRR, {name}: {note}", sample([sum(ranks) / len(ranks)]), "")
    if found.flow_ms:
        yield Figure(NAME, f"flow, {found.has_flow} runs", sample(found.flow_ms), "ms", limit=20.0)
    if found.gated:
        usual, fullest = (sum(row[at] for row in found.gated) / len(found.gated) for at in (0, 1))
        tokens = [sum(row[at] for row in found.gated) / len(found.gated) for at in (2, 3)]
        said = f"{len(found.gated)} critical tasks, {tokens[0]:,.0f} -> {tokens[1]:,.0f} tokens"
        yield Figure(NAME, f"recall at the usual mode; {said}", sample([usual]), "")
        yield Figure(NAME, "recall as the gate gives", sample([fullest]), "")
    if found.folds:
        yield Figure(NAME, f"folds of {found.folds} held ready", sample([100 * found.ready / found.folds]), "%")
        yield Figure(
            NAME, "text of a fold held ready", sample(found.ready_ms), "ms", "read from Git", sample(found.plain_ms)
        )


def measured(setting: Setting) -> Table:
    folder = setting.data[NAME]
    tasks = tasks_of(folder / "tasks.jsonl", 40 if setting.rounds == 1 else 1)
    rows = tuple(figures(measure(tasks, folder / "repos", setting.home)))
    return Table(NAME, "Signals of a packet", f"python -m benchmarks {NAME} --data {NAME}=FOLDER", rows)
