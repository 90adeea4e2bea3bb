"""Proposals brought up to date before they land, so that their entries say what changes. Refuses to pick a side."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.alike import DUPLICATE
from gitmem.answers.extending import renewed, replace_tip
from gitmem.answers.ground import merged
from gitmem.answers.merging import ConflictError
from gitmem.answers.needs import named
from gitmem.answers.session import Session
from gitmem.answers.terms import Terms, proposer
from gitmem.model.proposal import Proposal


def freshened(session: Session, members: Sequence[Proposal], onto: str) -> list[Proposal]:
    """Each as it is, or, where what it touches was changed on ``onto`` meanwhile, as a patch set that has both.

    An entry holds what a key was and became. Where the merge adds to that, the old entry would not be true.
    """
    moved: set[str] = set()
    own = {member.id for member in members}
    return [_fresh(session, member, onto, (moved, own)) for member in members]


def _fresh(session: Session, member: Proposal, onto: str, known: tuple[set[str], set[str]]) -> Proposal:
    moved, own = known
    needs = set(member.entry.needs)
    if needs & own:
        if not needs & moved:
            return member
    else:
        joined = merged(session.place.repo, onto, member)
        if joined.conflicts:
            raise ConflictError(member, joined.conflicts)
        if joined.is_plain:
            return member
    made = renewed(session, member, None, Terms(), onto)
    if made.verdict == DUPLICATE or made.tip == member.tip:
        return member
    replace_tip(session, member, made, proposer(session, Terms()))
    moved.add(member.id)
    return named(session, member.id)[1].proposal
