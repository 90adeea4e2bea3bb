"""The lines of the spool that hold a few words, without reading the others. Refuses to judge the chain around them."""

import re
from collections.abc import Iterator

from gitmem.model.event import Entry
from gitmem.store.regular import read_at_most
from gitmem.store.repo import Repo
from gitmem.store.segments import entry, rows
from gitmem.store.spool import paths

# Together; the newest files are looked at first.
_BYTES_MAX = 64 << 20
_HEAD_MARK = b'"segment":"'
_HEAD = re.compile(
    rb'\{"at":"[^"\\]*","journal":\d+,"segment":"([0-7][0-9A-HJKMNP-TV-Z]{25})","writer":"([0-9a-f]{16})"\}'
)


def entries_with(repo: Repo, words: bytes) -> list[Entry]:
    """In Lamport order. ``words`` are as they stand in a line, which is canonical JSON."""
    found: list[Entry] = []
    room = _BYTES_MAX
    for path in reversed(paths(repo)):
        try:
            data = read_at_most(path, room)
        except OSError:
            continue
        found += _in(data, words)
        room -= len(data)
        if room <= 0:
            break
    return sorted({each.id: each for each in found}.values(), key=lambda each: each.order)


def _in(data: bytes, words: bytes) -> Iterator[Entry]:
    head: tuple[str, str] | None = None
    looked, at = 0, data.find(words)
    while at >= 0:
        start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        if end < 0:
            # A line that a kill cut off is no line.
            return
        # What lies above the line before was looked at for that one.
        head, looked = _head_between(data, looked, start) or head, start
        (row,) = rows([data[start:end]])
        if head is not None and row is not None:
            yield entry(row, f"{head[0]}-{row.get('n')}", head[1])
        at = data.find(words, end)


def _head_between(data: bytes, low: int, high: int) -> tuple[str, str] | None:
    """(segment, writer) of the last head there; no text inside a line can pass for a line of its own."""
    mark = data.rfind(_HEAD_MARK, low, high)
    while mark >= 0:
        start, end = data.rfind(b"\n", 0, mark) + 1, data.find(b"\n", mark)
        found = _HEAD.fullmatch(data, start, end)
        if found:
            return found[1].decode(), found[2].decode()
        mark = data.rfind(_HEAD_MARK, low, start)
    return None
