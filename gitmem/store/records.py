"""Which commit brought or took a record: ledger entries and approvals. Refuses to read what the records say."""

import os
from collections.abc import Iterator

from gitmem.record import record
from gitmem.store import git, gitconfig, objects
from gitmem.store.layout import RECORDS
from gitmem.store.objects import Change
from gitmem.store.repo import FOLDER, Repo

_FOLDERS = tuple(f"{FOLDER}/{name}" for name in RECORDS)
_COMMITS_MAX = 500
_RAW = ("-r", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", f"-O{os.devnull}")
_HEAD = "%H%x00%P%x00%an%x00%ae%x00"
_HEAD_COUNT = 4


@record
class Touch:
    """A record that one commit added or changed. ``rel`` is below ``.gitmem``, ``oid`` the blob that it left.

    ``is_added``: none of the commit's parents had the file.
    """

    rel: str
    oid: str
    commit: str
    parents: tuple[str, ...]
    name: str
    email: str
    is_added: bool


@record
class Loss:
    """A commit that took records away, against its first parent; merges are none."""

    commit: str
    parent: str
    gone: tuple[Change, ...]


def touches(repo: Repo, old: str, new: str) -> list[Touch]:
    """What the commits of ``old..new`` did to records, newest first; ``old`` '' is the beginning of history.

    A merge counts for what it has from none of its parents.
    """
    since = (f"^{old}",) if old else ()
    flags = ("--full-history", "-c", *_RAW, f"--format={_HEAD}", "--no-show-signature", "--encoding=UTF-8")
    args = ("log", *flags, new, *since, "--", *_FOLDERS)
    out = git.run(repo.where, args, git.Call(env=gitconfig.driver_overrides(repo))).out
    return list(_touches(out.decode("utf-8", "surrogateescape").split("\0")))


def _touches(fields: list[str]) -> Iterator[Touch]:
    """Heads of commits begin with an id, rows of their changes with a colon; the fields of both are counted."""
    waiting = iter(fields)
    head = ["", "", "", ""]
    for field in waiting:
        row = field.lstrip("\n")
        if row.startswith(":"):
            rel = next(waiting).removeprefix(f"{FOLDER}/")
            *columns, status = row.lstrip(":").split(" ")
            if columns[-1].strip("0"):
                commit, parents, name, email = head
                is_added = not status.strip("A")
                yield Touch(rel, columns[-1], commit, tuple(parents.split()), name, email, is_added)
        elif row:
            head = [row, *(next(waiting) for _ in range(_HEAD_COUNT - 1))]


def commits_of(repo: Repo, old: str, new: str, path: str) -> list[str]:
    """The commits of ``old..new`` that change a file, merges included, newest first."""
    since = (f"^{old}",) if old else ()
    return git.run(repo.where, ("rev-list", "--full-history", new, *since, "--", path)).lines()


def losses(repo: Repo, start: str) -> list[Loss]:
    """Which of the newest 500 commits took records away, newest first."""
    commits = git.run(repo.where, ("rev-list", f"--max-count={_COMMITS_MAX}", "--no-merges", start)).out
    args = ("diff-tree", "--stdin", *_RAW, "--diff-filter=D", "--", *_FOLDERS)
    fields = git.run(repo.where, args, git.Call(stdin=commits)).fields()
    found: list[tuple[str, list[Change]]] = []
    waiting = iter(fields)
    for field in waiting:
        if field.startswith(":"):
            change = objects.parse_raw([field, next(waiting).removeprefix(f"{FOLDER}/")])[0]
            found[-1][1].append(change)
        else:
            found.append((field.strip(), []))
    return [Loss(commit, f"{commit}^", tuple(gone)) for commit, gone in found]
