"""Clones around a bare repository, their clock, and how a step is done, cut off or killed. Refuses to choose steps."""

import json
import os
import random
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gitmem.answers.doctor import DoctorCall, doctor
from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from gitmem.model.ids import ulid
from tests.answers.team import START
from tests.support import commit_all, git, run_program, write_tree
from tests.team.atoms import Reader
from tests.team.memory import Memory, View

if sys.platform == "win32":
    raise ImportError("killing is done by signals here")

START_TIME = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
OWN = "refs/gitmem/"
DIRT = "print('not committed')\n"
Answer = dict[str, object]


@dataclass
class Seat:
    """One person's clone; ``has_driver``: `git pull` there calls the merge driver."""

    name: str
    root: Path
    reader: Reader
    has_driver: bool = False

    def git(self, *words: str) -> str:
        return git(self.root, *words)

    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()

    def view(self, commit: str = "HEAD") -> View:
        return self.reader.at(self.root, commit)

    def refs(self, prefix: str = OWN) -> dict[str, str]:
        rows = self.git("for-each-ref", "--format=%(refname) %(objectname)", prefix).splitlines()
        return {name: oid for name, oid in (row.split(" ") for row in rows)}

    def open(self) -> dict[str, str]:
        """Tips of the proposals that wait, by id."""
        return {name.rpartition("/")[2]: oid for name, oid in self.refs(f"{OWN}proposals/").items()}


@dataclass
class State:
    """A clone at one moment."""

    head: str
    view: View
    refs: dict[str, str]


@dataclass
class Deed:
    """``do`` may run in another process: what it acknowledges is JSON. ``judge`` gets that, and the state before and
    after. ``may_refuse`` are codes of errors that people meet; with ``leaves`` a refused one may have begun."""

    name: str
    do: Callable[[], Answer]
    judge: Callable[[Answer, State, State], None]
    may_refuse: frozenset[str] = frozenset()
    leaves: bool = False


@dataclass
class World:
    folder: Path
    seed: int
    draw: random.Random = field(init=False)
    now: datetime = START_TIME
    number: int = 0
    seats: list[Seat] = field(default_factory=list)
    memory: Memory = field(default_factory=Memory)
    counts: Counter[str] = field(default_factory=Counter)
    spent_s: dict[str, float] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    is_cut_off: bool = False
    scanned: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)

    @property
    def remote(self) -> Path:
        return self.folder / "remote.git"

    def note(self, line: str) -> None:
        """For whoever watches a long run, or asks afterwards what had happened."""
        self.log.append(line)
        with (self.folder / "steps.txt").open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def tick(self) -> None:
        self.now += timedelta(minutes=self.draw.randint(1, 30), milliseconds=self.draw.randint(1, 900))

    def session(self, seat: Seat) -> Session:
        return Session(seat.root, self.now)

    def fresh(self) -> int:
        self.number += 1
        return self.number

    def id(self) -> str:
        return ulid(int(self.now.timestamp() * 1000), self.draw.randbytes(10))

    def chance(self, percent: float) -> bool:
        return self.draw.random() * 100 < percent

    def state(self, seat: Seat) -> State:
        head = seat.head()
        return State(head, seat.view(head), seat.refs())

    @contextmanager
    def cut_off(self) -> Iterator[None]:
        """The remote is not in reach."""
        away = self.remote.with_name("away.git")
        self.remote.rename(away)
        self.is_cut_off = True
        try:
            yield
        finally:
            self.is_cut_off = False
            away.rename(self.remote)

    def perform(self, seat: Seat, deed: Deed, *, is_killed: bool = False) -> str:
        """What came of it: done, killed or the code of the refusal."""
        before = self.state(seat)
        self.counts[f"step {deed.name}"] += 1
        if is_killed:
            return self.killed(seat, deed, before)
        began = time.monotonic()
        try:
            answer = deed.do()
        except GitmemError as err:
            self.refused(seat, deed, before, err)
            return err.code
        self.spent_s[deed.name] = time.monotonic() - began
        deed.judge(answer, before, self.state(seat))
        return "done"

    def refused(self, seat: Seat, deed: Deed, before: State, err: GitmemError) -> None:
        assert err.code in deed.may_refuse, f"{deed.name} in {seat.name}: {err.code}: {err.message} [{err.place}]"
        self.counts[f"refused {deed.name}: {err.code}"] += 1
        after = self.state(seat)
        if not deed.leaves:
            assert (after.head, after.refs) == (before.head, before.refs), f"{deed.name} was refused and did something"

    def killed(self, seat: Seat, deed: Deed, before: State) -> str:
        """Kills the step somewhere on its way; then the next command must work."""
        delay_s = self.draw.random() * self.spent_s.get(deed.name, 0.2)
        answer = kill_after(deed.do, delay_s, self.folder)
        self.counts["kills"] += answer is None
        if answer is not None:
            deed.judge(answer, before, self.state(seat))
            return "done"
        if self.chance(50):
            # As somebody does who sees nothing happen: the same again.
            try:
                deed.do()
            except GitmemError as err:
                self.counts[f"after a kill, {deed.name}: {err.code}"] += 1
        doctor(self.session(seat), DoctorCall(fix=True))
        self.commit_rest(seat)
        after = self.state(seat)
        self.memory.may_have_written(before.view, after.view)
        return "killed"

    def commit_rest(self, seat: Seat) -> None:
        """A command that writes files for its user to commit may have been killed before that."""
        seat.git("add", "--all", ".gitmem")
        if seat.git("diff", "--cached", "--name-only"):
            seat.git("commit", "--quiet", "--message", "what was left")


