"""A use of a skill is recorded, and what was proposed because nobody used it is taken back. Refuses to run a skill."""

from __future__ import annotations

from gitmem.answers.admission import refuse_secrets
from gitmem.answers.observe import require_journal, written
from gitmem.answers.reading import Reading, read
from gitmem.answers.session import Session, decides
from gitmem.answers.skill_uses import OUTCOMES, REWARDS
from gitmem.answers.skills import Known, one
from gitmem.errors import UsageError
from gitmem.lazy import load
from gitmem.memory.tally import HELPED, MISLED
from gitmem.model.event import SKILL, Event
from gitmem.model.finding import Notice
from gitmem.model.plain import Plain
from gitmem.model.skill import PREFIX
from gitmem.record import record
from gitmem.store.objects import may_have_refs
from gitmem.store.repo import PROPOSALS
from gitmem.text.unsafe import escape_hidden

STAGE = "skills"
_HALF = 0.5
_DIGITS = 4
_NOTE_CHARS = 2000


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
    decides(session)
    reward, outcome = _judged(call)
    reading = read(session.place)
    before = one(session, reading, call.name)
    _put_on_record(session, before.skill.name, (outcome, reward), call.note)
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


def _put_on_record(session: Session, name: str, judged: tuple[str, float], note: str) -> None:
    """Raises where it cannot be kept: a use that is lost would count against the skill."""
    outcome, reward = judged
    require_journal(session)
    refuse_secrets("note", note.encode("utf-8", "replace"), None)
    data: dict[str, Plain] = {"items": {outcome: [PREFIX + name]}, "reward": reward, "surface": session.surface}
    data |= {"note": escape_hidden(note)[:_NOTE_CHARS]} if note else {}
    written(session, Event(SKILL, data, session.run, session.client))


def _withdrawn(session: Session, reading: Reading, used: Known) -> tuple[str, ...]:
    if not may_have_refs(session.place.repo, PROPOSALS) or reading.place is not session.place:
        return ()
    found: tuple[str, ...] = load("gitmem.answers.skill_revived:withdraw")(session, used.card.path)
    return found
