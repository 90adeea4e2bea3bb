"""Changes that exist already: in the work tree, on a branch, in a commit. Refuses to change where they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.answers.ground import Ground
from gitmem.answers.merging import shown
from gitmem.answers.opening import Plan
from gitmem.answers.session import Session
from gitmem.errors import GitmemError, UsageError
from gitmem.model.finding import Notice
from gitmem.model.ledger import ItemChange
from gitmem.review.identity import id_of
from gitmem.review.joining import Joined, Three, join, trees_of
from gitmem.store import files, git, gitconfig, ledger, objects, worktree
from gitmem.store.commits import commits
from gitmem.store.gitwrite import Draft, write_commit
from gitmem.store.layout import RECORDS, Place, place_of
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.worktree import Uncommitted


def from_worktree(session: Session, ground: Ground, title: str) -> tuple[Plan, tuple[Uncommitted, ...]]:
    """Every uncommitted edit below ``.gitmem``, carried over to the ground where HEAD is another."""
    repo = ground.repo
    edits = tuple(e for e in worktree.uncommitted(repo) if place_of(e.rel) is not Place.CACHE)
    if repo.root is None or not edits:
        raise UsageError("nothing below .gitmem is uncommitted", hint="see: gitmem status")
    unreadable = [e.rel for e in edits if e.mode and e.data is None]
    if unreadable:
        raise GitmemError("this is no file that can be proposed", place=f"{FOLDER}/{unreadable[0]}", code="not-a-file")
    head = ground.reading.trusted.head_commit
    there = write_commit(
        repo,
        head or None,
        Draft({f"{FOLDER}/{e.rel}": e.data for e in edits}, "work tree", session.place.author, session.now),
    )
    return _plan(ground, (head, there), title or _named(edits), "the work tree"), edits


def _named(edits: Sequence[Uncommitted]) -> str:
    names = [edit.rel.removesuffix("/SKILL.md").rpartition("/")[2].removesuffix(".md") for edit in edits]
    return f"Edits of {', '.join(names[:3])}" + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def clean(repo: Repo, edits: Sequence[Uncommitted]) -> None:
    """Takes out of the work tree and the index what a proposal holds now; a file that changed since is left alone."""
    root = repo.knowledge_dir.parent
    blobs = dict(objects.read_blobs(repo, sorted({e.old_oid for e in edits if e.old_oid})))
    rels = [f"{FOLDER}/{edit.rel}" for edit in edits]
    # It looks at the files again, and so would their filters.
    git.run(repo.where, ("reset", "--quiet", "--", *rels), git.Call(env=gitconfig.driver_overrides(repo)))
    for edit, rel in zip(edits, rels, strict=True):
        if edit.old_oid:
            files.write_file(root, rel, blobs[edit.old_oid], expected=edit.data)
        elif edit.data is not None:
            files.remove_file(root, rel, expected=edit.data)


def from_branch(ground: Ground, ref: str, title: str) -> Plan:
    """What a branch has that the ground has not, from where the two parted."""
    tip = objects.resolve(ground.repo, ref)
    base = objects.merge_base(ground.repo, ground.base, tip)
    said = title or commits(ground.repo, [tip])[tip].message.partition("\n")[0]
    return _plan(ground, (base, tip), said, ref)


def from_commit(ground: Ground, revision: str, title: str) -> Plan:
    """What one commit did. Where it is part of the trusted history already, only the entry is missing."""
    repo = ground.repo
    commit = objects.resolve(repo, revision)
    known = commits(repo, [commit])[commit]
    parent = known.parents[0] if known.parents else ""
    said = title or known.message.partition("\n")[0]
    if not objects.is_ancestor(repo, commit, ground.base):
        return _plan(ground, (parent, commit), said, commit[:12])
    rows = changes_of(repo, commit)
    if any(row.path.partition("/")[0] in RECORDS for row in rows):
        raise UsageError(f"{commit[:12]} has a ledger entry already", hint=f"see: git show {commit[:12]}")
    if not rows:
        raise UsageError(f"{commit[:12]} changes nothing below .gitmem")
    return Plan("update", said, {}, recorded=tuple(rows))


def changes_of(repo: Repo, commit: str) -> list[ItemChange]:
    """What a commit did below ``.gitmem``, against its first parent; a move is a removal and an addition."""
    known = commits(repo, [commit]).get(commit)
    if known is None:
        return []
    empty = worktree.empty_tree(repo)
    before, after = (tree or empty for tree in trees_of(repo, [known.parents[0] if known.parents else "", commit]))
    changed = objects.diff_trees(repo, before, after) if before != after else []
    blobs = dict(objects.read_blobs(repo, sorted({o for c in changed for o in (c.old_oid, c.new_oid) if o})))
    rows = []
    for change in changed:
        old, new = (blobs.get(oid) for oid in (change.old_oid, change.new_oid))
        item = id_of(new or old or b"") if place_of(change.rel) is Place.ENGRAM else ""
        rows.append(ledger.change_of(item or change.rel, change.rel, old, new))
    return rows


def _plan(ground: Ground, ends: tuple[str, str], title: str, where: str) -> Plan:
    repo = ground.repo
    base, there = trees_of(repo, list(ends))
    joined = join(repo, Three(base, ground.tree, there))
    if joined.conflicts:
        raise conflict(joined, where)
    changes = {rel: data for rel, data in joined.changes.items() if not _is_record(rel)}
    left_out = sorted(set(joined.changes) - set(changes))
    warnings = list(joined.notes)
    if left_out:
        message = f"entries of the record are left out: {', '.join(left_out[:3])}"
        warnings.append(Notice("records-left-out", message, f"{FOLDER}/{left_out[0]}"))
    before = ground.data_at(sorted(changes))
    kind = "new" if changes and not before and all(data is not None for data in changes.values()) else "update"
    return Plan(kind, title, changes, moved=moves(changes, before), warnings=tuple(warnings))


def _is_record(rel: str) -> bool:
    return rel.partition("/")[0] in RECORDS


def moves(changes: Mapping[str, bytes | None], before: Mapping[str, bytes]) -> dict[str, str]:
    """New path -> old path of the engrams that a change has put elsewhere, known by their ids."""
    gone = {id_of(before[rel]): rel for rel, data in changes.items() if data is None and rel in before}
    fresh = {id_of(data): rel for rel, data in changes.items() if data is not None and rel not in before}
    return {fresh[id_]: gone[id_] for id_ in fresh if id_ and id_ in gone}


def conflict(joined: Joined, where: str) -> GitmemError:
    first = joined.conflicts[0]
    more = f" and {len(joined.conflicts) - 1} more" if len(joined.conflicts) > 1 else ""
    return GitmemError(
        f"{where} and the trusted knowledge disagree about {first.field}{more}: "
        f"{shown(first.ours)} is trusted, {shown(first.theirs)} is wanted",
        hint="bring it up to date with the trusted branch first",
        place=f"{FOLDER}/{first.path}",
        code="conflict",
    )
