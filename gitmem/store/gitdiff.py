"""Which files and lines differ, as Git sees it: staged, in the work tree, between two commits.

Refuses to run what a repository configures for diffs, and to look behind links and into other repositories.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from gitmem.errors import GitmemError
from gitmem.model.diff import (
    ADDED,
    DELETED,
    MODIFIED,
    RETYPED,
    SUBMODULE_MODE,
    SYMLINK_MODE,
    UNMERGED,
    WHOLE,
    Diff,
    FileDiff,
)
from gitmem.record import replace
from gitmem.store import git, gitconfig, objects, worktree
from gitmem.store.objects import REGULAR
from gitmem.store.regular import read_at_most
from gitmem.store.repo import Repo
from gitmem.text import applied, unified
from gitmem.text.unified import FilePatch

READ_MAX_BYTES = 2 << 20
# Git looks for a NUL in as much of a file to tell whether it is binary.
_LOOKED_AT = 8000
_MERGE_HEAD_BYTES = 65_536
_FLAGS = ("-r", "--raw", "-z", "-p", "-U0", "-M", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--no-color")
_PATCH = ("--src-prefix=a/", "--dst-prefix=b/", "--full-index", "--ignore-submodules=dirty")
# Git takes larger files for binary then, and does not read them.
_SETTINGS = (f"core.bigFileThreshold={READ_MAX_BYTES}",)
_NO_LINES = frozenset({SYMLINK_MODE, SUBMODULE_MODE})


def staged(repo: Repo, index_file: str = "") -> Diff:
    """The index against HEAD; ``index_file`` is that of a hook. While a merge is finished: what neither side has."""
    base = head(repo)
    files = _staged(repo, index_file, base or worktree.empty_tree(repo))
    others = _merged(repo)
    for other in others:
        files = _in_both(files, _staged(repo, index_file, other))
    return diff_of(base, files, others)


def _staged(repo: Repo, index_file: str, against: str) -> list[FileDiff]:
    args = ("diff-index", "--cached", "--ita-invisible-in-index", *_FLAGS, *_PATCH, against, "--")
    call = git.Call(index_file=index_file, settings=_SETTINGS)
    return _whole(repo, _files(git.run(repo.where, args, call).out))


def _merged(repo: Repo) -> list[str]:
    """The commits that are being merged into HEAD."""
    try:
        data = read_at_most(repo.git_dir / "MERGE_HEAD", _MERGE_HEAD_BYTES)
    except OSError:
        return []
    found = objects.look_up(repo, [f"{each}^{{commit}}" for each in data.decode("ascii", "replace").split()])
    return [row[0] for row in found if row]


def _in_both(ours: Iterable[FileDiff], theirs: Iterable[FileDiff]) -> list[FileDiff]:
    """What differs from both sides, with the lines that come on both: the rest was on one of them before."""
    known = {each.path: each for each in theirs}
    return [_common(each, known[each.path]) for each in ours if each.path in known]


def _common(each: FileDiff, other: FileDiff) -> FileDiff:
    fresh = set(other.added)
    added = tuple(line for line in each.added if line in fresh)
    return replace(each, status=other.status if each.is_new else each.status, added=added)


def between(repo: Repo, old: str, new: str) -> Diff:
    """What the commit ``new`` has otherwise than ``old``, which is '' for nothing at all: end against end."""
    start = old or worktree.empty_tree(repo)
    args = ("diff-tree", *_FLAGS, *_PATCH, "--end-of-options", start, new)
    files = _whole(repo, _files(git.run(repo.where, args, git.Call(settings=_SETTINGS)).out))
    return replace(diff_of(old, files), end=new)


def in_worktree(repo: Repo) -> Diff:
    """The work tree against HEAD, files that Git neither tracks nor ignores among them."""
    base = head(repo)
    args = ("diff-index", *_FLAGS, *_PATCH, base or worktree.empty_tree(repo), "--")
    call = git.Call(settings=_SETTINGS, env=gitconfig.driver_overrides(repo))
    found = {each.path: each for each in _files(git.run(repo.where, args, call).out)}
    others = git.run(repo.where, ("ls-files", "-z", "--others", "--exclude-standard")).fields()
    found |= {path: FileDiff(path, ADDED) for path in others if path not in found or found[path].is_gone}
    return diff_of(base, _whole(repo, [_on_disk(repo, each) for each in found.values()]))


def of_files(repo: Repo, paths: Sequence[str]) -> Diff:
    """These files as they lie in the work tree, all of their lines; those that are not there count as deleted."""
    return diff_of(head(repo), _whole(repo, [_on_disk(repo, FileDiff(path, WHOLE)) for path in paths]))


def contents(repo: Repo, files: Iterable[FileDiff]) -> dict[str, bytes]:
    """The new content of each file that has one of readable size, by path."""
    found = {each.path: each.held for each in files if each.held is not None}
    asked = [each for each in files if each.held is None and each.new_oid and each.new_mode in REGULAR]
    blobs = _blobs(repo, [each.new_oid for each in asked])
    return found | {each.path: blobs[each.new_oid] for each in asked if each.new_oid in blobs}


def _blobs(repo: Repo, oids: Iterable[str]) -> Mapping[str, bytes]:
    known = objects.look_up(repo, sorted(set(oids)))
    readable = [found[0] for found in known if found and found[1] == "blob" and found[2] <= READ_MAX_BYTES]
    return dict(objects.read_blobs(repo, readable))


def head(repo: Repo) -> str:
    """The commit at HEAD, '' before the first one."""
    found = objects.look_up(repo, ["HEAD^{commit}"])[0]
    return found[0] if found else ""


def _files(out: bytes) -> list[FileDiff]:
    """From raw records, each field ended by NUL, and the patch behind them."""
    files: dict[str, FileDiff] = {}
    at = 0
    while out[at : at + 1] == b":":
        meta, at = _field(out, at)
        first, at = _field(out, at)
        old_mode, new_mode, old_oid, new_oid, status = meta[1:].split(" ")
        second, at = _field(out, at) if status[0] in "RC" else (first, at)
        known = files.get(second)
        # A path in conflict has a row for that, and perhaps another one for how it lies there.
        if known is None or known.status != UNMERGED:
            oids = [oid if oid.strip("0") else "" for oid in (old_oid, new_oid)]
            old = first if second != first else ""
            files[second] = FileDiff(second, status[0], old, old_mode, new_mode, oids[0], oids[1])
    patch = out[at + 1 :].decode("utf-8", "surrogateescape")
    if any(each.status == UNMERGED for each in files.values()):
        # Every line of a hunk has a sign before it, and this is none.
        patch = "\n".join(row for row in patch.split("\n") if not row.startswith("* Unmerged path "))
    return _with_lines(list(files.values()), unified.parse(patch) if patch else ())


def _field(out: bytes, at: int) -> tuple[str, int]:
    end = out.index(b"\0", at)
    return out[at:end].decode("utf-8", "surrogateescape"), end + 1


def _with_lines(files: list[FileDiff], patches: Sequence[FilePatch]) -> list[FileDiff]:
    """Both lists are in Git's order; a file whose times alone differ has no patch, a retyped one has two."""
    found = []
    at = 0
    for each in files:
        header = f"{unified.quoted(f'a/{each.old_path or each.path}')} {unified.quoted(f'b/{each.path}')}"
        start = at
        while at < len(patches) and patches[at].header == header:
            at += 1
        mine = patches[start:at]
        if mine or each.status != MODIFIED or each.old_mode != each.new_mode:
            found.append(_filled(each, mine))
    return found


