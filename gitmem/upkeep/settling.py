"""Importance that experience has moved for good, proposed to be written where a person set another one.

Refuses to follow a value that still moves: few uses, or a small step, propose nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.answers import plans
from gitmem.answers.fields import EditCall
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.worth import Weigh

STAGE = "settle"
USES_LEAST, STEP_LEAST = 10, 0.2
_LIVE = ("active", "draft")


def drafts(knowledge: Knowledge, weigh: Weigh) -> list[Draft]:
    """In tenths, so that clones whose counts differ a little ask for the same."""
    live = (card for card in knowledge.cards() if card.id and card.status in _LIVE and card.visibility != "private")
    return [draft for card in live for draft in _draft(card, weigh)]


def _draft(card: Card, weigh: Weigh) -> Iterator[Draft]:
    worth = weigh(card)
    if worth.helped + worth.misled < USES_LEAST or abs(worth.importance - card.importance) < STEP_LEAST:
        return
    value = f"{worth.importance:.1f}"
    call = EditCall(card.id, "importance", (value,))
    yield Draft(
        stage=STAGE,
        rule="importance",
        rests_on=(card.id, card.blob, value),
        title=f"{card.title}: importance {value}",
        plan=lambda under: plans.plan_edit(under, call),
        rationale="What happened with it has moved its importance that far from what the file says.",
        measured=f"It helped {worth.helped} times and misled {worth.misled} times.",
    )
