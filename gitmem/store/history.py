"""The commits and the lines of one file. Refuses configured drivers: Git compares raw text here."""

import os

from gitmem.model.moments import utc
from gitmem.model.vocabulary import FILE_MAX_BYTES
from gitmem.record import record
from gitmem.store import git, gitconfig, objects
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


def commits_of(repo: Repo, start: str, rel: str, id_: str) -> list[Commit]:
    """The newest hundred commits that changed the item, newest first; a move is known by the id in the file.

    Git's own --follow would take any text of the same words for an earlier name.
    """
    found: list[Commit] = []
    while start and len(found) < _COMMITS_MAX:
        flags = (f"--max-count={_COMMITS_MAX - len(found)}", f"--format={_FIELDS}", "-z", "--no-show-signature")
        args = ("log", *_RAW, f"-O{os.devnull}", *flags, start, "--", rel)
        batch = _rows(git.run(repo.where, args, _call(repo)).out)
        found += batch
        start, rel = _before_move(repo, batch[-1].oid, rel, id_) if batch else ("", rel)
    return found


def message_of(repo: Repo, commit: str) -> str:
    """The whole message of one commit."""
    args = ("log", "--max-count=1", "--no-show-signature", "--encoding=UTF-8", "--format=%B", commit, "--")
    return git.run(repo.where, args, _call(repo)).out.decode("utf-8", "replace")


def _before_move(repo: Repo, commit: str, rel: str, id_: str) -> tuple[str, str]:
    """(parent, path) under which ``commit`` found the item before it moved it to ``rel``; ('', rel) when it did not."""
    parent = objects.look_up(repo, [f"{commit}^"])[0]
    if parent is None:
        return "", rel
    gone = [c for c in objects.diff_trees(repo, parent[0], commit) if not c.new_oid and c.rel.startswith(f"{FOLDER}/")]
    sized = objects.look_up(repo, [change.old_oid for change in gone])
    small = [c for c, known in zip(gone, sized, strict=True) if known and known[2] <= FILE_MAX_BYTES]
    texts = dict(objects.read_blobs(repo, [change.old_oid for change in small]))
    names = [change.rel for change in small if _has_id(texts[change.old_oid], id_)]
    return (parent[0], names[0]) if len(names) == 1 else ("", rel)


def _has_id(data: bytes, id_: str) -> bool:
    return any(line.startswith(b"id:") and id_.encode() in line.upper() for line in data.splitlines())


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
