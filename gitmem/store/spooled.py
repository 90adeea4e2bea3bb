"""The entries of one kind in the spool, without reading the rest of it. Refuses to judge them.

A file that holds no line of the kind is passed over by its bytes; of the others every chain is followed as usual.
"""

import json
from collections.abc import Iterator

from gitmem.model.event import Entry
from gitmem.record import record
from gitmem.store.regular import read_at_most
from gitmem.store.repo import Repo
from gitmem.store.spool import paths, read

_FILE_BYTES_MAX = 256 << 20


@record
class Seen:
    """Entries in Lamport order; ``ends`` are clock and time of the last line of every file, whatever its kind."""

    entries: tuple[Entry, ...]
    ends: tuple[tuple[int, str], ...]


def of_kind(repo: Repo, kind: str) -> Seen:
    mark = f'"kind":"{kind}"'.encode()
    found: list[Entry] = []
    ends: list[tuple[int, str]] = []
    for path in paths(repo):
        try:
            data = read_at_most(path, _FILE_BYTES_MAX)
        except OSError:
            continue
        ends += _end(data)
        if mark in data:
            found += [each for part in read(path) for each in part.entries if each.kind == kind]
    return Seen(tuple(sorted(found, key=lambda each: each.order)), tuple(ends))


def _end(data: bytes) -> Iterator[tuple[int, str]]:
    """Of the last whole line."""
    line = data[: data.rfind(b"\n") + 1].rstrip(b"\n").rpartition(b"\n")[2]
    try:
        row = json.loads(line)
    except ValueError:
        return
    if isinstance(row, dict) and isinstance(row.get("clock"), int) and isinstance(row.get("at"), str):
        yield row["clock"], row["at"]
