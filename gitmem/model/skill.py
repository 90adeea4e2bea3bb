"""Skills: what somebody knows how to do, as a file that agents of any make can read. Refuses to run anything.

The layout and the first keys are those of Agent Skills (agentskills.io); what gitmem adds stands under ``metadata``.
"""

import re

from gitmem.model.ids import is_slug
from gitmem.record import record

# One step at a time: from a first version, over one that was put together, to one that use has shaped.
DRAFT, COMPILED, TUNED = "draft", "compiled", "tuned"
STAGES = (DRAFT, COMPILED, TUNED)
ACTIVE, RETIRED = "active", "retired"
SKILL = "skill"
PREFIX = f"{SKILL}:"
NAME_MAX = 64
DESCRIPTION_MAX = 1024
COMPATIBILITY_MAX = 500
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TOOL = re.compile(r"[^\s,(]+(?:\([^)]*\))?")


@record
class Skill:
    """``starts`` say when it is to be used, ``composes`` are names of the skills that it builds on, ``engrams`` ids or
    slugs of what it rests on; ``created_at`` is RFC 3339, '' where the file does not say."""

    name: str
    description: str
    body: str
    license: str = ""
    compatibility: str = ""
    version: str = ""
    allowed_tools: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    stage: str = COMPILED
    status: str = ACTIVE
    composes: tuple[str, ...] = ()
    engrams: tuple[str, ...] = ()
    created_at: str = ""


def is_skill_name(text: str) -> bool:
    """Lower-case letters, digits and single hyphens between them, at most 64 in all; no name of a Windows device."""
    return len(text) <= NAME_MAX and bool(_NAME.fullmatch(text)) and is_slug(text)


def tools_of(text: str) -> tuple[str, ...]:
    """The tools of a line, apart by blanks or commas; what stands in brackets belongs to the tool before it."""
    return tuple(_TOOL.findall(text))


def is_one_step(before: str, after: str) -> bool:
    """Whether a skill may go from one stage to another in one decision; back to any earlier one it always may."""
    return STAGES.index(after) <= STAGES.index(before) + 1
