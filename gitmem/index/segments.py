"""One file of many small parts, each under its own keyed hash, so that a cold call reads only what it needs.

Refuses damaged parts.
"""

import os
import struct
from collections.abc import Sequence
from pathlib import Path

from gitmem.record import field, state
from gitmem.store.cache import MAC_BYTES, Cache, write
from gitmem.store.regular import open_to_read

MAGIC = b"gitmem-segments-1\n"
_COUNT = struct.Struct(">I")
_ROW = struct.Struct(f">QI{MAC_BYTES}s")


class DamagedError(Exception):
    """A cache file is not what was written; whoever meets it rebuilds."""


@state
class Segments:
    """A reader: parts by number, verified when first read. Holds either a file descriptor or all bytes."""

    cache: Cache
    name: str
    table: bytes
    start: int
    data: bytes | None = None
    handle: int = -1
    seen: dict[int, bytes] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.table) // _ROW.size

    def part(self, number: int) -> bytes:
        known = self.seen.get(number)
        if known is None:
            known = self.seen[number] = self.fetch(number)
        return known

    def fetch(self, number: int) -> bytes:
        """As ``part``, and does not stay in memory."""
        at, size, mac = _ROW.unpack_from(self.table, number * _ROW.size)
        content = self._bytes(self.start + at, size)
        if self.cache.mac(self.name.encode(), _COUNT.pack(number), content) != mac:
            raise DamagedError(self.name)
        return content

    def _bytes(self, at: int, size: int) -> bytes:
        if self.data is not None:
            return self.data[at : at + size]
        try:
            return _read_at(self.handle, size, at)
        except OSError as err:
            raise DamagedError(self.name) from err

    def __del__(self) -> None:
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1


def _read_at(handle: int, size: int, at: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(handle, size, at)
    os.lseek(handle, at, os.SEEK_SET)
    return os.read(handle, size)


def build(cache: Cache, name: str, parts: Sequence[bytes]) -> bytes:
    """The bytes of a segmented file: magic, hash of the table, count, table, parts."""
    return b"".join((_head(cache, name, parts), *parts))


def _head(cache: Cache, name: str, parts: Sequence[bytes]) -> bytes:
    rows, at = [], 0
    for number, part in enumerate(parts):
        rows.append(_ROW.pack(at, len(part), cache.mac(name.encode(), _COUNT.pack(number), part)))
        at += len(part)
    head = _COUNT.pack(len(parts)) + b"".join(rows)
    return b"".join((MAGIC, cache.mac(name.encode(), head), head))


def open_bytes(cache: Cache, name: str, data: bytes) -> Segments:
    """A reader over bytes in memory."""
    table, start = _table(cache, name, data)
    return Segments(cache, name, table, start, data=data)


def open_file(cache: Cache, name: str) -> Segments | None:
    """A reader over a cache file, or None when it is missing or its table is not ours."""
    if cache.folder is None:
        return None
    handle = _open(cache.folder / name)
    if handle < 0:
        return None
    fixed = len(MAGIC) + MAC_BYTES + _COUNT.size
    head = os.read(handle, fixed)
    size = _COUNT.unpack(head[-_COUNT.size :])[0] * _ROW.size if len(head) == fixed else 0
    try:
        table, start = _table(cache, name, head + (os.read(handle, size) if 0 < size < 1 << 28 else b""))
    except DamagedError:
        os.close(handle)
        return None
    return Segments(cache, name, table, start, handle=handle)


def _open(path: Path) -> int:
    try:
        return open_to_read(path)
    except OSError:
        return -1


def _table(cache: Cache, name: str, data: bytes) -> tuple[bytes, int]:
    fixed = len(MAGIC) + MAC_BYTES + _COUNT.size
    if len(data) < fixed or not data.startswith(MAGIC):
        raise DamagedError(name)
    count = _COUNT.unpack(data[fixed - _COUNT.size : fixed])[0]
    start = fixed + count * _ROW.size
    head = data[len(MAGIC) + MAC_BYTES : start]
    if len(data) < start or cache.mac(name.encode(), head) != data[len(MAGIC) :][:MAC_BYTES]:
        raise DamagedError(name)
    return data[fixed:start], start


def keep(cache: Cache, name: str, parts: Sequence[bytes]) -> tuple[Segments, str]:
    """Writes a segmented file; returns a reader over it and why it could not be kept, or ''."""
    note = write(cache, name, (_head(cache, name, parts), *parts))
    kept = None if note else open_file(cache, name)
    return kept or open_bytes(cache, name, build(cache, name, parts)), note
