"""Whether the files that a task was solved in come first: the ranking of ``context``, beside others, part by part.

Refuses to fetch repositories and to keep texts. ``python -m benchmarks.localisation TASKS --repos DIR`` prints the
tables; a line of TASKS is JSON with ``id repo base lang task gold``, and DIR has ``owner+name`` or ``owner+name/repo``.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from benchmarks.localisation_sides import all_sides, tests_last
from benchmarks.measure import PROJECT, sample
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting
from gitmem.answers import coding
from gitmem.answers.coding import Graph
from gitmem.answers.context import ContextCall, understood
from gitmem.answers.packet_files import Material
from gitmem.answers.session import Session
from gitmem.code import ranking

NAME = "localisation"
OURS = "gitmem"
FLOORS = {"MRR": 0.72, "hit@1": 0.60, "hit@5": 0.86, "hit@10": 0.94}
_NEVER = 10**9
_DRAWS = 2_000
_MAP_TOKENS = 12_000


@dataclass(frozen=True, slots=True)
class Task:
    id: str
    repo: str
    base: str
    lang: str
    text: str
    gold: tuple[str, ...]


@dataclass(slots=True)
class Found:
    """The rank of the first gold file by task, for each side; and seconds by task of the ranking itself."""

    tasks: list[Task] = field(default_factory=list)
    ranks: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    seconds: list[float] = field(default_factory=list)


def tasks_of(path: Path, every: int = 1) -> list[Task]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = [Task(r["id"], r["repo"], r["base"], r["lang"], r["task"], tuple(r["gold"])) for r in rows]
    return found[::every]


def repository(repos: Path, name: str, home: Path) -> Path:
    """A clone of our own, without files: what is measured writes its cache there."""
    wanted = name.replace("/", "+").lower()
    folders = [each for each in repos.iterdir() if each.name.lower() in (wanted, f"{wanted}.git")]
    if not folders:
        raise SystemExit(f"{repos} has no {name.replace('/', '+')}")
    source = folders[0] / "repo" if (folders[0] / "repo").is_dir() else folders[0]
    clone = home / wanted
    if not clone.exists():
        command = ["git", "clone", "--quiet", "--shared", "--no-checkout", str(source), str(clone)]
        subprocess.run(command, check=True)
    return clone


@dataclass(frozen=True, slots=True)
class Ways:
    """What is measured beside the whole ranking; ``aider`` is the Python of an environment that has it, '' for none."""

    has_sides: bool = True
    has_ablations: bool = True
    aider: str = ""


def measured_in(tasks: Sequence[Task], repos: Path, home: Path, ways: Ways) -> Found:
    found = Found(list(tasks))
    sides = all_sides() if ways.has_sides else {}
    by_repo: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        by_repo[task.repo].append(task)
    for name in sorted(by_repo):
        clone = repository(repos, name, home)
        session = Session(start=clone, now=datetime.now(UTC), surface="admin")
        for task in by_repo[name]:
            graph = coding.read(session, task.base, 0, lambda: True)
            _one(found, session, graph, task, ways)
            for side, order in sides.items():
                found.ranks[side][task.id] = rank(order(graph.atlas, task.text), task.gold)
            if ways.aider:
                _with_aider(found, clone, task, ways.aider)
    return found


def _one(found: Found, session: Session, graph: Graph, task: Task, ways: Ways) -> None:
    found.ranks[OURS][task.id] = rank(ranked(session, graph, task), task.gold)
    started = perf_counter()
    ranked(session, graph, task)
    found.seconds.append(perf_counter() - started)
    for part in ranking.WEIGHTS if ways.has_ablations else ():
        with without(part):
            found.ranks[f"- {part}"][task.id] = rank(ranked(session, graph, task), task.gold)


def ranked(session: Session, graph: Graph, task: Task) -> list[str]:
    """As ``context`` orders them, before any budget."""
    wanted, _ = understood(session, ContextCall(task=task.text, at=task.base))
    return [row.path for row in Material(session, graph, wanted).ranked]


@contextmanager
def without(part: str) -> Iterator[None]:
    before = ranking.WEIGHTS
    ranking.WEIGHTS = {**before, part: 0.0}
    try:
        yield
    finally:
        ranking.WEIGHTS = before


def rank(order: Sequence[str], gold: Sequence[str]) -> int:
    """Of the first file that was changed, from 1."""
    return min((place for place, path in enumerate(order, 1) if path in gold), default=_NEVER)


def _with_aider(found: Found, clone: Path, task: Task, python: str) -> None:
    with tempfile.TemporaryDirectory(prefix="aider-") as scratch:
        tree, text, out = Path(scratch) / "tree", Path(scratch) / "task", Path(scratch) / "out"
        git = ["git", "-C", str(clone), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", "--force", str(tree), task.base], check=True)
        text.write_text(task.text, encoding="utf-8")
        script = str(PROJECT / "benchmarks" / "aider_map.py")
        subprocess.run(
            [python, script, str(tree), str(text), str(out), str(_MAP_TOKENS)],
            check=True,
            cwd=scratch,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        told = json.loads(out.read_text(encoding="utf-8"))
        subprocess.run([*git, "remove", "--force", str(tree)], check=True)
    found.ranks["aider, repository map"][task.id] = rank(tests_last(told["order"]), task.gold)


def scores(ranks: Sequence[int]) -> dict[str, float]:
    count = max(1, len(ranks))
    hits = {f"hit@{most}": sum(each <= most for each in ranks) / count for most in (1, 5, 10)}
    return {"MRR": sum(1 / each for each in ranks) / count, **hits}


def intervals(ranks: Sequence[int], measure: Callable[[Sequence[int]], Mapping[str, float]]) -> dict[str, str]:
    """Of 95 %, by drawing the tasks anew; the same draws each time."""
    rng = random.Random(7)
    drawn = [measure(rng.choices(ranks, k=len(ranks))) for _ in range(_DRAWS)]
    found = {}
    for name in drawn[0]:
        values = sorted(each[name] for each in drawn)
        found[name] = f"{values[_DRAWS // 40]:.3f}-{values[-_DRAWS // 40]:.3f}"
    return found


def difference(ours: Sequence[int], theirs: Sequence[int]) -> str:
    """What is gained in MRR, with its interval: the tasks are drawn in pairs."""
    rng = random.Random(7)
    gains = [1 / one - 1 / other for one, other in zip(ours, theirs, strict=True)]
    values = sorted(sum(rng.choices(gains, k=len(gains))) / len(gains) for _ in range(_DRAWS))
    return f"{sum(gains) / len(gains):+.3f} ({values[_DRAWS // 40]:+.3f} to {values[-_DRAWS // 40]:+.3f})"


def table(found: Found) -> str:
    """Markdown: each side with what the whole ranking gains over it, then each language."""
    names = ("MRR", "hit@1", "hit@5", "hit@10")
    lines = [f"| side | tasks | {' | '.join(names)} | MRR gained over it |", "|---|--:|--:|--:|--:|--:|---|"]
    ours = found.ranks[OURS]
    for side, ranks in found.ranks.items():
        rows = list(ranks.values())
        told, around = scores(rows), intervals(rows, scores)
        cells = [f"{told[name]:.3f} ({around[name]})" if side == OURS else f"{told[name]:.3f}" for name in names]
        gained = difference([ours[id_] for id_ in ranks], rows) if side != OURS else ""
        lines.append(f"| {side} | {len(rows)} | {' | '.join(cells)} | {gained} |")
    lines += ["", f"| language | tasks | {' | '.join(names)} |", "|---|--:|--:|--:|--:|--:|"]
    by_lang: dict[str, list[int]] = defaultdict(list)
    for task in found.tasks:
        by_lang[task.lang].append(ours[task.id])
    for lang, rows in sorted(by_lang.items()):
        told = scores(rows)
        lines.append(f"| {lang} | {len(rows)} | {' | '.join(f'{told[name]:.3f}' for name in names)} |")
    median = sorted(found.seconds)[len(found.seconds) // 2] * 1000 if found.seconds else 0
    return "\n".join([*lines, "", f"Ranking one task, warm: {median:.0f} ms (median)."])


def measured(setting: Setting) -> Table:
    """``--data localisation=FOLDER``: it has ``tasks.jsonl`` and ``repos``."""
    folder = setting.data[NAME]
    tasks = tasks_of(folder / "tasks.jsonl", 40 if setting.rounds == 1 else 1)
    found = measured_in(tasks, folder / "repos", setting.home, Ways(has_ablations=False))
    figures = []
    for side, ranks in found.ranks.items():
        for name, value in scores(list(ranks.values())).items():
            limit = FLOORS[name] if side == OURS else None
            figures.append(Figure(NAME, name, sample([value]), "", limit=limit, is_floor=True, note=side))
    command = f"python -m benchmarks {NAME} --data {NAME}=FOLDER"
    return Table(NAME, f"Finding the files of {len(tasks)} tasks", command, tuple(figures), is_grid=True)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.localisation", description=__doc__)
    parser.add_argument("tasks", type=Path)
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR")
    parser.add_argument("--every", type=int, default=1, help="take each so many-th task alone (1)")
    parser.add_argument("--in", dest="home", type=Path, metavar="DIR", help="keep the clones and their caches in DIR")
    parser.add_argument("--aider", default="", metavar="PYTHON", help="of an environment that has aider-chat")
    parser.add_argument("--only", action="store_true", help="without sides and without ablations")
    args = parser.parse_args(argv)
    ways = Ways(not args.only, not args.only, args.aider)
    with tempfile.TemporaryDirectory(prefix="gitmem-bench-") as scratch:
        home = args.home or Path(scratch)
        home.mkdir(parents=True, exist_ok=True)
        found = measured_in(tasks_of(args.tasks, args.every), args.repos, home, ways)
    told = scores(list(found.ranks[OURS].values()))
    missed = [name for name, floor in FLOORS.items() if told[name] < floor]
    print(table(found) + (f"\n\nUNDER the goal: {', '.join(missed)}" if missed else ""))
    return int(bool(missed) and args.every == 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
