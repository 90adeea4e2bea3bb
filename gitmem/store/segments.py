"""One segment of a journal as it was written, and how far its chain holds. Refuses to read files, and to mend."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from gitmem.model.event import Entry
from gitmem.model.plain import Plain, canonical
from gitmem.record import record
from gitmem.store.journal import FORMAT, SUM, digest

ID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_WRITER = re.compile(r"[0-9a-f]{16}")
_DIGEST_CHARS = 32
_TAIL = len(SUM) + _DIGEST_CHARS + len('"}')
Row = dict[str, Plain]


@record
class Fault:
    """What is wrong with a segment; ``line`` counts from 1 in its file.

    ``code`` is chain-broken, line-changed, out-of-order, not-a-line, bad-head, newer-format or unreadable; of what was
    shared also bad-seal, seal-missing and covered-twice.
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
class Line:
    """A line that stands in its place in the chain: the bytes, their row, and the number up to which it reaches."""

    raw: bytes
    row: Row
    number: int
    fold: Fold | None = None


class Walk:
    """Goes along one chain and stops where it breaks. ``prev`` is the hash of its last line, ``number`` its number."""

    def __init__(self, place: str, line: bytes, head: Row | None, at: int = 1) -> None:
        self.place = place
        self.at = at
        self.raw = line
        self.id = _text(head or {}, "segment")
        self.writer = _text(head or {}, "writer")
        self.prev, self.number, self.torn = digest(line + b"\n"), 0, 0
        self.lines: list[Line] = []
        self.faults: list[Fault] = []
        self.reason = _head_fault(head)

    def follow(self, lines: Sequence[bytes], found: Sequence[Row | None], start: int) -> int:
        """Takes the lines from ``start`` to the next head or the end, and tells where that is."""
        prev, number, add, faults = self.prev, self.number, self.lines.append, self.faults
        for at in range(start, len(lines)):
            line, row = lines[at], found[at]
            if row is not None and row.get("prev") == prev and row.get("n") == number + 1 and not faults:
                prev, number = digest(line + b"\n"), number + 1
                add(Line(line, row, number))
                continue
            if row is not None and "journal" in row:
                return self._ended(prev, number, at)
            self.prev, self.number = prev, number
            self._take(line, row, at + 1)
            prev, number = self.prev, self.number
        return self._ended(prev, number, len(lines))

    def _take(self, line: bytes, row: Row | None, at: int) -> None:
        """What is no usual line in its place: a fold, or the end of what can be believed."""
        if self.faults:
            return
        if row is None:
            self.stop("not-a-line", at, "this is no line of a journal")
        elif row.get("prev") != self.prev:
            self.stop("chain-broken", at, "its link does not fit the line before: one of the two was changed")
        elif "folded" in row:
            self._fold(line, row, at)
        else:
            self.stop("out-of-order", at, f"line {row.get('n')} where {self.number + 1} belongs")

    def _ended(self, prev: str, number: int, at: int) -> int:
        """Nothing that can be believed links to the last line, so it has to vouch for itself."""
        self.prev, self.number = prev, number
        last = self.lines[-1] if self.lines else None
        if last is not None and not last.fold and not is_summed(last.raw):
            self.lines.pop()
            before = self.lines[-1] if self.lines else None
            self.prev, self.number = (end_of(before), before.number) if before else (digest(self.raw + b"\n"), 0)
            self.faults.clear()
            self.stop("line-changed", self.at + len(self.lines) + 1, "this line was changed after it was written")
        return at

    def _fold(self, line: bytes, row: Row, at: int) -> None:
        fold = fold_of(row["folded"])
        if fold is None or fold.last <= self.number:
            self.stop("not-a-line", at, "what was pruned here is not told in a form that can be read")
            return
        self.lines.append(Line(line, row, fold.last, fold))
        self.prev, self.number = fold.head, fold.last

    def stop(self, code: str, at: int, message: str) -> None:
        self.faults.append(Fault(code, self.place, at, message))

    def entries(self) -> Iterator[Entry]:
        for line in self.lines:
            if line.fold is None:
                yield entry(line.row, f"{self.id}-{line.number}", self.writer)


def walks(place: str, data: bytes) -> list[Walk]:
    """The segments of a file one after the other; each begins with its head. ``place`` names the file in faults."""
    lines = data.split(b"\n")
    torn = len(lines.pop())
    found: list[Walk] = []
    told = rows(lines)
    at = 0
    while at < len(lines):
        walk = Walk(place, lines[at], told[at], at + 1)
        if walk.reason[0]:
            walk.stop(walk.reason[0], at + 1, walk.reason[1])
        found.append(walk)
        at = walk.follow(lines, told, at + 1)
    if found:
        found[-1].torn = torn
    return found


def _head_fault(head: Row | None) -> tuple[str, str]:
    if head is None or "journal" not in head:
        return "bad-head", "the first line is no head of a segment"
    if head["journal"] != FORMAT:
        return "newer-format", f"format {head['journal']} of the journal; this gitmem reads {FORMAT}"
    if not ID.fullmatch(_text(head, "segment")) or not is_writer(_text(head, "writer")):
        return "bad-head", "the head of this segment names no segment or no writer"
    return "", ""


def is_summed(line: bytes) -> bool:
    """Whether a line is as it was written, by its own ``sum``."""
    return line[-_TAIL:] == SUM + digest(line[:-_TAIL] + b"}").encode() + b'"}'


def end_of(line: Line) -> str:
    """The hash to which the line after it links."""
    return line.fold.head if line.fold else digest(line.raw + b"\n")


def is_writer(text: str) -> bool:
    return _WRITER.fullmatch(text) is not None


def fold_row(prev: str, fold: Fold) -> bytes:
    """The line that stands for pruned ones, with its end; it carries a hash of its own, since nothing links to it."""
    row: Row = {"last": fold.last, "head": fold.head, "clock": fold.clock, "tally": dict(fold.tally)}
    return canonical({"prev": prev, "folded": row | {"hash": digest(canonical(row))}}) + b"\n"


def fold_of(row: Plain) -> Fold | None:
    """The fold of a row; None where it is none, or was changed since."""
    if not isinstance(row, dict):
        return None
    last, head, clock, tally = (row.get(key) for key in ("last", "head", "clock", "tally"))
    if not (isinstance(last, int) and isinstance(head, str) and isinstance(clock, int) and isinstance(tally, dict)):
        return None
    own = digest(canonical({key: value for key, value in row.items() if key != "hash"}))
    return Fold(last, head, clock, tally) if row.get("hash", own) == own else None


def entry(row: Mapping[str, Plain], id_: str, writer: str) -> Entry:
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


def clock_of(line: Line) -> int:
    """The greatest Lamport time that a line tells of."""
    clock = line.fold.clock if line.fold else line.row.get("clock")
    return clock if isinstance(clock, int) else 0


def _text(row: Mapping[str, Plain], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def rows(lines: Sequence[bytes]) -> list[Row | None]:
    """All in one go, which takes half the time; one by one where any line is no object."""
    try:
        found = json.loads(b"[" + b",".join(lines) + b"]")
    except (ValueError, RecursionError):
        found = []
    if len(found) == len(lines) and {*map(type, found)} <= {dict}:
        return list(found)
    return [_row(line) for line in lines]


def _row(line: bytes) -> Row | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None
