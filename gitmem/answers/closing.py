"""Ends a proposal's wait: declined, taken back, replaced, landed; and opens it again. Refuses to touch knowledge."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

from gitmem.answers.landed import arrivals
from gitmem.answers.landing import decider
from gitmem.answers.needs import NoProposalError, full_id, named
from gitmem.answers.opening import new_id
from gitmem.answers.proposals import ListCall, meeting
from gitmem.answers.session import Session, decides
from gitmem.answers.standing import Standing, board
from gitmem.answers.terms import Terms, proposer, spoken
from gitmem.errors import GitmemError, UsageError
from gitmem.model.ids import ulid
from gitmem.model.ledger import Proposer
from gitmem.model.moments import moved, rfc3339
from gitmem.model.proposal import IN_FORCE, PENDING, Event, EventKind, Proposal, Status
from gitmem.record import record, replace
from gitmem.review.signature import signature
from gitmem.store import events
from gitmem.store.commits import Commit, commits
from gitmem.store.gitrefs import drop_ref, read_ref, swap_ref
from gitmem.store.lock import held
from gitmem.store.refs import ARCHIVE, PROPOSALS, under
from gitmem.store.writer import writer_of

_DAYS_MOST = 365
_COMMENTED = frozenset({EventKind.COMMENT, EventKind.VOTE})
_MOST = 5000


@record
class Refusal:
    """Why one of a batch stays as it was."""

    proposal: str
    code: str
    message: str
    hint: str = ""


@record
class Closed:
    """``failed`` are those of a batch that stay as they were; ``status`` is '' where that is all of them."""

    proposal: str
    status: str
    proposals: tuple[str, ...] = ()
    failed: tuple[Refusal, ...] = ()

    @property
    def exit_code(self) -> int:
        return 1 if self.failed else 0


@record
class RejectCall:
    """Named, or all that wait and meet every filter. ``days`` 0: for good."""

    proposals: tuple[str, ...] = ()
    reason: str = ""
    days: int = 0
    author: str = ""
    touches: str = ""
    engram: str = ""
    bundle: str = ""
    source: str = ""


def reject(session: Session, call: RejectCall) -> Closed:
    """Declines proposals; the same change does not come again without new evidence."""
    decider(session)
    wanted = call.proposals or _filtered(session, call)
    if not 0 < len(wanted) <= _MOST:
        raise UsageError(f"name 1 to {_MOST} proposals, or filters that some meet", hint="see: gitmem proposals list")
    if not call.reason.strip():
        raise UsageError(
            f"say why: {session.word('--reason TEXT', 'reason')}", hint="whoever proposes it next gets to read it"
        )
    if not 0 <= call.days <= _DAYS_MOST:
        raise UsageError(f"{session.word('--days', 'days')} takes 1 to {_DAYS_MOST}", hint="leave it out: for good")
    spoken("reason", call.reason)
    until = rfc3339(moved(session.now, timedelta(days=call.days))) if call.days else ""
    done: list[str] = []
    failed: list[Refusal] = []
    waiting = _waiting(session) if len(wanted) > 1 else {}
    for text in wanted:
        try:
            standing = waiting.pop(full_id(session, text), None) or pending(session, text)
            done.append(_reject(session, standing, call.reason, until))
        except GitmemError as err:
            if len(wanted) == 1:
                raise
            failed.append(Refusal(text, err.code, err.message, err.hint))
    return Closed(done[0] if done else "", Status.REJECTED if done else "", tuple(done), tuple(failed))


def _filtered(session: Session, call: RejectCall) -> tuple[str, ...]:
    """None without a filter: nobody declines everything by leaving the names out."""
    filters = {name: getattr(call, name) for name in ("author", "touches", "engram", "bundle", "source")}
    return meeting(session, ListCall(**filters)) if any(filters.values()) else ()


def _waiting(session: Session) -> dict[str, Standing]:
    """All that waits, by id: asked once for a whole batch."""
    return {s.proposal.id: s for s in board(session, PENDING).standings if s.status in PENDING}


def _reject(session: Session, standing: Standing, reason: str, until: str) -> str:
    event = event_about(session, standing.proposal, EventKind.REJECTED, reason)
    close(session, standing.proposal, replace(event, until=until))
    return standing.proposal.id


@record
class WithdrawCall:
    proposal: str
    reason: str = ""


def withdraw(session: Session, call: WithdrawCall) -> Closed:
    """Takes back what this clone proposed."""
    decides(session)
    standing = pending(session, call.proposal)
    if standing.proposal.writer != writer_of(session.place.repo):
        raise GitmemError(
            f"{standing.proposal.id} was proposed in another clone",
            hint=f"decline it: gitmem proposals reject {standing.proposal.id} --reason ...",
            place=standing.proposal.id,
            code="not-yours",
        )
    close(session, standing.proposal, event_about(session, standing.proposal, EventKind.WITHDRAWN, call.reason))
    return Closed(standing.proposal.id, Status.WITHDRAWN, (standing.proposal.id,))


@record
class SupersedeCall:
    proposal: str
    by: str
    reason: str = ""


def supersede(session: Session, call: SupersedeCall) -> Closed:
    """Closes a proposal in favour of another one."""
    decider(session)
    standing = pending(session, call.proposal)
    _, other = named(session, call.by)
    if other.proposal.id == standing.proposal.id:
        raise UsageError("a proposal cannot take its own place", hint="name another one")
    if other.status not in PENDING | IN_FORCE:
        raise NoProposalError(f"{other.proposal.id} is {other.status}", hint="name one that is open or has landed")
    event = event_about(session, standing.proposal, EventKind.SUPERSEDED, call.reason)
    close(session, standing.proposal, replace(event, other=other.proposal.id))
    return Closed(standing.proposal.id, Status.SUPERSEDED, (standing.proposal.id,))


@record
class CommentCall:
    proposal: str
    text: str


@record
class Commented:
    proposal: str
    event: str


def comment(session: Session, call: CommentCall) -> Commented:
    decides(session)
    if not call.text.strip():
        raise UsageError("an empty comment says nothing")
    _, standing = named(session, call.proposal)
    event = event_about(session, standing.proposal, EventKind.COMMENT, call.text)
    events.append(session.place.repo, standing.proposal.id, event, keep=[standing.proposal.tip])
    return Commented(standing.proposal.id, event.id)


def pending(session: Session, text: str) -> Standing:
    """One proposal that still waits, or why it does not."""
    _, standing = named(session, text)
    if standing.status not in PENDING:
        said = f": {standing.closed.text}" if standing.closed and standing.closed.text else ""
        raise GitmemError(
            f"proposal {standing.proposal.id} is {standing.status}{said}",
            hint="see: gitmem proposals show",
            place=standing.proposal.id,
            code="proposal-closed",
        )
    return standing


def event_about(session: Session, proposal: Proposal, kind: EventKind, text: str = "") -> Event:
    """What is said about a proposal as it is now, by the person whom Git knows."""
    return Event(
        id=new_id(session),
        kind=kind,
        at=rfc3339(session.now),
        by=proposer(session, Terms()),
        text=spoken("comment" if kind in _COMMENTED else "reason", text),
        patchset=proposal.patchset,
        change=signature(proposal.entry.changes),
        evidence=proposal.entry.evidence,
    )


def close(session: Session, proposal: Proposal, event: Event) -> None:
    """The word first, then the archive, then the open ref: whoever is stopped in between has closed it all the same.

    What is declined for a time keeps its ref: once that has passed it waits again.
    """
    decides(session)
    repo = session.place.repo
    with held(repo):
        tip = read_ref(repo, under(PROPOSALS, proposal.id))
        if tip is not None and tip != proposal.tip:
            raise GitmemError(
                f"proposal {proposal.id} moved meanwhile", hint="look at it again", place=proposal.id, code="ref-moved"
            )
        events.append(repo, proposal.id, event, keep=[proposal.tip])
        if not event.until:
            archive(session, proposal)


def archive(session: Session, proposal: Proposal) -> None:
    """Moves the ref of a proposal that waits no more to the archive; one that is there already stays."""
    repo = session.place.repo
    name = under(ARCHIVE, proposal.id)
    there = read_ref(repo, name)
    if there != proposal.tip:
        swap_ref(repo, name, there, proposal.tip, reason="gitmem: archive")
    drop_ref(repo, under(PROPOSALS, proposal.id), proposal.tip)


def reopen(session: Session, standing: Standing, reason: str) -> None:
    """Takes back a rejection or a withdrawal: the proposal waits again as it was."""
    decides(session)
    repo = session.place.repo
    proposal = standing.proposal
    with held(repo):
        events.append(
            repo, proposal.id, event_about(session, proposal, EventKind.REOPENED, reason), keep=[proposal.tip]
        )
        if read_ref(repo, under(PROPOSALS, proposal.id)) is None:
            swap_ref(repo, under(PROPOSALS, proposal.id), None, proposal.tip, reason="gitmem: reopen")
        drop_ref(repo, under(ARCHIVE, proposal.id), proposal.tip)


def settle(session: Session) -> tuple[str, ...]:
    """Archives the refs of proposals that have landed, by whatever road; returns their ids.

    What is said of it is the same in every clone, so that the clones meet in one history of events.
    """
    repo = session.place.repo
    found = board(session, wanted=PENDING)
    landed = [s for s in found.standings if s.status in IN_FORCE and not s.proposal.is_archived]
    where = arrivals(repo, found.reading.commit) if landed else {}
    known = commits(repo, sorted(set(where.values())))
    for standing in landed:
        commit = known.get(where.get(standing.ledger_id, ""))
        if commit is not None:
            events.append(repo, standing.proposal.id, _landed(standing, commit), keep=[standing.proposal.tip])
            archive(session, standing.proposal)
    return tuple(standing.proposal.id for standing in landed)


def _landed(standing: Standing, commit: Commit) -> Event:
    proposal = standing.proposal
    digest = hashlib.sha256(f"{proposal.tip} landed".encode()).digest()
    return Event(
        id=ulid(commit.time * 1000, digest),
        kind=EventKind.LANDED,
        at=rfc3339(datetime.fromtimestamp(commit.time, UTC)),
        by=Proposer("gitmem"),
        patchset=proposal.patchset,
        commit=commit.oid,
        change=signature(proposal.entry.changes),
    )
