"""Skills by name and how they stand: what they say, how useful they have shown to be. Refuses to change any."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import notices
from gitmem.answers.naming import NotFoundError
from gitmem.answers.notices import Look
from gitmem.answers.reading import Reading, Revision, ask, read
from gitmem.answers.session import Session
from gitmem.answers.skill_uses import uses
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory.skills import HEALTH, Standing, Use, standing
from gitmem.model.finding import Notice
from gitmem.model.moments import instant
from gitmem.model.skill import ACTIVE, PREFIX, RETIRED, SKILL, STAGES, Skill
from gitmem.record import record
from gitmem.store import happened, objects
from gitmem.store.repo import FOLDER
from gitmem.store.skills import decode_skill
from gitmem.text.nearest import nearest

_LIMIT, _LIMIT_MAX = 50, 500
_DAY_S = 86400.0
_DIGITS = 4


@record
class SkillsCall:
    stage: tuple[str, ...] = ()
    health: tuple[str, ...] = ()
    retired: bool = False
    limit: int = _LIMIT
    cursor: str = ""
    at: str = ""


@record
class Row:
    """``utility`` and ``retention`` go from 0 to 1; ``health`` is active, aging, stale or forgotten; ``age_days``
    counts from the last use, else from when the skill was made."""

    id: str
    name: str
    description: str
    stage: str
    status: str
    health: str
    utility: float
    retention: float
    uses: int
    last_use: str
    age_days: float
    version: str
    path: str


@record
class SkillList:
    """``total`` counts what the filters admit; ``next`` is the cursor of the following page, '' on the last one."""

    skills: tuple[Row, ...]
    total: int
    next: str
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()


@record
class Known:
    """A skill with its card, when it was made ('' for unknown), and how it stands now."""

    card: Card
    skill: Skill
    made: str
    standing: Standing
    age_days: float


def list_skills(session: Session, call: SkillsCall) -> SkillList:
    """The best remembered first, then by name: what is retired comes only when it is asked for."""
    _check(call)
    reading = read(session.place, Revision(at=call.at))
    rows = [row_of(each) for each in known(session, reading) if _admits(call, each)]
    rows.sort(key=lambda row: (-row.retention, row.name))
    start = next((at + 1 for at, row in enumerate(rows) if row.name == call.cursor), 0) if call.cursor else 0
    if call.cursor and not start:
        raise UsageError(f"not a cursor of this list: {call.cursor[:80]!r}", hint="start again without --cursor")
    page = rows[start : start + call.limit]
    following = page[-1].name if page and start + len(page) < len(rows) else ""
    notes = (*reading.notices, *notices.waiting(Look(session, reading)))
    return SkillList(tuple(page), len(rows), following, reading.warnings, notes)


def _check(call: SkillsCall) -> None:
    if not 0 < call.limit <= _LIMIT_MAX:
        raise UsageError(f"limit must be from 1 to {_LIMIT_MAX}, not {call.limit}", hint="--cursor reads on")
    for name, values, options in (("stage", call.stage, STAGES), ("health", call.health, HEALTH)):
        wrong = [value for value in values if value not in options]
        if wrong:
            raise UsageError(f"unknown {name}: {wrong[0][:40]!r}", hint=f"one of: {', '.join(options)}")


def _admits(call: SkillsCall, each: Known) -> bool:
    return (
        (each.skill.status == (RETIRED if call.retired else ACTIVE))
        and (not call.stage or each.skill.stage in call.stage)
        and (not call.health or each.standing.health in call.health)
    )


def known(session: Session, reading: Reading, names: Sequence[str] = ()) -> list[Known]:
    """Every skill of a reading, or those of some names, by name."""
    cards, _ = ask(reading, lambda knowledge: _cards(knowledge, names))
    if not cards:
        return []
    repo = reading.place.repo
    blobs = dict(objects.read_blobs(repo, sorted({card.blob for card in cards})))
    skills = [(card, found) for card in cards if (found := decode_skill(blobs[card.blob], card.path).skill)]
    undated = [card.path for card, skill in skills if not skill.created_at]
    made = happened.first_commits(repo, reading.commit, undated)
    told = uses(session)
    rows = [
        _stands(session, card, skill, skill.created_at or made.get(card.path, ""), told.get(skill.name, ()))
        for card, skill in skills
    ]
    return sorted(rows, key=lambda each: each.skill.name)


def _stands(session: Session, card: Card, skill: Skill, made: str, own: Sequence[Use]) -> Known:
    age = age_days(session, max([use.at for use in own], default=made))
    return Known(card, skill, made, standing(own, age), age)


def _cards(knowledge: Knowledge, names: Sequence[str]) -> list[Card]:
    wanted = {name.removeprefix(PREFIX) for name in names}
    return [card for card in knowledge.under(SKILL) if not wanted or card.slug in wanted]


def age_days(session: Session, at: str) -> float:
    """Days from a moment to now; 0 where the moment is unknown or still to come."""
    moment = instant(at) if at else None
    return max(0.0, (session.now - moment).total_seconds() / _DAY_S) if moment else 0.0


def row_of(each: Known) -> Row:
    skill, stands = each.skill, each.standing
    return Row(
        id=PREFIX + skill.name,
        name=skill.name,
        description=skill.description,
        stage=skill.stage,
        status=skill.status,
        health=stands.health,
        utility=round(stands.utility, _DIGITS),
        retention=round(stands.retention, _DIGITS),
        uses=stands.uses,
        last_use=stands.last_use,
        age_days=round(each.age_days, 2),
        version=skill.version,
        path=f"{FOLDER}/{each.card.path}",
    )


@record
class ShowSkillCall:
    name: str
    at: str = ""


@record
class SkillShown:
    """``composed_by`` are the skills that build on it; ``stability_days`` is the S of its retention."""

    skill: Row
    license: str
    compatibility: str
    allowed_tools: tuple[str, ...]
    starts: tuple[str, ...]
    composes: tuple[str, ...]
    engrams: tuple[str, ...]
    composed_by: tuple[str, ...]
    created: str
    stability_days: float
    content: str
    warnings: tuple[Notice, ...] = ()


def show_skill(session: Session, call: ShowSkillCall) -> SkillShown:
    reading = read(session.place, Revision(at=call.at))
    each = one(session, reading, call.name)
    skill = each.skill
    users, _ = ask(reading, lambda knowledge: knowledge.under(f"cited:{PREFIX}{skill.name}"))
    return SkillShown(
        skill=row_of(each),
        license=skill.license,
        compatibility=skill.compatibility,
        allowed_tools=skill.allowed_tools,
        starts=skill.starts,
        composes=skill.composes,
        engrams=skill.engrams,
        composed_by=tuple(sorted(card.slug for card in users)),
        created=each.made,
        stability_days=round(each.standing.stability_days, _DIGITS),
        content=skill.body,
        warnings=reading.warnings,
    )


def one(session: Session, reading: Reading, name: str) -> Known:
    """The skill of a name, or an error with the one that may be meant."""
    found = known(session, reading, (name.strip(),))
    if found:
        return found[0]
    names, _ = ask(reading, lambda knowledge: [card.slug for card in knowledge.under(SKILL)])
    raise no_skill(name, names)


def no_skill(name: str, names: Sequence[str]) -> NotFoundError:
    close = nearest(name.strip().removeprefix(PREFIX), names)
    return NotFoundError(
        f"no skill {name!r} here", hint=f"did you mean {close!r}?" if close else "see: gitmem skills list"
    )


def best(session: Session, reading: Reading, most: int = 10) -> list[Row]:
    """The skills that whoever begins to work is told of: in force, best remembered first."""
    rows = [row_of(each) for each in known(session, reading) if each.skill.status == ACTIVE]
    return sorted(rows, key=lambda row: (-row.retention, row.name))[:most]
