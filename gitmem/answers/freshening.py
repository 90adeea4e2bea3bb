"""Proposals brought up to date before they land, so that their entries say what changes. Refuses to pick a side."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.alike import DUPLICATE
from gitmem.answers.extending import renewed, replace_tip
from gitmem.answers.ground import merged, stacked, without_entry
from gitmem.answers.merging import ConflictError
from gitmem.answers.session import Session
from gitmem.answers.terms import Terms, proposer
from gitmem.errors import GitmemError
from gitmem.model.finding import Notice
from gitmem.model.proposal import Proposal
from gitmem.record import record
from gitmem.store import proposals
from gitmem.store.commits import commits
from gitmem.store.refs import PROPOSALS, Ref, under


@record
class Fresh:
    """``members`` as they can land; ``old`` are those of which this made another patch set, which no ref has yet."""

    members: tuple[Proposal, ...]
    old: tuple[Proposal, ...] = ()
    notes: tuple[Notice, ...] = ()


def freshened(session: Session, members: Sequence[Proposal], onto: str) -> Fresh:
    """Each as it is, or, where what it touches was changed on ``onto`` meanwhile, as a patch set that has both.

    An entry holds what a key was and became. Where the merge adds to that, the old entry would not be true. It stays
    the proposer's: nobody else has written anything.
    """
    made: dict[str, tuple[Proposal, tuple[Notice, ...]]] = {}
    known = {member.id: member for member in members}
    for member in members:
        needs = [made[id_][0] if id_ in made else known[id_] for id_ in member.entry.needs if id_ in known]
        if not needs and _has_moved(session, member, onto):
            fresh = _fresh(session, member, onto)
        elif any(need.id in made for need in needs):
            fresh = _fresh(session, member, _together(session, needs))
        else:
            continue
        made |= {member.id: fresh} if fresh is not None else {}
    return Fresh(
        tuple(made[member.id][0] if member.id in made else member for member in members),
        tuple(member for member in members if member.id in made),
        tuple(note for _, notes in made.values() for note in notes),
    )


def _has_moved(session: Session, member: Proposal, onto: str) -> bool:
    joined = merged(session.place.repo, onto, member)
    if joined.conflicts:
        raise ConflictError(member, joined.conflicts)
    if not joined.is_plain and not without_entry(joined.changes, member.id):
        raise GitmemError(
            f"proposal {member.id} changes nothing any more: the trusted knowledge is like that already",
            hint=f"close it: gitmem proposals reject {member.id} --reason ..., or supersede {member.id} BY",
            place=member.id,
            code="nothing-new",
        )
    return not joined.is_plain


def _together(session: Session, needs: Sequence[Proposal]) -> str:
    tip = needs[0].tip
    for need in needs[1:]:
        tip = stacked(session.place.repo, tip, need, session.now)
    return tip


def _fresh(session: Session, member: Proposal, onto: str) -> tuple[Proposal, tuple[Notice, ...]] | None:
    repo = session.place.repo
    author = commits(repo, [member.tip])[member.tip].author
    made = renewed(session, member, None, Terms(author=author), onto)
    if made.verdict == DUPLICATE or made.tip == member.tip:
        return None
    return proposals.load(repo, [Ref(under(PROPOSALS, member.id), made.tip)]).proposals[0], made.warnings


def put_up(session: Session, fresh: Fresh) -> None:
    """Gives the new patch sets the refs of the old ones, which stay on record."""
    tips = {member.id: member.tip for member in fresh.members}
    for member in fresh.old:
        replace_tip(session, member, tips[member.id], proposer(session, Terms()))
