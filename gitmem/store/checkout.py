"""Index and files of one worktree, moved from one tree to another and put back. Refuses to move a branch.

Git runs here with every filter and driver of the configuration emptied by name.
"""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.record import record
from gitmem.store import disk, files, git
from gitmem.store.gitconfig import driver_overrides
from gitmem.store.gitloose import DURABLE
from gitmem.store.objects import Change
from gitmem.store.repo import Repo
from gitmem.store.stale import set_aside

_WAIT_S = 3.0
_PAUSE_S = 0.01
_ARGUMENTS_LONGEST = 16_000
_LARGEST_BYTES = 1 << 30
_ABSENT = "000000"
# The tag of an entry whose file a sparse checkout leaves out.
_SKIPPED = "S"
# What a person, not a landing, puts in a file's place.
_NOT_OURS = frozenset({"link-in-path", "not-a-file", "too-large", "unsafe-path"})


@record
class Place:
    """One worktree, and the environment that silences what its configuration would run on contents."""

    worktree: Repo
    silence: tuple[tuple[str, str], ...]

    @property
    def root(self) -> Path:
        return self.worktree.where

    @property
    def index_lock(self) -> Path:
        return self.worktree.git_dir / "index.lock"

    def call(self, stdin: bytes | None = None) -> git.Call:
        return git.Call(stdin=stdin, settings=(*DURABLE, "submodule.recurse=false"), env=self.silence)

    def run(self, *args: str) -> git.Finished:
        """Runs a command that only reads."""
        return git.run(self.root, args, self.call())


def open_place(worktree: Repo) -> Place:
    return Place(worktree, driver_overrides(worktree))


def attempt(place: Place, args: Sequence[str], stdin: bytes | None = None) -> git.Finished:
    """Runs a command that locks the index, again when somebody else had the lock and let it go."""
    done = git.attempt(place.root, args, place.call(stdin))
    while done.code and place.index_lock.exists() and is_index_free(place):
        done = git.attempt(place.root, args, place.call(stdin))
    return done


def is_index_free(place: Place) -> bool:
    """Waits a moment for whoever has the index; an old lock that nobody has open is put aside."""
    lock = place.index_lock
    end = time.monotonic() + _WAIT_S
    while lock.exists() and not set_aside(place.worktree, lock):
        if time.monotonic() >= end:
            return False
        time.sleep(_PAUSE_S * (1 + os.urandom(1)[0] / 64))
    return True


def switch(place: Place, old_tree: str, new: str) -> git.Finished:
    """Moves index and files from one tree to another; Git refuses as a whole where that would lose an edit."""
    return attempt(place, ("read-tree", "-m", "-u", old_tree, new))


def sync(place: Place, changes: Iterable[Change]) -> None:
    """Makes the files that a switch wrote durable, and the index with them; missing files are passed over."""
    folders = {place.worktree.git_dir}
    for path in (place.root / change.rel for change in changes):
        if path.is_file():
            with disk.naming(path):
                disk.sync_file(path)
        folders.add(path.parent)
    for folder in sorted(folder for folder in folders if folder.is_dir()):
        with disk.naming(folder):
            disk.sync_folder(folder)


def put_back(place: Place, changes: Sequence[Change]) -> list[str]:
    """Takes paths back from the new side of ``changes`` to the old one, where nobody has touched them since.

    Index entries that are neither side are left alone, and so are files that hold neither side, nor a beginning of
    the new one, nor nothing: Git removes a file before it writes it again. Returns the paths that went back.
    """
    staged = _index_entries(place)
    is_sparse = any(tag == _SKIPPED for _, _, tag in staged.values())
    usual = _SKIPPED if is_sparse else ""
    found = {c.rel: staged.get(c.rel, (_ABSENT, "", usual)) for c in changes}
    ours = [c for c in changes if found[c.rel][:2] in (_new_side(c), _old_side(c))]
    _stage_old(place, [c for c in ours if found[c.rel][:2] == _new_side(c)])
    _skip(place, [c.rel for c in ours if c.old_oid and found[c.rel][2] == _SKIPPED])
    removed = [c for c in ours if found[c.rel][2] != _SKIPPED and _is_written_by_us(place, c)]
    _write_missing(place, [c.rel for c in removed if c.old_oid])
    if is_sparse:
        # Entries that came back are skipped at first; Git knows which of them belong on the disk.
        _must(place, ("sparse-checkout", "reapply"), "")
    sync(place, removed)
    return [c.rel for c in removed]


