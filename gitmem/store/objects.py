"""Reading objects and refs at a revision. Refuses to write, and to read anything over its size limit."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from gitmem.errors import GitmemError, UsageError
from gitmem.model.moments import instant
from gitmem.record import record
from gitmem.store import git
from gitmem.store.repo import Repo

REGULAR = ("100644", "100755")
SYMLINK = "120000"
SUBMODULE = "160000"
FOLDER_MODE = "040000"
_OID_LENGTHS = (40, 64)
# A command line holds 128 KiB at the least, and a path 4 KiB at the most.
_PATHS_A_CALL = 30
# What a name that begins with a whole id means never changes: one approval asks for the same ones several times.
Looked = tuple[str, str, int]
_BY_ID = re.compile(r"([0-9a-f]{40}|[0-9a-f]{64})(:|\^\{|$)")
_SEEN: dict[tuple[Path, str], Looked] = {}
_SEEN_MAX = 512
_HELD: dict[tuple[Path, str], bytes] = {}
_HELD_MAX = 512
_HELD_MAX_BYTES = 16_384
_DATE = r"\d{4}-\d{2}-\d{2}([T ][0-9:.]+(Z|[+-]\d{2}:?\d{2})?)?"


class UnknownRevisionError(GitmemError):
    code = "unknown-revision"


@record
class Entry:
    """One file of a tree: ``rel`` is POSIX, relative to that tree; ``size_bytes`` is -1 where there is no blob here."""

    rel: str
    mode: str
    oid: str
    size_bytes: int = -1


@record
class Change:
    """One path that differs between two trees; an empty oid means absent on that side.

    ``is_unmerged``: the index holds the sides of an unfinished merge, so nothing is known of the new side.
    """

    rel: str
    old_oid: str
    new_oid: str
    new_mode: str
    old_mode: str = ""
    is_unmerged: bool = False


def check_revision(text: str) -> str:
    """Returns ``text`` if it can be a revision and nothing else; options and ranges are refused."""
    if not text or text[0] in "-^" or ".." in text or any(ord(c) < 33 or c == "\x7f" for c in text):
        raise UsageError(f"not a revision: {text!r}", hint="give a branch, a tag, a commit or a date like 2026-01-31")
    return text


def resolve(repo: Repo, revision: str, dated_from: str = "HEAD") -> str:
    """The commit that a branch, tag, id or date (UTC, first parents of ``dated_from``) names."""
    check = check_revision(revision.replace(" ", "T") if re.fullmatch(_DATE, revision) else revision)
    seen = _SEEN.get((repo.git_dir, f"{check}^{{commit}}"))
    if seen:
        return seen[0]
    done = git.attempt(repo.where, ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{check}^{{commit}}"))
    if done.code == 0:
        return done.lines()[-1]
    if re.fullmatch(_DATE, check):
        return _at_date(repo, check, dated_from)
    raise UnknownRevisionError(
        f"no such revision here: {revision}",
        hint="see: git branch -a, git tag; a shallow clone may need: git fetch --unshallow",
    )


def merge_base(repo: Repo, first: str, second: str) -> str:
    """The commit at which two commits parted."""
    return merge_bases(repo, first, second)[0]


def merge_bases(repo: Repo, first: str, second: str) -> tuple[str, ...]:
    """The commits at which two commits parted: more than one where their histories had crossed before."""
    done = git.attempt(repo.where, ("merge-base", "--all", "--end-of-options", first, second))
    if done.code:
        hint = "a shallow clone may need: git fetch --unshallow"
        raise UnknownRevisionError(f"{first[:12]} and {second[:12]} have no commit in common here", hint=hint)
    return tuple(done.lines())


def common_ancestor(repo: Repo, commits: Sequence[str]) -> str:
    """A commit that all of them build on, '' for none."""
    done = git.attempt(repo.where, ("merge-base", "--octopus", "--end-of-options", *commits))
    return done.lines()[0] if done.code == 0 else ""


def is_ancestor(repo: Repo, old: str, new: str) -> bool:
    """Whether ``new`` is ``old`` or builds on it."""
    return git.attempt(repo.where, ("merge-base", "--is-ancestor", "--end-of-options", old, new)).code == 0


def _at_date(repo: Repo, date: str, start: str) -> str:
    if instant(date) is None:
        raise UsageError(f"not a date: {date}", hint="for example 2026-01-31 or 2026-01-31T10:00:00Z")
    moment = date if "T" in date else f"{date}T23:59:59Z"
    done = git.attempt(repo.where, ("rev-list", "-1", "--first-parent", f"--before={moment}", start))
    found = done.lines()
    if done.code or not found:
        raise UnknownRevisionError(
            f"no commit as old as {date} here", hint="a shallow clone may need: git fetch --unshallow"
        )
    return found[0]


def look_up(repo: Repo, names: Sequence[str]) -> list[Looked | None]:
    """(oid, type, size in bytes) for each object name, None where Git knows no such object; order kept."""
    known = {name: row for name in names if (row := _SEEN.get((repo.git_dir, name)))}
    asked = [name for name in names if name not in known]
    rows: dict[str, Looked | None] = {**known, **dict(zip(asked, _looked_up(repo, asked), strict=True))}
    for name in asked:
        row = rows[name]
        if row and _BY_ID.match(name):
            _SEEN[repo.git_dir, name] = row
    while len(_SEEN) > _SEEN_MAX:
        del _SEEN[next(iter(_SEEN))]
    return [rows[name] for name in names]


def _looked_up(repo: Repo, names: Sequence[str]) -> list[Looked | None]:
    if not names:
        return []
    text = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    done = git.run(repo.where, ("cat-file", "--batch-check", "--buffer"), git.Call(stdin=text))
    found: list[Looked | None] = []
    for line in done.lines():
        parts = line.rsplit(" ", 2)
        known = len(parts) == 3 and _is_oid(parts[0]) and parts[2].isdigit()
        found.append((parts[0], parts[1], int(parts[2])) if known else None)
    return found


def look_up_here(repo: Repo, oids: Sequence[str]) -> list[Looked | None]:
    """As ``look_up``, for ids: None as well for what a partial clone left where it comes from."""
    try:
        return look_up(repo, oids)
    except git.GitError as err:
        if err.code != "missing-object":
            raise
    # Git ends at the first one that it does not have; only what it has can be listed.
    done = git.run(repo.where, ("cat-file", "--batch-all-objects", "--batch-check=%(objectname)", "--unordered"))
    here = {*done.lines()}.intersection(oids)
    found = dict(zip(here, look_up(repo, [*here]), strict=True))
    return [found.get(oid) for oid in oids]


def _is_oid(text: str) -> bool:
    return len(text) in _OID_LENGTHS and not text.strip("0123456789abcdef")


def read_blobs(repo: Repo, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Each object's bytes in the order asked. Callers have looked at the sizes before (``look_up``, ``list_tree``)."""
    wanted = list(oids)
    held = {oid: found for oid in wanted if (found := _HELD.get((repo.git_dir, oid))) is not None}
    read = _read(repo, [oid for oid in wanted if oid not in held])
    for oid in wanted:
        yield oid, held[oid] if oid in held else next(read)


