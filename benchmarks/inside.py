"""What is timed inside one process, each in a fresh one: `python -m benchmarks.inside NAME ...` prints samples as JSON.

Refuses to keep anything from an earlier call. Times are milliseconds, CPU means this process and its Git children.
"""

import json
import resource
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import yaml

from benchmarks import loops, proposals
from benchmarks.change import an_engram, commit_change, merge
from gitmem.answers import assembly, gathered, gathering
from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.assessing import FeedbackCall
from gitmem.answers.attempts import attempts_on
from gitmem.answers.checking import CheckCall, check
from gitmem.answers.compile import CompileCall, compile_context, to_request
from gitmem.answers.counting import of_team
from gitmem.answers.feedback import feedback
from gitmem.answers.proposals import ListCall, list_proposals
from gitmem.answers.propose import ProposeNewCall, propose_new
from gitmem.answers.reading import Place, Session, knowledge_at, open_place, read
from gitmem.answers.recall import RecallCall, recall
from gitmem.globs import dialect, trie
from gitmem.index import parse
from gitmem.model.compiled import Compiled
from gitmem.model.event import FEEDBACK, Event
from gitmem.model.plain import Plain
from gitmem.record import replace
from gitmem.store import git, journal, objects, segments, spool

Samples = dict[str, list[float]]
Timed = Callable[[], object]
_ITEMS = 6


def _cpu_ms() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return (own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime) * 1000


def _timed(action: Timed) -> tuple[float, float]:
    """Wall and CPU milliseconds of one call."""
    wall, spent = time.perf_counter(), _cpu_ms()
    action()
    return (time.perf_counter() - wall) * 1000, _cpu_ms() - spent


def _rounds(actions: Mapping[str, Timed], count: int) -> Samples:
    """Every action once a round; the first round warms up and is not counted."""
    found: Samples = {f"{name}.{unit}": [] for name in actions for unit in ("wall", "cpu")}
    for number in range(count + 1):
        for name, action in actions.items():
            wall, spent = _timed(action)
            if number:
                found[f"{name}.wall"].append(wall)
                found[f"{name}.cpu"].append(spent)
    return found


def _compile(place: Place, root: Path, call: CompileCall) -> Compiled:
    return compile_context(Session(root, datetime.now(UTC), held=place), call)


def _brought(compiled: Compiled) -> list[float]:
    """How many rules concern the files, listed or counted."""
    base = compiled.base
    return [float(len(base.documents) + len(base.templates) + sum(row.count for row in base.more))]


def compile_again(where: str, count: str, *files: str) -> Samples:
    """A compile in a process that has compiled before."""
    root = Path(where)
    place, call = open_place(root), CompileCall(files=files)
    found = _rounds({"compile": lambda: _compile(place, root, call)}, int(count))
    return found | {"rules": _brought(_compile(place, root, call))}


def warm(where: str, count: str, *files: str) -> Samples:
    """A compile in a process that has compiled before, its parts, and loops over all rules beside it."""
    root = Path(where)
    place, call = open_place(root), CompileCall(files=files)
    brought = _brought(_compile(place, root, call))
    reading = read(place)
    knowledge = knowledge_at(place, reading.tree).knowledge
    request = to_request(call, files)
    actions: dict[str, Timed] = {
        "compile": lambda: _compile(place, root, call),
        "pure": lambda: assembly.compile_rules(place.bodies, knowledge, request, ()),
        "match": lambda: [knowledge.matching(file) for file in files],
    }
    found = _rounds(actions, int(count))
    ruled = loops.rules(loops.headers(root))
    for name, side in (("pathspec", loops.by_pathspec), ("wcmatch", loops.by_wcmatch), ("dialect", loops.by_dialect)):
        tests = loops.compiled(ruled, side)
        found |= _rounds({f"loop.{name}": partial(loops.matching, tests, files)}, 5)
    disk = {"pathspec": loops.by_pathspec, "wcmatch": loops.by_wcmatch}
    found |= _rounds({f"disk.{name}": partial(loops.from_disk, root, files, side) for name, side in disk.items()}, 3)
    return found | {"rules": brought, "pairs": [float(loops.matching(tests, files))]}


