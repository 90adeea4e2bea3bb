"""Reads the journal of this clone: segments, their entries, and whether their chains hold. Refuses to write."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

from gitmem.model.event import Entry
from gitmem.record import record
from gitmem.store.journal import SUFFIX, folder_of
from gitmem.store.regular import open_to_read, read_at_most
from gitmem.store.repo import Repo
from gitmem.store.segments import ID, Fault, Fold, Walk, clock_of, walks
from gitmem.store.uncollected import uncollected

if sys.platform != "win32":
    import fcntl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")

FILE_BYTES_MAX = 256 << 20
_ID_CHARS = 26
_TRIES = 4


@record
class Part:
    """One segment as found: its entries in order, and the hash of its last whole line.

    ``lines`` is the number of its last line, ``torn_bytes`` what a kill left behind it.
    """

    id: str
    writer: str
    path: Path
    entries: tuple[Entry, ...]
    head: str
    lines: int = 0
    torn_bytes: int = 0
    folds: tuple[Fold, ...] = ()
    faults: tuple[Fault, ...] = ()


def entries(repo: Repo) -> list[Entry]:
    """Everything on record in this clone, in Lamport order; what is damaged is left out and told by ``told``."""
    return told(repo)[0]


def told(repo: Repo) -> tuple[list[Entry], list[Fault]]:
    """The entries, and what is amiss with the segments that end before their time."""
    found = mapped(repo, lambda _, walk: (list(walk.entries()), walk.faults))
    with uncollected():
        rows = sorted((each for entries, _ in found for each in entries), key=lambda each: each.order)
    return rows, [fault for _, faults in found for fault in faults]


def parts(repo: Repo) -> list[Part]:
    """Every segment of the spool once, oldest name first; where a stop left one in two files, the longer."""
    return mapped(repo, _part)


def mapped(repo: Repo, see: Callable[[Path, Walk], T]) -> list[T]:
    """What ``see`` makes of each segment, in the order of ``parts``; its lines need not stay in memory.

    Packing puts files together: whoever finds that one is gone looks again, since it may lie in one already read.
    """
    found: dict[str, tuple[int, T]] = {}
    for _ in range(_TRIES):
        found, is_whole = {}, True
        with uncollected():
            for path in paths(repo):
                data = _read(path)
                is_whole = is_whole and data is not None
                for walk in _walks(path, data):
                    known = found.get(walk.id)
                    if known is None or walk.number > known[0]:
                        found[walk.id] = (walk.number, see(path, walk))
        if is_whole:
            break
    return [found[id_][1] for id_ in sorted(found)]


def by_file(repo: Repo, see: Callable[[Path, bytes], T]) -> list[tuple[Path, T]]:
    """What ``see`` makes of the bytes of each file that can be read, in the order of their names. A segment may be in
    two of them."""
    found: list[tuple[Path, T]] = []
    for _ in range(_TRIES):
        found, is_whole = [], True
        for path in paths(repo):
            data = _read(path)
            is_whole = is_whole and data is not None
            found += [(path, see(path, data))] if isinstance(data, bytes) else []
        if is_whole:
            break
    return found


def paths(repo: Repo) -> list[Path]:
    folder = folder_of(repo)
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [folder / name for name in sorted(names) if is_segment(name)]


def is_segment(name: str) -> bool:
    """Whether a file of this name is one of the journal."""
    return name.endswith(SUFFIX) and ID.fullmatch(name[: -len(SUFFIX)]) is not None


def is_live(path: Path) -> bool:
    """Whether the process that writes the segment is still there; the kernel lets go of its lock when it dies.

    What is no file is nobody's to rewrite, and counts as live.
    """
    if sys.platform == "win32":
        return True
    try:
        handle = open_to_read(path)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def read(path: Path) -> list[Part]:
    """The segments of a file, one after the other, each as far as it can be believed: a broken link ends it."""
    return [_part(path, walk) for walk in walked(path)]


def walked(path: Path) -> list[Walk]:
    """The same as the chains that were gone along, with their lines."""
    return _walks(path, _read(path))


def _read(path: Path) -> bytes | OSError | None:
    try:
        found = read_at_most(path, FILE_BYTES_MAX + 1)
    except FileNotFoundError:
        return None
    except OSError as err:
        return err
    # What lies behind the limit must not be taken for what was never there.
    return found if len(found) <= FILE_BYTES_MAX else OSError(errno.EFBIG, "file too large")


def _walks(path: Path, data: bytes | OSError | None) -> list[Walk]:
    if isinstance(data, OSError):
        walk = Walk(str(path), b"", None)
        walk.stop("unreadable", 0, (data.strerror or "cannot be read").lower())
        found = [walk]
    else:
        found = walks(str(path), data) if data else []
    for walk in found:
        walk.id = walk.id[:_ID_CHARS] or path.name[: -len(SUFFIX)]
    return found


def _part(path: Path, walk: Walk) -> Part:
    return Part(
        walk.id,
        walk.writer,
        path,
        tuple(walk.entries()),
        walk.prev,
        walk.number,
        torn_bytes=walk.torn,
        folds=tuple(line.fold for line in walk.lines if line.fold),
        faults=tuple(walk.faults),
    )


def ends(repo: Repo) -> dict[str, int]:
    """The number of the last line of each segment."""
    return dict(mapped(repo, lambda _, walk: (walk.id, walk.number)))


def latest_clock(repo: Repo) -> int:
    """The greatest Lamport time in the spool."""
    return max(mapped(repo, lambda _, walk: max(map(clock_of, walk.lines), default=0)), default=0)
