"""What happened to one item, or in the team: events, shared counts and decisions in one list. Refuses to write."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from gitmem.answers import counting, items, landed, naming
from gitmem.answers.audit import names, warned
from gitmem.answers.items import REFERRED
from gitmem.answers.proposals import author_of
from gitmem.answers.reading import Reading, Session, read
from gitmem.errors import UsageError
from gitmem.memory import tally
from gitmem.model.event import KINDS
from gitmem.model.event import Entry as Recorded
from gitmem.model.finding import Notice
from gitmem.model.ids import canonical_id
from gitmem.model.ledger import Entry
from gitmem.model.moments import instant, rfc3339, rfc3339_of
from gitmem.model.plain import Plain
from gitmem.record import record
from gitmem.store import git, history, ledger, objects, shared
from gitmem.store.commits import commits
from gitmem.store.parts import split
from gitmem.store.repo import FOLDER

DECISION, COUNTS = "decision", "counts"
ALL_KINDS = (*KINDS, DECISION, COUNTS)
_LIMIT, _LIMIT_MAX = 50, 1000
_DAY_CHARS = len("2026-01-31")
_FILES = 20
_TELLING = ("action", "event_type", "outcome", "verdict")


@record
class QueryCall:
    item: str = ""
    kind: tuple[str, ...] = ()
    action: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    limit: int = _LIMIT
    cursor: str = ""


@record
class Happened:
    """``kind`` is that of an event, ``decision`` for what the ledger tells, or ``counts`` for a day of a writer of whom
    no more is known. ``actions`` say what happened to the item, or what was done; ``by`` is an agent or a person."""

    id: str
    at: str
    kind: str
    actions: tuple[str, ...] = ()
    by: str = ""
    writer: str = ""
    session: str = ""
    title: str = ""
    commit: str = ""
    files: tuple[str, ...] = ()
    counts: Mapping[str, int] | None = None


@record
class Activity:
    """The newest first. ``item`` is the id that was asked for, ``next`` the cursor of the following page."""

    item: str
    happened: tuple[Happened, ...]
    total: int
    next: str
    warnings: tuple[Notice, ...] = ()


def query(session: Session, call: QueryCall) -> Activity:
    """Each source keeps its own order, by Lamport time or along the trusted line; dates only bring them together."""
    _check(call)
    reading = read(session.place)
    item = _Item(*item_of(reading, call.item)) if call.item else None
    recorded, faults = shared.told(session.place.repo)
    sources = (_events(recorded, item), _decisions(reading, item), _counts(session, item))
    merged = heapq.merge(*sources, key=lambda row: row.at, reverse=True)
    rows = [row for row in merged if _fits(row, call)]
    start = next((at + 1 for at, row in enumerate(rows) if row.id == call.cursor), 0) if call.cursor else 0
    if call.cursor and not start:
        raise UsageError(f"not a cursor of this list: {call.cursor[:80]!r}", hint="start again without --cursor")
    page = rows[start : start + call.limit]
    more = page[-1].id if start + call.limit < len(rows) else ""
    return Activity(item.id if item else "", tuple(page), len(rows), more, (*reading.warnings, *warned(faults)))


@record
class _Item:
    id: str
    slug: str

    def is_in(self, data: Mapping[str, Plain]) -> bool:
        return names(data, self.id) or bool(self.slug and names(data, self.slug))


def _check(call: QueryCall) -> None:
    unknown = [kind for kind in call.kind if kind not in ALL_KINDS]
    if unknown:
        raise UsageError(f"unknown kind: {unknown[0][:40]!r}", hint=f"one of: {', '.join(ALL_KINDS)}")
    if not 0 < call.limit <= _LIMIT_MAX:
        raise UsageError(f"limit goes from 1 to {_LIMIT_MAX}, not {call.limit}", hint="--cursor reads on")
    for text in (call.since, call.until):
        if text and instant(text) is None:
            raise UsageError(f"not a date: {text[:40]!r}", hint="for example 2026-01-31 or 2026-01-31T10:00:00Z")


def item_of(reading: Reading, text: str) -> tuple[str, str]:
    """(id, slug), also of an item that is gone: by the decisions about it, or by the commit that took its file away."""
    if text.strip().startswith(REFERRED):
        return items.found(reading, text).ref, ""
    try:
        card = naming.find(reading, text)
    except naming.NotFoundError:
        known = canonical_id(text)
        found = (known, "") if known else _gone(reading, text.strip().removesuffix(".md"))
        if found is None:
            raise
        return found
    return card.id, card.slug


def _gone(reading: Reading, name: str) -> tuple[str, str] | None:
    slug = name.rpartition("/")[2]
    for entry in _entries_naming(reading, f"/{slug}.md"):
        for change in entry.changes:
            if PurePosixPath(change.path).stem == slug and canonical_id(change.item):
                return change.item, slug
    commit = history.removal(reading.place.repo, reading.commit, name, "")
    id_ = _id_before(reading, commit.oid, slug) if commit else ""
    return (id_, slug) if id_ else None


def _id_before(reading: Reading, commit: str, slug: str) -> str:
    repo = reading.place.repo
    changes = objects.diff_trees(repo, f"{commit}^", commit)
    gone = [each.old_oid for each in changes if not each.new_oid and each.rel.endswith(f"/{slug}.md")]
    for _, data in objects.read_blobs(repo, gone):
        for line in split(data, slug).header.splitlines():
            if line.startswith("id:"):
                return canonical_id(line.partition(":")[2].strip(" \"'")) or ""
    return ""


def _events(recorded: Sequence[Recorded], item: _Item | None) -> list[Happened]:
    return [_event(entry, item) for entry in reversed(recorded) if item is None or item.is_in(entry.data)]


def _event(entry: Recorded, item: _Item | None) -> Happened:
    touched = tally.touched(entry.kind, entry.data)
    done = [action for action, ids in touched if item and item.id in ids]
    error = entry.data.get("error")
    told = [entry.data.get(name) for name in _TELLING]
    done += [each for each in told if isinstance(each, str) and each and each not in done]
    done += ["failed"] if isinstance(error, dict) else []
    files = entry.data.get("files")
    return Happened(
        id=entry.id,
        at=entry.at,
        kind=entry.kind,
        actions=tuple(done),
        by=entry.agent,
        writer=entry.writer,
        session=entry.session,
        files=tuple(each for each in files[:_FILES] if isinstance(each, str)) if isinstance(files, list) else (),
    )


def _decisions(reading: Reading, item: _Item | None) -> list[Happened]:
    """Along the trusted line, the newest first."""
    repo = reading.place.repo
    if not reading.tree:
        return []
    entries = {each.id: each for each in _entries_naming(reading, item.id if item else "")}
    if item:
        entries = {id_: e for id_, e in entries.items() if any(change.item == item.id for change in e.changes)}
    rels = [f"{FOLDER}/{ledger.path_of(id_)}" for id_ in entries] if item else [f"{FOLDER}/ledger"]
    arrived = landed.arrivals(repo, reading.commit, rels) if entries else {}
    times = {oid: commit.time for oid, commit in commits(repo, sorted(set(arrived.values()))).items()}
    found = [(id_, commit) for id_, commit in arrived.items() if id_ in entries]
    return [_decision(entries[id_], commit, rfc3339_of(times[commit])) for id_, commit in found]


def _decision(entry: Entry, commit: str, at: str) -> Happened:
    by = author_of(entry.proposed_by)
    return Happened(entry.id, at, DECISION, (entry.kind,), by, title=entry.title, commit=commit)


def _entries_naming(reading: Reading, text: str) -> Iterator[Entry]:
    """The entries of the trusted tree in which a text stands; '' is in all of them."""
    repo = reading.place.repo
    if not reading.tree:
        return
    args = (
        "grep",
        "-l",
        "-z",
        "-F",
        "-I",
        "--full-name",
        "-e",
        text or "id:",
        reading.commit,
        "--",
        f"{FOLDER}/ledger",
    )
    rels = [name.partition(":")[2] for name in git.attempt(repo.where, args).fields()]
    found = objects.look_up(repo, [f"{reading.commit}:{rel}" for rel in rels])
    for _, data in objects.read_blobs(repo, [each[0] for each in found if each]):
        entry = ledger.decode(data, "")
        if isinstance(entry, Entry):
            yield entry


def _counts(session: Session, item: _Item | None) -> list[Happened]:
    """A row for each day of each writer; with an item only what was counted of it."""
    days: dict[tuple[str, str], dict[str, int]] = {}
    for writer, found in counting.told_in_counts(session):
        for (day, each, action), count in found.counts.items():
            if item is None or each == item.id:
                row = days.setdefault((day, writer), {})
                row[action] = row.get(action, 0) + count
    ordered = sorted(days.items(), reverse=True)
    return [_counted(day, writer, counts) for (day, writer), counts in ordered]


def _counted(day: str, writer: str, counts: Mapping[str, int]) -> Happened:
    return Happened(
        f"{writer}-{day}", day, COUNTS, tuple(sorted(counts)), writer=writer, counts=dict(sorted(counts.items()))
    )


def _fits(row: Happened, call: QueryCall) -> bool:
    if (call.kind and row.kind not in call.kind) or (call.action and not set(call.action) & set(row.actions)):
        return False
    return not ((call.since and row.at < _bound(call.since)) or (call.until and row.at > _bound(call.until, "~")))


def _bound(text: str, end: str = "") -> str:
    """Rows are in UTC and by the second, so that texts compare as times do; a date as the end has its whole day."""
    moment = instant(text.strip())
    return f"{text}{end}" if moment is None or len(text) == _DAY_CHARS else rfc3339(moment)