def _read(repo: Repo, wanted: Sequence[str]) -> Iterator[bytes]:
    if not wanted:
        return
    # Without --buffer Git hands over every object by itself, and the reader wakes up for each.
    asked = git.Call(stdin="".join(f"{oid}\n" for oid in wanted).encode())
    done = git.attempt(repo.where, ("cat-file", "--batch", "--buffer"), asked)
    out, at = done.out, 0
    for oid in wanted:
        end = out.find(b"\n", at)
        head = out[at : end if end >= 0 else at].split(b" ")
        if len(head) != 3:
            raise missing_object(repo, oid)
        size = int(head[2])
        content = out[end + 1 : end + 1 + size]
        _hold(repo, oid, content)
        yield content
        at = end + 1 + size + 1


def _hold(repo: Repo, oid: str, content: bytes) -> None:
    """A small object is asked for several times in one approval, and what its whole id names never changes."""
    if len(content) <= _HELD_MAX_BYTES and _is_oid(oid):
        _HELD[repo.git_dir, oid] = content
    while len(_HELD) > _HELD_MAX:
        del _HELD[next(iter(_HELD))]


def missing_object(repo: Repo, oid: str) -> GitmemError:
    return git.GitError(
        f"object {oid} is not in this clone",
        hint=f"a partial clone fetches it with: {git.FETCH_MISSING}; damage is named by: git fsck",
        place=str(repo.git_dir),
        code="missing-object",
    )


def list_tree(repo: Repo, tree: str, only: Sequence[str] = ()) -> list[Entry]:
    """Every file below ``tree`` in Git's order, with sizes; ``only`` names the paths that are wanted."""
    done = git.run(repo.where, ("ls-tree", "-r", "-z", "-l", "--full-tree", "--end-of-options", tree, *only))
    entries = []
    for field in done.fields():
        meta, _, rel = field.partition("\t")
        mode, _, oid, size = meta.split()
        entries.append(Entry(rel, mode, oid, int(size) if size.isdigit() else -1))
    return entries


def list_names(repo: Repo, tree: str) -> list[Entry]:
    """As ``list_tree``, without sizes: those are not known of what a partial clone has left out."""
    done = git.run(repo.where, ("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", tree))
    rows = (field.partition("\t") for field in done.fields())
    return [Entry(rel, meta.split()[0], meta.split()[2]) for meta, _, rel in rows]


