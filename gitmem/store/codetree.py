"""The files of a revision, or of the work tree as it lies there, each under the id of its bytes.

Refuses links, submodules and what Git ignores; reads each changed file once, so that what is told is one moment's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.record import field, record, replace
from gitmem.store import objects, worktree
from gitmem.store.gittree import name_of
from gitmem.store.objects import REGULAR, Change
from gitmem.store.regular import read_at_most
from gitmem.store.repo import FOLDER, Repo

LARGEST_BYTES = 1 << 20
MISSING, LARGE = "its bytes are not in this clone", "it is larger than is read"
_HELD_MOST_BYTES = 32 << 20


@record
class Changed:
    """A file that is not as in the tree. ``oid`` is '' for one that is gone or no regular file; ``why`` says why its
    bytes were not read. ``data`` is None where there are very many: it is read again when it is needed."""

    path: str
    oid: str
    data: bytes | None = field(default=None, compare=False)
    why: str = ""


@record
class Held:
    """What Git does not have: bytes by id, and where those that are not in memory lie on disk."""

    data: Mapping[str, bytes] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)


@record
class CodeTree:
    """``commit`` and ``tree`` are '' before the first commit; ``changed`` is sorted by path."""

    commit: str
    tree: str
    changed: tuple[Changed, ...] = ()


def held_of(tree: CodeTree) -> Held:
    data = {each.oid: each.data for each in tree.changed if each.data is not None}
    return Held(data, {each.oid: each.path for each in tree.changed if each.oid and each.oid not in data})


def at_revision(repo: Repo, revision: str) -> CodeTree:
    commit = objects.resolve(repo, revision)
    found = objects.look_up(repo, [f"{commit}^{{tree}}"])[0]
    return CodeTree(commit, found[0] if found else "")


def in_worktree(repo: Repo) -> CodeTree:
    """HEAD with everything over it that is edited, staged, or not tracked and not ignored."""
    commit, tree = (found[0] if found else "" for found in objects.look_up(repo, ["HEAD^{commit}", "HEAD^{tree}"]))
    if repo.root is None:
        return CodeTree(commit, tree)
    rows, left = [], _HELD_MOST_BYTES
    # What ends as a folder is a repository of its own.
    differing = {path for path, _ in worktree.differing(repo) if not path.endswith("/") and not _is_knowledge(path)}
    for path in sorted(differing):
        found = _changed(repo, path)
        left -= len(found.data or b"")
        rows.append(found if left > 0 else replace(found, data=None))
    return CodeTree(commit, tree, tuple(rows))


def _changed(repo: Repo, path: str) -> Changed:
    if repo.root is None:
        return Changed(path, "")
    try:
        data = read_at_most(repo.root / path, LARGEST_BYTES + 1)
    except FileNotFoundError:
        return Changed(path, "")
    except OSError as err:
        return Changed(path, "", why=err.strerror or "unreadable")
    if len(data) > LARGEST_BYTES:
        return Changed(path, f"large-{hashlib.blake2b(data, digest_size=16).hexdigest()}", data)
    return Changed(path, name_of("blob", data, repo.object_format), data)


def _is_knowledge(path: str) -> bool:
    return path.startswith(f"{FOLDER}/")


def listed(repo: Repo, found: CodeTree) -> dict[str, str]:
    """The id of each regular file by its path, in the order of the paths; knowledge is no code."""
    rows = objects.list_names(repo, found.tree) if found.tree else []
    files = {row.rel: row.oid for row in rows if row.mode in REGULAR and not _is_knowledge(row.rel)}
    for each in found.changed:
        files.pop(each.path, None)
        if each.oid:
            files[each.path] = each.oid
    return dict(sorted(files.items()))


def contents(repo: Repo, oids: Sequence[str], held: Held) -> Iterator[tuple[str, bytes | None]]:
    """As ``found``, None for what has no bytes."""
    yield from ((oid, None if isinstance(data, str) else data) for oid, data in found(repo, oids, held))


def found(repo: Repo, oids: Sequence[str], held: Held) -> Iterator[tuple[str, bytes | str]]:
    """The bytes by id, or why there are none: larger than is read, not in this clone, or changed on disk since."""
    asked = [oid for oid in oids if oid not in held.data and oid not in held.places]
    sizes = dict(zip(asked, objects.look_up_here(repo, asked), strict=True))
    readable = [oid for oid in asked if (size := sizes[oid]) and size[1] == "blob" and size[2] <= LARGEST_BYTES]
    blobs = objects.read_blobs(repo, readable)
    wanted = set(readable)
    for oid in oids:
        if oid in held.data:
            yield oid, held.data[oid]
        elif oid in held.places:
            again = _changed(repo, held.places[oid])
            yield oid, MISSING if again.oid != oid or again.data is None else again.data
        elif oid in wanted:
            yield oid, next(blobs)[1]
        else:
            yield oid, LARGE if sizes[oid] else MISSING


def regular_changes(changes: Iterable[Change]) -> dict[str, str]:
    """The new id by path of what differs between two trees, '' for what is gone or no regular file."""
    rows = {each.rel: each.new_oid if each.new_mode in REGULAR else "" for each in changes}
    return {path: oid for path, oid in rows.items() if not _is_knowledge(path)}
