"""Upkeep that runs by itself: beside a server, and as long as ``gitmem watch`` does; it leaves when it is told to."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest

from gitmem.mcp.tending import Pace, tend
from gitmem.store.repo import discover
from gitmem.upkeep import watch as watching
from gitmem.upkeep.child import NICE
from gitmem.upkeep.watch import is_of_others
from tests.support import commit_all, git, run_inproc, write_tree
from tests.upkeep.tended import item, session, vault

SMALL = {".gitmem/config.yaml": "format: 1\n", ".gitmem/engrams/a/one.md": item(1, "One", "It is one.\n")}
SECONDS = 60.0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault(tmp_path / "repo", SMALL)


@pytest.fixture
def watcher(root: Path) -> Iterator[subprocess.Popen[bytes]]:
    """``gitmem watch`` with a pipe as its standard input."""
    command = [sys.executable, "-P", "-m", "gitmem", "watch"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=root, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        yield process
        process.kill()


def until(what: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def stages(root: Path) -> list[str]:
    """The runs on record, the oldest first."""
    ran = run_inproc(root, "journal", "show", "--kind", "maintenance", "--json")
    return [row["data"]["stage"] for row in reversed(json.loads(ran.out)["events"])]


@pytest.mark.capability("M-052")
def test_a_watcher_runs_what_is_due_and_leaves_when_its_pipe_closes(
    root: Path, watcher: subprocess.Popen[bytes]
) -> None:
    until(lambda: stages(root) == ["rem", "deep", "light"])
    assert watcher.stdin is not None
    watcher.stdin.close()

    assert watcher.wait(SECONDS) == 0


def test_a_watcher_leaves_when_it_is_told_to(root: Path, watcher: subprocess.Popen[bytes]) -> None:
    until(lambda: stages(root)[:1])
    watcher.send_signal(signal.SIGTERM)

    assert watcher.wait(SECONDS) == 0


def test_only_another_tree_is_a_change_whatever_hints_say(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    def start(_root: Path, word: str) -> "Ended":
        started.append(word)
        return Ended()

    monkeypatch.setattr(watching.child, "start", start)
    asked = session(root)
    post = watching._Post(asked, watching.read(asked.place).tree, asked=0.0)
    git(root, "update-ref", "refs/gitmem/other", "HEAD")
    (root / ".gitmem/engrams/a/one.md").write_text("being written")
    watching.look(post, 20.0)
    before = list(started)
    write_tree(root, SMALL | {".gitmem/engrams/a/two.md": item(2, "Two", "It is two.\n")})
    commit_all(root, "two")
    watching.look(post, 25.0)
    watching.look(post, 30.0)
    watching.look(post, 61.0)

    assert (before, started) == ([], ["light", "--due"])


class Ended:
    """A run that is over."""

    def poll(self) -> int:
        return 0


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("HEAD", True),
        ("packed-refs", True),
        ("refs/heads/main", True),
        ("refs/heads/a/b", True),
        ("refs/remotes/origin/main", True),
        ("refs/heads/main.lock", False),
        ("HEAD.lock", False),
        ("refs/gitmem/proposals/ab/X", False),
        ("gitmem/journal/X.jsonl", False),
        ("index", False),
    ],
)
def test_locks_and_files_of_our_own_are_no_hint(root: Path, name: str, wanted: bool) -> None:
    repo = discover(root)

    assert is_of_others(repo, repo.common_dir / name) is wanted


def test_who_switched_upkeep_off_is_not_watched(root: Path) -> None:
    git(root, "config", "gitmem.upkeep", "off")

    ran = run_inproc(root, "watch")

    assert (ran.code, "upkeep-off" in ran.out) == (0, True)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="priorities of other processes are read from /proc")
@pytest.mark.capability("M-052")
def test_a_server_that_nobody_asks_tends_in_a_child_of_low_priority(root: Path) -> None:
    seen: list[int] = []

    async def beside() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(tend, lambda: True, lambda: root, Pace(0.0, 0.05))
            with anyio.fail_after(SECONDS):
                while not seen or stages(root)[-1:] != ["light"]:
                    seen.extend(priorities())
                    await anyio.sleep(0.05)
            group.cancel_scope.cancel()

    anyio.run(beside)

    assert seen[-1] >= NICE


def priorities() -> list[int]:
    """Of the children of this process that are at upkeep."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if b"maintain" in words and parent == os.getpid():
            found.append(os.getpriority(os.PRIO_PROCESS, int(folder.name)))
    return found


def test_a_busy_server_is_left_alone(root: Path) -> None:
    async def beside() -> None:
        with anyio.move_on_after(0.3):
            await tend(lambda: False, lambda: root, Pace(0.0, 0.05))

    anyio.run(beside)

    assert stages(root) == []
