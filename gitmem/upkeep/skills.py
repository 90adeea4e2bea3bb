"""What upkeep asks about skills: to retire an unused one, to take one in that lies elsewhere. Refuses to do it."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.answers.ground import Ground
from gitmem.answers.machine import AT
from gitmem.answers.opening import Plan
from gitmem.answers.reading import Reading, ask, read
from gitmem.answers.session import Session
from gitmem.answers.skill_use import STAGE
from gitmem.answers.skills import Known, age_days, known
from gitmem.answers.skills_elsewhere import Found, elsewhere, first_seen
from gitmem.errors import GitmemError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory.skills import FORGOTTEN, STALE, UNUSED_DAYS, is_to_retire
from gitmem.model.finding import Finding, Severity
from gitmem.model.skill import ACTIVE, PREFIX, RETIRED, SKILL
from gitmem.store import edit as edits
from gitmem.store.repo import FOLDER
from gitmem.store.skills import STATUS, inside, skill_path
from gitmem.upkeep.draft import Draft

_BESIDE_NAMED = 10
_ENDED = ("deprecated", "superseded", "forgotten")


def drafts(session: Session) -> list[Draft]:
    """In the order of their names; the same in every clone that knows of the same uses."""
    reading = read(session.place)
    unused = [_retirement(each) for each in known(session, reading) if _is_unused(session, each)]
    found = [_arrival(reading, each) for each in elsewhere(reading) if each.skill]
    return [*unused, *found]


def _is_unused(session: Session, each: Known) -> bool:
    return each.skill.status == ACTIVE and is_to_retire(each.standing, age_days(session, each.made))


def _retirement(each: Known) -> Draft:
    name, ref = each.skill.name, each.card.ref

    def plan(under: Ground) -> Plan:
        card = under.knowledge().named(ref)
        if card is None:
            raise GitmemError(f"the skill {name} is gone", code="not-found")
        data = edits.set_value(under.data_of(card), inside(STATUS), RETIRED, card.path)
        return Plan("retire", f"Retire the skill {name}", {card.path: data})

    rationale = (
        f"No use of it is on record, {UNUSED_DAYS} days after it was made. "
        f"A use takes this back: gitmem skills record {name}"
    )
    rests_on = (ref, each.card.blob, AT + each.made)
    return Draft(STAGE, "unused", rests_on, f"Retire the skill {name}", plan, rationale)


def _arrival(reading: Reading, found: Found) -> Draft:
    rel = skill_path(found.name)
    left = ", ".join(found.beside[:_BESIDE_NAMED]) + (", ..." if len(found.beside) > _BESIDE_NAMED else "")
    without = f" These files beside it stay where they are, and are not taken in: {left}." if left else ""
    rationale = f"{found.path} is a skill that nobody finds here yet.{without}"
    rests_on = (found.path, found.blob, AT + first_seen(reading, found.path))
    title = f"Take in the skill {found.name}"
    return Draft(STAGE, "found", rests_on, title, lambda _: Plan("new", title, {rel: found.data}), rationale)


def ailments(session: Session) -> Iterator[Finding]:
    """Skills that fade, that rest on what has ended, and that lie where nobody finds them."""
    reading = read(session.place)
    every = [each for each in known(session, reading) if each.skill.status == ACTIVE]
    for each in every:
        if each.standing.health in (STALE, FORGOTTEN):
            yield _fading(each)
    yield from ask(reading, lambda knowledge: [row for each in every for row in _ended(knowledge, each.card)])[0]
    for found in elsewhere(reading):
        reason = f": {found.why}" if found.why else ""
        message = f"a skill that is not among those of .gitmem{reason}"
        yield Finding("skill-elsewhere", Severity.WARNING, found.path, 0, message, f"gitmem import {found.path}")


def _fading(each: Known) -> Finding:
    name, stands = each.skill.name, each.standing
    last = f"last used {stands.last_use[:10]}" if stands.uses else "no use is on record"
    message = f"the skill {name} fades ({stands.health}, retention {stands.retention:.2f}): {last}"
    hint = f"use it and say so: gitmem skills record {name}; or: gitmem skills retire {name}"
    return Finding("skill-fading", Severity.WARNING, f"{FOLDER}/{each.card.path}", 0, message, hint, each.card.ref)


def _ended(knowledge: Knowledge, card: Card) -> Iterator[Finding]:
    for reference in card.requires:
        target = knowledge.named(reference) if reference.startswith(PREFIX) else _engram(knowledge, reference)
        if target is not None and target.status in _ENDED:
            what = f"builds on the {SKILL}" if target.kind == SKILL else "rests on"
            message = f"the skill {card.slug} {what} {target.slug}, which is {target.status}"
            hint = (
                f"name what took its place: gitmem skills {'compose' if target.kind == SKILL else 'relate'} {card.slug}"
            )
            yield Finding("skill-ended", Severity.WARNING, f"{FOLDER}/{card.path}", 0, message, hint, card.ref)


def _engram(knowledge: Knowledge, reference: str) -> Card | None:
    return next(iter(knowledge.by_reference(reference)), None)
