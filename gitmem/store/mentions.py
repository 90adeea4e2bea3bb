"""The lines of the spool that hold a few words, without reading the others. Refuses to judge the chain around them."""

import re
from collections.abc import Iterator, Sequence

from gitmem.model.event import Entry
from gitmem.store.regular import read_at_most
from gitmem.store.repo import Repo
from gitmem.store.segments import entry, rows
from gitmem.store.spool import paths
from gitmem.store.uncollected import uncollected

# Together; the newest files are looked at first.
_BYTES_MAX = 64 << 20
_HEAD_MARK = b'"segment":"'
_HEAD = re.compile(
    rb'\{"at":"[^"\\]*","journal":\d+,"segment":"([0-7][0-9A-HJKMNP-TV-Z]{25})","writer":"([0-9a-f]{16})"\}'
)


def entries_with(repo: Repo, *words: bytes, most: int = _BYTES_MAX) -> list[Entry]:
    """In Lamport order, those that hold any of the words, which are as they stand in a line: canonical JSON."""
    found: dict[str, Entry] = {}
    room = most
    with uncollected():
        for path in reversed(paths(repo)):
            try:
                data = read_at_most(path, room)
            except OSError:
                continue
            found |= {each.id: each for each in _in(data, words)}
            room -= len(data)
            if room <= 0:
                break
        return sorted(found.values(), key=lambda each: each.order)


def holds(repo: Repo, word: bytes) -> bool:
    """Whether the spool holds a word anywhere."""
    for path in paths(repo):
        try:
            if word in read_at_most(path, _BYTES_MAX):
                return True
        except OSError:
            continue
    return False


def _in(data: bytes, words: Sequence[bytes]) -> Iterator[Entry]:
    ends: dict[int, int] = {}
    for word in words:
        at = data.find(word)
        # A line that a kill cut off is no line.
        while at >= 0 and (end := data.find(b"\n", at)) >= 0:
            ends[data.rfind(b"\n", 0, at) + 1] = end
            at = data.find(word, end)
    starts = sorted(ends)
    head: tuple[str, str] | None = None
    looked = 0
    for start, row in zip(starts, rows([data[start : ends[start]] for start in starts]), strict=True):
        # What lies above the line before was looked at for that one.
        head, looked = _head_between(data, looked, start) or head, start
        if head is not None and row is not None:
            yield entry(row, f"{head[0]}-{row.get('n')}", head[1])


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