def _filled(each: FileDiff, patches: Sequence[FilePatch]) -> FileDiff:
    added, removed = applied.changed(hunk for patch in patches for hunk in patch.hunks)
    if each.status == RETYPED or each.new_mode in _NO_LINES:
        added, removed = ((), removed) if each.new_mode in _NO_LINES else (added, ())
    return replace(each, added=added, removed=removed, is_binary=any(patch.is_binary for patch in patches))


def _on_disk(repo: Repo, each: FileDiff) -> FileDiff:
    """With the content that lies in the work tree."""
    if each.is_gone or each.status == UNMERGED or each.new_mode in _NO_LINES:
        return each
    assert repo.root is not None
    path = repo.root / each.path
    if each.path.endswith("/"):
        return replace(each, path=each.path.rstrip("/"), new_mode=SUBMODULE_MODE)
    if any(folder.is_symlink() for folder in (path, *path.parents) if folder.is_relative_to(repo.root)):
        return replace(each, new_mode=SYMLINK_MODE, added=())
    try:
        data = read_at_most(path, READ_MAX_BYTES + 1)
    except FileNotFoundError:
        return replace(each, status=DELETED)
    except OSError:
        return replace(each, new_oid="")
    if len(data) > READ_MAX_BYTES:
        return replace(each, new_oid="", is_binary=False)
    return replace(each, new_mode=each.new_mode or REGULAR[0], held=data)


