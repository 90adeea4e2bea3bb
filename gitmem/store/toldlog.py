"""What each file of the spool was found to tell, kept beside it so that it is read once. Refuses to say what it means.

It holds texts of the journal, so it lies where the journal does and never in a work tree.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from gitmem.record import record, replace
from gitmem.store import cache as caches
from gitmem.store import spool
from gitmem.store.cache import Cache
from gitmem.store.journal import folder_of
from gitmem.store.repo import Repo

_NAME = "told-1"
_TAG_CHARS = 8

Stamp = tuple[int, int]


@record
class Row:
    """A file as it was when it was read: size and time of change, a short form of the segments in it, what it told."""

    stamp: Stamp
    segments: tuple[str, ...]
    told: Sequence[Sequence[Sequence[object]]]


def stamp_of(path: Path) -> Stamp | None:
    """None for a file that is not there any more."""
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def tags_of(parts: Sequence[spool.Part]) -> tuple[str, ...]:
    """Two segments rarely have the same one; whoever meets one twice looks closer."""
    return tuple(part.id[-_TAG_CHARS:] for part in parts)


def load(repo: Repo, cache: Cache, version: str) -> dict[str, Row]:
    """By file name; nothing where another version found it."""
    data = caches.load(_beside(repo, cache), _NAME)
    found, rows = json.loads(data) if data else ("", {})
    if found != version:
        return {}
    return {name: Row((size, time), tuple(tags), told) for name, (size, time, tags, told) in rows.items()}


def keep(repo: Repo, cache: Cache, version: str, rows: Mapping[str, Row]) -> str:
    """'' or why it could not be kept."""
    plain = {name: (*row.stamp, row.segments, row.told) for name, row in rows.items()}
    # In ASCII: of a path that is no UTF-8, a part is half a pair of UTF-16, which nothing else can hold.
    data = json.dumps((version, plain), separators=(",", ":")).encode("ascii")
    return caches.save(_beside(repo, cache), _NAME, data)


def forget(repo: Repo) -> None:
    """What is taken out of the journal is not to be kept beside it."""
    (folder_of(repo) / _NAME).unlink(missing_ok=True)


def _beside(repo: Repo, cache: Cache) -> Cache:
    folder = folder_of(repo)
    return replace(cache, folder=folder if cache.folder is not None and folder.is_dir() else None)
