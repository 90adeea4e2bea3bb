"""The last reading once more, where nothing that decides it can have changed. Refuses to guess: then it reads anew.

To decide what is trusted takes a Git command, which costs more than many an answer. Every ref lies in a file, and a
file that Git wrote anew has another inode or another time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from gitmem.answers.reading import Place, Reading, read
from gitmem.record import record
from gitmem.store.repo import Repo

_FAMILIES = ("refs/heads", "refs/remotes")
# Of more files it takes as long to look at them as to ask Git.
_FILES_MOST = 300
_HELD_MOST = 4

Mark = tuple[tuple[str, int, int, int, int], ...]


@record
class _Held:
    place: Place
    mark: Mark
    reading: Reading


_HELD: dict[Path, _Held] = {}


def reread(place: Place) -> Reading:
    """As ``reading.read`` of what is trusted."""
    key, mark = place.repo.git_dir, _mark(place.repo)
    held = _HELD.get(key)
    if mark and held is not None and held.place is place and held.mark == mark:
        return held.reading
    found = read(place)
    _HELD.pop(key, None)
    # What a parent repository holds is decided by files that were not looked at.
    if mark and found.place is place:
        _HELD[key] = _Held(place, mark, found)
        for old in list(_HELD)[:-_HELD_MOST]:
            del _HELD[old]
    return found


def _mark(repo: Repo) -> Mark:
    """Empty where there are too many files to look at. It is taken before the reading, so it is never too new."""
    common, own = str(repo.common_dir), str(repo.git_dir)
    paths = [f"{own}/HEAD", f"{common}/packed-refs", f"{common}/shallow"]
    # A linked work tree has a table for its own HEAD.
    paths += [f"{folder}/reftable/tables.list" for folder in dict.fromkeys((common, own))]
    for family in _FAMILIES:
        for folder, _, names in os.walk(f"{common}/{family}"):
            paths += [f"{folder}/{name}" for name in names]
            if len(paths) > _FILES_MOST:
                return ()
    return tuple(_seen(path, look) for path in paths for look in (os.lstat, os.stat))


def _seen(path: str, look: Callable[[str], os.stat_result]) -> tuple[str, int, int, int, int]:
    """Where the file is a link, as those of a work tree of the old kind are, both can change."""
    try:
        found = look(path)
    except OSError:
        return path, 0, 0, 0, 0
    return path, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino
