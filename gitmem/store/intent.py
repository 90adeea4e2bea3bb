"""The note that a landing leaves while it is under way, and what is done about one that is found. Refuses to land.

A landing changes the files before it moves the branch, so a stop in between leaves files that the branch does not know.
They go back to what HEAD says, path by path: a stop in the middle of Git's own work leaves the index as it was and some
files new, which a second ``read-tree`` would take for edits. What a person changed since then is left alone.
"""

import json
import os
from contextlib import suppress
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.record import record
from gitmem.store import checkout, disk, git, objects
from gitmem.store.gitrefs import HEAD, read_ref
from gitmem.store.lock import held
from gitmem.store.repo import Repo, discover

_VERSION = 1
_FIELDS = ("ref", "old", "new", "roots", "version")
_EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}


@record
class Intent:
    """A landing under way: ``ref`` from ``old`` (None: a new branch) to ``new``, in the work trees at ``roots``."""

    ref: str
    old: str | None
    new: str
    roots: tuple[str, ...]
    version: int = _VERSION


@record
class Recovered:
    """What was found of a landing that had stopped: its branch had moved, or the files ``restored`` went back."""

    intent: Intent
    is_landed: bool
    restored: tuple[str, ...] = ()


def begin(repo: Repo, intent: Intent) -> None:
    path = _path(repo)
    with disk.naming(path):
        disk.private_folder(path.parent)
        disk.put(path, json.dumps({name: getattr(intent, name) for name in _FIELDS}).encode())


def drop(repo: Repo) -> None:
    path = _path(repo)
    with disk.naming(path), suppress(FileNotFoundError):
        os.unlink(path)
        disk.sync_folder(path.parent)


def pending(repo: Repo) -> Path | None:
    """The note of a landing that stopped, or is under way right now."""
    path = _path(repo)
    return path if path.exists() else None


def recover(repo: Repo) -> Recovered | None:
    """Finishes a landing that stopped: where the branch has moved it is forgotten, else its files go back."""
    if not _path(repo).exists():
        return None
    with held(repo):
        intent = _read(repo)
        if intent is None:
            return None
        is_landed = _tip(repo, intent) == intent.new
        restored = [] if is_landed else [rel for root in intent.roots for rel in _restore(repo, Path(root), intent)]
        drop(repo)
        return Recovered(intent, is_landed, tuple(restored))


def _tip(repo: Repo, intent: Intent) -> str | None:
    """HEAD is that of the worktree which was landing, not of the one that asks."""
    if intent.ref != HEAD or not intent.roots:
        return read_ref(repo, intent.ref)
    root = Path(intent.roots[0])
    return read_ref(discover(root), HEAD) if os.path.lexists(root / ".git") else None


def tree_or_empty(repo: Repo, commit: str | None) -> str:
    return commit or _EMPTY_TREE[repo.object_format]


def _path(repo: Repo) -> Path:
    return repo.private_dir / "landing.json"


def _read(repo: Repo) -> Intent | None:
    path = _path(repo)
    with disk.naming(path):
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
    try:
        fields = json.loads(text)
        found = Intent(**{name: fields[name] for name in _FIELDS} | {"roots": tuple(fields["roots"])})
    except (ValueError, KeyError, TypeError) as err:
        raise _unreadable(path) from err
    if found.version != _VERSION:
        raise _unreadable(path)
    return found


def _unreadable(path: Path) -> GitmemError:
    return GitmemError(
        "the note of an unfinished landing cannot be read by this version of gitmem",
        hint=f"look at git status, then remove {path}",
        place=str(path),
        code="broken-intent",
    )


def _restore(repo: Repo, root: Path, intent: Intent) -> list[str]:
    """Judged against HEAD, which may be another branch by now, or a commit of what the landing had written."""
    if not os.path.lexists(root / ".git"):
        # The worktree was removed meanwhile; one that cannot be opened is an error, and the note stays.
        return []
    worktree = discover(root)
    if worktree.root is None or not worktree.common_dir.samefile(repo.common_dir):
        return []
    here = tree_or_empty(repo, _head(worktree, intent))
    touched = {c.rel for c in objects.diff_trees(repo, tree_or_empty(repo, intent.old), intent.new)}
    changes = [c for c in objects.diff_trees(repo, here, intent.new) if c.rel in touched]
    return checkout.put_back(checkout.open_place(worktree), changes)


def _head(worktree: Repo, intent: Intent) -> str | None:
    """None on a branch without commits, which is where a landing of a first commit starts."""
    asked = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if intent.old is not None:
        return git.run(worktree.where, asked).lines()[0]
    done = git.attempt(worktree.where, asked)
    return done.lines()[0] if done.code == 0 else None
