"""SKILL.md files from bytes to values and back. Refuses what a reader of Agent Skills would not take."""

from collections.abc import Iterable, Iterator

from gitmem.model.finding import Finding
from gitmem.model.skill import (
    ACTIVE,
    COMPATIBILITY_MAX,
    COMPILED,
    DESCRIPTION_MAX,
    RETIRED,
    STAGES,
    Skill,
    is_skill_name,
    tools_of,
)
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.store.codec import read_document, written
from gitmem.store.form import Form, shown, type_of
from gitmem.store.layout import SKILLS

FILE = "SKILL.md"
NAME, DESCRIPTION, LICENSE, COMPATIBILITY = "name", "description", "license", "compatibility"
ALLOWED_TOOLS, METADATA, VERSION = "allowed-tools", "metadata", "version"
# Keys of ``metadata`` that are gitmem's own; other tools keep theirs beside them.
STAGE, STATUS, STARTS = "gitmem-stage", "gitmem-status", "gitmem-start-when"
COMPOSES, ENGRAMS, CREATED = "gitmem-composes", "gitmem-engrams", "gitmem-created"


@record
class DecodedSkill:
    """One skill file; ``skill`` is None when a finding is an error."""

    skill: Skill | None
    findings: tuple[Finding, ...]


def skill_path(name: str) -> str:
    """Where a skill lies below ``.gitmem``."""
    return f"{SKILLS}{name}/{FILE}"


def inside(key: str) -> str:
    """A key of ``metadata`` as the span edits name it."""
    return f"{METADATA}.{key}"


def decode_skill(data: bytes, rel: str) -> DecodedSkill:
    """Reads a SKILL.md; ``rel`` is its path below ``.gitmem``, whose folder the skill is named after."""
    return DecodedSkill(*read_document(data, rel, _skill))


def encode_skill(skill: Skill) -> bytes:
    """Writes a new skill: the keys of Agent Skills, then what gitmem adds below ``metadata``."""
    return written(_typed_values(skill), skill.body)


def _typed_values(skill: Skill) -> Iterator[tuple[str, Text]]:
    yield NAME, skill.name
    yield DESCRIPTION, skill.description
    plain: dict[str, Text] = {LICENSE: skill.license, COMPATIBILITY: skill.compatibility}
    yield from ((key, value) for key, value in plain.items() if value)
    if skill.allowed_tools:
        yield ALLOWED_TOOLS, " ".join(skill.allowed_tools)
    own: dict[str, Text] = {
        VERSION: skill.version,
        STAGE: skill.stage,
        STATUS: skill.status if skill.status != ACTIVE else "",
        STARTS: [*skill.starts],
        COMPOSES: [*skill.composes],
        ENGRAMS: [*skill.engrams],
        CREATED: skill.created_at,
    }
    yield METADATA, {key: value for key, value in own.items() if value}


def _skill(form: Form, body: str) -> Skill:
    has_own = _has_mapping(form)
    if not body.strip():
        form.fault("", "the body is empty", "say below the header how it is done")
    return Skill(
        name=_name(form),
        description=_description(form),
        body=body,
        license=form.text(LICENSE),
        compatibility=_compatibility(form),
        version=form.text(VERSION) or (form.text(inside(VERSION)) if has_own else ""),
        allowed_tools=_tools(form),
        starts=form.texts(inside(STARTS)) if has_own else (),
        stage=form.choice(inside(STAGE), STAGES, COMPILED) if has_own else COMPILED,
        status=form.choice(inside(STATUS), (ACTIVE, RETIRED), ACTIVE) if has_own else ACTIVE,
        composes=_names(form, COMPOSES) if has_own else (),
        engrams=_names(form, ENGRAMS) if has_own else (),
        created_at=form.moment(inside(CREATED)) if has_own else "",
    )


def _has_mapping(form: Form) -> bool:
    value = form.value(METADATA)
    if value is not None and not isinstance(value, dict):
        form.fault(METADATA, f"metadata is {type_of(value)}, not a mapping", "write keys below it, each indented")
    return isinstance(value, dict)


def _name(form: Form) -> str:
    folder = form.rel.removesuffix(f"/{FILE}").rpartition("/")[2]
    name = form.scalar(NAME)
    if name is None:
        if form.value(NAME) is None:
            form.fault(NAME, "name is missing", f"name: {folder}")
    elif not is_skill_name(name):
        hint = "a-z, 0-9 and single hyphens between them, at most 64; the folder has the same name"
        form.fault(NAME, f"name is {shown(name)}, which is no name of a skill", hint)
    elif form.rel != skill_path(name):
        hint = f"its place is .gitmem/{skill_path(name)}; or write name: {folder}"
        form.fault(NAME, f"name is {name}, and the file lies in {shown(form.rel.rpartition('/')[0])}", hint)
    return name or ""


def _description(form: Form) -> str:
    description = form.scalar(DESCRIPTION)
    hint = f"say in 1 to {DESCRIPTION_MAX} characters what it does and when to use it"
    if description is None:
        if form.value(DESCRIPTION) is None:
            form.fault(DESCRIPTION, "description is missing", hint)
    elif not description.strip():
        form.fault(DESCRIPTION, "description is empty", hint)
    elif len(description) > DESCRIPTION_MAX:
        found = f"description has {len(description)} characters, the most is {DESCRIPTION_MAX}"
        form.fault(DESCRIPTION, found, "put the rest in the body")
    return description or ""


def _compatibility(form: Form) -> str:
    text = form.text(COMPATIBILITY)
    if len(text) > COMPATIBILITY_MAX:
        found = f"compatibility has {len(text)} characters, the most is {COMPATIBILITY_MAX}"
        form.fault(COMPATIBILITY, found, "put the rest in the body")
    return text


def _tools(form: Form) -> tuple[str, ...]:
    """A line, as Agent Skills has it, or a list, as some tools write it."""
    value = form.value(ALLOWED_TOOLS)
    return tools_of(value) if isinstance(value, str) else form.texts(ALLOWED_TOOLS)


def _names(form: Form, key: str) -> tuple[str, ...]:
    """A list, or one line with blanks between: whoever reads ``metadata`` as texts may write it so."""
    value = form.value(inside(key))
    found: Iterable[str] = value.split() if isinstance(value, str) else form.texts(inside(key))
    return tuple(dict.fromkeys(found))
