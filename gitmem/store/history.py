"""The commits and the lines of one file. Refuses configured drivers: Git compares raw text here."""

import os

from gitmem.model.moments import utc
from gitmem.record import record
from gitmem.store import git, gitconfig
from gitmem.store.repo import FOLDER, Repo

_COMMITS_MAX = 100
_FIELDS = "%H%x00%cI%x00%an <%ae>%x00%s"
_FIELDS_COUNT = 4
# No subject of a commit holds it.
_MARK = "\x02\x03\x02"
_RAW = ("--encoding=UTF-8", "--no-ext-diff", "--no-textconv")


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
    return _rows(done.out)


def _rows(out: bytes) -> list[Commit]:
    parts = out.decode("utf-8", "replace").split("\0")
    rows = zip(*(iter(parts),) * _FIELDS_COUNT, strict=False)
    return [Commit(oid, utc(at) or at, author, subject) for oid, at, author, subject in rows]


def removal(repo: Repo, start: str, name: str, text: str) -> Commit | None:
    """The newest commit that removed the file of an item: by ``name`` (slug or domain/slug), else by ``text`` in it."""
    if not start:
        return None
    pick = (f"-S{text}", "-1") if text else ("--name-only",)
    flags = ("--diff-filter=D", f"--format={_MARK}{_FIELDS}", "-z", "--no-renames", "--no-show-signature")
    done = git.attempt(repo.where, ("log", *_RAW, *flags, *pick, start, "--", FOLDER), _call(repo))
    for entry in done.out.split(_MARK.encode())[1:] if done.code == 0 else ():
        *row, removed = entry.split(b"\0", _FIELDS_COUNT)
        if not name or f"/{name}.md\0".encode("utf-8", "surrogateescape") in removed:
            return _rows(b"\0".join(row))[0]
    return None


def _call(repo: Repo) -> git.Call:
    return git.Call(env=gitconfig.driver_overrides(repo))


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
