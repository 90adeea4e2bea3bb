"""Puts events on record: one segment a process, each line chained to the one before. Refuses locks and knowledge.

A line is canonical JSON: ``prev`` is the hash of the line before, ``n`` its number, ``clock`` a Lamport time, and
``sum`` the hash of the rest of the line, since nothing links to the last one. A line that a kill cut off has no end of
line and is no line; the next process has a segment of its own.
"""

import hashlib
import os
import sys
import threading
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.lazy import load
from gitmem.model.event import Event
from gitmem.model.ids import ulid
from gitmem.model.moments import rfc3339
from gitmem.model.plain import Plain, canonical, plain
from gitmem.store import disk, lamport
from gitmem.store.lock import held
from gitmem.store.repo import Repo
from gitmem.store.writer import writer_of

if sys.platform != "win32":
    import fcntl

FORMAT = 1
SUFFIX = ".jsonl"
LOCK = "journal"
SUM = b',"sum":"'
LINE_BYTES_MAX = 1 << 20
# A server that runs for months begins another file now and then, so that all of them can be read whole.
SEGMENT_BYTES_MAX = 64 << 20
_DIGEST_BYTES = 16
_ENTROPY_BYTES = 10
_PACK_EVERY = 1024


def folder_of(repo: Repo) -> Path:
    """The spool, shared by all worktrees."""
    return repo.private_dir / "journal"


def digest(line: bytes) -> str:
    """32 hex digits of one line, its end of line included (BLAKE2b, 16 bytes)."""
    return hashlib.blake2b(line, digest_size=_DIGEST_BYTES).hexdigest()


def summed(row: dict[str, Plain]) -> bytes:
    """The line of a row, without its end."""
    body = canonical(row)
    return body[:-1] + SUM + digest(body).encode() + b'"}'


class LineTooLongError(GitmemError):
    code = "event-too-large"


class Segment:
    """The open end of this process's journal in one repository."""

    def __init__(self, repo: Repo, now: datetime) -> None:
        folder = _prepared(repo)
        self.id = ulid(int(now.timestamp() * 1000), os.urandom(_ENTROPY_BYTES))
        self.pid = os.getpid()
        self._path = folder / f"{self.id}{SUFFIX}"
        head = {"journal": FORMAT, "segment": self.id, "writer": writer_of(repo), "at": rfc3339(now)}
        self._clock = lamport.Clock(folder)
        try:
            self._handle = _made(self._path)
        except OSError:
            # A server that lives for weeks on a full disk must not run out of handles as well.
            self._clock.close()
            raise
        self._unwritten = canonical(plain(head)) + b"\n"
        self._prev = digest(self._unwritten)
        self._count = 0
        self.clock = self.size = 0

    def add(self, event: Event, now: datetime, *, durable: bool) -> str:
        """Writes one line; the id of its entry. ``OSError`` when it could not be written whole."""
        number = self._count + 1
        self.clock = self._clock.tick()
        row: dict[str, Plain] = {
            "prev": self._prev,
            "n": number,
            "clock": self.clock,
            "at": rfc3339(now),
            "kind": event.kind,
            "session": event.session,
            "agent": event.agent,
            "data": plain(event.data),
        }
        line = summed({key: value for key, value in row.items() if value != ""}) + b"\n"
        if len(line) > LINE_BYTES_MAX:
            raise LineTooLongError(f"an event of {len(line)} bytes", hint=f"at most {LINE_BYTES_MAX} bytes fit")
        disk.write_all(self._handle, self._unwritten + line)
        if durable:
            disk.sync(self._handle)
        if durable and self._unwritten:
            disk.sync_folder(self._path.parent)
        self._unwritten, self._prev, self._count = b"", digest(line), number
        self.size += len(line)
        return f"{self.id}-{number}"

    @property
    def is_usable(self) -> bool:
        """Whether this is ours, and the files behind it are still there."""
        return self.pid == os.getpid() and os.fstat(self._handle).st_nlink > 0 and not self._clock.is_lost

    def discard(self) -> None:
        """Takes away a file into which nothing could be written: a disk that stays full must not fill with them."""
        with suppress(OSError):
            if os.fstat(self._handle).st_size == 0:
                os.unlink(self._path)

    def close(self) -> None:
        os.close(self._handle)
        self._clock.close()


def _made(path: Path) -> int:
    """A new file that only this process writes, which the kernel tells others as long as it lives."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | disk.NO_FOLLOW | disk.BINARY, 0o600)
    if sys.platform != "win32":
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return handle


# A server that goes from repository to repository keeps the ends of a few open.
_OPEN_MAX = 4
_OPEN: dict[Path, Segment] = {}
_TURN = threading.Lock()


def append(repo: Repo, event: Event, now: datetime, *, durable: bool = False) -> str:
    """Puts one event on record, on the disk for good if ``durable``; the id of its entry.

    ``OSError`` or ``GitmemError`` when the spool cannot be written: whoever calls decides what that means.
    """
    folder = folder_of(repo)
    with _TURN:
        segment = _OPEN.get(folder)
        if segment is None or not segment.is_usable or segment.size >= SEGMENT_BYTES_MAX:
            _drop(folder)
            segment = _OPEN[folder] = Segment(repo, now)
            for old in list(_OPEN)[:-_OPEN_MAX]:
                _drop(old)
        try:
            id_ = segment.add(event, now, durable=durable)
        except OSError:
            # A part of a line may be there: nothing may follow it.
            segment.discard()
            _drop(folder)
            raise
    if segment.clock % _PACK_EVERY == 0:
        # What many short processes left is put together by whichever meets the number; readers never do it.
        with suppress(OSError, GitmemError):
            load("gitmem.store.folding:pack")(repo)
    return id_


def rotate(repo: Repo) -> None:
    """Ends this process's segment; the next event begins another."""
    with _TURN:
        _drop(folder_of(repo))


def _drop(folder: Path) -> None:
    old = _OPEN.pop(folder, None)
    if old is not None and old.pid == os.getpid():
        old.close()


def _prepared(repo: Repo) -> Path:
    """The folder with a clock that is past everything in it."""
    folder = disk.private_folder(disk.private_folder(repo.private_dir) / "journal")
    if not lamport.is_set(folder):
        with held(repo, LOCK):
            if not lamport.is_set(folder):
                lamport.raise_to(folder, load("gitmem.store.shared:latest_clock")(repo))
    return folder
