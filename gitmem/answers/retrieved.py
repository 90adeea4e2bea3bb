"""Puts on record what a question found: the tool, the question in short, the items in order and their scores.

Refuses to fail a call for it, and to count being found as evidence of anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import journal
from gitmem.answers.session import Session
from gitmem.model.event import RETRIEVAL, Event
from gitmem.model.plain import Plain

SEARCH, GET = "search", "get"
QUERY_CHARS_MAX = 500
_ITEMS_MAX = 100
_SCORE_DIGITS = 4


def note(session: Session, tool: str, query: str, items: Sequence[str], scores: Sequence[float] = ()) -> str:
    """``items`` in rank order, ``scores`` in the same order, 0 to 1; none where the tool ranks nothing.

    What ``environment.audit`` says of it: journal, receipt-only or off.
    """
    data: dict[str, Plain] = {"tool": tool, "query": query[:QUERY_CHARS_MAX], "items": [*items[:_ITEMS_MAX]]}
    if scores:
        data["scores"] = [round(score, _SCORE_DIGITS) for score in scores[:_ITEMS_MAX]]
    return journal.note(session, Event(RETRIEVAL, data))
