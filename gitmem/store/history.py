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
    return _rows(done.out)


def _rows(out: bytes) -> list[Commit]:
    parts = [part.strip("\n") for part in out.decode("utf-8", "replace").split("\0")]
    rows = zip(*(iter(part for part in parts if part),) * 4, strict=False)
    return [Commit(*row) for row in rows]


def removal(repo: Repo, start: str, name: str, text: str) -> Commit | None:
    """The newest commit that removed the file of an item: by ``name`` (slug or domain/slug), else by ``text`` in it."""
    if not start:
        return None
    paths = f":(glob).gitmem/**/{name}.md" if name else ".gitmem"
    pick = ("--diff-filter=D", f"-S{text}") if text else ("--diff-filter=D",)
    flags = ("log", "-1", f"--format={_FIELDS}", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")
    call = git.Call(env=gitconfig.driver_overrides(repo))
    done = git.attempt(repo.where, (*flags, *pick, "--no-show-signature", start, "--", paths), call)
    rows = _rows(done.out)
    return rows[0] if rows and done.code == 0 else None


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
