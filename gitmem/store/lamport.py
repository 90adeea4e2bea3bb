"""The Lamport clock that all processes of a repository share, without a lock. Refuses wall clocks.

The clock is a file: a base of twenty digits, then one byte for each tick. A tick appends a byte and reads where it
landed, which the kernel makes unique; so nobody waits. Only raising the base, when other clones' journals are seen,
happens under a lock. After L. Lamport, Time, Clocks, and the Ordering of Events (1978).
"""

import os
from pathlib import Path

from gitmem.store import disk

_BASE_BYTES = 20
MOST = 10**18
_NAME = "clock"


class Clock:
    """Ticks of one journal folder."""

    def __init__(self, folder: Path) -> None:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | disk.NO_FOLLOW | disk.BINARY
        self._handle = os.open(folder / _NAME, flags, 0o600)

    def tick(self) -> int:
        """The next time: greater than any that was told before the call."""
        os.write(self._handle, b".")
        at = os.lseek(self._handle, 0, os.SEEK_CUR)
        return self._base() + at - _BASE_BYTES

    def _base(self) -> int:
        text = os.pread(self._handle, _BASE_BYTES, 0)
        return int(text) if text.isdigit() else 0

    @property
    def is_lost(self) -> bool:
        """Whether the file was removed under us."""
        return os.fstat(self._handle).st_nlink == 0

    def close(self) -> None:
        os.close(self._handle)


def is_set(folder: Path) -> bool:
    try:
        return os.stat(folder / _NAME, follow_symlinks=False).st_size >= _BASE_BYTES
    except (FileNotFoundError, NotADirectoryError):
        return False


def now(folder: Path) -> int:
    """The time that was told last, 0 where there is no clock."""
    try:
        found = (folder / _NAME).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return 0
    base = found[:_BASE_BYTES]
    return int(base) + len(found) - _BASE_BYTES if base.isdigit() else 0


def raise_to(folder: Path, least: int) -> None:
    """Makes every later tick greater than ``least``; the caller holds the journal's lock."""
    path = folder / _NAME
    least = min(least, MOST)
    if not is_set(folder):
        disk.put(path, f"{least:0{_BASE_BYTES}d}".encode())
        return
    behind = least - now(folder)
    if behind <= 0:
        return
    handle = os.open(path, os.O_RDWR | disk.NO_FOLLOW | disk.BINARY)
    try:
        base = int(os.pread(handle, _BASE_BYTES, 0))
        os.pwrite(handle, f"{base + behind:0{_BASE_BYTES}d}".encode(), 0)
        disk.sync(handle)
    finally:
        os.close(handle)
