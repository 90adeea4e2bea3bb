"""Packets on record: what one told, what was opened of it, what became of it. Refuses texts of code and of tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gitmem.answers import journal
from gitmem.answers.session import Session
from gitmem.code import learning
from gitmem.code.learning import ANY, Learned, Lesson
from gitmem.model.event import EXPANSION, FEEDBACK, PACKET, Entry, Event
from gitmem.model.plain import Plain
from gitmem.record import field, record
from gitmem.store.mentions import entries_with

PACKET_ID = re.compile(r"[0-9a-z][0-9a-z-]{6,80}")
_FILES_MOST = 60
_TOUCHED_MOST = 50
# All of the journal, when one line is looked for.
_BYTES_MAX = 1 << 40
_DAY_CHARS = len("2026-01-31")
# What each verdict teaches; one that helped, as far as it did.
_OUTCOMES = {"helped": 1.0, "misled": -1.0, "irrelevant": -0.3}


@record
class Given:
    """What a packet gave, for the record. ``intent`` is that of its task; ``signals`` says of each signal what it
    did: ran, raised, learned from so many lessons, held so many blobs ready; ``about`` is the rest of its line."""

    packet_id: str
    intent: str
    mode: str
    files: tuple[str, ...]
    tokens: int = 0
    signals: Mapping[str, int] = field(default_factory=dict)
    about: Mapping[str, Plain] = field(default_factory=dict)


@record
class Node:
    """What was learned of a file for tasks of this ``context``, before and after; ``touched`` is how it was named."""

    path: str
    context: str
    before: float
    after: float
    touched: str | None = None


def note(session: Session, given: Given) -> str:
    """Puts a packet on record; what ``journal.note`` says of it."""
    data: dict[str, Plain] = {
        "packet": given.packet_id,
        "intent": given.intent,
        "mode": given.mode,
        "files": list[Plain](given.files[:_FILES_MOST]),
        "tokens": given.tokens,
        "signals": dict[str, Plain](sorted(given.signals.items())),
        "surface": session.surface,
    }
    return journal.note(session, Event(PACKET, {**given.about, **data}, agent=session.client))


def note_expansion(session: Session, fold_id: str, path: str, *, was_ready: bool) -> str:
    """``was_ready``: its text was served from what prefetch held."""
    data: dict[str, Plain] = {"fold": fold_id, "path": path, "ready": was_ready, "surface": session.surface}
    return journal.note(session, Event(EXPANSION, data, agent=session.client))


def find(session: Session, packet_id: str) -> Entry | None:
    """The newest packet on record whose id begins so; None for none, or for several."""
    if not PACKET_ID.fullmatch(packet_id):
        return None
    rows = entries_with(session.place.repo, f'"packet":"{packet_id}'.encode(), most=_BYTES_MAX)
    told = [row for row in rows if row.kind == PACKET and str(row.data.get("packet")).startswith(packet_id)]
    return told[-1] if len({str(row.data["packet"]) for row in told}) == 1 else None


@record
class Told:
    """One feedback on a packet: ``weights`` are path, weight before and weight after, as it moved them."""

    at: str
    outcome: str
    weights: tuple[tuple[str, float, float], ...]


def feedback_on(session: Session, packet_id: str) -> tuple[Told, ...]:
    """In the order in which it was said."""
    rows = entries_with(session.place.repo, f'"packet":"{packet_id}"'.encode(), most=_BYTES_MAX)
    return tuple(
        Told(row.at, str(row.data.get("outcome", "")), tuple(_moves(row.data.get("weights"))))
        for row in rows
        if row.kind == FEEDBACK
    )


def _moves(value: Plain) -> Iterator[tuple[str, float, float]]:
    for row in value if isinstance(value, list) else ():
        match row:
            case [str(path), int() | float() as before, int() | float() as after]:
                yield path, float(before), float(after)


def outcome_of(verdict: str, effectiveness: float) -> float:
    return effectiveness if verdict == "helped" else _OUTCOMES[verdict]


def lessons(session: Session) -> tuple[Lesson, ...]:
    """What all feedback on packets of this clone teaches."""
    rows = entries_with(session.place.repo, b'"lesson":{')
    return tuple(found for row in rows if row.kind == FEEDBACK and (found := lesson_of(row)))


def lesson_of(row: Entry) -> Lesson | None:
    told = row.data.get("lesson")
    if not isinstance(told, dict):
        return None
    outcome = told.get("outcome")
    return Lesson(
        day=row.at[:_DAY_CHARS],
        context=str(told.get("context", ANY)),
        delivered=_texts(told.get("delivered")),
        touched=_texts(told.get("touched")),
        outcome=float(outcome) if isinstance(outcome, int | float) else 0.0,
    )


def taught(lesson: Lesson) -> dict[str, Plain]:
    """A lesson as its line has it; the day is that of the line."""
    return {
        "context": lesson.context,
        "delivered": list[Plain](lesson.delivered[:_TOUCHED_MOST]),
        "touched": list[Plain](lesson.touched[:_TOUCHED_MOST]),
        "outcome": lesson.outcome,
    }


def known(session: Session, more: Sequence[Lesson] = ()) -> Learned:
    """What was learned as of today; ``more`` are lessons that are not on record yet."""
    return learning.learned([*lessons(session), *more], today(session))


def today(session: Session) -> str:
    return session.now.date().isoformat()


def _texts(value: Plain) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
