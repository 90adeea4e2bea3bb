"""The cards of skills and intentions, which are no engrams: no id, never delivered. Refuses other files."""

import hashlib

from gitmem.index.card import Card, of_unreadable
from gitmem.model import intention as intentions
from gitmem.model import skill as skills
from gitmem.model.finding import Finding
from gitmem.model.intention import INTENTION, Intention
from gitmem.model.skill import PREFIX, SKILL, Skill
from gitmem.model.vocabulary import CONFIDENCE_BY_SOURCE
from gitmem.record import replace
from gitmem.store.canonical import canonical
from gitmem.store.intentions import decode_intention
from gitmem.store.layout import Place, place_of
from gitmem.store.skills import decode_skill
from gitmem.text.sections import first_paragraph
from gitmem.text.words import cut

# The words of an engram's status say how these stand, so that one filter serves all.
_OF_STAGE = {skills.DRAFT: "draft", skills.COMPILED: "active", skills.TUNED: "active"}
_ENDED = "deprecated"
_SUMMARY_CHARS = 300
# Like an engram that does not say.
_IMPORTANCE = 0.5


def card_of(where: tuple[str, str], data: bytes) -> Card:
    """``where`` is (path below .gitmem, blob id); what cannot be read keeps its findings."""
    if place_of(where[0]) is Place.SKILL:
        read = decode_skill(data, where[0])
        card = _blank(where, data, read.findings)
        return card if read.skill is None else _skill(card, read.skill)
    found = decode_intention(data, where[0])
    card = _blank(where, data, found.findings)
    return card if found.intention is None else _intention(card, found.intention)


def _blank(where: tuple[str, str], data: bytes, findings: tuple[Finding, ...]) -> Card:
    return of_unreadable(where, hashlib.sha256(canonical(data)).hexdigest(), findings)


def _skill(card: Card, skill: Skill) -> Card:
    return replace(
        _with_body(card, skill.body),
        title=skill.name,
        kind=SKILL,
        summary=cut(skill.description, _SUMMARY_CHARS),
        status=_ENDED if skill.status == skills.RETIRED else _OF_STAGE[skill.stage],
        visibility="team",
        context_tags=skill.starts,
        requires=(*(PREFIX + name for name in skill.composes), *skill.engrams),
        importance=_IMPORTANCE,
        confidence=CONFIDENCE_BY_SOURCE["firsthand"],
        verification="unverified",
        source_type="firsthand",
        created_at=skill.created_at,
        cue=(skill.stage,),
    )


def _intention(card: Card, found: Intention) -> Card:
    when = found.when
    return replace(
        _with_body(card, found.body),
        title=found.title,
        kind=INTENTION,
        summary=cut(first_paragraph(found.body), _SUMMARY_CHARS),
        status="active" if found.status == intentions.PENDING else _ENDED,
        visibility="team",
        priority=found.priority,
        created_at=found.created_at,
        created_by=found.created_by,
        cue=(found.status, found.action, when.at, when.event, when.tag, *when.paths),
    )


def _with_body(card: Card, text: str) -> Card:
    body = text.encode()
    return replace(card, content_bytes=len(body), content_hash=f"sha256:{hashlib.sha256(body).hexdigest()}")
