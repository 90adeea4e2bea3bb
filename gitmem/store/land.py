"""Landing a commit on a branch, with the files of every worktree that has the branch. Refuses to lose anybody's edits.

Files move first and the branch last: else the next ``git commit -am`` there would take the landing back.
"""

import os
import stat
from collections.abc import Iterable, Sequence
from enum import StrEnum

from gitmem.errors import GitmemError
from gitmem.record import record
from gitmem.store import checkout, git, intent, objects, worktrees
from gitmem.store.checkout import Place
from gitmem.store.gitrefs import HEAD, check_ref, read_ref, swap_ref
from gitmem.store.intent import tree_or_empty
from gitmem.store.lock import held
from gitmem.store.objects import Change
from gitmem.store.paths import check_rel
from gitmem.store.repo import Repo

_BRANCHES = "refs/heads/"
_RAW = ("--raw", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")


class Reason(StrEnum):
    """Why a landing was refused, for programs."""

    MOVED = "branch-moved"
    OPERATION = "operation-in-progress"
    UNMERGED = "unmerged"
    STAGED = "staged"
    DIRTY = "dirty"
    UNTRACKED = "untracked"
    INDEX_LOCKED = "index-locked"
    AWAY = "worktree-away"
    NOT_A_FILE = "not-a-file"


@record
class Landed:
    """The branch and the files of its worktrees are at ``commit``, durably."""

    commit: str


@record
class Refused:
    """Nothing has changed. ``paths`` are in the way, relative to the worktree ``where``; ``operation`` is Git's."""

    reason: Reason
    paths: tuple[str, ...] = ()
    where: str = ""
    operation: str = ""


def land(repo: Repo, branch: str, old: str | None, new: str) -> Landed | Refused:
    """Moves ``branch`` from the commit ``old`` (None: a new branch) to ``new``, and its worktrees with it.

    HEAD stands for the worktree of ``repo`` alone, which must be on no branch.

    Edits elsewhere are no obstacle; on a path that differs between the two commits they are. A branch that is at
    ``new`` already has landed. A landing that stopped half-way earlier is finished first.
    """
    ref = HEAD if branch == HEAD else check_ref(branch if branch.startswith("refs/") else _BRANCHES + branch)
    if ref == HEAD and objects.symbolic_ref(repo, HEAD):
        return Refused(Reason.MOVED, where=str(repo.where))
    with held(repo):
        intent.recover(repo)
        tip = read_ref(repo, ref)
        if tip == new:
            return Landed(new)
        if tip != old:
            return Refused(Reason.MOVED)
        changes = objects.diff_trees(repo, tree_or_empty(repo, old), new)
        present, refused = _places(repo, ref, tree_or_empty(repo, old), changes)
        note = intent.Intent(ref, old, new, tuple(str(place.root) for place in present))
        return refused or _move(repo, note, present, changes)


def _places(repo: Repo, ref: str, old_tree: str, changes: Sequence[Change]) -> tuple[tuple[Place, ...], Refused | None]:
    """The worktrees that must move, or why they may not."""
    odd = tuple(c.rel for c in changes if c.new_oid and c.new_mode not in objects.REGULAR)
    if odd:
        return (), Refused(Reason.NOT_A_FILE, odd)
    for change in changes:
        check_rel(change.rel)
    holders = worktrees.Holders((repo,)) if ref == HEAD and repo.root else worktrees.holders(repo, ref)
    if holders.missing:
        return (), Refused(Reason.AWAY, where=holders.missing[0])
    rebased = worktrees.rebased_in(repo, ref)
    if rebased is not None:
        return (), Refused(Reason.OPERATION, where=str(rebased), operation="rebase")
    places = tuple(checkout.open_place(worktree) for worktree in holders.present)
    refusals = (_obstacle(place, old_tree, changes) for place in places)
    return places, next((each for each in refusals if each is not None), None)


def _move(repo: Repo, note: intent.Intent, present: Sequence[Place], changes: Sequence[Change]) -> Landed | Refused:
    if not present:
        is_moved = swap_ref(repo, note.ref, note.old, note.new, reason=_why(note))
        return Landed(note.new) if is_moved else Refused(Reason.MOVED)
    intent.begin(repo, note)
    try:
        refused = _move_files(repo, note, present, changes)
        if refused is None and not swap_ref(present[0].worktree, note.ref, note.old, note.new, reason=_why(note)):
            refused = Refused(Reason.MOVED)
    except GitmemError:
        intent.recover(repo)
        raise
    if refused is not None:
        intent.recover(repo)
        return refused
    intent.drop(repo)
    return Landed(note.new)


def _why(note: intent.Intent) -> str:
    return f"gitmem: land {note.new[:12]}"


def _move_files(repo: Repo, note: intent.Intent, present: Sequence[Place], changes: Sequence[Change]) -> Refused | None:
    for place in present:
        done = checkout.switch(place, tree_or_empty(repo, note.old), note.new)
        if done.code:
            return _refused_by_git(place, tree_or_empty(repo, note.old), changes, done)
        checkout.sync(place, changes)
    return None


def _refused_by_git(place: Place, old_tree: str, changes: Sequence[Change], done: git.Finished) -> Refused:
    """Somebody came between our look and Git's; a second look says who."""
    if place.index_lock.exists():
        return _locked(place)
    found = _obstacle(place, old_tree, changes)
    if found is None:
        first = next(iter(done.err.strip().splitlines()), f"exit code {done.code}")
        raise git.GitError(f"git read-tree: {first}", place=str(place.root), stderr=done.err)
    return found


def _obstacle(place: Place, old_tree: str, changes: Sequence[Change]) -> Refused | None:
    """What stands in the way of ``changes`` in one worktree."""
    where = str(place.root)
    if waiting := worktrees.operation(place.worktree):
        return Refused(Reason.OPERATION, where=where, operation=waiting)
    if not checkout.is_index_free(place):
        return _locked(place)
    unmerged, staged = _staged(place, old_tree)
    for reason, found in (
        (Reason.UNMERGED, unmerged),
        (Reason.STAGED, staged & {c.rel for c in changes}),
        (Reason.DIRTY, _edited(place, [c.rel for c in changes if c.old_oid])),
        (Reason.UNTRACKED, _in_the_way(place, changes)),
    ):
        if found:
            return Refused(reason, tuple(sorted(found)), where)
    return None


def _locked(place: Place) -> Refused:
    return Refused(Reason.INDEX_LOCKED, (place.index_lock.name,), str(place.root))


def _staged(place: Place, old_tree: str) -> tuple[set[str], set[str]]:
    """Paths that are unmerged, and those whose index entry is not that of the old commit."""
    fields = place.run("diff-index", "--cached", *_RAW, old_tree).fields()
    pairs = list(zip(fields[::2], fields[1::2], strict=True))
    return {rel for meta, rel in pairs if meta.endswith(" U")}, {rel for _, rel in pairs}


def _edited(place: Place, rels: Sequence[str]) -> set[str]:
    """Tracked paths whose file is not what the index says. Times alone are no edit, so Git looks twice."""
    found = _differing(place, rels)
    if not found:
        return set()
    feed = "".join(f"{rel}\0" for rel in sorted(found)).encode("utf-8", "surrogateescape")
    refresh = ("add", "--refresh", "--sparse", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul")
    checkout.attempt(place, refresh, feed)
    return _differing(place, sorted(found))


def _differing(place: Place, rels: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for group in checkout.chunks(rels):
        found.update(place.run("diff-files", *_RAW, "--", *group).fields()[1::2])
    return found


def _in_the_way(place: Place, changes: Sequence[Change]) -> set[str]:
    """Paths that the landing adds where something untracked is, ignored files too: Git would overwrite those."""
    removed = {c.rel for c in changes if not c.new_oid}
    return {c.rel for c in changes if not c.old_oid and _is_taken(place, c.rel, removed)}


def _is_taken(place: Place, rel: str, removed: set[str]) -> bool:
    parts = rel.split("/")
    for count in range(1, len(parts) + 1):
        here = "/".join(parts[:count])
        try:
            mode = os.lstat(place.root / here).st_mode
        except FileNotFoundError:
            return False
        if not stat.S_ISDIR(mode):
            return here not in removed
    # A folder of that name: Git removes it when the landing empties it, else it refuses.
    return False
