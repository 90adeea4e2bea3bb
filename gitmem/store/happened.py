"""What came about since a moment: merges, releases, files that commits touched, first commits. Refuses to judge it."""

import os
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from gitmem.model.moments import utc
from gitmem.record import record
from gitmem.store import git, gitconfig, objects
from gitmem.store.repo import FOLDER, Repo

_COMMITS_MAX = 1000
_MERGES_MAX = 50
_TAGS_MAX = 500
_PATHS_MAX = 1000
_LOG = ("--encoding=UTF-8", "--no-ext-diff", "--no-textconv", "--no-show-signature", f"-O{os.devnull}")
# What a release is called where nobody says: an optional word, then numbers with dots between them.
_VERSION = re.compile(r"(?:[A-Za-z][\w-]*[-/]|[vV])?\d+(?:\.\d+)+[\w.+-]*|[vV]\d+")


@record
class Event:
    """``at`` is in seconds since 1970; ``name`` that of a commit, a tag or a file."""

    at: int
    name: str


def merges(repo: Repo, commit: str, since: int, rels: Sequence[str]) -> dict[str, list[Event]]:
    """Merges into ``commit`` since a moment, newest first: by each of the files below ``.gitmem`` those that found it
    there already."""
    limits = ("--first-parent", "--min-parents=2", f"--max-count={_MERGES_MAX}", f"--since=@{since}")
    rows = (line.split(" ") for line in git.run(repo.where, ("rev-list", "--timestamp", *limits, commit)).lines())
    found = [Event(int(at), oid) for at, oid in rows]
    pairs = [(rel, each) for rel in rels for each in found]
    there = objects.look_up(repo, [f"{each.name}^1:{FOLDER}/{rel}" for rel, each in pairs])
    by_file: dict[str, list[Event]] = {}
    for (rel, each), row in zip(pairs, there, strict=True):
        if row:
            by_file.setdefault(rel, []).append(each)
    return by_file


def tags(repo: Repo) -> list[Event]:
    """The newest first."""
    args = ("for-each-ref", "--sort=-creatordate", f"--count={_TAGS_MAX}", "--format=%(creatordate:unix) %(refname)")
    rows = (line.partition(" ") for line in git.run(repo.where, (*args, "refs/tags/")).lines())
    return [Event(int(time), ref.removeprefix("refs/tags/")) for time, _, ref in rows if time.isdigit()]


def is_release(tag: str, pattern: str) -> bool:
    """``pattern`` is a glob of names, '' for those that name a version."""
    return fnmatchcase(tag, pattern) if pattern else _VERSION.fullmatch(tag) is not None


def touched(repo: Repo, commit: str, since: int) -> list[Event]:
    """The files that the newest thousand commits since a moment changed, each once, with the newest time.

    A commit without a parent changes nothing: that of a shallow clone would be everything.
    """
    flags = ("--name-only", "-z", "--format=%x01%ct", "--no-renames", f"--max-count={_COMMITS_MAX}")
    call = git.Call(settings=("log.showRoot=false",), env=gitconfig.driver_overrides(repo))
    out = git.run(repo.where, ("log", *_LOG, *flags, f"--since=@{since}", commit, "--"), call).fields()
    found: dict[str, Event] = {}
    at = 0
    for each in out:
        name = each.lstrip("\n")
        if name.startswith("\x01"):
            at = int(name[1:])
        elif name and (name not in found or found[name].at < at):
            found[name] = Event(at, name)
    return list(found.values())


def first_commits(repo: Repo, commit: str, rels: Sequence[str]) -> dict[str, str]:
    """When each file below ``.gitmem`` was last added, RFC 3339; files that history does not tell of are left out."""
    found = first_added(repo, commit, [f"{FOLDER}/{rel}" for rel in rels])
    return {path.removeprefix(f"{FOLDER}/"): at for path, at in found.items()}


def first_added(repo: Repo, commit: str, paths: Sequence[str]) -> dict[str, str]:
    """The same of any files of the repository, of the first thousand."""
    if not paths or not commit:
        return {}
    flags = ("--name-only", "-z", "--diff-filter=A", "--no-renames", "--format=%x01%cI")
    args = ("log", *_LOG, *flags, commit, "--", *paths[:_PATHS_MAX])
    out = git.run(repo.where, args, git.Call(env=gitconfig.driver_overrides(repo))).fields()
    found: dict[str, str] = {}
    at = ""
    for each in out:
        field = each.lstrip("\n")
        if field.startswith("\x01"):
            at = utc(field[1:]) or ""
        elif field:
            found.setdefault(field, at)
    return {path: time for path, time in found.items() if time}
