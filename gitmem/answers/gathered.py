"""What was read of the journals and how far, as it is kept for the next look. Refuses to read any journal.

It lies beside the journal under a keyed hash, and tells no text; what is missing, damaged or of another version counts
as nothing kept.
"""

from __future__ import annotations

import json

from gitmem.memory import uses
from gitmem.memory.uses import Uses
from gitmem.record import field, record, replace, state
from gitmem.store import cache as caches
from gitmem.store.cache import Cache
from gitmem.store.journal import folder_of
from gitmem.store.repo import Repo
from gitmem.store.skimming import End

NAME, _VERSION = "uses-1", 2
# What has grown by less is read again by the next process: that costs less than to keep it.
KEEP_BYTES = 64 << 10

# Size in bytes, time of change, inode.
Stamp = tuple[int, int, int]


@record
class File:
    """A file as it was read: ``size_bytes`` are its whole lines; ``end`` is that of its last chain, None where nothing
    may be read on from there."""

    stamp: Stamp
    size_bytes: int
    end: End | None


@state
class Gathered:
    """``log`` are the items that something new was read of since this was made, in order and some more than once.

    ``refs`` is what the shared journals were at, and ``lost`` the hashes of segments of ours that a seal tells, since
    lines of them are no longer here. ``guests`` are the segments in files of another name. ``unkept``: bytes that
    were read since it was last kept. ``ended`` are the files whose writers are gone, as far as this process has asked.
    """

    files: dict[str, File] = field(default_factory=dict)
    refs: str = ""
    lost: frozenset[str] = frozenset()
    guests: set[str] = field(default_factory=set)
    uses: Uses = field(default_factory=Uses)
    log: list[str] = field(default_factory=list)
    unkept: int = 0
    ended: set[str] = field(default_factory=set)


def load(repo: Repo, cache: Cache) -> Gathered | None:
    data = caches.load(_beside(repo, cache), NAME)
    row = json.loads(data) if data else None
    if not isinstance(row, list) or row[0] != _VERSION:
        return None
    _, refs, lost, guests, files, known = row
    found = {name: _file(*each) for name, each in files.items()}
    return Gathered(found, refs, frozenset(lost), {*guests}, uses.read(known))


def _file(stamp: list[int], size: int, end: tuple[str, str, int, str] | None) -> File:
    return File((stamp[0], stamp[1], stamp[2]), size, End(*end) if end else None)


def keep(repo: Repo, cache: Cache, found: Gathered) -> None:
    """Best effort: where it cannot be kept, the next process reads all again."""
    if found.unkept < KEEP_BYTES:
        return
    files = {name: (each.stamp, each.size_bytes, _row(each.end)) for name, each in found.files.items()}
    row = (_VERSION, found.refs, sorted(found.lost), sorted(found.guests), files, found.uses.plain())
    caches.save(_beside(repo, cache), NAME, json.dumps(row, separators=(",", ":")).encode("ascii"))
    found.unkept = 0


def _row(end: End | None) -> tuple[str, str, int, str] | None:
    return (end.segment, end.writer, end.number, end.prev) if end else None


def _beside(repo: Repo, cache: Cache) -> Cache:
    folder = folder_of(repo)
    return replace(cache, folder=folder if cache.folder is not None and folder.is_dir() else None)
