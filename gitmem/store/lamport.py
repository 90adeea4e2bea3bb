"""The Lamport clock that all processes of a repository share, without a lock. Refuses wall clocks.

The clock is a file: a base of twenty digits, then one byte for each tick. A tick appends a byte and reads where it
landed, which the kernel makes unique; so nobody waits. Only raising the base, when other clones' journals are seen,
happens under a lock. After L. Lamport, Time, Clocks, and the Ordering of Events (1978).
"""

import errno
import os
from pathlib import Path

from gitmem.store import disk
from gitmem.store.regular import open_to_read

_BASE_BYTES = 20
MOST = 10**18
_NAME = "clock"


class Clock:
    """Ticks of one journal folder."""

    def __init__(self, folder: Path) -> None:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | disk.NO_FOLLOW | disk.BINARY
        self._handle = os.open(folder / _NAME, flags, 0o600)

    def tick(self) -> int:
        """The next time: greater than any that was told before the call. ``OSError`` where the clock was damaged."""
        os.write(self._handle, b".")
        at = os.lseek(self._handle, 0, os.SEEK_CUR)
        base = _base(os.pread(self._handle, _BASE_BYTES, 0))
        if base is None:
            raise OSError(errno.EIO, "the clock of the journal is damaged")
        return base + at - _BASE_BYTES

    @property
    def is_lost(self) -> bool:
        """Whether the file was removed under us."""
        return os.fstat(self._handle).st_nlink == 0

    def close(self) -> None:
        os.close(self._handle)


def _base(text: bytes) -> int | None:
    """None for what no clock begins with: whoever went on from there could say no time that others believe."""
    base = int(text) if len(text) == _BASE_BYTES and text.isdigit() else None
    return base if base is not None and base <= MOST else None


def _read(folder: Path) -> tuple[int, int] | None:
    """Base and ticks; None without a clock, and for one that was damaged or is no file."""
    try:
        handle = open_to_read(folder / _NAME)
    except OSError:
        return None
    try:
        base, size = _base(os.pread(handle, _BASE_BYTES, 0)), os.fstat(handle).st_size
    finally:
        os.close(handle)
    return None if base is None else (base, size - _BASE_BYTES)


def is_set(folder: Path) -> bool:
    return _read(folder) is not None


def now(folder: Path) -> int:
    """The time that was told last, 0 where there is no clock."""
    return sum(_read(folder) or (0, 0))


def raise_to(folder: Path, least: int) -> None:
    """Makes every later tick greater than ``least``; the caller holds the journal's lock."""
    path = folder / _NAME
    least = min(least, MOST)
    found = _read(folder)
    if found is None:
        disk.put(path, f"{least:0{_BASE_BYTES}d}".encode())
        return
    base, behind = found[0], least - sum(found)
    if behind <= 0:
        return
    handle = os.open(path, os.O_RDWR | disk.NO_FOLLOW | disk.BINARY)
    try:
        os.pwrite(handle, f"{base + behind:0{_BASE_BYTES}d}".encode(), 0)
        disk.sync(handle)
    finally:
        os.close(handle)
