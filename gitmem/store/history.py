"""The commits and the lines of one file. Refuses configured drivers: Git compares raw text here."""

import os

from gitmem.record import record
from gitmem.store import git, gitconfig
from gitmem.store.repo import Repo

_COMMITS_MAX = 100
_FIELDS = "%H%x00%cI%x00%an <%ae>%x00%s"
_FIELDS_COUNT = 4
_RAW = ("--encoding=UTF-8", "--no-ext-diff", "--no-textconv")
# Files that a personal configuration names and that need not be in this repository.
_SETTINGS = ("blame.ignoreRevsFile=",)


@record
class Commit:
    """``at`` is the committer's time, RFC 3339; ``author`` is 'Name <mail>'."""

    oid: str
    at: str
    author: str
    subject: str


@record
class Blamed:
    line: int
    commit: str
    author: str
    text: str


def commits_of(repo: Repo, start: str, rel: str) -> list[Commit]:
    """The newest hundred commits that changed the file, newest first, followed through renames."""
    flags = (f"--max-count={_COMMITS_MAX}", f"--format={_FIELDS}", "-z", "--follow", "--no-show-signature")
    done = git.run(repo.where, ("log", *_RAW, f"-O{os.devnull}", *flags, start, "--", rel), _call(repo))
    parts = done.out.decode("utf-8", "replace").split("\0")
    return [Commit(*row) for row in zip(*(iter(parts),) * _FIELDS_COUNT, strict=False)]


def _call(repo: Repo) -> git.Call:
    return git.Call(settings=_SETTINGS, env=gitconfig.driver_overrides(repo))


def blame(repo: Repo, start: str, rel: str) -> list[Blamed]:
    """Who last changed each line, from first to last."""
    done = git.run(
        repo.where, ("blame", "--line-porcelain", "--encoding=UTF-8", "--no-textconv", start, "--", rel), _call(repo)
    )
    found: list[Blamed] = []
    commit, line, author, mail = "", 0, "", ""
    for row in done.out.decode("utf-8", "replace").split("\n"):
        if row.startswith("\t"):
            found.append(Blamed(line, commit, f"{author} {mail}".strip(), row[1:]))
        elif row.startswith("author-mail "):
            mail = row.removeprefix("author-mail ")
        elif row.startswith("author "):
            author = row.removeprefix("author ")
        elif (head := row.split(" "))[0] and len(head) >= 3 and len(head[0]) in (40, 64) and head[2].isdigit():
            commit, line = head[0], int(head[2])
    return found
