"""Named snapshots as refs hold them: a commit without parents, the folder its whole tree. Refuses to make one."""

import re
from collections.abc import Sequence

from gitmem.errors import UsageError
from gitmem.record import record
from gitmem.store import objects
from gitmem.store.commits import Commit, commits
from gitmem.store.refs import SNAPSHOTS, listed
from gitmem.store.repo import FOLDER, Repo

ID, VERSION, SOURCE = "Snapshot-Id", "Knowledge-Version", "Source-Commit"
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9_-]|\.(?!\.)){0,78}[a-z0-9]|[a-z0-9]")
_AS_AN_ID = re.compile(r"[0-9a-f]{8,}")
_AS_A_DATE = re.compile(r"\d{4}-\d{2}-\d{2}.*")


@record
class Kept:
    """A named snapshot. ``tree`` is its knowledge tree, ``time`` is in seconds since the epoch.

    ``snapshot_id``, ``version`` and ``source`` are what its message says, '' where it says nothing.
    """

    name: str
    commit: str
    tree: str
    snapshot_id: str
    version: str
    source: str
    by: str
    time: int
    note: str


def is_name(text: str) -> bool:
    """Whether a snapshot may have this name: what reads as an id or a date would be taken for one."""
    shape = _NAME.fullmatch(text) is not None and not text.endswith(".lock")
    return shape and not _AS_AN_ID.fullmatch(text) and not _AS_A_DATE.fullmatch(text)


def check_name(text: str) -> str:
    if is_name(text):
        return text
    hint = (
        "small letters, digits, - _ and . between them, at most 80, no date and no id; for example: before-audit-2026"
    )
    raise UsageError(f"not a name for a snapshot: {text[:100]!r}", hint=hint)


def ref_of(name: str) -> str:
    return f"{SNAPSHOTS}/{check_name(name)}"


def commit_of(repo: Repo, name: str) -> str:
    """The commit of a named snapshot, '' where there is none."""
    found = objects.look_up(repo, [f"{SNAPSHOTS}/{name}^{{commit}}"])[0] if is_name(name) else None
    return found[0] if found else ""


def every(repo: Repo) -> list[Kept]:
    """All named snapshots, sorted by name. What is no commit of a folder is left out."""
    names = {ref.id: ref.oid for ref in listed(repo, SNAPSHOTS) if is_name(ref.id)}
    return _read(repo, names)


def one(repo: Repo, name: str) -> Kept | None:
    commit = commit_of(repo, name)
    found = _read(repo, {name: commit}) if commit else []
    return found[0] if found else None


def _read(repo: Repo, names: dict[str, str]) -> list[Kept]:
    oids = sorted(set(names.values()))
    known = commits(repo, oids)
    trees = dict(zip(oids, objects.look_up(repo, [f"{oid}:{FOLDER}" for oid in oids]), strict=True))
    rows = [(name, known[oid], trees[oid]) for name, oid in names.items() if oid in known]
    return [_kept(name, commit, tree[0]) for name, commit, tree in rows if tree and tree[1] == "tree"]


def _kept(name: str, commit: Commit, tree: str) -> Kept:
    stated: Sequence[str] = [commit.trailer(each) for each in (ID, VERSION, SOURCE)]
    note = "\n\n".join(commit.message.strip("\n").split("\n\n")[1:-1])
    return Kept(name, commit.oid, tree, stated[0], stated[1], stated[2], commit.author, commit.time, note)


def message(kept: Kept) -> str:
    """What the commit of a snapshot says, so that a list need not read the knowledge."""
    trailers = f"{ID}: {kept.snapshot_id}\n{VERSION}: {kept.version}\n{SOURCE}: {kept.source}"
    note = " ".join(kept.note.split())
    return "\n\n".join(part for part in (f"snapshot {kept.name}", note, trailers) if part)
