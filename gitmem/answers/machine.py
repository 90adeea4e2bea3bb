"""What a machine proposes: the same id and the same commit in every clone, and once only. Refuses to insist.

What was declined stays declined for the whole team until what the proposal rests on is another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime

from gitmem.answers.alike import DUPLICATE
from gitmem.answers.closing import close, event_about
from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan, draft, publish
from gitmem.answers.session import Session
from gitmem.answers.standing import Board, Standing
from gitmem.answers.terms import Terms
from gitmem.model.finding import Notice
from gitmem.model.ids import canonical_id, moment_of, ulid
from gitmem.model.ledger import Agent, Proposer
from gitmem.model.moments import instant
from gitmem.model.proposal import PENDING, EventKind, Status
from gitmem.record import record, replace
from gitmem.store.commits import commits

NAME = "gitmem"
PROPOSED, WAITS, DISMISSED = "proposed", "waits", "dismissed"
_DECLINED = frozenset({Status.REJECTED, Status.REVERTED})
_TIMES_MOST = 1000
AT = "at:"


@record
class Cause:
    """Why a machine proposes: its ``stage``, the rule that it went by, and the ids and digests that it rests on.
    ``evidence`` are the observations that speak for it, ``bundle`` the id of what it belongs to, ``allow_secret``
    fingerprints of findings that are no secrets."""

    stage: str
    rule: str
    rests_on: tuple[str, ...]
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    bundle: str = ""
    allow_secret: tuple[str, ...] = ()


@record
class Raised:
    """``state`` is proposed, waits where it is open already, or dismissed; ``proposal`` the one that says so.
    ``verdict`` is that of ``likeness`` on what was proposed."""

    state: str
    proposal: str
    warnings: tuple[Notice, ...] = ()
    verdict: str = ""


def machine_id(cause: Cause, time: int = 0) -> str:
    """The id of the proposal that a cause makes for the ``time``-th time, from 0.

    Its day is that of the newest item that it rests on, so that entries of the record stay in their years; what has
    no id of a time may say one as at:TIME.
    """
    text = "\0".join((cause.stage, cause.rule, *sorted(cause.rests_on), str(time)))
    known = [moment_of(id_) for each in cause.rests_on if (id_ := canonical_id(each))]
    said = [instant(each.removeprefix(AT)) for each in cause.rests_on if each.startswith(AT)]
    known += [int(moment.timestamp() * 1000) for moment in said if moment and moment.timestamp() >= 0]
    return ulid(max(known, default=0), hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())


def still_told(warnings: Iterable[Notice], closed: Collection[str]) -> tuple[Notice, ...]:
    """Each once, without those about proposals that were closed since."""
    return tuple(dict.fromkeys(notice for notice in warnings if notice.place not in closed))


def raise_once(session: Session, under: Ground, plan: Plan, cause: Cause, known: Board) -> Raised:
    """Opens the proposal unless it waits or was declined; what landed and is needed again is proposed again."""
    id_ = ""
    for time in range(_TIMES_MOST):
        id_ = machine_id(cause, time)
        standing = known.of(id_)
        if standing is None:
            break
        if standing.status in PENDING:
            return Raised(WAITS, id_)
        if standing.status in _DECLINED:
            return Raised(DISMISSED, id_)
    made = draft(session, under, plan, terms_of(under, cause), id_)
    if made.verdict == DUPLICATE:
        state = DISMISSED if any(notice.code == DISMISSED for notice in made.warnings) else WAITS
        return Raised(state, made.target or "", made.warnings)
    publish(session, made)
    return Raised(PROPOSED, id_, made.warnings, made.verdict)


def terms_of(under: Ground, cause: Cause) -> Terms:
    """The same in every clone that stands on the same ground."""
    base = commits(under.repo, [under.base])[under.base]
    when = datetime.fromtimestamp(base.time, UTC)
    return Terms(
        rationale=cause.rationale,
        evidence=cause.evidence,
        bundle=cause.bundle,
        allow_secret=cause.allow_secret,
        by=Proposer(NAME, agent=Agent(cause.stage)),
        machine=when,
    )


def waiting(known: Board, stage: str, items: Sequence[str]) -> list[Standing]:
    """What a stage proposed about any of these items and nobody has decided."""
    wanted = set(items)
    return [
        each
        for each in known.standings
        if each.status in PENDING
        and not each.proposal.writer
        and _stage(each) == stage
        and wanted & {change.item for change in each.proposal.entry.changes}
    ]


def _stage(standing: Standing) -> str:
    agent = standing.proposal.entry.proposed_by.agent
    return agent.name if agent else ""


def replaced(session: Session, old: Standing, by: str) -> None:
    """Closes a machine's proposal in favour of a newer one."""
    event = event_about(session, old.proposal, EventKind.SUPERSEDED, "what it rests on has changed again")
    close(session, old.proposal, replace(event, other=by))


def needless(session: Session, old: Standing) -> None:
    """Closes a machine's proposal that nothing asks for any more."""
    close(session, old.proposal, event_about(session, old.proposal, EventKind.WITHDRAWN, "it is not needed any more"))
