"""What was taken out of the knowledge, and how it comes back with its edges. Refuses what is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from gitmem.answers import naming
from gitmem.answers.admission import RefusedError, free_path
from gitmem.answers.ground import Ground
from gitmem.answers.naming import NotFoundError
from gitmem.answers.opening import Plan
from gitmem.answers.plans import plan_life
from gitmem.answers.reading import ask_at, read
from gitmem.answers.session import Session
from gitmem.errors import UsageError
from gitmem.index.card import DELIVERED, Card
from gitmem.index.edges import edges
from gitmem.index.knowledge import Knowledge
from gitmem.index.parse import card_of
from gitmem.model.finding import Notice
from gitmem.model.ids import canonical_id
from gitmem.model.moments import rfc3339
from gitmem.record import record, replace
from gitmem.store import edit, objects, removed
from gitmem.store.objects import Entry
from gitmem.store.removed import Removed
from gitmem.store.repo import FOLDER, Repo

KEPT_DAYS = 365
_EDGES = "synapses"
_ENGRAMS = "engrams"
_READ_MOST = 5000
_LIMIT, _LIMIT_MAX = 50, 500
_DAY_S = 86_400


@record
class _Lost:
    """``data`` is the file as it was last, ``found`` the commit that took it away."""

    card: Card
    data: bytes
    found: Removed


def plan_restore(under: Ground, item: str, rev: str) -> Plan:
    """An item as it was: active again where it is still there, else from before its removal, or from a commit."""
    knowledge = under.knowledge()
    if rev:
        return _from_revision(under, knowledge, item, rev)
    wanted = canonical_id(item) or item.strip().removesuffix(".md")
    if knowledge.by_reference(wanted):
        card = naming.one(knowledge, item)
        plan = plan_life(under, card.id, "restore", "")
        commit = removed.last_change(under.repo, under.base, card.path)
        return _with_edges(under, knowledge, plan, card, removed.with_it(under.repo, commit, _EDGES) if commit else {})
    lost = next(_lost(under.repo, under.base, knowledge, wanted), None)
    if lost is None:
        hint = "see: gitmem trash; any commit can be named: --from REV"
        raise NotFoundError(f"no item {item!r} here, and no commit removed one", hint=hint)
    return _brought(under, knowledge, lost, removed.with_it(under.repo, lost.found.commit, _EDGES))


def _from_revision(under: Ground, knowledge: Knowledge, item: str, rev: str) -> Plan:
    commit = objects.resolve(under.repo, rev)
    known = objects.look_up(under.repo, [f"{commit}:{FOLDER}"])[0]
    if known is None or known[1] != "tree":
        raise UsageError(f"there is no knowledge at {rev}", hint="name a commit that has it: git log -- .gitmem")
    card, ends = ask_at(under.place, known[0], lambda there: _at(there, item))[0]
    if knowledge.under(f"id:{card.id}"):
        raise RefusedError(
            f"{card.slug} is here",
            hint=f"for its text of then: gitmem show {card.id} --at {commit[:12]}; for its state: without --from",
            place=f"{FOLDER}/{card.path}",
            code="lives",
        )
    data = dict(objects.read_blobs(under.repo, [card.blob]))[card.blob]
    return _brought(under, knowledge, _Lost(card, data, Removed(commit, 0, card.path, card.blob)), ends)


def _at(there: Knowledge, item: str) -> tuple[Card, dict[str, str]]:
    """The card, and the blobs of the files of its edges by path."""
    card = naming.one(there, item)
    found = (there.at_path(edge.rel) for edge in edges(there, card.id))
    return card, {each.path: each.blob for each in found if each is not None}


def _brought(under: Ground, knowledge: Knowledge, lost: _Lost, ends: Mapping[str, str]) -> Plan:
    """The file where it was; a state in which nobody would meet it is not brought back."""
    card, data = lost.card, lost.data
    free_path(knowledge, card.path, card.id)
    if card.status not in (*DELIVERED, "draft"):
        data = edit.set_value(data, "status", "active", f"{FOLDER}/{card.path}")
    plan = Plan("update", f"Restore: {card.title}", {card.path: data})
    return _with_edges(under, knowledge, plan, card, ends)


def _with_edges(under: Ground, knowledge: Knowledge, plan: Plan, card: Card, gone: Mapping[str, str]) -> Plan:
    """The edges that went with an item, where both ends are there; the others are named."""
    data = dict(objects.read_blobs(under.repo, sorted(set(gone.values()))))
    changes, warnings = dict(plan.changes), list(plan.warnings)
    for rel, blob in sorted(gone.items()):
        edge = card_of(Entry(rel, "100644", blob, len(data[blob])), data[blob]).edge
        if not edge or card.id not in edge[:2] or knowledge.at_path(rel) is not None:
            continue
        far = edge[1] if edge[0] == card.id else edge[0]
        if knowledge.under(f"id:{far}"):
            changes[rel] = data[blob]
        else:
            message = f"its edge {edge[2]} stays away: {far} at the other end is not here"
            warnings.append(Notice("synapse-end-missing", message, f"{FOLDER}/{rel}", f"gitmem restore {far}"))
    return replace(plan, changes=changes, warnings=tuple(warnings))


def _lost(repo: Repo, start: str, knowledge: Knowledge, wanted: str = "") -> Iterator[_Lost]:
    """What history has and the tree has not, the newest removal of each; ``wanted``: of that id or name alone."""
    rows = removed.below(repo, start, _ENGRAMS)
    if wanted and canonical_id(wanted) is None:
        rows = [row for row in rows if f"/{row.rel}".endswith(f"/{wanted}.md")]
    seen: set[str] = set()
    for row, data in _read(repo, rows[:_READ_MOST]):
        if wanted and canonical_id(wanted) and wanted.encode() not in data:
            continue
        card = card_of(Entry(row.rel, "100644", row.blob, len(data)), data)
        is_private = card.visibility in ("private", "restricted") and card.id != wanted
        if card.id and card.id not in seen and not is_private and not knowledge.under(f"id:{card.id}"):
            seen.add(card.id)
            yield _Lost(card, data, row)


def _read(repo: Repo, rows: Iterable[Removed]) -> Iterator[tuple[Removed, bytes]]:
    kept = list(rows)
    found = dict(objects.read_blobs(repo, sorted({row.blob for row in kept})))
    yield from ((row, found[row.blob]) for row in kept)


@record
class TrashCall:
    limit: int = _LIMIT


@record
class TrashRow:
    """``days`` since it was taken out, counted from the commit that did it; the file's own times say nothing."""

    id: str
    slug: str
    title: str
    kind: str
    path: str
    removed: str
    days: int
    commit: str


