"""What of ``.gitmem`` is in the work tree and not yet committed.

Refuses to run filters: it compares by its own hashing.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from gitmem.record import record, replace
from gitmem.store import git, gitconfig, objects
from gitmem.store.layout import Place, is_leftover, place_of
from gitmem.store.objects import Change
from gitmem.store.regular import read_at_most
from gitmem.store.repo import FOLDER, Repo

_READ_MAX = 1 << 20
# By the kind of a row of ``git status``: how many columns come before the path, and which is the blob at HEAD.
_STATUS_COLUMNS = {"1": (7, 5), "u": (9, 7), "?": (0, -1)}


@record
class Uncommitted:
    """Files below ``.gitmem`` that differ from HEAD, by path relative to it;

    ``data`` is None where removed or unreadable.
    """

    rel: str
    old_oid: str
    data: bytes | None
    mode: str


def uncommitted(repo: Repo) -> list[Uncommitted]:
    """Everything that the next commits could change, sorted by path; nothing in a bare repository."""
    if repo.root is None:
        return []
    rows: dict[str, str] = {}
    for path, old_oid in differing(repo, FOLDER):  # removed from the index and still there: two rows, the first counts
        rows.setdefault(path.removeprefix(f"{FOLDER}/"), old_oid)
    found = [_as_found(repo.root, rel, old_oid) for rel, old_oid in rows.items()]
    suspects = [u for u in found if not is_leftover(u.rel) and place_of(u.rel) is not Place.CACHE]
    return sorted(_really_different(repo, suspects), key=lambda u: u.rel)


def differing(repo: Repo, *folders: str) -> Iterator[tuple[str, str]]:
    """(path, blob at HEAD, '' for none) of what is staged, edited, in conflict or not tracked, below these folders.

    One command, since each one reads the whole index. Git may have to read a file whose time says nothing: its drivers
    are switched off.
    """
    flags = ("--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all")
    # A stash that a person wants to see counted would be a row of a kind of its own.
    call = git.Call(settings=("status.showStash=false",), env=gitconfig.driver_overrides(repo))
    for row in git.run(_root(repo), ("status", *flags, "--", *folders), call).fields():
        kind, _, rest = row.partition(" ")
        columns, oid_column = _STATUS_COLUMNS[kind]
        fields = rest.split(" ", columns)
        oid = fields[oid_column] if oid_column >= 0 else ""
        yield fields[-1], oid if oid.strip("0") else ""


def _root(repo: Repo) -> Path:
    assert repo.root is not None
    return repo.root


def _below(change: Change) -> Change:
    rel = change.rel.removeprefix(f"{FOLDER}/")
    return replace(change, rel=rel)


def _as_found(root: Path, rel: str, old_oid: str) -> Uncommitted:
    """A file as it lies there; behind a link nothing is read, since that is not what Git would commit."""
    path = root / FOLDER / rel
    if any(folder.is_symlink() for folder in (path, *path.parents) if folder.is_relative_to(root / FOLDER)):
        return Uncommitted(rel, old_oid, None, objects.SYMLINK if path.is_symlink() else "")
    try:
        return Uncommitted(rel, old_oid, read_at_most(path, _READ_MAX + 1), "100644")
    except OSError:
        return Uncommitted(rel, old_oid, None, "")


def _really_different(repo: Repo, suspects: Sequence[Uncommitted]) -> list[Uncommitted]:
    """Drops files whose stat data alone differ; line ends that Git converts on check-in are no difference."""
    known = objects.look_up(repo, [u.old_oid for u in suspects if u.old_oid])
    readable = [k[0] for k in known if k and k[1] == "blob" and k[2] <= _READ_MAX]
    before = dict(objects.read_blobs(repo, readable))
    return [u for u in suspects if u.data is None or u.old_oid not in before or _lf(before[u.old_oid]) != _lf(u.data)]


def _lf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def staged(repo: Repo, index_file: str = "") -> list[Change]:
    """What the index would change below ``.gitmem`` against HEAD; paths are relative to ``.gitmem``."""
    call = git.Call(index_file=index_file)
    done = git.attempt(repo.where, _against("HEAD"), call)
    if done.code:
        has_head = objects.look_up(repo, ["HEAD^{commit}"])[0] is not None
        done = git.run(repo.where, _against("HEAD" if has_head else empty_tree(repo)), call)
    return [_below(change) for change in objects.parse_raw(done.fields())]


def _against(base: str, *folders: str) -> tuple[str, ...]:
    args = ("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", base, "--")
    return (*args, *(folders or (FOLDER,)))


def missing_from_merge(repo: Repo, index_file: str, folders: Sequence[str]) -> list[Change]:
    """What the other side of a merge in progress has in these folders below ``.gitmem``, and the index has not."""
    args = _against("MERGE_HEAD", *(f"{FOLDER}/{folder}" for folder in folders))
    done = git.run(_root(repo), args, git.Call(index_file=index_file))
    return [_below(change) for change in objects.parse_raw(done.fields()) if change.old_oid]


def tracked(repo: Repo, index_file: str = "", below: Sequence[str] = ()) -> list[str]:
    """Every file in the index, in Git's order; with ``below`` only those at or below these paths."""
    args = ("ls-files", "-z", "--cached", "--", *below)
    return git.run(_root(repo), args, git.Call(index_file=index_file)).fields()


def empty_tree(repo: Repo) -> str:
    """The id of the tree without files, in the repository's own hash."""
    return hashlib.new(repo.object_format, b"tree 0\0", usedforsecurity=False).hexdigest()


def listed_files(repo: Repo) -> list[str]:
    """Every file of the work tree that Git tracks or does not ignore, sorted, repo-relative."""
    listed = git.run(_root(repo), ("ls-files", "-z", "--cached", "--others", "--exclude-standard")).fields()
    return sorted(set(listed))
