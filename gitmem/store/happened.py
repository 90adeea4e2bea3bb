"""What came about since a moment: merges, releases, files that commits touched, first commits. Refuses to judge it."""

import os
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from gitmem.model.moments import instant, utc
from gitmem.store import git, gitconfig, objects
from gitmem.store.repo import FOLDER, Repo

_COMMITS_MAX = 1000
_MERGES_MAX = 50
_TAGS_MAX = 500
_PATHS_MAX = 1000
_LOG = ("--encoding=UTF-8", "--no-ext-diff", "--no-textconv", "--no-show-signature", f"-O{os.devnull}")
# What a release is called where nobody says: an optional word, then numbers with dots between them.
_VERSION = re.compile(r"(?:[A-Za-z][\w-]*[-/]|[vV])?\d+(?:\.\d+)+[\w.+-]*|[vV]\d+")


def merges(repo: Repo, commit: str, since: str, rel: str) -> list[str]:
    """Merges into ``commit`` since a moment, newest first, before which ``rel`` below ``.gitmem`` was there already."""
    args = ("rev-list", "--first-parent", "--min-parents=2", f"--max-count={_MERGES_MAX}", f"--since={since}", commit)
    found = git.run(repo.where, args).lines()
    there = objects.look_up(repo, [f"{oid}^1:{FOLDER}/{rel}" for oid in found])
    return [oid for oid, row in zip(found, there, strict=True) if row]


def releases(repo: Repo, since: str, pattern: str) -> list[str]:
    """Tags made since a moment, newest first; ``pattern`` is a glob of their names, '' for those that name a version.

    ``since`` is RFC 3339 in UTC.
    """
    args = ("for-each-ref", "--sort=-creatordate", f"--count={_TAGS_MAX}", "--format=%(creatordate:unix) %(refname)")
    rows = (line.partition(" ") for line in git.run(repo.where, (*args, "refs/tags/")).lines())
    moment = instant(since)
    start = moment.timestamp() if moment else 0
    names = [ref.removeprefix("refs/tags/") for time, _, ref in rows if time.isdigit() and int(time) >= start]
    return [name for name in names if (fnmatchcase(name, pattern) if pattern else _VERSION.fullmatch(name))]


def touched(repo: Repo, commit: str, since: str) -> list[str]:
    """The files that the newest thousand commits since a moment changed, each once."""
    flags = ("--name-only", "-z", "--format=", "--no-renames", f"--max-count={_COMMITS_MAX}", f"--since={since}")
    args = ("log", *_LOG, *flags, commit, "--")
    out = git.run(repo.where, args, git.Call(env=gitconfig.driver_overrides(repo))).fields()
    return list(dict.fromkeys(name for each in out if (name := each.lstrip("\n"))))


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
