"""A decision that is proposed and approved in one go by the person who takes it. Refuses to lose one that waits."""

from __future__ import annotations

from gitmem.answers.approve import ApproveCall, Approved, approve
from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan, Proposed, draft, publish
from gitmem.answers.session import Session
from gitmem.answers.terms import Terms
from gitmem.errors import GitmemError


def opened(session: Session, under: Ground, plan: Plan, rationale: str) -> Proposed:
    """The proposal; what is proposed or declined already is refused."""
    made = publish(session, draft(session, under, plan, Terms(rationale=rationale)))
    if made.proposal is None:
        notice = made.warnings[-1]
        raise GitmemError(notice.message, hint=notice.hint, place=made.target or "", code=notice.code)
    return made


def approved(session: Session, made: Proposed, comment: str, *, sign: bool) -> Approved:
    """Lands it; where that is refused the proposal waits, and the hint says so."""
    seen = f"{made.proposal}@{made.patchset}"
    try:
        return approve(session, ApproveCall((seen,), sign=sign, comment=comment))
    except GitmemError as err:
        err.hint = f"{err.hint}; it waits: gitmem proposals approve {seen}".removeprefix("; ")
        raise
