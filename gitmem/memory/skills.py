"""How useful a skill has shown to be and how well it is still remembered, from its uses. Refuses to read a journal."""

from collections.abc import Iterable
from math import exp

from gitmem.record import record

ACTIVE, AGING, STALE, FORGOTTEN = "active", "aging", "stale", "forgotten"
HEALTH = (ACTIVE, AGING, STALE, FORGOTTEN)
START_UTILITY = 0.5
LEARNING_RATE = 0.1
# A skill of full utility and many uses keeps for 15 * 2.1 days.
STABILITY_DAYS = 15.0
USES_FULL = 20
FLOOR = 0.1
_ACTIVE_ABOVE, _AGING_ABOVE, _STALE_ABOVE = 0.75, 0.5, 0.25
UNUSED_DAYS = 30


@record
class Use:
    """One use: ``at`` is RFC 3339 in UTC, ``reward`` from 0 to 1."""

    at: str
    reward: float


@record
class Standing:
    """``utility`` and ``retention`` go from 0 to 1, ``stability_days`` is the time in which retention falls to 1/e;
    ``last_use`` is '' where there was none."""

    uses: int
    utility: float
    stability_days: float
    retention: float
    health: str
    last_use: str = ""


def utility(rewards: Iterable[float], start: float = START_UTILITY) -> float:
    """u <- u + .1 (reward - u), reward by reward in the order in which they came."""
    found = start
    for reward in rewards:
        found += LEARNING_RATE * (reward - found)
    return found


def stability_days(useful: float, uses: int) -> float:
    """15 days * (u + min(1, n / 20) + .1)."""
    return STABILITY_DAYS * (useful + min(1.0, uses / USES_FULL) + FLOOR)


def retention(age_days: float, stability: float) -> float:
    """exp(-t / S); a clock that was set back makes nothing younger than new."""
    return exp(-max(0.0, age_days) / stability)


def health_of(kept: float) -> str:
    if kept > _ACTIVE_ABOVE:
        return ACTIVE
    if kept > _AGING_ABOVE:
        return AGING
    return STALE if kept > _STALE_ABOVE else FORGOTTEN


def standing(uses: Iterable[Use], age_days: float) -> Standing:
    """``age_days`` counts from the last use, else from when the skill was made; uses come in their order."""
    found = list(uses)
    useful = utility(use.reward for use in found)
    stability = stability_days(useful, len(found))
    kept = retention(age_days, stability)
    last = max((use.at for use in found), default="")
    return Standing(len(found), useful, stability, kept, health_of(kept), last)


def is_to_retire(found: Standing, age_days: float) -> bool:
    """Never used, and stale, 30 days after it was made."""
    return not found.uses and age_days >= UNUSED_DAYS and found.health in (STALE, FORGOTTEN)