def entries_at(repo: Repo, commit: str, rels: Sequence[str]) -> dict[str, Entry]:
    """What a commit has at each of these paths, folders and submodules too; a path where nothing is is left out."""
    found: dict[str, Entry] = {}
    for at in range(0, len(rels), _PATHS_A_CALL):
        args = ("ls-tree", "-t", "-z", "--full-tree", commit, "--", *rels[at : at + _PATHS_A_CALL])
        for field in git.run(repo.where, args).fields():
            meta, _, rel = field.partition("\t")
            mode, _, oid = meta.split()
            found[rel] = Entry(rel, mode, oid)
    blobs = [entry for entry in found.values() if entry.mode in REGULAR]
    sizes = _sizes(repo, [entry.oid for entry in blobs])
    return found | {e.rel: Entry(e.rel, e.mode, e.oid, size) for e, size in zip(blobs, sizes, strict=True)}


def _sizes(repo: Repo, oids: Sequence[str]) -> list[int]:
    """-1 for what a partial clone lacks: there Git answers no question that one missing object is part of."""
    try:
        return [known[2] if known else -1 for known in look_up(repo, oids)]
    except git.GitError as err:
        if err.code != "missing-object":
            raise
        return [-1] if len(oids) == 1 else [size for oid in oids for size in _sizes(repo, [oid])]


def diff_trees(repo: Repo, old: str, new: str) -> list[Change]:
    """The files that differ between two trees, in Git's order; renames are a removal and an addition."""
    if _is_oid(old) and _is_oid(new):
        return list(_diffed(repo.where, old, new))
    return _diff(repo.where, old, new)


def _diff(where: Path, old: str, new: str) -> list[Change]:
    flags = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv")
    return parse_raw(git.run(where, (*flags, "--end-of-options", old, new)).fields())


@lru_cache(maxsize=16)
def _diffed(where: Path, old: str, new: str) -> tuple[Change, ...]:
    """What an id names never changes, and one approval asks for the same difference several times."""
    return tuple(_diff(where, old, new))


def parse_raw(fields: list[str]) -> list[Change]:
    """Changes from the ``--raw -z`` output of Git's diff commands."""
    changes = []
    for meta, rel in zip(fields[::2], fields[1::2], strict=True):
        old_mode, new_mode, old_oid, new_oid, status = meta.lstrip(":").split(" ")
        sides = _present(old_oid, old_mode), _present(new_oid, new_mode)
        changes.append(Change(rel, *sides, new_mode, old_mode, is_unmerged=status == "U"))
    return changes


def _present(oid: str, mode: str) -> str:
    return "" if mode == "000000" else oid


def tracked_paths(repo: Repo, commit: str, below: Sequence[str] = ()) -> list[str]:
    """Every path of the commit's whole tree, in Git's order; with ``below`` only those at or below these paths."""
    args = ("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", *below)
    return git.run(repo.where, args).fields()


def symbolic_ref(repo: Repo, name: str) -> str:
    """The ref that a symbolic ref points at, '' when it is none."""
    done = git.attempt(repo.where, ("symbolic-ref", "--quiet", "--", name))
    return done.lines()[0] if done.code == 0 else ""


def newest_branches(repo: Repo, limit: int) -> list[str]:
    """Full names of local and remote branches, the one with the newest commit first."""
    args = ("for-each-ref", f"--count={limit}", "--sort=-committerdate", "--format=%(refname)")
    return git.run(repo.where, (*args, "refs/heads/", "refs/remotes/")).lines()


def has_refs(repo: Repo, prefix: str) -> bool:
    return bool(git.run(repo.where, ("for-each-ref", "--count=1", "--format=%(refname)", prefix)).out)


def may_have_refs(repo: Repo, prefix: str) -> bool:
    """Whether there may be a ref below ``prefix``, by its files alone: no is certain, and costs no Git command."""
    if any(names for _, _, names in os.walk(repo.common_dir / prefix)):
        return True
    if (repo.common_dir / "reftable").exists():
        return True
    try:
        packed = (repo.common_dir / "packed-refs").read_bytes()
    except FileNotFoundError:
        return False
    return f" {prefix}/".encode() in packed


def history_of(repo: Repo, start: str, folder: str, limit: int) -> Iterator[tuple[str, str]]:
    """(commit, tree id of ``folder``) for the newest ``limit`` commits that changed the folder, newest first."""
    args = ("rev-list", "--full-history", f"--max-count={limit}", start, "--", folder)
    commits = git.run(repo.where, args).lines()
    for commit, found in zip(commits, look_up(repo, [f"{c}:{folder}" for c in commits]), strict=True):
        if found and found[1] == "tree":
            yield commit, found[0]


def spelled_as_tracked(repo: Repo, rels: Sequence[str]) -> tuple[str, ...]:
    """Each path as the index spells it, where the index has it in other case; the rest as given."""
    listed = git.run(repo.where, ("ls-files", "-z", "--cached")).fields()
    exact, known = set(listed), {rel.casefold(): rel for rel in listed}
    return tuple(rel if rel in exact else known.get(rel.casefold(), rel) for rel in rels)
