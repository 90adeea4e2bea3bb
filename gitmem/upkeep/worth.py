"""What an engram is worth by all that happened with it, as ageing and merging ask for it. Refuses to fold events."""

from __future__ import annotations

from collections.abc import Callable

from gitmem.answers.experience import experience
from gitmem.answers.session import Session
from gitmem.index.card import Card
from gitmem.record import record


@record
class Worth:
    """``last_use`` is RFC 3339, '' where it was never of use; ``helped`` and ``misled`` count its uses."""

    importance: float
    last_use: str = ""
    helped: int = 0
    misled: int = 0


Weigh = Callable[[Card], Worth]


def weigher(session: Session) -> Weigh:
    """What is asked of many engrams is folded once."""
    known = experience(session)

    def weigh(card: Card) -> Worth:
        found = known.effective(card)
        return Worth(found.importance, found.last_use, found.helped, found.misled)

    return weigh
