"""Decisions that a raw revert took off the record: found in a change and in history, and what puts them back.

Refuses to write it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from gitmem.answers import sides
from gitmem.answers.delta import Delta
from gitmem.answers.sides import Read
from gitmem.checks import reverts
from gitmem.checks.reverts import Gone, Hashes
from gitmem.model.approval import Approval
from gitmem.model.finding import Finding
from gitmem.model.ids import ulid
from gitmem.model.ledger import Entry, ItemChange, KeyChange, Proposer
from gitmem.record import record, replace
from gitmem.store import approvals, ledger, records
from gitmem.store.layout import Place, place_of
from gitmem.store.objects import Change
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.worktree import Uncommitted

FIX = "put it back and record the revert: gitmem check --fix"


@record
class Undone:
    """One decision, the bytes of its entry, and the approvals that went with it, by path below ``.gitmem``.

    ``before`` and ``after``: the hashes of the keys of its files at the ends of the change that undid it.
    """

    gone: Gone
    data: bytes
    approvals: tuple[tuple[str, bytes], ...] = ()
    before: Mapping[str, Hashes] = {}
    after: Mapping[str, Hashes] = {}


def in_delta(delta: Delta, found: Sequence[Finding]) -> list[Finding]:
    """Findings about records, told anew where a raw revert explains them."""
    if delta.is_policy_before:
        hint = "make the patch that puts it back and records the revert: gitmem check --range A..B --fix --format patch"
    else:
        hint = f"once it is committed, {FIX}"
    return retold(found, of_delta(delta), hint)


def of_delta(delta: Delta) -> list[Undone]:
    """The decisions that a staged change or a range undoes by a raw revert."""
    changed = {c.rel: delta.contents.get(c.rel, b"") if c.new_oid else None for c in delta.changes}
    before = sides.at(delta.repo, delta.tree)
    merged = [c for c in delta.dropped if c.rel not in changed]
    return _undone(delta.repo, (delta.changes, merged), (before, sides.over(before, changed)))


def of_edits(repo: Repo, tree: str, edits: Iterable[Uncommitted]) -> list[Undone]:
    """Those that the work tree undoes, and those that a commit not long ago did and nobody put back."""
    found = list(edits)
    changed = {edit.rel: (edit.data or b"") if edit.mode else None for edit in found}
    before = sides.at(repo, tree)
    now = sides.over(before, changed)
    lost = [Change(edit.rel, edit.old_oid, "", "") for edit in found if edit.old_oid and not edit.mode]
    return [*_undone(repo, (lost, ()), (before, now)), *(_in_history(repo, now) if tree else ())]


def retold(found: Sequence[Finding], undone: Iterable[Undone], hint: str) -> list[Finding]:
    """Findings about records, with one warning for each revert in the place of what it deleted."""
    known = list(undone)
    covered = {rel for each in known for rel in (each.gone.rel, *(rel for rel, _ in each.approvals))}
    return [f for f in found if f.path not in covered] + [reverts.finding(each.gone, hint) for each in known]


def restored(undone: Sequence[Undone], by: Proposer, now: datetime) -> dict[str, bytes]:
    """The files that put the decisions back on record and say that each was reverted, by path below ``.gitmem``."""
    files: dict[str, bytes] = {}
    told: set[tuple[str, str]] = set()
    for number, each in enumerate(undone):
        files |= {each.gone.rel: each.data, **dict(each.approvals)}
        entry = _revert_of(each, by, int(now.timestamp() * 1000) + number, told)
        files[ledger.path_of(entry.id)] = ledger.encode(entry)
        told |= {(change.item, key) for change in entry.changes for key in change.keys}
    return files


def person(author: str) -> Proposer:
    """From ``Name <email>``."""
    name, _, email = author.partition("<")
    return Proposer(name.strip(), email.rstrip(">").strip())


def _revert_of(each: Undone, by: Proposer, now_ms: int, told: Container[tuple[str, str]]) -> Entry:
    """The same entry again for the same time, so that a patch can be made twice."""
    entry = each.gone.entry
    id_ = ulid(now_ms, hashlib.sha256(f"revert {entry.id}".encode()).digest())
    return Entry(
        id=id_,
        kind="revert",
        proposal=id_,
        title=f"Revert: {entry.title}",
        rationale="undone by a revert of Git; recorded by gitmem check --fix",
        proposed_by=by,
        changes=tuple(_swapped(each, change, told) for change in entry.changes),
        reverts=entry.id,
    )


def _swapped(each: Undone, change: ItemChange, told: Container[tuple[str, str]]) -> ItemChange:
    """From what was really there, be it edited since the decision, unless one of the newer reverts has ``told`` it."""
    was = change.moved_from
    keys = {key: KeyChange(hashes.after, hashes.before) for key, hashes in change.keys.items()}
    here = {} if each.gone.is_merged else each.before.get(change.path, {})
    if here and not each.after.get(was or change.path):
        keys |= {key: KeyChange(None, None) for key in sorted(here) if key not in keys}
    for key in [key for key in keys if here and (change.item, key) not in told]:
        keys[key] = replace(keys[key], before=here.get(key))
    kept = {key: hashes for key, hashes in keys.items() if hashes.before != hashes.after}
    return ItemChange(change.item, was or change.path, kept, change.path if was else "")


def _in_history(repo: Repo, now: Read) -> Iterator[Undone]:
    """Oldest first, so that the reverts are recorded in the order in which they were made."""
    losses = records.losses(repo, "HEAD")
    here = now(sorted({change.rel for loss in losses for change in loss.gone}))
    newest: dict[str, str] = {}
    for loss in losses:
        for change in loss.gone:
            newest.setdefault(change.rel, loss.commit)
    for loss in reversed(losses):
        gone = [c for c in loss.gone if c.rel not in here and newest[c.rel] == loss.commit]
        if gone:
            ends = sides.at(repo, f"{loss.parent}:{FOLDER}"), sides.at(repo, f"{loss.commit}:{FOLDER}")
            yield from _undone(repo, (gone, ()), ends)


def _undone(repo: Repo, lost: tuple[Sequence[Change], Sequence[Change]], ends: tuple[Read, Read]) -> list[Undone]:
    """``lost`` in the change itself, and by merges within it; the newest decision first."""
    data, gone, votes = _records(repo, lost)
    wanted = sorted({rel for each in gone for c in each.entry.changes for rel in (c.path, c.moved_from) if rel})
    if not gone:
        return []
    before, after = (_hashes(read(wanted)) for read in ends)
    known = reverts.raw(gone, lambda rel: before.get(rel, {}), lambda rel: after.get(rel, {}))
    rows = [Undone(each, data[each.rel], _those_of(each.entry, votes, data), before, after) for each in known]
    return sorted(rows, key=lambda row: row.gone.entry.id, reverse=True)


def _records(
    repo: Repo, lost: tuple[Sequence[Change], Sequence[Change]]
) -> tuple[dict[str, bytes], list[Gone], dict[str, Approval]]:
    """The bytes of deleted records by path, and what is in those that can be read."""
    gone = {c.rel: c for part in lost for c in part if c.old_oid and not c.new_oid}
    gone = {rel: c for rel, c in gone.items() if place_of(rel) in (Place.LEDGER, Place.APPROVAL)}
    data = sides.read_oids(repo, {rel: c.old_oid for rel, c in gone.items()})
    merged = {c.rel for c in lost[1]}
    entries: list[Gone] = []
    votes: dict[str, Approval] = {}
    for rel, content in data.items():
        if place_of(rel) is Place.APPROVAL:
            vote = approvals.decode(content, rel)
            votes |= {rel: vote} if isinstance(vote, Approval) else {}
        else:
            entry = ledger.decode(content, rel)
            entries += [Gone(rel, entry, is_merged=rel in merged)] if isinstance(entry, Entry) else []
    return data, entries, votes


def _those_of(entry: Entry, votes: Mapping[str, Approval], data: Mapping[str, bytes]) -> tuple[tuple[str, bytes], ...]:
    return tuple((rel, data[rel]) for rel, vote in sorted(votes.items()) if vote.ledger == entry.id)


def _hashes(files: Mapping[str, bytes]) -> dict[str, dict[str, str]]:
    return {rel: ledger.key_hashes(data, rel) for rel, data in files.items()}
