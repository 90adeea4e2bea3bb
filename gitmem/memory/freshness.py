"""How long an item stays fresh by its importance and kind, and what its age weighs. Refuses a clock of its own.

The age runs from the last effective use, else from the creation; a retrieval by itself does not rejuvenate.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from math import exp, log

from gitmem.model.moments import instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.index.card import Card

FRESH, AGING, STALE, FORGOTTEN = "fresh", "aging", "stale", "forgotten"
STATES = (FRESH, AGING, STALE, FORGOTTEN)
# By kind; the kinds that are not here last as long as a fact.
MULTIPLIERS: Mapping[str, float] = {
    "observation": 0.6,
    "hypothesis": 0.7,
    "procedure": 0.8,
    "fact": 1.0,
    "pattern": 1.5,
}
_DAYS, _LEAST, _POWER = 50.0, 0.1, 1.5
_HEAT_HALF_LIFE_DAYS = 7.0
_DAY_S = 86_400.0


def half_life_days(importance: float, kind: str) -> float:
    """50 (importance + 0.1)^1.5 m."""
    return float(_DAYS * (importance + _LEAST) ** _POWER * MULTIPLIERS.get(kind, 1.0))


def freshness(age_days: float, half_life: float) -> str:
    """Fresh up to one half-life, aging up to two, stale up to four, then forgotten."""
    for most, state in ((1, FRESH), (2, AGING), (4, STALE)):
        if age_days <= most * half_life:
            return state
    return FORGOTTEN


def state(card: Card, importance: float, last_use: str, now: datetime) -> str:
    """Of an item by the importance that experience has made of its own. What was forgotten on somebody's word is, and
    a rule does not age."""
    if card.status == FORGOTTEN:
        return FORGOTTEN
    if card.has_scope:
        return FRESH
    return freshness(age_days(now, last_use, card.created_at), half_life_days(importance, card.kind))


def recency(age_days: float, half_life: float) -> float:
    """0.5^(age / half-life)."""
    return float(0.5 ** (max(0.0, age_days) / half_life))


def heat(hits: int, idle_days: float) -> float:
    """sigmoid(ln(1 + hits)) 0.5^(days since the last / 7); what was never found has none."""
    if hits <= 0:
        return 0.0
    return float(1 / (1 + exp(-log(1 + hits))) * 0.5 ** (max(0.0, idle_days) / _HEAT_HALF_LIFE_DAYS))


def age_days(now: datetime, *moments: str) -> float:
    """Days since the first of these moments that is one; 0 for none and for what is still to come."""
    for moment in moments:
        found = instant(moment) if moment else None
        if found is not None:
            return max(0.0, (now - found).total_seconds() / _DAY_S)
    return 0.0