@record
class Trash:
    items: tuple[TrashRow, ...]
    total: int
    warnings: tuple[Notice, ...] = ()


def trash(session: Session, call: TrashCall) -> Trash:
    """What can be restored, the newest removal first."""
    if not 0 < call.limit <= _LIMIT_MAX:
        raise UsageError(f"limit must be from 1 to {_LIMIT_MAX}, not {call.limit}")
    reading = read(session.place)
    if not reading.commit:
        return Trash((), 0, reading.warnings)
    repo, now = session.place.repo, session.now
    found = ask_at(reading.place, reading.tree, lambda known: list(_lost(repo, reading.commit, known)))[0]
    rows = [_row(each, now) for each in found]
    old = sum(row.days >= KEPT_DAYS for row in rows)
    return Trash(tuple(rows[: call.limit]), len(rows), (*reading.warnings, *_purge(old)))


def _row(lost: _Lost, now: datetime) -> TrashRow:
    card, at = lost.card, lost.found.at
    days = max(0, int((now.timestamp() - at) // _DAY_S))
    when = rfc3339(datetime.fromtimestamp(at, UTC))
    return TrashRow(card.id, card.slug, card.title, card.kind, f"{FOLDER}/{card.path}", when, days, lost.found.commit)


def _purge(count: int) -> tuple[Notice, ...]:
    """Nothing here removes what Git keeps: who needs that must know what it takes."""
    if not count:
        return ()
    message = (
        f"{count} of them were taken out more than {KEPT_DAYS} days ago; history keeps them, and every clone has it"
    )
    hint = "only rewriting history removes them (git filter-repo), which changes every commit since, for everybody"
    return (Notice("kept-by-history", message, hint=hint),)
