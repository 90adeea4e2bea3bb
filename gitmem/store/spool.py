"""Reads the journal of this clone: segments, their entries, and whether their chains hold. Refuses to write."""

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from gitmem.model.event import Entry
from gitmem.model.plain import Plain
from gitmem.record import record, replace
from gitmem.store.journal import FORMAT, SUFFIX, digest, folder_of
from gitmem.store.regular import open_to_read
from gitmem.store.repo import Repo

if sys.platform != "win32":
    import fcntl

_NAME = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_FILE_BYTES_MAX = 256 << 20
_ID_CHARS = 26


@record
class Fault:
    """What is wrong with a segment; ``line`` counts from 1, the head included.

    ``code`` is chain-broken, out-of-order, not-a-line, bad-head, newer-format or unreadable.
    """

    code: str
    path: str
    line: int
    message: str


@record
class Fold:
    """What stands for pruned lines up to ``last``: the hash of that line, the greatest clock, and their tally."""

    last: int
    head: str
    clock: int
    tally: Mapping[str, Plain]


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
    """Everything on record in this clone, in Lamport order; what is damaged is left out and told by ``parts``."""
    found = [entry for part in parts(repo) for entry in part.entries]
    found.sort(key=lambda entry: entry.order)
    return found


def parts(repo: Repo) -> list[Part]:
    """Every segment of the spool once, oldest name first; where a stop left one in two files, the longer."""
    found: dict[str, Part] = {}
    for path in paths(repo):
        for part in read(path):
            known = found.get(part.id)
            if known is None or part.lines > known.lines:
                found[part.id] = part
    return [found[id_] for id_ in sorted(found)]


def paths(repo: Repo) -> list[Path]:
    folder = folder_of(repo)
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [folder / name for name in sorted(names) if name.endswith(SUFFIX) and _NAME.fullmatch(name[: -len(SUFFIX)])]


def is_live(path: Path) -> bool:
    """Whether the process that writes the segment is still there; the kernel lets go of its lock when it dies."""
    if sys.platform == "win32":
        return True
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def read(path: Path) -> list[Part]:
    """The segments of a file, one after the other, each as far as it can be believed: a broken link ends it."""
    try:
        with os.fdopen(open_to_read(path), "rb") as file:
            data = file.read(_FILE_BYTES_MAX)
    except FileNotFoundError:
        return []
    except OSError as err:
        fault = Fault("unreadable", str(path), 0, (err.strerror or "cannot be read").lower())
        return [Part(path.name[: -len(SUFFIX)], "", path, (), "", faults=(fault,))]
    return _parsed(path, data)


def _parsed(path: Path, data: bytes) -> list[Part]:
    lines = data.split(b"\n")
    torn = len(lines.pop())
    walks: list[_Walk] = []
    for at, (line, row) in enumerate(zip(lines, _rows(lines), strict=True), 1):
        if not walks or (row is not None and "journal" in row):
            walks.append(_Walk(path, line, row))
        else:
            walks[-1].take(line, row, at)
    found = [walk.part() for walk in walks]
    return [*found[:-1], replace(found[-1], torn_bytes=torn)] if found else []


class _Walk:
    """Goes along one chain and stops where it breaks."""

    def __init__(self, path: Path, line: bytes, head: dict[str, Plain] | None) -> None:
        self.path = path
        self.id = _text(head or {}, "segment")[:_ID_CHARS] or path.name[: -len(SUFFIX)]
        self.writer = _text(head or {}, "writer")
        self.prev, self.number = digest(line + b"\n"), 0
        self.found: list[Entry] = []
        self.folds: list[Fold] = []
        self.faults: list[Fault] = []
        code, message = _head_fault(head)
        if code:
            self._stop(code, 1, message)

    def take(self, line: bytes, row: dict[str, Plain] | None, at: int) -> None:
        if self.faults:
            return
        if row is None:
            self._stop("not-a-line", at, "this is no line of a journal")
        elif row.get("prev") != self.prev:
            self._stop("chain-broken", at, "its link does not fit the line before: one of the two was changed")
        elif "folded" in row:
            self._fold(row["folded"], at)
        elif row.get("n") != self.number + 1:
            self._stop("out-of-order", at, f"line {row.get('n')} where {self.number + 1} belongs")
        else:
            self.prev, self.number = digest(line + b"\n"), self.number + 1
            self.found.append(entry(row, f"{self.id}-{self.number}", self.writer))

    def _fold(self, row: Plain, at: int) -> None:
        fold = _fold(row)
        if fold is None or fold.last <= self.number:
            self._stop("not-a-line", at, "what was pruned here is not told in a form that can be read")
            return
        self.folds.append(fold)
        self.prev, self.number = fold.head, fold.last

    def _stop(self, code: str, at: int, message: str) -> None:
        self.faults.append(Fault(code, str(self.path), at, message))

    def part(self) -> Part:
        folds, faults = tuple(self.folds), tuple(self.faults)
        return Part(
            self.id, self.writer, self.path, tuple(self.found), self.prev, self.number, folds=folds, faults=faults
        )


def _head_fault(head: dict[str, Plain] | None) -> tuple[str, str]:
    if head is None or "journal" not in head:
        return "bad-head", "the first line is no head of a segment"
    if head["journal"] != FORMAT:
        return "newer-format", f"format {head['journal']} of the journal; this gitmem reads {FORMAT}"
    return "", ""


def _fold(row: Plain) -> Fold | None:
    if not isinstance(row, dict):
        return None
    last, head, clock, tally = (row.get(key) for key in ("last", "head", "clock", "tally"))
    if isinstance(last, int) and isinstance(head, str) and isinstance(clock, int) and isinstance(tally, dict):
        return Fold(last, head, clock, tally)
    return None


def entry(row: dict[str, Plain], id_: str, writer: str) -> Entry:
    """An entry from the row of its line; a field of the wrong type counts as absent."""
    clock, data = row.get("clock"), row.get("data")
    return Entry(
        id=id_,
        clock=clock if isinstance(clock, int) else 0,
        at=_text(row, "at"),
        kind=_text(row, "kind"),
        session=_text(row, "session"),
        agent=_text(row, "agent"),
        data=data if isinstance(data, dict) else {},
        writer=writer,
    )


def _text(row: dict[str, Plain], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def _rows(lines: list[bytes]) -> list[dict[str, Plain] | None]:
    """All in one go, which takes half the time; one by one where any line is no object."""
    try:
        rows = json.loads(b"[" + b",".join(lines) + b"]")
    except (ValueError, RecursionError):
        rows = []
    if len(rows) == len(lines) and all(isinstance(row, dict) for row in rows):
        return list(rows)
    return [_row(line) for line in lines]


def _row(line: bytes) -> dict[str, Plain] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def latest_clock(repo: Repo) -> int:
    """The greatest Lamport time in the spool."""
    found = parts(repo)
    told = [entry.clock for part in found for entry in part.entries]
    return max([*told, *(fold.clock for part in found for fold in part.folds)], default=0)
