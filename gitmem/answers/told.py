"""The runs and notes of this clone's journal: each file of it is read once, what it tells is kept beside it.

Refuses to be wrong for want of what was kept: without it the journal is read anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gitmem import __version__
from gitmem.answers.audit import asked_of, damage
from gitmem.answers.session import Session
from gitmem.memory import runs
from gitmem.memory.runs import Part, Told
from gitmem.model.event import Entry
from gitmem.model.finding import Notice
from gitmem.model.recalled import Trace
from gitmem.record import record
from gitmem.store import spool, toldlog
from gitmem.store.toldlog import Row, Stamp
from gitmem.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")

# Less than this is read again by the next one who asks: cheaper than writing all anew.
_SAVED_LEAST_BYTES = 128 << 10


@record
class _File:
    row: Row
    told: Told
    faults: tuple[Notice, ...]


def traces(session: Session) -> tuple[list[Trace], tuple[Notice, ...]]:
    """Everything that is on record here, in no order, and what of it cannot be believed."""
    files = _files(session)
    if files is None:
        # A stop has left a segment in two files, or files are being put together right now.
        parts = spool.parts(session.place.repo)
        return runs.united([_told(parts)]), damage(parts)
    return runs.united(each.told for each in files), tuple(notice for each in files for notice in each.faults)


def _files(session: Session) -> list[_File] | None:
    """None where the files change under the reader, or hold one segment twice."""
    place = session.place
    kept = toldlog.load(place.repo, place.cache, __version__)
    found: dict[str, _File] = {}
    fresh: dict[Path, int] = {}
    for path in spool.paths(place.repo):
        stamp = toldlog.stamp_of(path)
        if stamp is None:
            return None
        row = kept.get(path.name)
        if row is None or row.stamp != stamp:
            fresh[path] = stamp[0]
            found[path.name] = _read(path, stamp)
        else:
            found[path.name] = _opened(row)
    tags = [tag for each in found.values() for tag in each.row.segments]
    if len(set(tags)) < len(tags) or any(toldlog.stamp_of(path) is None for path in fresh):
        return None
    _keep(session, kept, {name: each.row for name, each in found.items()}, fresh)
    return list(found.values())


def _keep(session: Session, kept: Mapping[str, Row], found: Mapping[str, Row], fresh: Mapping[Path, int]) -> None:
    """A file that is still being written will be another one soon; what is gone from the journal goes from here."""
    is_gone = any(found.get(name) is not row for name, row in kept.items())
    ended = {path.name: size for path, size in fresh.items() if not spool.is_live(path)}
    if is_gone or sum(ended.values()) >= _SAVED_LEAST_BYTES:
        rows = {name: row for name, row in found.items() if name in ended or kept.get(name) is row}
        toldlog.keep(session.place.repo, session.place.cache, __version__, rows)


def _read(path: Path, stamp: Stamp) -> _File:
    parts = spool.read(path)
    told, faults = _told(parts), damage(parts)
    rows = [list(map(_values, each)) for each in (told.parts, told.notes, faults)]
    return _File(Row(stamp, toldlog.tags_of(parts), rows), told, faults)


def _values(value: Part | Trace | Notice) -> list[object]:
    return [getattr(value, name) for name in value.__match_args__]


def _opened(row: Row) -> _File:
    parts, notes, faults = row.told
    told = Told(tuple(_made(Part, each) for each in parts), tuple(_made(Trace, each) for each in notes))
    return _File(row, told, tuple(_made(Notice, each) for each in faults))


def _made(kind: type[T], values: Sequence[object]) -> T:
    """The value whose fields were written down, in their order; what was a tuple is one again."""
    return kind(*[tuple(value) if type(value) is list else value for value in values])


def _told(parts: Sequence[spool.Part]) -> Told:
    lines = sorted((line for part in parts for line in part.entries), key=lambda line: line.order)
    return runs.told(lines, _plan, words.terms)


def _plan(line: Entry) -> str:
    asked, _ = asked_of(line.data, str(line.data.get("receipt", "")))
    plan = asked.get("plan")
    return plan if isinstance(plan, str) else ""
