"""What was tried on some files of late and taken back, quick enough for a compile. Refuses a whole history."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime

from gitmem.lazy import load
from gitmem.model.past import DAY_S, FAILED, Attempt
from gitmem.record import replace
from gitmem.store import cache as caches
from gitmem.store import objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.reading import Place

WINDOW_DAYS = 90
# So much of the history of HEAD is looked at, and so many attempts in it are kept.
_COMMITS_MOST = 500
_KEPT_MOST = 200
_FILES_KEPT = 20
_VERSION = 1


def attempts_on(place: Place, files: Collection[str], now: datetime, head: str = "") -> list[Attempt]:
    """Reverts and undone changes of the last 90 days that still stand, in the newest 500 commits of HEAD and on these
    files; the newest first.

    The first call after HEAD has moved costs a ``git log``, the others one small file. ``head``: the commit of HEAD
    where the caller knows it, which saves asking Git. Raises ``GitError`` when Git cannot read its history.
    """
    if not files:
        return []
    if not head:
        found = objects.look_up(place.repo, ["HEAD^{commit}"])[0]
        head = found[0] if found else ""
    until = int(now.timestamp())
    since = until - WINDOW_DAYS * DAY_S
    wanted = frozenset(files)
    fitting = [
        each for each in _recent(place, head) if since <= min(each.time, until) and not wanted.isdisjoint(each.files)
    ]
    return fitting[::-1]


def _recent(place: Place, head: str) -> list[Attempt]:
    if not head:
        return []
    name = f"attempts-{caches.tag_of(place.repo)}"
    data = caches.load(place.cache, name)
    row = json.loads(data) if data is not None else {}
    if row.get("version") == _VERSION and row.get("head") == head:
        return [
            Attempt(kind, ref, time, rank, tuple(files), text, of, why)
            for kind, ref, time, rank, files, text, of, why in row["rows"]
        ]
    found = [_short(each) for each in _looked_up(place, head)]
    rows = [[each.kind, each.ref, each.time, each.rank, each.files, each.text, each.of, each.why] for each in found]
    caches.save(place.cache, name, json.dumps({"version": _VERSION, "head": head, "rows": rows}).encode())
    return found


def _looked_up(place: Place, head: str) -> list[Attempt]:
    wanted = load("gitmem.store.gitlog:Wanted")([head], most=_COMMITS_MOST, is_partial=is_partial(place))
    line = load("gitmem.memory.timeline:timeline")(load("gitmem.store.gitlog:read")(place.repo, wanted))
    found: list[Attempt] = load("gitmem.memory.attempts:attempts")(line)
    return [each for each in found if each.kind in FAILED and not each.is_superseded][-_KEPT_MOST:]


def _short(attempt: Attempt) -> Attempt:
    return replace(attempt, files=attempt.files[:_FILES_KEPT])


def is_partial(place: Place) -> bool:
    """Whether blobs may be missing in this clone."""
    config = place.git_config
    return "extensions.partialclone" in config or any(key.endswith(".promisor") for key in config)
