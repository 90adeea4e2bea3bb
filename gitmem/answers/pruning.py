"""Old events of this clone's journal give way to their counts. Refuses to guess an age, and to fold people's notes."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from gitmem.answers import learned, sharing
from gitmem.answers.reading import Session
from gitmem.answers.session import decides
from gitmem.errors import UsageError
from gitmem.model.event import INTENTION, MAINTENANCE, OBSERVATION, STANDING, TRIAGE
from gitmem.model.finding import Notice
from gitmem.model.moments import instant, is_before, moved, rfc3339
from gitmem.record import record
from gitmem.store import folding, proposals, shared, toldlog
from gitmem.store.folding import Pruned, Rule
from gitmem.store.refs import PROPOSALS, is_placed, listed
from gitmem.store.repo import Repo
from gitmem.store.seal import hashed
from gitmem.store.segments import Row

_AGE = re.compile(r"([0-9]{1,5})d")
_EXAMPLE = "for example --older-than 90d, or a date: --older-than 2026-01-31"
# What was typed by a person about the knowledge, and what has become of it.
_NOTES = ("manual_note", "review_correction", "compile_miss")
_KEPT_KINDS = (STANDING, TRIAGE)


@record
class PruneCall:
    older_than: str = ""
    dry_run: bool = False


@record
class PruneResult:
    """``folded`` events gave way to their counts, ``kept`` are as old and stay; ``packed`` files were put into others.

    ``live`` files are still being written and ``damaged`` ones cannot be believed: both are left as they are.
    """

    before: str
    dry_run: bool
    folded: int
    kept: int
    segments: int
    live: int
    damaged: int
    bytes_before: int
    bytes_after: int
    packed: int
    warnings: tuple[Notice, ...] = ()


def prune(session: Session, call: PruneCall) -> PruneResult:
    decides(session)
    cutoff = _cutoff(call.older_than, session.now)
    repo = session.place.repo
    done = folding.prune(repo, _rule(repo, cutoff, session.now), is_dry=call.dry_run)
    packed = 0 if call.dry_run else folding.pack(repo)
    if not call.dry_run:
        toldlog.forget(repo)
    return _result(call, cutoff, done, packed)


def _result(call: PruneCall, cutoff: datetime, done: Pruned, packed: int) -> PruneResult:
    hint = "see: gitmem journal check"
    message = f"{done.damaged} file(s) of the journal are damaged and were left as they are"
    return PruneResult(
        before=rfc3339(cutoff),
        dry_run=call.dry_run,
        folded=done.folded,
        kept=done.kept,
        segments=done.segments,
        live=done.live,
        damaged=done.damaged,
        bytes_before=done.bytes_before,
        bytes_after=done.bytes_after,
        packed=packed,
        warnings=(Notice("journal-damaged", message, hint=hint),) if done.damaged else (),
    )


def _cutoff(text: str, now: datetime) -> datetime:
    if not text.strip():
        raise UsageError("say how old events must be to go", hint=_EXAMPLE)
    age = _AGE.fullmatch(text.strip())
    if age:
        days = int(age[1])
        if days < 1 or days > (now - datetime.min.replace(tzinfo=now.tzinfo)).days:
            raise UsageError(f"no such age: {text[:40]!r}", hint=_EXAMPLE)
        return now - timedelta(days=days)
    moment = instant(text)
    if moment is None:
        raise UsageError(f"neither an age nor a date: {text[:40]!r}", hint=_EXAMPLE)
    if moment > now:
        raise UsageError(f"{text[:40]} is still to come", hint=_EXAMPLE)
    return moment


def _rule(repo: Repo, cutoff: datetime, now: datetime) -> Rule:
    """The clock of a line says how old it is; one that says nothing is not old."""
    before, cited = rfc3339(cutoff), _cited(repo)
    ends = shared.marks(shared.chains(repo))
    judged_since = rfc3339(moved(now, -learned.BACK))

    def is_old(row: Row) -> bool:
        at = row.get("at")
        return isinstance(at, str) and at < before

    def stays(id_: str, row: Row) -> bool:
        is_kept = row.get("kind") in _KEPT_KINDS or _is_by_hand(row) or _says_of_uses(row, judged_since)
        return id_ in cited or is_kept or _still_quiets(row, now)

    return Rule(
        is_old, stays, lambda *found: sharing.counted(*found).plain(), lambda id_: ends.get(hashed(id_), frozenset())
    )


def _is_by_hand(row: Row) -> bool:
    data = row.get("data")
    if row.get("kind") != OBSERVATION or not isinstance(data, dict):
        return False
    return data.get("event_type") in _NOTES and data.get("surface") != "agent"


def _still_quiets(row: Row, now: datetime) -> bool:
    data = row.get("data")
    until = data.get("until") if row.get("kind") == INTENTION and isinstance(data, dict) else None
    return isinstance(until, str) and is_before(now, until)


def _says_of_uses(row: Row, since: str) -> bool:
    """What was judged lately stays: where the lines that it was judged by stay too, they would be judged again."""
    data, at = row.get("data"), row.get("at")
    is_judged = row.get("kind") == MAINTENANCE and isinstance(data, dict) and data.get("action") == learned.LEARNED
    return is_judged and isinstance(at, str) and at >= since


def _cited(repo: Repo) -> frozenset[str]:
    """What open proposals give as their evidence."""
    loaded = proposals.load(repo, [ref for ref in listed(repo, PROPOSALS) if is_placed(ref)])
    return frozenset(each for one in loaded.proposals for each in one.entry.evidence)
