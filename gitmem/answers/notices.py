"""What varies in time beside an answer: what waits, what ends, what was tried. Refuses to enter a hash."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from gitmem import lazy
from gitmem.answers import targets
from gitmem.answers.reading import Place, Reading, Session, ask
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.model.compiled import CompileRequest
from gitmem.model.finding import Notice
from gitmem.model.moments import instant, is_after, is_before
from gitmem.record import record
from gitmem.store import cache as caches
from gitmem.store import objects
from gitmem.store.git import GitError
from gitmem.store.repo import PROPOSALS
from gitmem.store.trust import quoted

FRESH = "fresh"
# Below this size looking is cheaper than remembering; above, a look is kept for two seconds.
_ALWAYS_FRESH_ITEMS = 2000
_KEPT_SECONDS = 2
_COUNT_SECONDS = 600
_NAMED = 5
_OID_SHOWN = 12


@record
class Look:
    """Who looks at which reading; ``is_fresh`` refuses what is remembered."""

    session: Session
    reading: Reading
    is_fresh: bool = False


def gather(look: Look, request: CompileRequest, cards: Iterable[Card]) -> list[Notice]:
    """``cards`` are those that the request brought in."""
    brought = tuple(cards)
    found = [*targets.oddities(look.session.place, request.target_files), *waiting(look)]
    found += [*intended(look, request.target_files), *refuted(brought)]
    found += [] if request.as_of else validity(brought, look.session.now)
    return [*found, *decisions(look, request, brought), *attempts(look, request), *unprocessed(look)]


def intended(look: Look, files: Sequence[str] = ()) -> list[Notice]:
    """The intentions that have come up; nothing to load, and no Git command, where none waits."""
    if not ask(look.reading, lambda knowledge: knowledge.numbers("pending"))[0]:
        return []
    found: list[Notice] = lazy.load("gitmem.answers.due:notices")(look.session, look.reading, files)
    return found


def decisions(look: Look, request: CompileRequest, brought: tuple[Card, ...]) -> list[Notice]:
    """The proposals that concern a request; nothing to load, and no Git command, where none is."""
    if not objects.may_have_refs(look.reading.place.repo, PROPOSALS):
        return []
    try:
        found: list[Notice] = lazy.load("gitmem.answers.pending:touching")(look, request, brought)
    except GitError as err:
        message = f"which proposals wait is not known: {err.message}"
        return [Notice("pending-unknown", message, err.place, "see: gitmem proposals list")]
    return found


def attempts(look: Look, request: CompileRequest) -> list[Notice]:
    """What was done to these files in the last 90 days and taken back: ids only, ``recall`` tells more."""
    session, head = look.session, look.reading.trusted.head_commit
    if not head or look.reading.place is not session.place:
        return []
    name = "attempts_on" if look.is_fresh else "known_attempts_on"
    try:
        found = lazy.load(f"gitmem.answers.attempts:{name}")(session.place, request.target_files, session.now, head)
    except GitError as err:
        message = f"what was tried and taken back is not known: {err.message}"
        return [Notice("attempts-unknown", message, err.place, "git log says more")]
    if not found:
        return []
    refs = [each.ref if "-" in each.ref else each.ref[:_OID_SHOWN] for each in found[:_NAMED]]
    more = f" and {len(found) - len(refs)} more" if len(found) > len(refs) else ""
    message = (
        f"{len(found)} attempt(s) on these files in the last 90 days were taken back or failed: {', '.join(refs)}{more}"
    )
    files = " ".join(quoted(file) for file in request.target_files[:_NAMED])
    hint = session.word(f"gitmem recall {files}", "recall with these files")
    return [Notice("attempts", message, hint=f"before you try it again: {hint}")]


def unprocessed(look: Look) -> list[Notice]:
    """How many observations wait; a count is good for ten minutes, since what is reported here makes it void."""
    session, now = look.session, look.session.now.timestamp()
    kept = caches.load(session.place.cache, count_name(session.place))
    at, _, number = (kept or b"").partition(b" ")
    if look.is_fresh or not at or not 0 <= now - float(at) <= _COUNT_SECONDS:
        number = lazy.load("gitmem.answers.unprocessed:count")(session.place, now)
    count = int(number)
    hint = session.word("gitmem observations list", "a person decides what becomes of them")
    return [Notice("observations", f"{count} observation(s) wait to be processed", hint=hint)] if count else []


def count_name(place: Place) -> str:
    """The cache file of the number of observations that wait: a time, a blank, the number; empty when it is void."""
    return f"unprocessed-1-{caches.tag_of(place.repo)}"


def waiting(look: Look) -> list[Notice]:
    """How many edits of the work tree are not served, and which; a damaged index is no reason to serve nothing."""
    try:
        found = uncommitted(look)
    except GitError as err:
        message = f"whether edits wait to be committed is not known: {err.message}"
        return [Notice("uncommitted-unknown", message, err.place, "git status says more")]
    if not found:
        return []
    named = ", ".join(found[:_NAMED]) + (f" and {len(found) - _NAMED} more" if len(found) > _NAMED else "")
    message = f"{len(found)} uncommitted edit(s) under .gitmem are not served: {named}"
    return [Notice("uncommitted", message, hint="commit them: git add .gitmem && git commit")]


def check_choice(text: str) -> None:
    if text not in ("", FRESH):
        raise UsageError(f"unknown value for notices: {text!r}", hint=f"leave it out, or: {FRESH}")


def uncommitted(look: Look) -> list[str]:
    """Paths below ``.gitmem`` that differ from HEAD; in a large store at most two seconds old."""
    place, now = look.session.place, look.session.now
    known, _ = ask(look.reading, lambda knowledge: knowledge.first_added + len(knowledge.added))
    name = f"status-{caches.tag_of(place.repo)}.json"
    if not look.is_fresh and known > _ALWAYS_FRESH_ITEMS:
        kept = _kept(place, name, now)
        if kept is not None:
            return kept
    found = [u.rel for u in lazy.load("gitmem.store.worktree:uncommitted")(place.repo)]
    if known > _ALWAYS_FRESH_ITEMS:
        row = {"at": now.timestamp(), "paths": found}
        caches.save(place.cache, name, json.dumps(row).encode())
    return found


def _kept(place: Place, name: str, now: datetime) -> list[str] | None:
    data = caches.load(place.cache, name)
    if data is None:
        return None
    row = json.loads(data)
    age = now.timestamp() - row["at"]
    return list(row["paths"]) if 0 <= age <= _KEPT_SECONDS else None


def refuted(cards: Iterable[Card]) -> list[Notice]:
    """A rule in force is delivered whatever is known of it; that it was refuted is said."""
    named = sorted((card for card in cards if card.verification == "refuted"), key=lambda card: card.path)
    return [
        Notice(
            "refuted",
            f"{card.slug} was refuted",
            f".gitmem/{card.path}",
            f"why: gitmem verification show {card.slug}; if it holds no more: gitmem propose retire {card.slug}",
        )
        for card in named
    ]


def validity(cards: Iterable[Card], now: datetime) -> list[Notice]:
    """Those whose validity has not begun, has ended, or ends within 30 days."""
    found = []
    for card in cards:
        place = f".gitmem/{card.path}"
        if is_before(now, card.valid_from):
            found.append(
                Notice("not-yet-valid", f"{card.slug} is meant from {card.valid_from} on", place, "see --as-of")
            )
        elif is_after(now, card.valid_until):
            found.append(
                Notice("expired", f"{card.slug} was meant until {card.valid_until}", place, "renew or retire it")
            )
        elif card.valid_until and (end := instant(card.valid_until)) and end - now < timedelta(days=30):
            found.append(Notice("expiring", f"{card.slug} is meant until {card.valid_until}", place))
    return sorted(found, key=lambda notice: notice.place)
