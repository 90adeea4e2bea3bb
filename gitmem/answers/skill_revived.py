"""Takes back what a machine proposed because nobody used a skill. Refuses to touch what a person proposed."""

from __future__ import annotations

from gitmem.answers import machine
from gitmem.answers.session import Session
from gitmem.answers.skill_use import STAGE
from gitmem.answers.standing import board
from gitmem.store import lock


def withdraw(session: Session, rel: str) -> tuple[str, ...]:
    """``rel`` is the file of the skill below ``.gitmem``; the ids of the proposals that were closed."""
    old = machine.waiting(board(session), STAGE, [rel])
    for each in old:
        with lock.held(session.place.repo):
            machine.needless(session, each)
    return tuple(each.proposal.id for each in old)