def _new_side(change: Change) -> tuple[str, str]:
    return change.new_mode, change.new_oid


def _old_side(change: Change) -> tuple[str, str]:
    return change.old_mode, change.old_oid


def _index_entries(place: Place) -> dict[str, tuple[str, str, str]]:
    """Mode, oid and tag of each entry; one that is unmerged has no oid."""
    found: dict[str, tuple[str, str, str]] = {}
    for field in place.run("ls-files", "-s", "-t", "-z").fields():
        meta, _, rel = field.partition("\t")
        tag, mode, oid, stage = meta.split(" ")
        found[rel] = (mode, oid if stage == "0" else "unmerged", tag)
    return found


def _stage_old(place: Place, changes: Sequence[Change]) -> None:
    if changes:
        none = "0" * len(changes[0].old_oid or changes[0].new_oid)
        lines = [f"{c.old_mode if c.old_oid else '0'} {c.old_oid or none}\t{c.rel}\0" for c in changes]
        _must(place, ("update-index", "-z", "--index-info"), "".join(lines))


def _skip(place: Place, rels: Sequence[str]) -> None:
    if rels:
        _must(place, ("update-index", "-z", "--skip-worktree", "--stdin"), "".join(f"{rel}\0" for rel in rels))


def _write_missing(place: Place, rels: Sequence[str]) -> None:
    """Without -f: what a person makes in this moment stays, and Git's exit code says no more than that.

    Without -u: a killed Git may have left its lock on the index, and files can be written all the same.
    """
    if rels:
        feed = "".join(f"{rel}\0" for rel in rels).encode("utf-8", "surrogateescape")
        done = attempt(place, ("checkout-index", "-q", "-z", "--stdin"), feed)
        if not all(os.path.lexists(place.root / rel) for rel in rels):
            raise _not_put_back(place, done)


def _must(place: Place, args: Sequence[str], feed: str) -> None:
    done = attempt(place, args, feed.encode("utf-8", "surrogateescape"))
    if done.code:
        raise _not_put_back(place, done)


def _not_put_back(place: Place, done: git.Finished) -> git.GitError:
    return git.GitError(
        f"an unfinished landing could not be taken back in {place.root}",
        hint=f"if no Git process is running, remove {place.index_lock}, then try again",
        place=str(place.root),
        stderr=done.err,
    )


def _is_written_by_us(place: Place, change: Change) -> bool:
    """Removes the file if it is what the landing wrote, or a part of that, so that the old one can be written."""
    try:
        found = files.read_file(place.root, change.rel, limit_bytes=_LARGEST_BYTES)
    except GitmemError as err:
        if err.code in _NOT_OURS:
            return False
        raise
    if found is None:
        return bool(change.old_oid)
    if not change.new_oid or found == _on_disk(place, change.rel, change.old_oid):
        return False
    new = _on_disk(place, change.rel, change.new_oid)
    if new is None or not new.startswith(found):
        return False
    files.remove_file(place.root, change.rel, expected=found)
    return True


def _on_disk(place: Place, rel: str, oid: str) -> bytes | None:
    """The bytes that Git writes for a blob at ``rel``: line ends as configured, no other filter."""
    if not oid:
        return None
    return place.run("cat-file", "--filters", f"--path={rel}", oid).out


def chunks(rels: Iterable[str]) -> Iterator[list[str]]:
    """Paths in groups that fit on the command line of every system."""
    group: list[str] = []
    size = 0
    for rel in rels:
        if group and size + len(rel) > _ARGUMENTS_LONGEST:
            yield group
            group, size = [], 0
        group.append(rel)
        size += len(rel) + 1
    if group:
        yield group
