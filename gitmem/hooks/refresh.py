"""Brings the index of the code up to date when a session starts, in a process that nobody waits for.

Refuses to begin one: where nobody ever asked for the code, nothing is read.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from gitmem.answers.session import Session
from gitmem.lazy import load
from gitmem.store import cache as caches
from gitmem.store import objects

_NOBODY = os.devnull


def refresh(session: Session) -> bool:
    """Whether a process was started: HEAD is not read yet, and another state of the code is."""
    place = session.place
    root, tree = place.repo.root, objects.look_up(place.repo, ["HEAD^{tree}"])[0]
    if root is None or tree is None or not hasattr(os, "posix_spawn"):
        return False
    indexing = "gitmem.code.indexing"
    prefix, suffix = str(load(f"{indexing}:PREFIX")), str(load(f"{indexing}:SUFFIX"))
    kept = caches.by_age(place.cache, prefix, suffix)
    name: str = load(f"{indexing}:name_of")(tree[0], session.max_files or load("gitmem.code.order:CEILING"))
    if not kept or name in kept:
        return False
    return _started(root)


def _started(root: Path) -> bool:
    # -P: a repository in the current folder may hold a package that is called gitmem.
    words = [sys.executable, "-P", "-m", "gitmem", "-C", str(root), "index"]
    nowhere = [(os.POSIX_SPAWN_OPEN, number, _NOBODY, os.O_RDWR, 0) for number in range(3)]
    try:
        os.posix_spawn(sys.executable, words, os.environ, file_actions=nowhere, setpgroup=0)
    except OSError:
        return False
    return True
