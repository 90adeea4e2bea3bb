"""A use of a skill is recorded, and what was proposed because nobody used it is taken back. Refuses to run a skill."""

from __future__ import annotations

from gitmem.answers.reading import Reading, read
from gitmem.answers.session import Session
from gitmem.answers.skill_uses import OUTCOMES, REWARDS, put_on_record
from gitmem.answers.skills import Known, one
from gitmem.errors import UsageError
from gitmem.lazy import load
from gitmem.memory.tally import HELPED, MISLED
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store.objects import may_have_refs
from gitmem.store.repo import PROPOSALS

STAGE = "skills"
_HALF = 0.5
_DIGITS = 4


@record
class RecordCall:
    """``reward`` None is that of the outcome: helped 1, irrelevant .5, misled 0."""

    name: str
    outcome: str = ""
    reward: float | None = None
    note: str = ""


@record
class Change:
    before: float
    after: float


@record
class Recorded:
    """``withdrawn`` are proposals to retire the skill that this use has taken back."""

    id: str
    name: str
    outcome: str
    reward: float
    uses: int
    utility: Change
    retention: Change
    health: str
    withdrawn: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()


def record_use(session: Session, call: RecordCall) -> Recorded:
    reward, outcome = _judged(call)
    reading = read(session.place)
    before = one(session, reading, call.name)
    put_on_record(session, before.skill.name, outcome, reward, call.note)
    after = one(session, reading, call.name)
    return Recorded(
        id=before.card.ref,
        name=before.skill.name,
        outcome=outcome,
        reward=reward,
        uses=after.standing.uses,
        utility=_change(before.standing.utility, after.standing.utility),
        retention=_change(before.standing.retention, after.standing.retention),
        health=after.standing.health,
        withdrawn=_withdrawn(session, reading, before),
        warnings=reading.warnings,
    )


def _change(before: float, after: float) -> Change:
    return Change(round(before, _DIGITS), round(after, _DIGITS))


def _judged(call: RecordCall) -> tuple[float, str]:
    if call.outcome and call.outcome not in OUTCOMES:
        raise UsageError(f"unknown outcome {call.outcome[:40]!r}", hint=f"one of: {', '.join(OUTCOMES)}")
    if call.reward is None:
        outcome = call.outcome or HELPED
        return REWARDS[outcome], outcome
    if not 0 <= call.reward <= 1:
        raise UsageError(f"reward must be from 0 to 1, not {call.reward:g}", hint="1 helped fully, 0 misled")
    return call.reward, call.outcome or (HELPED if call.reward >= _HALF else MISLED)


def _withdrawn(session: Session, reading: Reading, used: Known) -> tuple[str, ...]:
    if not may_have_refs(session.place.repo, PROPOSALS) or reading.place is not session.place:
        return ()
    found: tuple[str, ...] = load("gitmem.answers.skill_revived:withdraw")(session, used.card.path)
    return found
