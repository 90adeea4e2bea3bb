"""The lines of some kinds that a file of the journal has from a place on. Refuses to check the chain: ``skimming`` and
``segments`` do.
"""

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from gitmem.model.plain import Plain
from gitmem.record import record, state
from gitmem.store.regular import read_at_most
from gitmem.store.spool import FILE_BYTES_MAX

_HEAD = re.compile(rb'\{"at":"[^"\\]*","journal":\d+,"segment":"([0-9A-Z]{26})","writer":"([0-9a-f]{16})"\}')
_MARK = b',"kind":"'


@record
class Spot:
    """How far a file was read: up to ``size_bytes``, within a segment and by its writer; '' before the first head."""

    size_bytes: int = 0
    segment: str = ""
    writer: str = ""


@record
class Row:
    segment: str
    writer: str
    number: int
    kind: str
    clock: int
    data: dict[str, Plain]


@state
class Tail:
    """``has_folds``: some line stands for others that were pruned."""

    data: bytes
    spot: Spot
    has_folds: bool = False

    def rows(self, kinds: Collection[str]) -> Iterator[Row]:
        """Once; after it ``spot`` is where the next look begins. A line that is not whole yet is left for that one."""
        start, before = 0, self.spot
        segment, writer = before.segment, before.writer
        while (end := self.data.find(b"\n", start)) >= 0:
            line, start = self.data[start:end], end + 1
            at = line.rfind(_MARK)
            if at < 0:
                head = _HEAD.fullmatch(line)
                segment, writer = (head[1].decode(), head[2].decode()) if head else (segment, writer)
                self.has_folds = self.has_folds or b'"folded"' in line
            elif line[at + len(_MARK) :].partition(b'"')[0].decode("ascii", "replace") in kinds:
                row = _row(line)
                if row is not None:
                    yield Row(segment, writer, *row)
        self.spot = Spot(before.size_bytes + start, segment, writer)


def tail(path: Path, spot: Spot) -> Tail | None:
    """None for what cannot be read."""
    try:
        data = read_at_most(path, FILE_BYTES_MAX, spot.size_bytes)
    except OSError:
        return None
    return Tail(data, spot)


def _row(line: bytes) -> tuple[int, str, int, dict[str, Plain]] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    number, kind, clock, data = (row.get(name) for name in ("n", "kind", "clock", "data"))
    is_usual = type(number) is int and isinstance(kind, str) and type(clock) is int and isinstance(data, dict)
    return (number, kind, clock, data) if is_usual else None
