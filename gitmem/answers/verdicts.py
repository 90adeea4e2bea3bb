"""Verdicts that were given before, in the cache folder, by what they are about. Refuses to give one."""

import hashlib
import json
from collections.abc import Mapping

from gitmem.answers.change import GIVEN, Change
from gitmem.model.claimed import Drift
from gitmem.model.finding import Notice
from gitmem.model.impact import Affected
from gitmem.model.verified import Unjudged, Verified, Violation
from gitmem.record import record
from gitmem.store import cache as caches
from gitmem.store.cache import Cache

_KEPT = 50
_PREFIX, _SUFFIX = "verdict-", ".json"
_ROWS = {"violations": Violation, "drifted": Drift, "skipped": Unjudged, "warnings": Notice, "affected_tests": Affected}
_PLAIN = ("verdict", "total", "counts", "skipped_total")


@record
class About:
    """What a verdict depends on. ``change`` has no text of a given diff; ``base`` is the commit that the diff starts
    from, and ``until`` the moment at which a rule begins or ceases to be valid, '' for never."""

    change: Change
    base: str
    digest: str
    snapshot_id: str
    algorithm: int
    when: str = ""
    until: str = ""

    @property
    def key(self) -> str:
        """The hash of the diff, the rules, the algorithm and the words that name the change: the status tells these."""
        change = self.change
        parts = (self.digest, self.snapshot_id, str(self.algorithm), change.source, change.text, *change.files)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


@record
class Kept:
    about: About
    verified: Verified


def about(change: Change, base: str, digest: str, rules: tuple[str, int]) -> About:
    """``rules`` are the snapshot and the number of the algorithm."""
    bare = Change(change.source, "" if change.source == GIVEN else change.text, change.files)
    return About(bare, base, digest, *rules)


def load(cache: Cache, key: str) -> Kept | None:
    data = caches.load(cache, f"{_PREFIX}{key}{_SUFFIX}")
    if data is None:
        return None
    (source, text, files, *more), plain, rows = json.loads(data)
    for name, kind in _ROWS.items():
        plain[name] = tuple(kind(*map(_frozen, row)) for row in rows[name])
    return Kept(About(Change(source, text, tuple(files)), *more), Verified(**plain))


def save(cache: Cache, tag: str, kept: Kept) -> str:
    """Keeps a verdict as the last one of the worktree ``tag``; returns why it could not, or ''."""
    each = kept.about
    head: list[object] = [each.change.source, each.change.text, each.change.files]
    head += [each.base, each.digest, each.snapshot_id, each.algorithm, each.when, each.until]
    plain = {name: _plain(getattr(kept.verified, name)) for name in _PLAIN}
    rows = {name: [_row(row) for row in getattr(kept.verified, name)] for name in _ROWS}
    data = json.dumps([head, plain, rows], separators=(",", ":")).encode()
    why = caches.save(cache, f"{_PREFIX}{each.key}{_SUFFIX}", data) or point(cache, tag, each.key)
    caches.drop_oldest(cache, _PREFIX, _SUFFIX, _KEPT)
    return why


def point(cache: Cache, tag: str, key: str) -> str:
    """Says which verdict is the last one of a worktree."""
    return caches.save(cache, f"last-verdict-{tag}", key.encode())


def last(cache: Cache, tag: str) -> Kept | None:
    key = caches.load(cache, f"last-verdict-{tag}")
    return load(cache, key.decode()) if key is not None else None


def every(cache: Cache) -> list[Kept]:
    """All that are kept, the newest first."""
    keys = [name[len(_PREFIX) : -len(_SUFFIX)] for name in caches.by_age(cache, _PREFIX, _SUFFIX)]
    return [kept for key in keys if (kept := load(cache, key)) is not None]


def drop(cache: Cache, kept: Kept) -> bool:
    return caches.remove(cache, f"{_PREFIX}{kept.about.key}{_SUFFIX}")


def _row(value: Violation | Drift | Unjudged | Notice | Affected) -> list[object]:
    return [getattr(value, name) for name in value.__match_args__]


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value
