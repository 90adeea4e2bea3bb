"""A history that was read before, and what was found in it, kept in the cache. Refuses what belongs to other tips."""

import hashlib
import json
from collections.abc import Iterable, Mapping

from gitmem.model.past import Attempt, Past, Touch
from gitmem.record import field, record
from gitmem.store import cache as caches
from gitmem.store.cache import Cache

_VERSION = "1"
_COMMITS = f"history-commits-{_VERSION}"
_FOUND = f"history-found-{_VERSION}"
_KEY_BYTES = 16

Names = Mapping[str, tuple[str, ...]]


@record
class Commits:
    """Everything that ``tips`` reach in a clone that ends at ``edge``, in no order."""

    tips: tuple[str, ...]
    edge: str
    commits: tuple[Past, ...]


@record
class Found:
    """What a history says of attempts. ``terms`` are those of each attempt, with blanks between; ``times`` the latest
    ones of commits, rising; ``moves`` has the names that a path had just before; ``count`` is that of the commits.
    """

    key: str
    attempts: tuple[Attempt, ...]
    terms: tuple[str, ...]
    times: tuple[int, ...]
    moves: Names = field(default_factory=dict)
    count: int = 0


def key_of(parts: Iterable[str]) -> str:
    """Names what an answer depends on; the order of the parts counts."""
    digest = hashlib.blake2b(digest_size=_KEY_BYTES)
    for part in parts:
        digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return digest.hexdigest()


def load_commits(cache: Cache) -> Commits | None:
    data = caches.load(cache, _COMMITS)
    if data is None:
        return None
    tips, edge, rows = json.loads(data)
    commits = tuple(
        Past(oid, tuple(parents), made, at, subject, body, tuple(Touch(*each) for each in touches), count, *marks)
        for oid, parents, made, at, subject, body, touches, count, marks in rows
    )
    return Commits(tuple(tips), edge, commits)


def keep_commits(cache: Cache, kept: Commits) -> str:
    """'' or why it could not be kept."""
    return _save(cache, _COMMITS, (kept.tips, kept.edge, [_past_row(each) for each in kept.commits]))


def _past_row(commit: Past) -> list[object]:
    touches = [(touch.rel, touch.before, touch.after, touch.moved_from) for touch in commit.touches]
    head = (commit.oid, commit.parents, commit.made, commit.at, commit.subject, commit.body)
    return [*head, touches, commit.count, (commit.mark, commit.inverse)]


def load_found(cache: Cache, key: str) -> Found | None:
    """What was found for this very key."""
    data = caches.load(cache, _FOUND)
    if data is None or not data.startswith(f'["{key}"'.encode()):
        return None
    _, rows, terms, times, moves, count = json.loads(data)
    attempts = tuple(Attempt(kind, ref, time, rank, tuple(files), *rest) for kind, ref, time, rank, files, rest in rows)
    names = {rel: tuple(before) for rel, before in moves.items()}
    return Found(key, attempts, tuple(terms), tuple(times), names, count)


def keep_found(cache: Cache, found: Found) -> str:
    """'' or why it could not be kept."""
    rows = [
        (each.kind, each.ref, each.time, each.rank, each.files, (each.text, each.of, each.why, each.is_superseded))
        for each in found.attempts
    ]
    return _save(cache, _FOUND, (found.key, rows, found.terms, found.times, dict(found.moves), found.count))


def _save(cache: Cache, name: str, row: tuple[object, ...]) -> str:
    # In ASCII: of a path that is no UTF-8, a part is half a pair of UTF-16, which nothing else can hold.
    return caches.save(cache, name, json.dumps(row, separators=(",", ":")).encode("ascii"))
