"""Lock files that a dead Git process left behind. Refuses to touch one that is young or open."""

import logging
import os
from contextlib import suppress
from pathlib import Path

from gitmem.store import disk
from gitmem.store.lock import lock_path
from gitmem.store.repo import Repo

OLD_S = 600.0
_PROCESSES = Path("/proc")

log = logging.getLogger(__name__)


def set_aside(repo: Repo, lock: Path) -> bool:
    """Moves ``lock`` away when it is old and nobody is seen to have it open. The caller holds our own lock."""
    try:
        written = os.lstat(lock).st_mtime
    except FileNotFoundError:
        return True
    if _file_system_time(repo) - written < OLD_S or _is_open(lock):
        return False
    folder = disk.private_folder(disk.private_folder(repo.private_dir) / "stale-locks")
    kept = folder / f"{lock.name}-{int(written)}-{os.urandom(4).hex()}"
    disk.replace(lock, kept)
    log.warning("%s was left by a process that is gone; it is now %s", lock, kept)
    return True


def _file_system_time(repo: Repo) -> float:
    """Ages are differences of times of one file system, which may not agree with this machine's clock."""
    ours = lock_path(repo)
    os.utime(ours)
    return os.lstat(ours).st_mtime


def _is_open(path: Path) -> bool:
    """Known only where the system lists open files; elsewhere age has to do."""
    with suppress(OSError):
        found = os.lstat(path)
        return any(_is_same(found, entry) for handles in _PROCESSES.glob("[0-9]*/fd") for entry in _entries(handles))
    return False


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as found:
        return list(found)
    return []


def _is_same(found: os.stat_result, entry: os.DirEntry[str]) -> bool:
    with suppress(OSError):
        return os.path.samestat(found, entry.stat())
    return False
