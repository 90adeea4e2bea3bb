"""How many proposals wait for somebody, by status. Refuses to cost anything where there are none."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.answers.session import Session
from gitmem.lazy import load
from gitmem.model.proposal import PENDING, Status
from gitmem.store.objects import has_refs
from gitmem.store.refs import PROPOSALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.standing import Board


def counts(session: Session) -> Mapping[str, int]:
    """``total``, then each status that there is, then ``broken``: refs that hold no proposal."""
    if not has_refs(session.place.repo, PROPOSALS):
        return {"total": 0}
    board: Board = load("gitmem.answers.standing:board")(session, PENDING)
    waiting = [each.status for each in board.standings if each.status in PENDING]
    by_status = {status.value: waiting.count(status) for status in Status if status in waiting}
    return {"total": len(waiting), **by_status} | ({"broken": len(board.broken)} if board.broken else {})
