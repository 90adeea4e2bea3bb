"""How far a contradiction is from being settled, and what its numbers advise. Refuses to settle it.

The ladder: pending, after a week escalated; resolved by a person, or auto_resolved where a person let the advice
decide; contested where both sides hold again although one was to go.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from gitmem.model.contradiction import (
    ARCHIVE,
    CONTESTED,
    ESCALATED,
    KEEP_NEW,
    KEEP_OLD,
    MERGE,
    PENDING,
    RESOLVED,
    Resolution,
)
from gitmem.model.moments import instant
from gitmem.model.vocabulary import CONFIDENCE_BY_SOURCE
from gitmem.record import record

ESCALATED_DAYS = 7
_CONFIDENCE_GAP, _EVIDENCE_GAP, _SOURCE_GAP = 0.2, 3, 0.3
_BY_CONFIDENCE, _BY_EVIDENCE, _BY_SOURCE, _UNCLEAR = 0.85, 0.8, 0.75, 0.5
# Differences of decimals are compared as decimals.
_DIGITS = 9


@record
class Side:
    """One of two engrams that contradict each other, in numbers; ``evidence`` counts what speaks for it."""

    item: str
    confidence: float
    evidence: int
    source_type: str


@record
class Advice:
    """``certainty`` is 0 to 1; nothing is done on its ground alone."""

    verdict: str
    certainty: float
    reason: str

    @property
    def is_clear(self) -> bool:
        return self.verdict != MERGE


def advice(newer: Side, older: Side) -> Advice:
    """By the first of confidence, evidence and source whose gap is wide enough; else to merge the two."""
    confidence = _gap(newer.confidence, older.confidence)
    if abs(confidence) > _CONFIDENCE_GAP:
        return _for(confidence, _BY_CONFIDENCE, f"confidence {newer.confidence:.2f} against {older.confidence:.2f}")
    evidence = newer.evidence - older.evidence
    if abs(evidence) >= _EVIDENCE_GAP:
        return _for(evidence, _BY_EVIDENCE, f"{newer.evidence} piece(s) of evidence against {older.evidence}")
    source = _gap(_weight(newer), _weight(older))
    if abs(source) >= _SOURCE_GAP:
        return _for(source, _BY_SOURCE, f"{newer.source_type} against {older.source_type}")
    return Advice(MERGE, _UNCLEAR, "neither confidence nor evidence nor source tells them apart")


def _gap(newer: float, older: float) -> float:
    return round(newer - older, _DIGITS)


def _weight(side: Side) -> float:
    return CONFIDENCE_BY_SOURCE.get(side.source_type, CONFIDENCE_BY_SOURCE["inferred"])


def _for(gap: float, certainty: float, reason: str) -> Advice:
    return Advice(KEEP_NEW if gap > 0 else KEEP_OLD, certainty, reason)


def state_of(
    resolution: Resolution | None, since: str, ends: Collection[str], live: Collection[str], now: datetime
) -> str:
    """``since`` is when the contradiction was put on record, ``ends`` its two engrams, ``live`` those of them that
    hold. Without both of them there is nothing left to settle."""
    if resolution is not None and resolution.is_settled:
        gone = resolution.retired or (ends if resolution.verdict == ARCHIVE else ())
        return CONTESTED if any(item in live for item in gone) else resolution.state
    if len(live) < len(ends):
        return RESOLVED
    if resolution is not None and resolution.state in (CONTESTED, ESCALATED):
        return resolution.state
    return ESCALATED if age_days(since, now) >= ESCALATED_DAYS else PENDING


def age_days(since: str, now: datetime) -> int:
    """Whole days; 0 where no time is stated, or one that is still to come."""
    moment = instant(since)
    return max((now - moment) // timedelta(days=1), 0) if moment else 0


def is_overdue(state: str) -> bool:
    """Whether somebody should have looked at it by now."""
    return state in (ESCALATED, CONTESTED)
