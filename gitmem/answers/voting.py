"""Approvals given one by one, where the policy asks for several people. Refuses to count one for another person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.answers.closing import event_about
from gitmem.answers.merging import Vote, approval_path
from gitmem.answers.reading import knowledge_at
from gitmem.answers.session import Session
from gitmem.answers.standing import Board
from gitmem.errors import GitmemError
from gitmem.model.approval import Approval, Approver, identity
from gitmem.model.moments import instant, rfc3339
from gitmem.model.proposal import Event, EventKind, Proposal
from gitmem.record import record, replace
from gitmem.review.signature import signature
from gitmem.review.status import votes_for
from gitmem.store import approvals, events
from gitmem.store.commits import Commit, commits
from gitmem.store.gitwrite import Draft, write_commit
from gitmem.store.objects import diff_trees


def votes(session: Session, found: Board, members: Sequence[Proposal]) -> tuple[tuple[Vote, ...], int]:
    """The approvals of others that count, and how many people are missing beside whoever asks now."""
    needed = needed_of(session, found)
    if not needed:
        return (), 0
    name, _, email = session.place.author.partition(" <")
    me = identity(name, email.rstrip(">"))
    given: list[Vote] = []
    missing = 0
    for member in members:
        proposer = identity(member.entry.proposed_by.name, member.entry.proposed_by.email)
        theirs = _counted(session, member, found.events.get(member.id, ()), {me, proposer})
        given += theirs
        missing = max(missing, needed - len(theirs) - (me != proposer))
    if missing and all(me == identity(m.entry.proposed_by.name, m.entry.proposed_by.email) for m in members):
        raise GitmemError(
            f"{missing} more approval(s) are needed, and that of the proposer does not count",
            hint="ask somebody else to approve it",
            place=members[0].id,
            code="own-proposal",
        )
    return tuple(given), missing


@record
class Approvals:
    """Who has approved what is proposed now, and how many people it takes beside the proposer."""

    given: tuple[str, ...]
    needed: int


def given(session: Session, found: Board, member: Proposal) -> Approvals | None:
    """The approvals so far that count; None where the policy asks for none."""
    needed = needed_of(session, found)
    if not needed:
        return None
    by = member.entry.proposed_by
    votes = _counted(session, member, found.events.get(member.id, ()), {identity(by.name, by.email)})
    return Approvals(tuple(vote.approval.by.name for vote in votes), needed)


def needed_of(session: Session, found: Board) -> int:
    """How many people the policy asks for."""
    return knowledge_at(session.place, found.reading.tree).knowledge.settings.min_approvals


def _counted(session: Session, member: Proposal, said: Sequence[Event], nobody: set[str]) -> list[Vote]:
    """Votes on this very content whose commit is by the person who voted, and adds their file and nothing else."""
    cast = votes_for(said, signature(member.entry.changes))
    known = commits(session.place.repo, [event.commit for event in cast.values() if event.commit])
    found = []
    for event in cast.values():
        by = Approver(event.by.name, event.by.email)
        commit = known.get(event.commit)
        if by.identity in nobody or commit is None or instant(event.at) is None:
            continue
        approval = Approval(member.id, member.id, event.patchset, by, event.at, event.text)
        if _is_cast(session, commit, approval):
            found.append(Vote(approval, event.commit))
    return found


def _is_cast(session: Session, commit: Commit, approval: Approval) -> bool:
    """Whether the commit is by whoever is said to have voted, on that patch set, and adds their file alone."""
    name, _, email = commit.author.partition(" <")
    is_theirs = identity(name, email.rstrip(">")) == approval.by.identity
    if not is_theirs or len(commit.parents) != 1 or not commit.parents[0].startswith(approval.patchset):
        return False
    changes = diff_trees(session.place.repo, commit.parents[0], commit.oid)
    return [change.rel for change in changes] == [approval_path(approval)]


def vote(session: Session, member: Proposal, comment: str) -> None:
    """Writes this person's approval as a commit on top of the proposal, and tells of it on the meta ref."""
    repo = session.place.repo
    event = event_about(session, member, EventKind.VOTE, comment)
    approval = Approval(
        member.id, member.id, member.patchset, Approver(event.by.name, event.by.email), rfc3339(session.now), comment
    )
    files: Mapping[str, bytes | None] = {approval_path(approval): approvals.encode(approval)}
    draft = Draft(files, f"Approve {member.id}@{member.patchset}", session.place.author, session.now)
    commit = write_commit(repo, member.tip, draft)
    events.append(repo, member.id, replace(event, commit=commit), keep=[commit])
