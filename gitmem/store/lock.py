"""The lock between gitmem's own writers, released by the kernel when its holder dies. Refuses to make readers wait."""

import errno
import os
import stat
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.store import disk
from gitmem.store.repo import Repo

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_PAUSE_S = 0.002
# Locks that a thread of this process holds: asking again for one's own would wait for oneself. The process is part
# of it, since a forked child has the memory of its parent but none of its promises.
_HELD: set[tuple[int, int, int, int]] = set()


class LockBusyError(GitmemError):
    """Another process kept a lock for longer than we may wait."""

    code = "lock-busy"


@contextmanager
def held(repo: Repo, name: str = "write", timeout_s: float = 10.0) -> Iterator[None]:
    """Holds the lock ``name`` of all worktrees of ``repo``; a thread that has it already goes on at once.

    Never held across an ``await``: another task of the same thread would take it for its own.
    """
    path = lock_path(repo, name)
    with disk.naming(path):
        handle = _open(path)
    found = os.fstat(handle)
    mine = (os.getpid(), threading.get_ident(), found.st_dev, found.st_ino)
    try:
        with nullcontext() if mine in _HELD else _taken(handle, path, mine, timeout_s):
            yield
    finally:
        os.close(handle)


@contextmanager
def _taken(handle: int, path: Path, mine: tuple[int, int, int, int], timeout_s: float) -> Iterator[None]:
    _wait(handle, path, timeout_s)
    _HELD.add(mine)
    try:
        yield
    finally:
        _HELD.discard(mine)
        _release(handle)


def lock_path(repo: Repo, name: str = "write") -> Path:
    return repo.private_dir / f"{name}.lock"


def _open(path: Path) -> int:
    disk.private_folder(path.parent)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | disk.NO_FOLLOW | disk.NO_WAIT | disk.BINARY, 0o600)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FileExistsError(errno.EEXIST, "not a regular file", str(path))
    return handle


def _wait(handle: int, path: Path, timeout_s: float) -> None:
    end = time.monotonic() + timeout_s
    while not _try(handle):
        if time.monotonic() >= end:
            raise LockBusyError(
                f"another gitmem process has been writing here for {timeout_s:g} seconds",
                hint="let it end, then try again; the lock goes with its process and needs no cleaning up",
                place=str(path),
            )
        # Uneven pauses, so that waiting processes do not come back all at once.
        time.sleep(_PAUSE_S * (1 + os.urandom(1)[0] / 64))


if sys.platform == "win32":

    def _try(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _release(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:

    def _try(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _release(handle: int) -> None:
        # Said aloud: a forked child may have the same open file, and closing ours would leave it locked.
        fcntl.flock(handle, fcntl.LOCK_UN)
