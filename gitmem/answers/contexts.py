"""What all journals that are here tell of the use of engrams, kept until they tell more. Refuses to weigh it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from gitmem.answers.counting import told_in_counts
from gitmem.answers.session import Session
from gitmem.memory.contexts import Context, Contexts, Verdict, of_events
from gitmem.model.event import FEEDBACK, VERIFY
from gitmem.record import record
from gitmem.store import cache as caches
from gitmem.store import shared, spool
from gitmem.store.refs import JOURNAL, REMOTES, listed
from gitmem.store.regular import open_to_read
from gitmem.store.repo import Repo

_CACHED = "contexts-1.json"
# What lines of a compile or a search add is looked through again each time, until there is so much of it.
_TAIL_BYTES = 256 << 10
_TELLING = tuple(f'"kind":"{kind}"'.encode() for kind in (FEEDBACK, VERIFY))


@record
class _State:
    """The sizes of the files of the spool by name, and the tips of what was shared."""

    sizes: Mapping[str, int]
    refs: tuple[str, ...]


def contexts(session: Session) -> Contexts:
    """Counted anew when a journal has grown by a line that says how something fared."""
    place = session.place
    state = _state(place.repo)
    data = caches.load(place.cache, _CACHED)
    if data is not None:
        before, found = _read(data)
        grown = _grown(place.repo, before, state)
        if grown is not None:
            if grown > _TAIL_BYTES:
                caches.save(place.cache, _CACHED, _dump(state, found))
            return found
    found = of_events(shared.every(place.repo), told_in_counts(session))
    caches.save(place.cache, _CACHED, _dump(state, found))
    return found


def _state(repo: Repo) -> _State:
    sizes = {path.name: size for path in spool.paths(repo) if (size := _size(path)) >= 0}
    return _State(sizes, tuple(f"{ref.name} {ref.oid}" for ref in listed(repo, JOURNAL, REMOTES)))


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return -1


def _grown(repo: Repo, before: _State, now: _State) -> int | None:
    """By how many bytes the spool has grown that tell nothing new; None where it is another one."""
    if before.refs != now.refs or any(now.sizes.get(name, -1) < size for name, size in before.sizes.items()):
        return None
    count = 0
    for path in spool.paths(repo):
        start, end = before.sizes.get(path.name, 0), now.sizes.get(path.name, 0)
        if end > start:
            tail = _tail(path, start)
            if tail is None or any(mark in tail for mark in _TELLING):
                return None
            count += end - start
    return count


def _tail(path: Path, start: int) -> bytes | None:
    try:
        with os.fdopen(open_to_read(path), "rb") as file:
            file.seek(start)
            return file.read()
    except OSError:
        return None


def _dump(state: _State, found: Contexts) -> bytes:
    items = {item: (use.authors, use.areas, use.helped, use.misled) for item, use in found.items.items()}
    verdicts = [(each.passed, each.files, each.items) for each in found.verdicts]
    return json.dumps([dict(state.sizes), state.refs, items, verdicts]).encode()


def _read(data: bytes) -> tuple[_State, Contexts]:
    sizes, refs, rows, verdicts = json.loads(data)
    items = {item: Context(tuple(authors), tuple(areas), *counts) for item, (authors, areas, *counts) in rows.items()}
    found = tuple(Verdict(passed, tuple(files), tuple(ids)) for passed, files, ids in verdicts)
    return _State(sizes, tuple(refs)), Contexts(items, found)
