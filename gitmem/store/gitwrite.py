"""Commits made without an index or a work tree: objects first, then one ref. Refuses to sign, to run hooks, to ask."""

import os
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from dulwich.errors import ApplyDeltaError, ChecksumMismatch, FileFormatException
from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID

from gitmem.errors import GitmemError
from gitmem.record import record, replace
from gitmem.store import git, gittree, objects, worktrees
from gitmem.store.author import clean
from gitmem.store.gitloose import write_objects
from gitmem.store.gitrefs import check_ref, read_ref, swap_ref
from gitmem.store.gitstorage import Storage, storage_of
from gitmem.store.lock import held
from gitmem.store.repo import Repo

Changes = Mapping[str, bytes | None]
# Asked when the ref has moved to another tip (None: it is gone): the changes there, None where they no longer apply.
Rebuild = Callable[[str | None], Changes | None]

_TRIES = 8
_PAUSE_S = 0.02
_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}


class MovedError(GitmemError):
    """The ref moved while the commit was made; ``expected`` and ``found`` are its ids then and now, None for no ref."""

    code = "ref-moved"

    def __init__(self, ref: str, expected: str | None, found: str | None) -> None:
        super().__init__(
            f"{ref} moved while this was written: from {expected or 'nothing'} to {found or 'nothing'}",
            hint="look at what is there now, then try again",
            place=ref,
        )
        self.expected = expected
        self.found = found


@record
class Draft:
    """What a commit will say. ``changes``: bytes by path from the root, None removes; ``when`` has a time zone.

    ``author`` is ``Name <email>``, and the committer too unless one is named; ``also`` are parents after the first.
    """

    changes: Changes
    message: str
    author: str
    when: datetime
    also: tuple[str, ...] = ()
    committer: str = ""


def write_commit(repo: Repo, base: str | None, draft: Draft) -> str:
    """Writes a commit on ``base`` (None: a root commit), durable on return, and moves no ref. Returns its id."""
    storage = storage_of(repo)
    plan = gittree.Plan(repo.object_format)
    with _reader(repo, storage) as read:
        old = _tree_of(read, base) if base else ""
        tree = gittree.rewrite(read, old, draft.changes, plan)
    parents = (base, *draft.also) if base else draft.also
    commit = plan.add("commit", _commit(tree, parents, draft))
    write_objects(repo, storage, plan.objects)
    return commit


def write_root(repo: Repo, folder: tuple[str, str], draft: Draft) -> str:
    """Writes a commit without parents whose tree is one folder, (name, id of a tree that is here), and moves no ref."""
    plan = gittree.Plan(repo.object_format)
    name, oid = folder
    tree = plan.add("tree", f"{gittree.FOLDER} {name}\0".encode() + bytes.fromhex(oid))
    commit = plan.add("commit", _commit(tree, (), draft))
    write_objects(repo, storage_of(repo), plan.objects)
    return commit


def commit_files(repo: Repo, ref: str, base: str | None, draft: Draft, rebuild: Rebuild | None = None) -> str:
    """Commits ``draft`` on ``base`` and moves ``ref`` there from ``base`` (None: a new ref), durable on return.

    Where the ref has moved, ``rebuild`` says what to change on the new tip; without it, or when it gives None,
    MovedError. A branch that a worktree has checked out is refused: ``store.land`` is for those.
    """
    _refuse_checked_out(repo, check_ref(ref))
    commit = write_commit(repo, base, draft)
    with held(repo):
        for attempt in range(_TRIES):
            if swap_ref(repo, ref, base, commit, reason=draft.message.partition("\n")[0]):
                return commit
            tip = read_ref(repo, ref)
            changes = rebuild(tip) if rebuild else None
            if changes is None:
                raise MovedError(ref, base, tip)
            # Our own writers wait for the lock; who moves the ref now is Git, and seldom.
            time.sleep(attempt * _PAUSE_S * os.urandom(1)[0] / 255)
            base = tip
            commit = write_commit(repo, base, replace(draft, changes=changes))
        raise MovedError(ref, base, read_ref(repo, ref))


def _refuse_checked_out(repo: Repo, ref: str) -> None:
    holders = worktrees.holders(repo, ref) if ref.startswith("refs/heads/") else None
    if holders and (holders.present or holders.missing):
        where = [*(str(each.where) for each in holders.present), *holders.missing]
        raise GitmemError(
            f"the branch {ref.removeprefix('refs/heads/')} is checked out in {where[0]}",
            hint="land the change there, so that the files move with the branch",
            place=where[0],
            code="checked-out",
        )


def _commit(tree: str, parents: tuple[str, ...], draft: Draft) -> bytes:
    offset = draft.when.utcoffset()
    if offset is None:
        raise ValueError("the time of a commit needs a time zone")
    minutes = int(offset.total_seconds()) // 60
    zone = f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{abs(minutes) % 60:02}"
    when = f"{int(draft.when.timestamp())} {zone}"
    author, committer = (_person(each) for each in (draft.author, draft.committer or draft.author))
    people = (f"author {author} {when}", f"committer {committer} {when}")
    lines = [f"tree {tree}", *(f"parent {each}" for each in parents), *people]
    message = draft.message.replace("\0", "").strip("\n")
    return "\n".join([*lines, "", message, ""]).encode("utf-8", "replace")


def _person(text: str) -> str:
    name, _, email = text.partition("<")
    return f"{clean(name)} <{clean(email)}>"


def _tree_of(read: gittree.Read, commit: str) -> str:
    kind, content = read(commit)
    head, _, tree = content.partition(b"\n")[0].partition(b" ")
    if kind != "commit" or head != b"tree":
        raise git.GitError(f"{commit} is a {kind}, not a commit", place=commit, code="not-a-commit")
    return tree.decode()


@contextmanager
def _reader(repo: Repo, storage: Storage) -> Iterator[gittree.Read]:
    """Reads objects in this process where it can, else by one Git process each."""
    if not storage.is_plain:
        yield lambda oid: _read_by_git(repo, oid)
        return
    store = DiskObjectStore(repo.common_dir / "objects")
    try:
        yield lambda oid: _read_raw(repo, store, oid)
    finally:
        store.close()


def _read_raw(repo: Repo, store: DiskObjectStore, oid: str) -> tuple[str, bytes]:
    try:
        kind, content = store.get_raw(ObjectID(oid.encode()))
    except (KeyError, ApplyDeltaError, ChecksumMismatch, FileFormatException, zlib.error) as err:
        raise objects.missing_object(repo, oid) from err
    return _KINDS[kind], content


def _read_by_git(repo: Repo, oid: str) -> tuple[str, bytes]:
    found = objects.look_up(repo, [oid])[0]
    if found is None:
        raise objects.missing_object(repo, oid)
    return found[1], git.run(repo.where, ("cat-file", found[1], oid)).out
