"""From what people call a revision to a commit: Git's names, dates, snapshots by name or id. Refuses to read it."""

from collections.abc import Iterator

from gitmem.answers.reading import SNAPSHOT_PREFIX, Place, knowledge_at
from gitmem.record import record
from gitmem.store import objects, snapshots
from gitmem.store.objects import UnknownRevisionError
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.snapshots import Kept
from gitmem.store.trust import Trusted

_HISTORY_MAX = 1000
_BRANCHES_MAX = 50
_ID_LEAST = 8


@record
class Pinned:
    """``is_kept``: the commit is that of a named snapshot, which no branch holds."""

    commit: str
    is_kept: bool = False


def commit_at(place: Place, trusted: Trusted, at: str) -> Pinned:
    """A name of Git's own comes first; ``snapshot:`` asks for a snapshot's name or id and nothing else."""
    if at.startswith(SNAPSHOT_PREFIX):
        wanted = at.removeprefix(SNAPSHOT_PREFIX)
        kept = snapshots.commit_of(place.repo, wanted)
        return Pinned(kept, is_kept=True) if kept else commit_of_snapshot(place, trusted, wanted)
    try:
        return Pinned(objects.resolve(place.repo, at, trusted.commit or "HEAD"))
    except UnknownRevisionError:
        kept = snapshots.commit_of(place.repo, at)
        if not kept:
            raise
        return Pinned(kept, is_kept=True)


def commit_of_snapshot(place: Place, trusted: Trusted, prefix: str) -> Pinned:
    """A commit whose knowledge has a snapshot id that begins with ``prefix`` (8 or more hex digits).

    Of a named snapshot, or what it was made from; else the newest one in history.
    """
    if not is_id(prefix):
        hint = "8 to 64 hex digits, as compile gives them, or a name; see: gitmem snapshots list"
        raise UnknownRevisionError(f"neither the id nor the name of a snapshot: {prefix!r}", hint=hint)
    for kept in snapshots.every(place.repo):
        if kept.snapshot_id.startswith(prefix) and _snapshot_id(place, kept.tree) == kept.snapshot_id:
            return _source_of(place.repo, kept)
    seen: set[str] = set()
    for start in _starts(place.repo, trusted):
        for commit, tree in objects.history_of(place.repo, start, FOLDER, _HISTORY_MAX):
            if tree not in seen and _snapshot_id(place, tree).startswith(prefix):
                return Pinned(commit)
            seen.add(tree)
    raise UnknownRevisionError(
        f"no commit here has the snapshot {prefix}", hint="fetch the branch that it was compiled on"
    )


def is_id(text: str) -> bool:
    return len(text) >= _ID_LEAST and not text.strip("0123456789abcdef")


def _snapshot_id(place: Place, tree: str) -> str:
    return knowledge_at(place, tree).knowledge.facts.snapshot_id


def _source_of(repo: Repo, kept: Kept) -> Pinned:
    """The commit that a snapshot was made from while it is here: it also holds the code."""
    found = objects.look_up(repo, [f"{kept.source}:{FOLDER}"])[0] if is_id(kept.source) else None
    is_here = found is not None and found[0] == kept.tree
    return Pinned(kept.source) if is_here else Pinned(kept.commit, is_kept=True)


def was_trusted(repo: Repo, commit: str, tree: str) -> bool:
    """Whether the history of ``commit`` once had this very knowledge."""
    return any(tree == found for _, found in objects.history_of(repo, commit, FOLDER, _HISTORY_MAX))


def _starts(repo: Repo, trusted: Trusted) -> Iterator[str]:
    """Where to look for a snapshot: what is trusted, HEAD, then the other branches."""
    yield from dict.fromkeys(c for c in (trusted.commit, trusted.head_commit) if c)
    yield from objects.newest_branches(repo, _BRANCHES_MAX)
