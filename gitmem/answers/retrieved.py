"""Puts on record what a question found: the tool, the question in short, the items in order and their scores.

Refuses to fail a call for it, and to count being found as evidence of anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import journal
from gitmem.answers.session import Session
from gitmem.model.event import RETRIEVAL, Event
from gitmem.model.plain import Plain
from gitmem.record import record

SEARCH, GET = "search", "get"
QUERY_CHARS_MAX = 500
_ITEMS_MAX = 100
_SCORE_DIGITS = 4


@record
class Question:
    """``is_private``: it holds words of an item that nobody else knows of, shown or not, so its text stays here.
    ``is_narrowed``: it asked only for a part of the knowledge, so that finding nothing says little."""

    tool: str
    text: str = ""
    is_private: bool = False
    is_narrowed: bool = False


def note(session: Session, asked: Question, items: Sequence[str], scores: Sequence[float] = ()) -> str:
    """``items`` in rank order, ``scores`` in the same order, 0 to 1; none where the tool ranks nothing.

    What ``environment.audit`` says of it: journal, receipt-only or off.
    """
    data: dict[str, Plain] = {"tool": asked.tool, "query": asked.text[:QUERY_CHARS_MAX], "items": [*items[:_ITEMS_MAX]]}
    if scores:
        data["scores"] = [round(score, _SCORE_DIGITS) for score in scores[:_ITEMS_MAX]]
    data |= {"private": True} if asked.is_private else {}
    data |= {"narrowed": True} if asked.is_narrowed else {}
    return journal.note(session, Event(RETRIEVAL, data))
