"""Goes along the chains of a file of the journal and reads only the lines that are asked for. Refuses odd files.

Nearly all bytes of a journal are those of deliveries, with their receipts: of these the link, the number and the kind
are read from the end of the line, where canonical JSON has them. Of any line that is not as this gitmem writes it the
answer is None; ``segments.walks`` then reads the file in full and says what of it holds.
"""

import hashlib
import re
from collections.abc import Collection, Mapping

from gitmem.record import record, state
from gitmem.store.segments import Row, is_summed, rows

_HEAD = re.compile(
    rb'\{"at":"[^"\\]*","journal":1,"segment":"([0-7][0-9A-HJKMNP-TV-Z]{25})","writer":"([0-9a-f]{16})"\}'
)
_MARK = b',"kind":"'
_END = re.compile(
    rb',"kind":"([a-z]+)","n":([1-9][0-9]{0,17}),"prev":"([0-9a-f]{32})"(?:,"session":"(?:[^"\\]|\\.)*")?'
    rb',"sum":"[0-9a-f]{32}"\}'
)
# A compile up to its items, as this gitmem writes one. A text in it that could end one of the parts before its time has
# a backslash or a bracket, and then the line is read in full.
_COMPILE = re.compile(
    rb'\{(?:"agent":"[^"\\]*",)?"at":("[^"\\]*"),"clock":[0-9]+,"data":\{"budget":\{[^{}\\]*\},"commit":"[^"\\]*",'
    rb'"compile":"[^"\\]*",(?:"counted":[0-9]+,)?"files":\[[^\[\]\\]*\],"items":(\{[^{}\\]*\}),'
)
_DIGEST_BYTES = 16


@record
class End:
    """Where a chain ends: its segment, who wrote it, the number of its last line and the hash of that."""

    segment: str
    writer: str
    number: int
    prev: str


@record
class Skimmed:
    """``rows`` of the lines that were read, in order; ``ends`` of each chain; ``size_bytes`` up to the last line."""

    rows: list[Row]
    ends: list[End]
    size_bytes: int


@state
class _Chain:
    segment: str
    writer: str
    number: int
    prev: bytes
    last: bytes = b""

    @property
    def is_whole(self) -> bool:
        """The last line has to vouch for itself, since nothing links to it."""
        return not self.last or is_summed(self.last)


def skim(data: bytes, unread: Collection[str] = (), after: End | None = None) -> Skimmed | None:
    """``unread`` are the kinds to pass over; ``after`` is the end that ``data`` goes on from. The row of a compile has
    its kind, its time and its items, and need not have more."""
    lines = data.split(b"\n")
    torn = len(lines.pop())
    passed = {kind.encode() for kind in unread}
    chain = _Chain(after.segment, after.writer, after.number, after.prev.encode()) if after else None
    kept: list[bytes] = []
    ends: list[_Chain] = [chain] if chain else []
    for line in lines:
        found = _END.fullmatch(line, line.rfind(_MARK))
        if found is None:
            head = _HEAD.fullmatch(line)
            if head is None or (chain is not None and not chain.is_whole):
                return None
            chain = _Chain(head[1].decode(), head[2].decode(), 0, _digest(line))
            ends.append(chain)
            continue
        kind, number, prev = found.groups()
        if chain is None or prev != chain.prev or int(number) != chain.number + 1:
            return None
        chain.prev, chain.number, chain.last = _digest(line), chain.number + 1, line
        if kind not in passed:
            kept.append(_short(line) if kind == b"compile" else line)
    if chain is not None and not chain.is_whole:
        return None
    read = [row for row in rows(kept) if row is not None]
    if len(read) < len(kept):
        return None
    told = [End(each.segment, each.writer, each.number, each.prev.decode()) for each in ends]
    return Skimmed(read, told, len(data) - torn)


def are_apart(segments: Mapping[str, Collection[str]]) -> bool:
    """Whether no segment is told twice, as a stop while packing leaves it, or a backup that was laid over the folder.

    ``segments`` are those in each file.
    """
    every = [id_ for each in segments.values() for id_ in each]
    return len(set(every)) == len(every)


def _short(line: bytes) -> bytes:
    found = _COMPILE.match(line)
    return b'{"at":%b,"data":{"items":%b},"kind":"compile"}' % found.groups() if found else line


def _digest(line: bytes) -> bytes:
    return hashlib.blake2b(line + b"\n", digest_size=_DIGEST_BYTES).hexdigest().encode()