def _whole(repo: Repo, files: list[FileDiff]) -> list[FileDiff]:
    """With the lines of what Git has no patch for: untracked files, and text that attributes call binary."""
    odd = [each for each in files if (each.is_binary or each.held is not None) and not each.is_gone]
    odd = [each for each in odd if each.is_binary or (each.is_new and not each.added)]
    if not odd:
        return files
    now = contents(repo, odd)
    before = _blobs(repo, [each.old_oid for each in odd if each.old_oid and not each.is_new])
    seen = {each.path: _looked_at(each, now.get(each.path), before.get(each.old_oid, b"")) for each in odd}
    return [seen.get(each.path, each) for each in files]


def _looked_at(each: FileDiff, data: bytes | None, old: bytes) -> FileDiff:
    if data is None:
        return each
    if is_binary(data) or is_binary(old):
        return replace(each, is_binary=True, added=(), removed=())
    added, removed = compared(lines(old), lines(data))
    return replace(each, is_binary=False, added=added, removed=removed)


def is_binary(data: bytes) -> bool:
    return b"\0" in data[:_LOOKED_AT]


def lines(data: bytes) -> list[str]:
    """Lines without their ends, as the lines of a diff are told."""
    text = data.decode("utf-8", "surrogateescape")
    rows = text.split("\n")
    if not rows[-1]:
        rows.pop()
    return [row.removesuffix("\r") for row in rows] if "\r" in text else rows


def compared(old: list[str], new: list[str]) -> tuple[tuple[applied.Line, ...], tuple[applied.Line, ...]]:
    """The lines that come and those that go, for what Git gives no patch of."""
    if not old:
        return tuple(enumerate(new, 1)), ()
    added: list[applied.Line] = []
    removed: list[applied.Line] = []
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new).get_opcodes():
        if tag != "equal":
            removed += [(n + 1, old[n]) for n in range(start, end)]
            added += [(n + 1, new[n]) for n in range(new_start, new_end)]
    return tuple(added), tuple(removed)


def diff_of(base: str, files: Iterable[FileDiff], others: Iterable[str] = ()) -> Diff:
    """Sorted by path. The digest covers what is compared: names, modes, blobs, and content that is in no blob;
    ``others`` are the commits with which a file must differ as well.
    """
    kept = tuple(sorted(files, key=lambda each: each.path))
    digest = hashlib.sha256(" ".join((base, *others)).encode())
    for each in kept:
        row = (each.path, each.status, each.old_path, each.old_mode, each.new_mode, each.old_oid, each.new_oid)
        digest.update("\0".join((*row, "")).encode("utf-8", "surrogateescape"))
        held = hashlib.sha256(each.held).digest() if each.held is not None else b"-"
        digest.update(held)
    return Diff(base, kept, digest.hexdigest())


def check_has_tree(repo: Repo) -> None:
    """Stops in a bare repository, which has neither an index nor a work tree."""
    if repo.root is None:
        hint = "compare commits, with a range, or give a diff"
        raise GitmemError("a bare repository has no index and no work tree", hint=hint, place=str(repo.git_dir))
