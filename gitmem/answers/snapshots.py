"""Named snapshots, any revision in short, and two revisions compared by meaning. Refuses to make or move one."""

from __future__ import annotations

from gitmem.answers import assembly
from gitmem.answers.effect import effect
from gitmem.answers.pinned import is_id
from gitmem.answers.reading import SNAPSHOT_PREFIX, Reading, Revision, Session, ask, check_ours, read
from gitmem.errors import GitmemError, UsageError
from gitmem.model.effect import Effect
from gitmem.model.finding import Notice
from gitmem.model.moments import rfc3339_of
from gitmem.record import record
from gitmem.store import objects, snapshots
from gitmem.store.objects import UnknownRevisionError
from gitmem.store.snapshots import Kept

_LIMIT, _LIMIT_MAX = 50, 500
_ROWS, _ROWS_MAX = 500, 10_000


@record
class ListCall:
    limit: int = _LIMIT
    cursor: str = ""


@record
class Row:
    """``snapshot_id``, ``knowledge_version``, ``source``: what the snapshot says of itself; ``show`` judges it."""

    name: str
    snapshot_id: str
    knowledge_version: str
    commit: str
    source: str
    at: str
    by: str
    note: str | None = None


@record
class Listed:
    """``next`` is the cursor of the following page, '' on the last one."""

    snapshots: tuple[Row, ...]
    total: int
    next: str


def list_snapshots(session: Session, call: ListCall) -> Listed:
    """The newest first."""
    if not 0 < call.limit <= _LIMIT_MAX:
        raise UsageError(f"limit must be from 1 to {_LIMIT_MAX}, not {call.limit}", hint="--cursor reads on")
    reading = _asked(session, "")
    ordered = sorted(snapshots.every(reading.place.repo), key=lambda kept: (-kept.time, kept.name))
    start = next((at + 1 for at, kept in enumerate(ordered) if kept.name == call.cursor), 0) if call.cursor else 0
    if call.cursor and not start:
        raise UsageError(f"not a cursor of this list: {call.cursor!r}", hint="start again without --cursor")
    page = ordered[start : start + call.limit]
    following = page[-1].name if page and start + len(page) < len(ordered) else ""
    return Listed(tuple(map(_row, page)), len(ordered), following)


def _row(kept: Kept) -> Row:
    at = rfc3339_of(kept.time)
    return Row(kept.name, kept.snapshot_id, kept.version, kept.commit, kept.source, at, kept.by, kept.note or None)


@record
class ShowCall:
    snapshot: str


@record
class Shown:
    """The knowledge at one revision in short; ``names`` are the snapshots that hold this very knowledge."""

    commit: str
    snapshot_id: str
    knowledge_version: str
    items: int
    rules: int
    problems: int
    names: tuple[Row, ...] = ()
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()


def show(session: Session, call: ShowCall) -> Shown:
    reading = _asked(session, call.snapshot)
    facts, _ = ask(reading, lambda knowledge: knowledge.facts)
    version, _ = ask(reading, assembly.version_of)
    kept = [each for each in snapshots.every(reading.place.repo) if each.tree == reading.tree]
    doubts = tuple(_doubt(each) for each in kept if each.snapshot_id != facts.snapshot_id)
    return Shown(
        commit=reading.commit,
        snapshot_id=facts.snapshot_id,
        knowledge_version=version,
        items=sum(facts.counts.get("status", {}).values()),
        rules=facts.counts.get("rules", {}).get("all", 0),
        problems=len(facts.problems) + len(facts.duplicates),
        names=tuple(map(_row, kept)),
        warnings=(*reading.warnings, *doubts),
        notices=reading.notices,
    )


def _doubt(kept: Kept) -> Notice:
    message = f"the snapshot {kept.name} does not hold what it says it holds ({kept.snapshot_id[:12] or 'nothing'})"
    return Notice("snapshot-differs", message, kept.commit, "it was not made by this version of gitmem, or was forged")


@record
class DiffCall:
    before: str
    after: str = ""
    limit: int = _ROWS


@record
class End:
    """One of the two revisions that are compared; ``asked`` is what it was called, '' for what is canonical."""

    asked: str
    commit: str
    snapshot_id: str
    knowledge_version: str


@record
class Compared:
    before: End
    after: End
    diff: Effect
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()


def compare(session: Session, call: DiffCall) -> Compared:
    """By meaning, any two revisions; without a second one with what is canonical."""
    if not 0 < call.limit <= _ROWS_MAX:
        raise UsageError(f"limit must be from 1 to {_ROWS_MAX}, not {call.limit}", hint=f"for example {_ROWS}")
    before, after = _asked(session, call.before), _asked(session, call.after)
    if before.place is not session.place or after.place is not session.place:
        where = str(before.place.repo.where)
        raise GitmemError("the knowledge is that of the parent repository", hint="compare it there", place=where)
    found = effect(session, before.commit, after.commit, call.limit, files_of=_with_files(session, before, after))
    return Compared(
        before=_end(before, call.before),
        after=_end(after, call.after),
        diff=found,
        warnings=tuple(dict.fromkeys((*before.warnings, *after.warnings))),
        notices=tuple(dict.fromkeys((*before.notices, *after.notices))),
    )


def _with_files(session: Session, before: Reading, after: Reading) -> str:
    """The commit whose files are looked at: the later one, or what it was made from; a snapshot has no code."""
    repo = session.place.repo
    kept = {each.commit: each.source for each in snapshots.every(repo)}
    sources = [kept[end.commit] for end in (after, before) if is_id(kept.get(end.commit, ""))]
    here = [found[0] for found in objects.look_up(repo, sources) if found and found[1] == "commit"]
    own = [end.commit for end in (after, before) if end.commit not in kept]
    return (own[:1] if own[:1] == [after.commit] else [*here, *own, after.trusted.commit, after.commit])[0]


def _end(reading: Reading, asked: str) -> End:
    found, _ = ask(reading, lambda knowledge: (knowledge.facts.snapshot_id, assembly.version_of(knowledge)))
    return End(asked, reading.commit, *found)


def _asked(session: Session, text: str) -> Reading:
    """A revision, a date, a snapshot's name or its id, with or without the word in front."""
    check_ours(session.place.repo)
    try:
        return read(session.place, Revision(at=text))
    except UnknownRevisionError as err:
        if not is_id(text):
            err.hint = f"the names of snapshots: gitmem snapshots list; else {err.hint}"
            raise
    return read(session.place, Revision(at=f"{SNAPSHOT_PREFIX}{text}"))