# A fresh look at the work tree on both sides: whether one is kept for two seconds must not enter the difference.
def refresh(where: str, count: str, *files: str) -> Samples:
    """The first compile after a commit that changed one engram, less the one after it, in one process."""
    root = Path(where)
    place, call = open_place(root), CompileCall(files=files, notices="fresh")
    _compile(place, root, call)
    changed = an_engram(root)
    found: Samples = {"first.wall": [], "first.cpu": [], "second.wall": [], "second.cpu": []}
    for number in range(int(count) + 1):
        commit_change(root, changed, f"in process {number}")
        for name in ("first", "second"):
            wall, spent = _timed(lambda: _compile(place, root, call))
            if number:
                found[f"{name}.wall"].append(wall)
                found[f"{name}.cpu"].append(spent)
    return found


def headers(where: str) -> Samples:
    """PyYAML's C loader over the headers of all engrams, which are in memory; and our parse of the same files."""
    place = open_place(Path(where))
    tree = objects.look_up(place.repo, ["HEAD:.gitmem"])[0]
    assert tree is not None
    entries = [entry for entry in objects.list_tree(place.repo, tree[0]) if entry.rel.startswith("engrams/")]
    blobs = dict(objects.read_blobs(place.repo, [entry.oid for entry in entries]))
    texts = [blobs[entry.oid].split(b"---\n", 2)[1] for entry in entries]

    def load() -> None:
        for text in texts:
            yaml.load(text, Loader=yaml.CSafeLoader)

    def cards() -> None:
        for entry in entries:
            parse.card_of(entry, blobs[entry.oid])

    return {"yaml": [_timed(load)[1]], "cards": [_timed(cards)[1]]}


def globs(count: str, number: str) -> Samples:
    """Many patterns against few paths, and a few hundred against one long path."""
    patterns = [(f"src/mod{n % 400}/{'**/' * (n % 3)}*{n}*.t{'s' * (n % 2 + 1)}", n) for n in range(int(number))]
    paths = [f"src/mod{n}/pkg{n}/deep/file{n}.ts" for n in range(5)]
    buckets = trie.build(patterns)
    long = "a/" * 16_384 + "a" * 32_768
    heavy = [f"{'**/' * (n % 9 + 1)}*a*{'a*' * (n % 5)}b{n}" for n in range(200)]
    for pattern in heavy:
        dialect.matches(pattern, "a")
    return _rounds(
        {
            "build": lambda: trie.build(patterns),
            "trie": lambda: [
                trie.match(buckets[key], key, path)
                for path in paths
                for key in trie.lookup_keys(path)
                if key in buckets
            ],
            "loop": lambda: [dialect.matches(pattern, path) for pattern, _ in patterns for path in paths],
            "long": lambda: trie.first_matches(heavy, [long]),
            "longs": lambda: [dialect.matches(pattern, long) for pattern in heavy],
        },
        int(count),
    )


def review(where: str, count: str, number: str) -> Samples:
    """The list of proposals, a new one, an approval, and the merge of another proposal's commit by Git."""
    root = Path(where)
    tips = proposals.proposed(root, int(number))
    place = open_place(root)
    (place.cache.folder or root).joinpath("proposals-2").unlink(missing_ok=True)
    every = ListCall(limit=1000)
    cold, spent = _timed(lambda: list_proposals(Session(root, datetime.now(UTC), held=place), every))
    rows = list_proposals(Session(root, datetime.now(UTC), held=place), every).proposals
    waiting = iter([f"{row.id}@{row.patchset}" for row in rows])
    merging = iter(reversed(tips))
    texts = (f"Thing number {n} of {time.time_ns()}" for n in range(1 << 20))

    def propose() -> object:
        title = next(texts)
        call = ProposeNewCall("fact", title, body=f"{title} is so.\n", tag=("measured",))
        return propose_new(Session(root, datetime.now(UTC), held=place), call)

    cold_likeness = _rounds({"unsketched": propose}, 3)
    check(Session(root, datetime.now(UTC), held=place), CheckCall(alike=True))
    found = _rounds(
        {
            "list": lambda: list_proposals(Session(root, datetime.now(UTC), held=place), every),
            "propose": propose,
            "approve": lambda: approve(Session(root, datetime.now(UTC), held=place), ApproveCall((next(waiting),))),
            "merge": lambda: merge(root, next(merging)),
        },
        int(count),
    )
    return found | cold_likeness | {"cold.wall": [cold], "cold.cpu": [spent]}


