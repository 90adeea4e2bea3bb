"""A diff that somebody hands over, laid on what HEAD has. Refuses to guess where a hunk might belong."""

from collections.abc import Iterable, Sequence

from gitmem.errors import GitmemError
from gitmem.model.diff import (
    ADDED,
    COPIED,
    DELETED,
    MODIFIED,
    RENAMED,
    RETYPED,
    SUBMODULE_MODE,
    SYMLINK_MODE,
    Diff,
    FileDiff,
)
from gitmem.record import replace
from gitmem.store import gitdiff, objects
from gitmem.store.objects import REGULAR, Entry
from gitmem.store.repo import Repo
from gitmem.text import applied, unified
from gitmem.text.applied import Misfit
from gitmem.text.unified import FilePatch

_NEVER = frozenset({"", ".", "..", ".git"})


class DoesNotApplyError(GitmemError):
    code = "diff-does-not-apply"


def given(repo: Repo, text: str) -> Diff:
    """``text`` is a unified diff, '' or blank for a change of nothing; raises for what is no diff of HEAD."""
    patches = unified.parse(text) if text.strip() else ()
    for patch in patches:
        for path in (patch.old_path, patch.new_path):
            if path and not _NEVER.isdisjoint(path.casefold().split("/")):
                raise _misfit(path, patch.line, "no file of a repository has this path")
    commit = gitdiff.head(repo)
    return gitdiff.diff_of(commit, _Base(repo, commit, patches).files(patches))


class _Base:
    """What HEAD has of the files of a diff, and what the diff has made of them so far."""

    def __init__(self, repo: Repo, commit: str, patches: Sequence[FilePatch]) -> None:
        self.entries = _entries(repo, commit, {patch.old_path or patch.new_path for patch in patches})
        self.entries |= _entries(repo, commit, {patch.new_path for patch in patches if patch.new_path})
        strange = {patch.old_path for patch in patches if patch.old_path} - self.entries.keys()
        self.entries |= _submodules(repo, commit, strange)
        small = [e for e in self.entries.values() if 0 <= e.size_bytes <= gitdiff.READ_MAX_BYTES]
        blobs = dict(objects.read_blobs(repo, sorted({each.oid for each in small})))
        self.before = {each.rel: blobs[each.oid] for each in small}
        self.now: dict[str, bytes | None] = dict(self.before)
        self.gone: set[str] = set()

    def files(self, patches: Iterable[FilePatch]) -> list[FileDiff]:
        found: dict[str, FileDiff] = {}
        for patch in patches:
            each = self.file(patch)
            if each.path in found:
                each = self.again(found[each.path], each)
            found[each.path] = each
        return list(found.values())

    def file(self, patch: FilePatch) -> FileDiff:
        old, new = patch.old_path, patch.new_path
        self.check_sides(patch)
        path = new or old
        entry = self.entries.get(old)
        mode = patch.new_mode or (entry.mode if entry else REGULAR[0])
        each = FileDiff(path, _status(patch), old if old and old != path else "", patch.old_mode, mode)
        each = replace(each, old_oid=entry.oid if entry else "", is_binary=patch.is_binary)
        data = None if patch.is_binary or mode == SUBMODULE_MODE else self.laid_on(patch)
        if old and old != new and not patch.is_copy:
            self.gone.add(old)
            self.now.pop(old, None)
        if new:
            self.now[new] = data
            self.gone.discard(new)
        if data is None or mode == SYMLINK_MODE:
            return each
        added, removed = applied.changed(patch.hunks)
        return replace(each, added=added, removed=removed, held=None if each.is_gone else data)

    def check_sides(self, patch: FilePatch) -> None:
        old, new = patch.old_path, patch.new_path
        if old and not self.is_here(old):
            raise _misfit(old, patch.line, "HEAD has no such file")
        if new and new != old and self.is_here(new):
            raise _misfit(new, patch.line, "HEAD has this file already")

    def is_here(self, path: str) -> bool:
        return path not in self.gone and (path in self.entries or path in self.now)

    def laid_on(self, patch: FilePatch) -> bytes | None:
        """The new content; None where the old one is too large to be read."""
        old = self.now.get(patch.old_path, None) if patch.old_path else b""
        if old is None:
            return None
        data = applied.apply(patch.hunks, old)
        if isinstance(data, Misfit):
            path = patch.old_path or patch.new_path
            raise _misfit(f"{path}:{data.line}", data.hunk_line, "HEAD has other text here than the diff says")
        return data

    def again(self, first: FileDiff, second: FileDiff) -> FileDiff:
        """A file that a diff has twice, as a series of patches may."""
        if first.is_gone and not second.is_gone:
            second = replace(second, status=RETYPED)
        if second.held is None or first.status in (ADDED, RETYPED):
            status = second.status if second.is_gone else first.status
            added = tuple(enumerate(gitdiff.lines(second.held), 1)) if second.held is not None else ()
            return replace(second, status=status, added=added)
        before = self.before.get(first.old_path or first.path, b"")
        added, removed = gitdiff.compared(gitdiff.lines(before), gitdiff.lines(second.held))
        return replace(second, old_path=first.old_path, old_oid=first.old_oid, added=added, removed=removed)


def _status(patch: FilePatch) -> str:
    if not patch.old_path:
        return ADDED
    if not patch.new_path:
        return DELETED
    if patch.old_path == patch.new_path:
        return MODIFIED
    return COPIED if patch.is_copy else RENAMED


def _misfit(place: str, line: int, message: str) -> DoesNotApplyError:
    hint = "give a diff against HEAD, as git diff HEAD prints it, or verify with --worktree or --range"
    return DoesNotApplyError(f"{message} (line {line} of the diff)", place=place, hint=hint)


def _entries(repo: Repo, commit: str, paths: set[str]) -> dict[str, Entry]:
    """What HEAD has at these paths, by path."""
    if not commit or not paths:
        return {}
    # Git is asked line by line; a name that holds a line feed goes by the whole list.
    if any("\n" in path for path in paths):
        return {entry.rel: entry for entry in objects.list_tree(repo, commit) if entry.rel in paths}
    names = sorted(paths)
    rows = objects.look_up(repo, [f"{commit}:{name}" for name in names])
    return {
        name: Entry(name, REGULAR[0], row[0], row[2])
        for name, row in zip(names, rows, strict=True)
        if row and row[1] == "blob"
    }


def _submodules(repo: Repo, commit: str, paths: Iterable[str]) -> dict[str, Entry]:
    """Those of the paths at which HEAD has another repository."""
    found = objects.entries_at(repo, commit, sorted(paths)) if commit else {}
    return {path: entry for path, entry in found.items() if entry.mode == SUBMODULE_MODE}
