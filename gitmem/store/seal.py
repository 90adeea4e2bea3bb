"""One sealed part of a journal as a file: what it covers, its tally, and as many of its events as may be told.

Refuses to say which may. ``docs/journal.md`` has the form.
"""

import re
from collections.abc import Mapping, Sequence

from gitmem.model.event import Entry
from gitmem.model.plain import Plain, canonical
from gitmem.record import record
from gitmem.store.journal import digest
from gitmem.store.segments import Fault, Fold, Line, Row, Walk, end_of, entry, fold_row, is_writer, rows, walks

FORMAT = 1
COUNTS, EVENTS, FULL = "counts", "events", "full"
SHARES = (COUNTS, EVENTS, FULL)
NAME = re.compile(r"[0-9]{6,9}\.jsonl")
_HASH = re.compile(r"[0-9a-f]{32}")
_MOST = 10**18


@record
class Span:
    """Lines ``first`` to ``last`` of a segment, told by a hash of its id; ``head`` is the hash of its last line."""

    segment: str
    first: int
    last: int
    head: str


@record
class Piece:
    """Lines of one segment that a seal will cover: ``head`` is its first line, ``prev`` the hash before ``first``."""

    segment: str
    head: bytes
    first: int
    prev: str
    lines: tuple[Line, ...]

    @property
    def last(self) -> int:
        return self.lines[-1].number

    @property
    def end(self) -> str:
        return end_of(self.lines[-1])


@record
class Seal:
    """``digest`` is that of the file, to which the next one links; ``clock`` the least and the greatest in it."""

    writer: str
    number: int
    share: str
    prev: str
    spans: tuple[Span, ...]
    clock: tuple[int, int]
    tally: Mapping[str, Plain]
    entries: tuple[Entry, ...] = ()
    digest: str = ""


def name_of(number: int) -> str:
    return f"{number:06d}.jsonl"


def hashed(segment: str) -> str:
    """How a segment is called outside its clone: its id would tell the time."""
    return digest(segment.encode())


def encode(seal: Seal, payload: Sequence[bytes] = ()) -> bytes:
    """The file: a head, then the lines that ``share`` allows."""
    head: Row = {
        "seal": FORMAT,
        "writer": seal.writer,
        "seq": seal.number,
        "share": seal.share,
        "prev": seal.prev,
        "segments": [[span.segment, span.first, span.last, span.head] for span in seal.spans],
        "clock": [*seal.clock],
        "tally": dict(seal.tally),
    }
    return b"".join(line + b"\n" for line in (canonical(head), *payload))


def raw_lines(piece: Piece, withheld: Sequence[bool]) -> list[bytes]:
    """The lines as they are; one that is withheld gives way to its hash, so that the chain holds across."""
    out, prev = [piece.head], digest(piece.head + b"\n")
    if piece.first > 1:
        out.append(fold_row(prev, Fold(piece.first - 1, piece.prev, 0, {})).rstrip(b"\n"))
        prev = piece.prev
    for line, is_withheld in zip(piece.lines, withheld, strict=True):
        gap = Fold(line.number, end_of(line), 0, {}) if is_withheld or line.fold else None
        out.append(fold_row(prev, gap).rstrip(b"\n") if gap else line.raw)
        prev = end_of(line)
    return out


def event_row(piece: Piece, line: Line, data: Mapping[str, Plain]) -> bytes:
    """One event without its texts: ``data`` is what may be told of it, and the hash stands for the line."""
    row: Row = {name: line.row[name] for name in ("clock", "at", "kind") if name in line.row}
    row |= {"segment": hashed(piece.segment), "n": line.number, "hash": end_of(line), **data}
    return canonical(row)


