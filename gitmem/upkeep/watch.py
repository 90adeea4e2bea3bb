"""Upkeep for as long as somebody lets it run: at changes of the knowledge, and when a stage is due.

What the system says about files is a hint to look, and nothing more: only another tree is a change. Refuses to outlive
whoever started it, and to take its own files for a change.
"""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import watchfiles

from gitmem.answers.reading import read
from gitmem.answers.session import Session, decides
from gitmem.model.finding import Notice
from gitmem.record import field, record, state
from gitmem.store.repo import Repo
from gitmem.upkeep import child
from gitmem.upkeep.maintain import SETTING, is_on
from gitmem.upkeep.schedule import LIGHT

# Whatever hints say, it is looked at least so often, and so often asked what is due.
LOOK_S, DUE_S = 5.0, 60.0
# Many commits in a row are looked at once.
REST_S = 10.0
_READ_BYTES = 1 << 12
_NAMES = frozenset({"HEAD", "packed-refs"})


@record
class WatchCall:
    pass


@record
class Watched:
    """How often upkeep was started until the end came."""

    runs: int
    warnings: tuple[Notice, ...] = ()


@state
class _Post:
    """Where it stands: the tree that was seen last, the run that goes on, and when runs began, in seconds."""

    session: Session
    tree: str = ""
    process: subprocess.Popen[bytes] | None = None
    began: float = -REST_S
    asked: float = -DUE_S
    runs: int = 0
    warnings: list[Notice] = field(default_factory=list)


def watch(session: Session, call: WatchCall) -> Watched:
    """Runs until SIGTERM, Ctrl-C, or the end of a pipe that is its standard input."""
    decides(session)
    if not is_on(session):
        return Watched(0, (Notice("upkeep-off", f"git config {SETTING} is off here"),))
    post = _Post(session, read(session.place).tree)
    with _told_to_leave() as left:
        try:
            for _ in _hints(session.place.repo, left, post.warnings.append):
                look(post, time.monotonic())
        finally:
            if post.process is not None:
                child.stop(post.process)
    return Watched(post.runs, tuple(post.warnings))


def look(post: _Post, now_s: float) -> None:
    """Starts what there is reason for, one at a time."""
    if post.process is not None and post.process.poll() is None:
        return
    tree = read(post.session.place).tree
    if tree != post.tree and now_s - post.began >= REST_S:
        post.tree = tree
        _start(post, now_s, LIGHT)
    elif now_s - post.asked >= DUE_S:
        post.asked = now_s
        _start(post, now_s, "--due")


def _start(post: _Post, now_s: float, word: str) -> None:
    post.process = child.start(post.session.place.repo.where, word)
    post.began = now_s
    post.runs += 1


def _hints(repo: Repo, left: threading.Event, warn: Callable[[Notice], None]) -> Iterator[None]:
    """Something may have changed, or some seconds have passed."""
    folders = [path for path in _folders(repo) if path.is_dir()]
    yield
    try:
        for _ in watchfiles.watch(
            *folders,
            watch_filter=lambda _, path: is_of_others(repo, Path(path)),
            stop_event=left,
            rust_timeout=int(LOOK_S * 1000),
            yield_on_timeout=True,
            recursive=False,
        ):
            if not left.is_set():
                yield
    except (OSError, RuntimeError) as err:
        warn(Notice("no-hints", f"changes are seen some seconds late: {err}", str(repo.git_dir)))
    while not left.wait(LOOK_S):
        yield


def _folders(repo: Repo) -> list[Path]:
    """Where Git writes when a branch moves."""
    remotes = repo.common_dir / "refs" / "remotes"
    names = sorted(remotes.iterdir()) if remotes.is_dir() else []
    return list(dict.fromkeys([repo.git_dir, repo.common_dir, repo.common_dir / "refs" / "heads", *names]))


def is_of_others(repo: Repo, path: Path) -> bool:
    """Whether a change may be one of the knowledge: a branch or HEAD, and no lock, journal, cache or ref of ours."""
    refs = repo.common_dir / "refs"
    is_branch = refs / "heads" in path.parents or refs / "remotes" in path.parents
    return path.suffix != ".lock" and (is_branch or path.name in _NAMES)


@contextmanager
def _told_to_leave() -> Iterator[threading.Event]:
    left = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: left.set())
    if _is_pipe(0):
        threading.Thread(target=_read_to_end, args=(left,), daemon=True).start()
    try:
        yield left
    finally:
        signal.signal(signal.SIGTERM, before)


def _is_pipe(handle: int) -> bool:
    """A terminal or an empty file says nothing about who waits at the other end."""
    try:
        mode = os.fstat(handle).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _read_to_end(left: threading.Event) -> None:
    while _read():
        pass
    left.set()


def _read() -> bytes:
    try:
        return os.read(0, _READ_BYTES)
    except OSError:
        return b""
