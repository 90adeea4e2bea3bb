"""How what happened with an item moves its importance, confidence and strength: one formula an event, and their fold.

Refuses events and clocks: it gets counts by day. All values lie within 0 and 1, strength is what was reinforced.
``docs/decisions/0015-experience-is-folded-from-counts.md`` says what the fold by day loses.
"""

from collections.abc import Iterable, Mapping

from gitmem.memory.tally import GAINED, HELPED, LOST, MISLED, SHORTFALL, THOUSAND
from gitmem.model.verification import REFUTED, VERIFIED
from gitmem.record import record

RATE = 0.1
CONFIDENCE_STEP = 0.05
SHARE_OF_NEIGHBOURS = 0.5
TOLERANCE = 0.05
ARCHIVE_AFTER, FORGET_AFTER = 3, 5
ARCHIVE, FORGET = "archive", "forget"
HIGH, MEDIUM, LOW = "high", "medium", "low"
EFFECTIVENESS: Mapping[str, float] = {"success": 1.0, "partial": 0.5, "failure": 0.0}
EFFECTIVE, FAILED, NOTHING = "effective", "failed", ""
_SURE = 0.5
_REFUTED_SHARE, _VERIFIED_STEP, _VERIFIED_CAP = 0.3, 0.2, 0.95
_HIGH_LEAST, _MEDIUM_LEAST = 0.7, 0.3
_UNKNOWN_SCORE = 0.5


@record
class State:
    """``reinforced`` is the sum of what strengthened and weakened; ``gain`` what successes added to the importance."""

    importance: float
    confidence: float
    reinforced: float = 0.0
    gain: float = 0.0

    @property
    def strength(self) -> float:
        return within(self.reinforced)


def within(value: float) -> float:
    return min(1.0, max(0.0, value))


def helped(state: State, effectiveness: float = 1.0) -> State:
    """One success: importance + min(1, 2 confidence) (min(1, importance + 0.1 effectiveness) - importance)."""
    full = min(1.0, state.importance + RATE * effectiveness) - state.importance
    delta = min(1.0, 2 * state.confidence) * full
    return State(
        state.importance + delta,
        within(state.confidence + CONFIDENCE_STEP),
        state.reinforced + effectiveness,
        state.gain + delta,
    )


def misled(state: State) -> State:
    """One failure: importance - 0.1 (1 + max(0, 2 (0.5 - confidence)))."""
    loss = RATE * (1 + max(0.0, 2 * (_SURE - state.confidence)))
    return State(
        within(state.importance - loss), within(state.confidence - CONFIDENCE_STEP), state.reinforced, state.gain
    )


def believed(confidence: float, verification: str) -> float:
    """The confidence of what was verified (+ 0.2, at most 0.95, never less than before) or refuted (x 0.3)."""
    if verification == REFUTED:
        return confidence * _REFUTED_SHARE
    if verification == VERIFIED:
        return max(confidence, min(_VERIFIED_CAP, confidence + _VERIFIED_STEP))
    return confidence


def lent(delta: float, weight: float) -> float:
    """What a neighbour gets of a success, over an edge of this weight."""
    return delta * SHARE_OF_NEIGHBOURS * weight


def fold(start: State, days: Iterable[tuple[str, Mapping[str, int]]]) -> State:
    """``days`` in any order; each has its successes first, at their mean effectiveness, then its failures."""
    state = start
    for _, counts in sorted(days, key=lambda row: row[0]):
        state = _day(state, counts)
    return state


def _day(state: State, counts: Mapping[str, int]) -> State:
    successes = counts.get(HELPED, 0)
    if successes:
        short = min(counts.get(SHORTFALL, 0), THOUSAND * successes)
        state = _successes(state, successes, 1 - short / (THOUSAND * successes))
    for _ in range(counts.get(MISLED, 0)):
        before, state = state, misled(state)
        if before == state:
            break
    learned = RATE * (counts.get(GAINED, 0) - counts.get(LOST, 0)) / THOUSAND
    return State(state.importance, state.confidence, state.reinforced + learned, state.gain) if learned else state


def _successes(state: State, count: int, effectiveness: float) -> State:
    """One by one as long as the confidence matters; what then is a straight line goes in one step."""
    while count > 1 and state.confidence < _SURE:
        state, count = helped(state, effectiveness), count - 1
    if count == 1:
        return helped(state, effectiveness)
    delta = min(1.0, state.importance + count * RATE * effectiveness) - state.importance
    return State(
        state.importance + delta,
        within(state.confidence + count * CONFIDENCE_STEP),
        state.reinforced + count * effectiveness,
        state.gain + delta,
    )


def surprise(weights: Iterable[float], score: float | None) -> float:
    """Observed less predicted: (sum of weights + 1) / 2 less the score at retrieval, which is 0.5 where there is none.

    Within 0.05 nothing was learned, and it is 0.
    """
    observed = (max(-1.0, min(1.0, sum(weights))) + 1) / 2
    error = observed - (_UNKNOWN_SCORE if score is None else score)
    return 0.0 if abs(error) <= TOLERANCE + 1e-9 else error


def learned(error: float) -> str:
    """What a surprise says of the use: effective, failed, or nothing."""
    return EFFECTIVE if error > 0 else FAILED if error < 0 else NOTHING


def band(value: float) -> str:
    return HIGH if value >= _HIGH_LEAST else MEDIUM if value >= _MEDIUM_LEAST else LOW


def advice(failures: int) -> str:
    """What so many failures speak for: to archive, to forget, or ''. Nothing is done by itself."""
    return FORGET if failures >= FORGET_AFTER else ARCHIVE if failures >= ARCHIVE_AFTER else ""