def decode(data: bytes, place: str) -> Seal | Fault:
    """The seal in a file, or what is wrong with it."""
    first, _, rest = data.partition(b"\n")
    head = rows([first])[0]
    if head is None or "seal" not in head:
        return Fault("bad-seal", place, 1, "the first line is no head of a seal")
    if head["seal"] != FORMAT:
        return Fault("newer-format", place, 1, f"format {head['seal']} of a seal; this gitmem reads {FORMAT}")
    seal = _head(head, digest(data))
    if seal is None:
        return Fault("bad-seal", place, 1, "the head of this seal is not complete")
    found = _payload(seal, rest, place)
    return found if isinstance(found, Fault) else _with(seal, found)


def _with(seal: Seal, entries: Sequence[Entry]) -> Seal:
    return Seal(
        seal.writer, seal.number, seal.share, seal.prev, seal.spans, seal.clock, seal.tally, tuple(entries), seal.digest
    )


def _head(head: Row, own: str) -> Seal | None:
    writer, share, prev = (_text(head.get(key)) for key in ("writer", "share", "prev"))
    number, tally, clock, segments = (head.get(key) for key in ("seq", "tally", "clock", "segments"))
    times = [each for each in clock if isinstance(each, int) and 0 <= each <= _MOST] if isinstance(clock, list) else []
    spans = [_span(each) for each in segments] if isinstance(segments, list) else [None]
    whole = [span for span in spans if span is not None]
    is_whole = is_writer(writer) and share in SHARES and len(times) == 2 and len(whole) == len(spans)
    if not (is_whole and isinstance(number, int) and isinstance(tally, dict)):
        return None
    return Seal(writer, number, share, prev, tuple(whole), (times[0], times[1]), tally, (), own)


def _span(row: Plain) -> Span | None:
    if not isinstance(row, list) or len(row) != 4:
        return None
    segment, first, last, head = row
    if not (isinstance(first, int) and isinstance(last, int) and 0 < first <= last <= _MOST):
        return None
    if not (isinstance(segment, str) and isinstance(head, str) and _HASH.fullmatch(segment) and _HASH.fullmatch(head)):
        return None
    return Span(segment, first, last, head)


def _payload(seal: Seal, data: bytes, place: str) -> list[Entry] | Fault:
    if data and not data.endswith(b"\n"):
        return Fault("bad-seal", place, 1 + data.count(b"\n"), "its last line is cut off")
    if seal.share == FULL:
        return _raw(seal, data, place)
    lines = data.split(b"\n")[:-1]
    if seal.share == COUNTS:
        return Fault("bad-seal", place, 2, "a seal of counts holds lines") if lines else []
    return _events(seal, rows(lines), place)


def _events(seal: Seal, found: Sequence[Row | None], place: str) -> list[Entry] | Fault:
    within = {span.segment: span for span in seal.spans}
    entries = []
    for at, row in enumerate(found, 2):
        span = within.get(_text(row.get("segment"))) if row else None
        number = row.get("n") if row else None
        if row is None or span is None or type(number) is not int or not span.first <= number <= span.last:
            return Fault("not-a-line", place, at, "this is no event of a segment that the seal covers")
        entries.append(entry(row, f"{span.segment}-{number}", seal.writer))
    return entries


def _raw(seal: Seal, data: bytes, place: str) -> list[Entry] | Fault:
    found = walks(place, data)
    bad = next((fault for walk in found for fault in walk.faults), None)
    if bad is not None:
        return Fault(bad.code, place, bad.line + 1, bad.message)
    ends = [(hashed(walk.id), walk.number, walk.prev) for walk in found]
    if ends != [(span.segment, span.last, span.head) for span in seal.spans]:
        return Fault("bad-seal", place, 1, "its lines are not those that its head tells of")
    return [each for walk in found for each in _entries(walk, seal.writer)]


def _entries(walk: Walk, writer: str) -> list[Entry]:
    lines = (line for line in walk.lines if line.fold is None)
    return [entry(line.row, f"{walk.id}-{line.number}", writer) for line in lines]


def _text(value: Plain | None) -> str:
    return value if isinstance(value, str) else ""