def recalled(where: str, count: str, file: str) -> Samples:
    """The first recall of a history, later ones, one after a commit, and what compile asks; beside two logs of Git."""
    root = Path(where)
    place = open_place(root)
    (place.cache.folder or root).mkdir(parents=True, exist_ok=True)
    for path in (place.cache.folder or root).glob("history-*"):
        path.unlink()

    def ask(**over: object) -> object:
        return recall(Session(root, datetime.now(UTC), held=place), RecallCall(**over))  # type: ignore[arg-type]

    def logged(*args: str) -> object:
        return git.run(root, ("log", "--all", "--format=%H", *args))

    def warned() -> object:
        return attempts_on(place, [file], datetime.now(UTC))

    wall, spent = _timed(ask)
    actions: dict[str, Timed] = {
        "file": lambda: ask(files=(file,)),
        "text": lambda: ask(text="retries of the upload"),
        "grep": lambda: logged("-i", "--grep=revert"),
        "log": lambda: logged("--", file),
        "notice": warned,
    }
    found = _rounds(actions, int(count)) | {"first.wall": [wall], "first.cpu": [spent]}
    for number in range(min(3, int(count))):
        commit_change(root, root / file, f"measured {number}")
        found.setdefault("moved.wall", []).append(_timed(ask)[0])
        found.setdefault("notice_cold.cpu", []).append(_timed(warned)[1])
    return found


def recorded(where: str, count: str, events: str, *files: str) -> Samples:
    """Events appended, a compile with the journal on and off, and a whole journal read again and again."""
    root = Path(where)
    place, call = open_place(root), CompileCall(files=files)
    unrecorded = replace(place, git_config={**place.git_config, "gitmem.journal": ("off",)})
    shutil.rmtree(journal.folder_of(place.repo), ignore_errors=True)
    _compile(place, root, call)
    (sample,) = spool.entries(place.repo)
    event, now = (
        Event(sample.kind, {**sample.data, "items": _few(sample.data["items"])}, agent="measured"),
        datetime.now(UTC),
    )
    journal.append(place.repo, event, now)
    line = spool.paths(place.repo)[0].read_bytes().splitlines(keepends=True)[-1]
    beside = (root / ".git" / "gitmem" / "beside").open("ab", buffering=0)
    found = _rounds(
        {
            "append": lambda: [journal.append(place.repo, event, now) for _ in range(100)],
            "write": lambda: [beside.write(line) for _ in range(100)],
        },
        int(count),
    )
    found = {name: [value / 100 for value in values] for name, values in found.items()}
    beside.close()
    found |= _rounds(
        {"compile": lambda: _compile(place, root, call), "unrecorded": lambda: _compile(unrecorded, root, call)},
        4 * int(count),
    )
    shutil.rmtree(journal.folder_of(place.repo))
    for number in range(int(events)):
        if number % 500 == 0:
            journal.rotate(place.repo)
        journal.append(place.repo, event, now)
    session = Session(root, now, held=place)
    read_again: dict[str, Timed] = {
        "tally": lambda: of_team(session),
        "json": lambda: [segments.rows(path.read_bytes().split(b"\n")[:-1]) for path in spool.paths(place.repo)],
        "entries": lambda: spool.entries(place.repo),
        "uses": lambda: _gathered(session, is_kept=False),
        "kept": lambda: _gathered(session, is_kept=True),
    }
    found |= _rounds(read_again, min(5, int(count)))
    return found | _rounds(_said(session), 10 * int(count)) | {"bytes": [float(len(line))]}


def _gathered(session: Session, *, is_kept: bool) -> None:
    """What a new process does: it has read nothing, and finds what was kept or not."""
    gathering.held.clear()
    if not is_kept:
        (journal.folder_of(session.place.repo) / gathered.NAME).unlink(missing_ok=True)
    gathering.gather(session)


def _said(session: Session) -> dict[str, Timed]:
    """Feedback on one item, and one line that is appended for good and nothing else."""
    item = next(
        card.slug for card in knowledge_at(session.place, read(session.place).tree).knowledge.cards() if card.id
    )
    event = Event(FEEDBACK, {"items": [item], "outcome": "helped"})
    return {
        "feedback": lambda: feedback(session, FeedbackCall(item, "helped")),
        "durable": lambda: journal.append(session.place.repo, event, session.now, durable=True),
        "news": lambda: (journal.append(session.place.repo, event, session.now), gathering.gather(session)),
    }


def _few(items: object) -> Plain:
    """What a compile of one or two files tells of: the rules made here concern hundreds at once."""
    assert isinstance(items, dict)
    return {name: ids[:_ITEMS] for name, ids in items.items()}


NAMED: dict[str, Callable[..., Samples]] = {
    "compile": compile_again,
    "warm": warm,
    "refresh": refresh,
    "headers": headers,
    "globs": globs,
    "review": review,
    "recall": recalled,
    "journal": recorded,
}

if __name__ == "__main__":
    print(json.dumps(NAMED[sys.argv[1]](*sys.argv[2:])))
