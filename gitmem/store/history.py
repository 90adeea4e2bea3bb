"""The commits and the lines of one file. Refuses configured drivers: Git compares raw text here."""

from gitmem.record import record
from gitmem.store import git, gitconfig
from gitmem.store.repo import Repo

_COMMITS_MAX = 100
_FIELDS = "%H%x00%cI%x00%an <%ae>%x00%s%x00"


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
    call = git.Call(env=(*gitconfig.driver_overrides(repo),))
    flags = (
        "log",
        f"--max-count={_COMMITS_MAX}",
        f"--format={_FIELDS}",
        "-z",
        "--follow",
        "--no-ext-diff",
        "--no-textconv",
    )
    done = git.run(repo.where, (*flags, "--no-show-signature", start, "--", rel), call)
    parts = [part.strip("\n") for part in done.out.decode("utf-8", "replace").split("\0")]
    rows = zip(*(iter(part for part in parts if part),) * 4, strict=False)
    return [Commit(*row) for row in rows]


def blame(repo: Repo, start: str, rel: str) -> list[Blamed]:
    """Who last changed each line, from first to last."""
    call = git.Call(env=gitconfig.driver_overrides(repo))
    done = git.run(repo.where, ("blame", "--line-porcelain", "--no-textconv", start, "--", rel), call)
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
