"""Git's gc beside writers, and the strictest gc after them: what was acknowledged is there."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.closing import CommentCall, RejectCall, comment, reject
from gitmem.answers.composing import NewCall
from gitmem.answers.propose import ProposeNewCall, propose_new
from tests.fault.crowd import together
from tests.support import git, run_program
from tests.team.acts import fields_of, new_call
from tests.team.judge import all_meet, is_sound
from tests.team.world import World, world

GC = """\
while [ ! -e stop ]; do
    git reflog expire --expire=now --all
    git gc --quiet
    git repack -a -d -q
    git pack-refs --all --prune
    git prune --expire=1.hour.ago
    echo round >> rounds
done
"""


@contextmanager
def gc(root: Path, folder: Path) -> Iterator[None]:
    """Packs and prunes again and again while the block runs."""
    folder.mkdir()
    env = {**os.environ, "GIT_DIR": str(root / ".git")}
    process = subprocess.Popen(["sh", "-c", GC], cwd=folder, env=env, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        (folder / "stop").touch()
        process.wait(60)


def busy(made: World, calls: list[NewCall], said: Path) -> None:
    """Proposes, and comments on, approves or declines what it proposed; writes down what was acknowledged."""
    seat = made.seats[0]
    for number, call in enumerate(calls):
        made.tick()
        done = propose_new(made.session(seat), ProposeNewCall(**fields_of(call)))
        assert done.proposal
        acknowledge(said, "tip", done.proposal, seat.git("rev-parse", done.ref).strip())
        comment(made.session(seat), CommentCall(done.proposal, f"word {call.title}"))
        acknowledge(said, "word", done.proposal, f"word {call.title}")
        if number % 3 == 0:
            approve(made.session(seat), ApproveCall((f"{done.proposal}@{done.patchset}",)))
            acknowledge(said, "decided", done.proposal, "")
        elif number % 3 == 1:
            reject(made.session(seat), RejectCall((done.proposal,), "no"))


def acknowledge(said: Path, *words: str) -> None:
    with said.open("a", encoding="utf-8") as file:
        file.write("\t".join(words) + "\n")


def remember(made: World, said: Path) -> None:
    for line in said.read_text(encoding="utf-8").splitlines():
        what, id_, text = line.split("\t")
        if what == "tip":
            made.memory.proposed(id_, text)
        elif what == "word":
            made.memory.said(id_, text)
        else:
            made.memory.decided.add(id_)


def run_beside_gc(folder: Path, writers: int, each: int) -> None:
    made = world(folder, 3)
    seat = made.seats[0]
    calls = [[new_call(made) for _ in range(each)] for _ in range(writers)]
    files = [folder / f"said-{number}" for number in range(writers)]
    for number, own in enumerate(calls):
        calls[number] = [call for call in own if "Shared" not in call.title]
    before = seat.view()

    with gc(seat.root, folder / "gc"):
        together([lambda own=own, file=file: busy(made, own, file) for own, file in zip(calls, files, strict=True)])  # type: ignore[misc]

    assert (folder / "gc/rounds").read_text(encoding="utf-8")
    for file in files:
        remember(made, file)
    made.memory.wrote(before, seat.view())
    git(seat.root, "reflog", "expire", "--expire=now", "--all")
    git(seat.root, "gc", "--quiet", "--prune=now")
    is_sound(seat.root)
    all_meet(made)
    assert run_program(made.remote, "git", "gc", "--quiet", "--prune=now").code == 0
    is_sound(made.remote)


def test_gc_beside_two_writers_loses_nothing(tmp_path: Path) -> None:
    run_beside_gc(tmp_path, writers=2, each=2)


@pytest.mark.long
def test_gc_beside_four_writers_loses_nothing(tmp_path: Path) -> None:
    run_beside_gc(tmp_path, writers=4, each=40)
