"""A drafted engram that rests on others, with an edge to each of them, as a plan. Refuses to be more than a draft.

It is written as ``status: draft``: nobody is given it before a person or an agent has put it into words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

from gitmem.answers.admission import admit
from gitmem.answers.composing import domain_of
from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan
from gitmem.answers.reading import Place
from gitmem.errors import GitmemError, UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory.insights import invented_ids
from gitmem.memory.outlines import Member, Outline, Word
from gitmem.model.engram import Engram
from gitmem.model.ids import moment_of, slugify, ulid
from gitmem.model.moments import rfc3339
from gitmem.model.synapse import Evidence, link
from gitmem.model.vocabulary import CONFIDENCE_BY_SOURCE, SUMMARY_MAX
from gitmem.record import record, replace
from gitmem.store import codec
from gitmem.store.layout import engram_path
from gitmem.store.synapses import encode_synapse, synapse_path
from gitmem.text.sections import first_paragraph
from gitmem.text.words import cut

KIND, SOURCE_TYPE, IMPORTANCE = "pattern", "inferred", 0.7
EDGE, WEIGHT = "derives_from", 0.8
_TAKEN_CHARS = 6
_SLUG_CHARS = 60


@record
class Drafted:
    """What a new engram is to hold. ``sources`` are the ids that it derives from; ``by`` and ``when`` are who made it;
    ``is_written``: somebody has put it into words, so that it need not stay a draft."""

    title: str
    body: str
    sources: tuple[str, ...]
    by: str
    when: datetime
    kind: str = KIND
    tags: tuple[str, ...] = ()
    domain: str = ""
    importance: float = IMPORTANCE
    why: str = ""
    is_written: bool = False


def members(place: Place, cards: Sequence[Card]) -> list[Member]:
    """The engrams with their texts, in the order in which they are given."""
    bodies = place.bodies.read(dict(enumerate(cards)))
    return [member_of(card, bodies[at]) for at, card in enumerate(cards)]


def member_of(card: Card, body: str) -> Member:
    text = f"{card.title}\n\n{card.summary}\n\n{body}"
    return Member(card.id, card.slug, card.title, card.summary, text, card.domain, card.tags, card.paths)


def plan_drafted(under: Ground, wanted: Drafted) -> Plan:
    """The engram and its edges as one change; the same bytes wherever the same is wanted."""
    knowledge = under.knowledge()
    engram = _engram(wanted)
    rel = _free(knowledge, engram, domain_of(wanted.domain) if wanted.domain else "general")
    data = codec.encode(engram)
    _, warnings = admit(rel, data)
    changes = {rel: data, **dict(_edge(engram, source, wanted.why) for source in wanted.sources)}
    return Plan("new", engram.title, changes, warnings=warnings)


def worded(found: Outline, word: Word | None) -> str:
    """What somebody makes of an outline, '' where nobody does; refused where it names what it does not rest on."""
    text = word(found) if word else ""
    invented = invented_ids(text, [member.id for member in found.members])
    if invented:
        message = f"the text names {invented[0]}, which it does not rest on"
        raise GitmemError(message, hint="name only engrams that it derives from", code="uncited")
    return text


def _engram(wanted: Drafted) -> Engram:
    body = wanted.body if wanted.body.endswith("\n") else f"{wanted.body}\n"
    if not body.strip():
        raise UsageError("an engram needs a body", hint="give it some text")
    at = rfc3339(wanted.when)
    return Engram(
        id=_id(wanted),
        title=" ".join(wanted.title.split()),
        kind=wanted.kind,
        body=body,
        summary=cut(first_paragraph(body) or wanted.title, SUMMARY_MAX),
        tags=wanted.tags,
        source_type=SOURCE_TYPE,
        importance=wanted.importance,
        confidence=CONFIDENCE_BY_SOURCE[SOURCE_TYPE],
        status="active" if wanted.is_written else "draft",
        created_at=at,
        created_by=wanted.by,
        stated=frozenset({"importance", "source_type", "status"}),
    )


def _id(wanted: Drafted) -> str:
    """Of the day of its newest source, and of all that it says."""
    text = "\0".join((wanted.kind, wanted.title, wanted.body, *sorted(wanted.sources)))
    newest = max((moment_of(id_) for id_ in wanted.sources), default=0)
    return ulid(newest, hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:10])


def _free(knowledge: Knowledge, engram: Engram, domain: str) -> str:
    slug = slugify(engram.title)[:_SLUG_CHARS].strip("-") or engram.id.lower()
    rel = engram_path(domain, slug)
    is_taken = bool(knowledge.under(f"path:{rel.casefold()}"))
    return engram_path(domain, f"{slug}-{engram.id[-_TAKEN_CHARS:].lower()}") if is_taken else rel


def _edge(engram: Engram, source: str, why: str) -> tuple[str, bytes]:
    said = (Evidence(why, engram.created_by, engram.created_at),) if why else ()
    made = replace(
        link(engram.id, source, EDGE, WEIGHT, said), created_at=engram.created_at, created_by=engram.created_by
    )
    return synapse_path(made), encode_synapse(made)


def derived(cards: Iterable[Card]) -> dict[str, frozenset[str]]:
    """By item what it derives from."""
    found: dict[str, set[str]] = {}
    for card in cards:
        if card.edge and card.edge[2] == EDGE:
            found.setdefault(card.edge[0], set()).add(card.edge[1])
    return {item: frozenset(sources) for item, sources in found.items()}
