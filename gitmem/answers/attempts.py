"""What was tried on some files of late and taken back, quick enough for a compile. Refuses a whole history."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from datetime import datetime
from functools import lru_cache

from gitmem.lazy import load
from gitmem.model.past import DAY_S, UNLASTING, Attempt
from gitmem.record import record, replace
from gitmem.store import cache as caches
from gitmem.store import git, objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.reading import Place
    from gitmem.model.event import Entry

WINDOW_DAYS = 90
# So much of the history of HEAD is looked at, and so many attempts in it are kept.
_COMMITS_MOST = 500
_KEPT_MOST = 200
_FILES_KEPT = 20
_VERSION = 4
# So long, in seconds, a look at the history is good enough for a call that must be quick.
_REST_S = 600
_MESSAGES_MOST = 100
# As a line of the journal has the outcome of a turn; of most turns nothing has to be read.
_NOTED = (b'"outcome":"failed"', b'"outcome":"reverted"')
_TELLING = rb"(?i)revert|undo|undid|reappl|re-?land|reinstat|back(ed|s|ing)?[ -]?out|roll(ed|s|ing)?[ -]?back"


def attempts_on(place: Place, files: Collection[str], now: datetime, head: str = "") -> list[Attempt]:
    """On these files and of the last 90 days, the newest first: reverts and undone changes that still stand, in the
    newest 500 commits of HEAD; turns that the journal calls failed or reverted, without their texts.

    The first call after HEAD has moved costs a ``git log``, the others one small file. ``head``: the commit of HEAD
    where the caller knows it, which saves asking Git. Raises ``GitError`` when Git cannot read its history.
    """
    if not files:
        return []
    if not head:
        found = objects.look_up(place.repo, ["HEAD^{commit}"])[0]
        head = found[0] if found else ""
    return _fitting(_recent(place, head, int(now.timestamp())), files, now)


def known_attempts_on(place: Place, files: Collection[str], now: datetime, head: str) -> list[Attempt]:
    """The same for a call that must be quick: commits since the last look, if that is ten minutes old at most, are only
    asked whether one of them says that it takes something back."""
    until = int(now.timestamp())
    row = _kept(place)
    if row is None or not 0 <= until - row.at <= _REST_S:
        return attempts_on(place, files, now, head)
    if head != row.seen:
        if _says_so(place, row.seen, head):
            return attempts_on(place, files, now, head)
        _keep(place, replace(row, seen=head))
    return _fitting(row.attempts, files, now)


def _fitting(known: Collection[Attempt], files: Collection[str], now: datetime) -> list[Attempt]:
    until = int(now.timestamp())
    since = until - WINDOW_DAYS * DAY_S
    wanted = frozenset(files)
    found = [each for each in known if since <= min(each.time, until) and not wanted.isdisjoint(each.files)]
    return sorted(found, key=lambda each: (each.time, each.rank, each.ref), reverse=True)


@record
class _Kept:
    """All attempts as of the commit ``head``, looked up at the second ``at``.

    ``seen`` is the newest commit of which the message was looked at.
    """

    head: str
    seen: str
    at: int
    in_history: tuple[Attempt, ...]
    on_record: tuple[Attempt, ...]

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        return (*self.in_history, *self.on_record)


def _recent(place: Place, head: str, now: int) -> tuple[Attempt, ...]:
    kept = _kept(place)
    noted = tuple(map(_untold, load("gitmem.memory.runs:failures")(_noted(place))))[-_KEPT_MOST:]
    if kept is not None and kept.head == head:
        found = replace(kept, at=now, on_record=noted)
    else:
        history = tuple(map(_short, _looked_up(place, head))) if head else ()
        found = _Kept(head, head, now, history, noted)
    _keep(place, found)
    return found.attempts


def _noted(place: Place) -> list[Entry]:
    found: list[Entry] = load("gitmem.store.mentions:entries_with")(place.repo, *_NOTED)
    return found


def _name(place: Place) -> str:
    return f"attempts-{_VERSION}-{caches.tag_of(place.repo)}"


def _kept(place: Place) -> _Kept | None:
    data = caches.load(place.cache, _name(place))
    return _parsed(data) if data is not None else None


@lru_cache(maxsize=4)
def _parsed(data: bytes) -> _Kept:
    found = json.loads(data)
    history, noted = (
        tuple(
            Attempt(kind, ref, time, rank, tuple(files), text, of, why)
            for kind, ref, time, rank, files, text, of, why in rows
        )
        for rows in found["rows"]
    )
    return _Kept(found["head"], found["seen"], found["at"], history, noted)


def _keep(place: Place, kept: _Kept) -> None:
    rows = [
        [[e.kind, e.ref, e.time, e.rank, e.files, e.text, e.of, e.why] for e in part]
        for part in (kept.in_history, kept.on_record)
    ]
    row = {"head": kept.head, "seen": kept.seen, "at": kept.at, "rows": rows}
    caches.save(place.cache, _name(place), json.dumps(row).encode())


def _says_so(place: Place, old: str, new: str) -> bool:
    """Whether a commit since ``old`` may take something back, by its words; also where that cannot be told."""
    asked = ("rev-list", f"--max-count={_MESSAGES_MOST}", "--format=%B%x00", f"{old}..{new}", "--")
    done = git.attempt(place.repo.where, asked)
    return done.code != 0 or done.out.count(b"\0") >= _MESSAGES_MOST or re.search(_TELLING, done.out) is not None


def _looked_up(place: Place, head: str) -> list[Attempt]:
    wanted = load("gitmem.store.gitlog:Wanted")([head], most=_COMMITS_MOST, is_partial=is_partial(place))
    line = load("gitmem.memory.timeline:timeline")(load("gitmem.store.gitlog:read")(place.repo, wanted))
    found: list[Attempt] = load("gitmem.memory.attempts:attempts")(line)
    return [each for each in found if each.kind in UNLASTING and not each.is_superseded][-_KEPT_MOST:]


def _untold(attempt: Attempt) -> Attempt:
    """What somebody wrote into the journal stays in it: the cache may lie in a work tree, where others read."""
    return replace(_short(attempt), text="")


def _short(attempt: Attempt) -> Attempt:
    return replace(attempt, files=attempt.files[:_FILES_KEPT])


def is_partial(place: Place) -> bool:
    """Whether blobs may be missing in this clone."""
    config = place.git_config
    return "extensions.partialclone" in config or any(key.endswith(".promisor") for key in config)
