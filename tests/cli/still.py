"""What a command must leave as it was: files, index, refs. Knows nothing of gitmem but the two folders it may fill."""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

# Neither is tracked, neither is knowledge: the cache, and locks and keys.
OURS = (".gitmem/cache", ".git/gitmem")


def state(root: Path) -> dict[str, str]:
    """Kind, mode, time and content of every file below ``root``, Git's own too: `git status` is a function of these."""
    return {str(path.relative_to(root)): _facts(path) for path in _files(root)}


def _files(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not (Path(folder) / name).as_posix().endswith(OURS)]
        yield from (Path(folder) / name for name in (*names, *folders))


def _facts(path: Path) -> str:
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        return f"link to {path.readlink()}"
    if not stat.S_ISREG(found.st_mode):
        return f"{found.st_mode:o}"
    # Git itself renews the time of packs and shared indexes that it uses, so that they are not pruned.
    time_ns = 0 if ".git" in path.parts or path.suffix in (".pack", ".idx") else found.st_mtime_ns
    return f"{found.st_mode:o} {time_ns} {hashlib.sha256(path.read_bytes()).hexdigest()}"
