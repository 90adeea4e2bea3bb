"""Writes and changes skill files for the user to commit. Refuses to commit, and a circle or a step that is skipped.

Only the lines of what changes are written anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gitmem.answers import composed, naming
from gitmem.answers.admission import RefusedError, admit
from gitmem.answers.author import on_disk
from gitmem.answers.reading import Place, ask_at
from gitmem.answers.session import Session, decides
from gitmem.answers.skills import no_skill
from gitmem.answers.working import Working, require_started, working
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge, overlaid
from gitmem.model.finding import Notice
from gitmem.model.moments import rfc3339
from gitmem.model.skill import DRAFT, PREFIX, RETIRED, SKILL, STAGES, Skill, is_skill_name, tools_of
from gitmem.model.vocabulary import Text
from gitmem.record import record, replace
from gitmem.store import edit as edits
from gitmem.store import files, lock
from gitmem.store.repo import FOLDER
from gitmem.store.skills import COMPOSES, ENGRAMS, STAGE, STATUS, encode_skill, inside, skill_path

# The file as it is becomes the file as it should be; the knowledge is that of the work tree.
Edit = Callable[[bytes, Card, Knowledge], bytes]


@record
class NewSkillCall:
    name: str
    description: str
    body: str = ""
    license: str = ""
    compatibility: str = ""
    version: str = ""
    tool: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    compose: tuple[str, ...] = ()
    engram: tuple[str, ...] = ()
    allow_secret: tuple[str, ...] = ()


@record
class SkillWritten:
    """``changed`` is False when everything was already as asked; ``path`` is repo-relative, to be committed."""

    id: str
    name: str
    path: str
    stage: str
    changed: bool
    warnings: tuple[Notice, ...] = ()


def new_skill(session: Session, call: NewSkillCall) -> SkillWritten:
    """A draft: what it is worth is still to be seen."""
    decides(session)
    place = session.place
    require_started(place)
    skill = _composed_of(call, rfc3339(session.now))
    with lock.held(place.repo):
        found = working(place).knowledge
        if found.under(f"path:{skill_path(skill.name).casefold()}"):
            raise RefusedError(f"the skill {skill.name} is here already", hint="edit its file", code="name-taken")
        skill = replace(skill, composes=_skills(found, call.compose), engrams=_ids(found, call.engram))
        rel = skill_path(skill.name)
        data = encode_skill(skill)
        card, warnings = admit(rel, data, call.allow_secret)
        _refuse_broken(found, None, card)
        files.write_file(place.repo.knowledge_dir.parent, f"{FOLDER}/{rel}", data, expected=None)
    return SkillWritten(card.ref, skill.name, f"{FOLDER}/{rel}", skill.stage, changed=True, warnings=warnings)


def _composed_of(call: NewSkillCall, created: str) -> Skill:
    if not is_skill_name(call.name):
        hint = "a-z, 0-9 and single hyphens between them, at most 64"
        raise UsageError(f"not the name of a skill: {call.name[:80]!r}", hint=hint)
    if not call.body.strip():
        raise UsageError("a skill needs a body: how it is done", hint="give --body FILE, or pipe the text in")
    return Skill(
        name=call.name,
        description=" ".join(call.description.split()),
        body=call.body if call.body.endswith("\n") else f"{call.body}\n",
        license=call.license,
        compatibility=call.compatibility,
        version=call.version,
        allowed_tools=tuple(tool for text in call.tool for tool in tools_of(text)),
        starts=call.start,
        stage=DRAFT,
        created_at=created,
    )


@record
class ComposeCall:
    """``others`` are names of skills that it builds on from now on, ``remove`` those that it does not any more."""

    name: str
    others: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


def compose(session: Session, call: ComposeCall) -> SkillWritten:
    decides(session)
    _require_some(call.others, call.remove, "skill")

    def change(data: bytes, card: Card, knowledge: Knowledge) -> bytes:
        gone = [name.removeprefix(PREFIX) for name in call.remove]
        return _relisted(data, card, (COMPOSES, _skills(knowledge, call.others), gone))

    return _changed(session, call.name, change)


@record
class RelateCall:
    """``engrams`` are any names of what it rests on from now on, ``remove`` those of what it does not any more."""

    name: str
    engrams: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


def relate(session: Session, call: RelateCall) -> SkillWritten:
    decides(session)
    _require_some(call.engrams, call.remove, "engram")

    def change(data: bytes, card: Card, knowledge: Knowledge) -> bytes:
        known = [each for name in call.remove for each in knowledge.by_reference(name)]
        gone = [*call.remove, *(name for each in known for name in (each.id, each.slug, each.name))]
        return _relisted(data, card, (ENGRAMS, _ids(knowledge, call.engrams), gone))

    return _changed(session, call.name, change)


def _relisted(data: bytes, card: Card, what: tuple[str, Sequence[str], Sequence[str]]) -> bytes:
    """``what`` is the key of a list, what comes in, and what goes; a line with blanks between counts as a list."""
    key, added, gone = what
    left: list[Text] = []

    def relisted(items: list[Text]) -> list[Text]:
        texts = [word for item in items if isinstance(item, str) for word in item.split()]
        left[:] = [each for each in dict.fromkeys((*texts, *added)) if each not in gone or each in added]
        return list(left)

    made = edits.change_list(data, inside(key), relisted, card.path)
    return made if left else edits.remove_key(made, inside(key), card.path)


def _require_some(added: tuple[str, ...], removed: tuple[str, ...], what: str) -> None:
    if not added and not removed:
        raise UsageError(f"say which {what}", hint="one or more to add, or --remove")


@record
class SkillCall:
    name: str


def advance(session: Session, call: SkillCall) -> SkillWritten:
    """From draft to compiled, or from compiled to tuned: one step for each commit."""

    def change(data: bytes, card: Card, _: Knowledge) -> bytes:
        at = STAGES.index(card.cue[0])
        if at + 1 == len(STAGES):
            raise UsageError(f"{card.slug} is {card.cue[0]} already", hint="there is no further stage")
        return edits.set_value(data, inside(STAGE), STAGES[at + 1], card.path)

    return _changed(session, call.name, change)


def retire(session: Session, call: SkillCall) -> SkillWritten:
    """It stays where it is and is not served any more."""
    return _changed(session, call.name, lambda data, card, _: edits.set_value(data, inside(STATUS), RETIRED, card.path))


def _changed(session: Session, name: str, change: Edit) -> SkillWritten:
    decides(session)
    place = session.place
    require_started(place)
    with lock.held(place.repo):
        found = working(place)
        card = _find(found.knowledge, name)
        root, rel = place.repo.knowledge_dir.parent, f"{FOLDER}/{card.path}"
        before = on_disk(root, rel)
        after = change(before, card, found.knowledge)
        if after == before:
            return SkillWritten(card.ref, card.slug, rel, card.cue[0], changed=False)
        fresh, warnings = admit(card.path, after)
        _refuse_broken(found.knowledge, _committed(place, found, card), fresh)
        files.write_file(root, rel, after, expected=before)
    return SkillWritten(card.ref, card.slug, rel, fresh.cue[0], changed=True, warnings=warnings)


def _committed(place: Place, found: Working, card: Card) -> Card:
    """The skill as HEAD has it, else as it lies there: a step counts from what is committed."""
    known = ask_at(place, found.tree, lambda knowledge: knowledge.named(card.ref))[0] if found.tree else None
    return known or card


def _refuse_broken(knowledge: Knowledge, before: Card | None, after: Card) -> None:
    """Refuses what would make the knowledge worse than the file alone can show."""
    changed = overlaid(knowledge, [after.path], [after])
    for spot in composed.of_change(changed, [before] if before else [], [after]):
        found = spot.finding
        raise RefusedError(found.message, hint=found.hint, place=f"{FOLDER}/{found.path}", code=found.code)


def _find(knowledge: Knowledge, name: str) -> Card:
    card = knowledge.named(PREFIX + name.strip().removeprefix(PREFIX))
    if card is None:
        raise no_skill(name, [each.slug for each in knowledge.under(SKILL)])
    return card


def _skills(knowledge: Knowledge, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_find(knowledge, name).slug for name in names))


def _ids(knowledge: Knowledge, names: tuple[str, ...]) -> tuple[str, ...]:
    """What gitmem writes is the id."""
    return tuple(dict.fromkeys(naming.one(knowledge, name).id for name in names))