def world(folder: Path, seed: int, names: tuple[str, ...] = ("ada", "bob")) -> World:
    made = World(folder, seed)
    first = folder / "first"
    first.mkdir()
    git(first, "init", "--quiet", "--initial-branch=main")
    write_tree(
        first, {**START, ".gitmem/config.yaml": "format: 1\ntrust: main\n", ".gitmem/.gitattributes": attributes()}
    )
    commit_all(first, "start")
    git(folder, "clone", "--quiet", "--bare", str(first), "remote.git")
    reader = Reader()
    for name in names:
        made.seats.append(seat(made, name, reader))
    made.memory.must |= made.seats[0].view()
    return made


def attributes() -> str:
    from_kinds = "engrams/**/*.md", "synapses/**/*.yaml", "layers.yaml", "tags.yaml", "config.yaml"
    return "* text eol=lf diff -filter\n" + "".join(f"{each} merge=gitmem\n" for each in from_kinds)


def seat(made: World, name: str, reader: Reader) -> Seat:
    git(made.folder, "clone", "--quiet", str(made.remote), name)
    root = made.folder / name
    own(root, name)
    (root / "src/app.py").write_text(DIRT, encoding="utf-8")
    return Seat(name, root, reader)


def own(root: Path, name: str) -> None:
    git(root, "config", "user.name", name.title())
    git(root, "config", "user.email", f"{name}@example.org")


def kill_after(action: Callable[[], Answer], delay_s: float, folder: Path) -> Answer | None:
    """Runs ``action`` in a child that is killed after a while; None when it did not come to its end.

    The Git that it had started goes on alone, as after any kill, and has ended below ``folder`` on return.
    """
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os.close(read)
        child_runs(action, write)
    os.close(write)
    time.sleep(delay_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read()
    while is_busy(folder):
        time.sleep(0.005)
    answer = json.loads(said) if said.endswith(b"\n") else None
    assert not (isinstance(answer, dict) and "trace" in answer), answer["trace"]
    return None if answer is None or "refused" in answer else answer


def child_runs(action: Callable[[], Answer], pipe: int) -> None:
    try:
        said: Answer = action()
    except GitmemError as err:
        said = {"refused": err.code}
    except BaseException:  # noqa: BLE001  the edge of this process
        said = {"trace": traceback.format_exc()}
    os.write(pipe, json.dumps(said).encode() + b"\n")
    os._exit(0)


def is_busy(folder: Path) -> bool:
    """Whether a process works below a folder: Git goes on when whoever started it is gone."""
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):
            if link.readlink().is_relative_to(folder):
                return True
    return False


def try_git(root: Path, *words: str) -> int:
    return run_program(root, "git", *words).code
