"""What a new engram's file will hold, from the words of a call. Refuses to write it."""

import os
from datetime import datetime

from gitmem.answers import naming
from gitmem.answers.admission import admit, free_path
from gitmem.answers.fields import odd_patterns
from gitmem.errors import UsageError
from gitmem.index.knowledge import Knowledge
from gitmem.model.engram import Engram, Scope
from gitmem.model.finding import Notice
from gitmem.model.ids import is_slug, slugify, ulid
from gitmem.model.moments import rfc3339
from gitmem.model.vocabulary import CONFIDENCE_BY_SOURCE, KINDS
from gitmem.record import record
from gitmem.store import codec
from gitmem.store.layout import engram_path
from gitmem.text.nearest import nearest
from gitmem.text.sections import first_paragraph
from gitmem.text.words import cut


@record
class NewCall:
    kind: str
    title: str
    path: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layer: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    domain: str = ""
    slug: str = ""
    summary: str = ""
    body: str = ""
    allow_secret: tuple[str, ...] = ()
    private: bool = False


@record
class Composed:
    """``rel`` is the file's path below ``.gitmem``."""

    id: str
    slug: str
    rel: str
    data: bytes
    warnings: tuple[Notice, ...]


def checked_kind(text: str) -> str:
    kind = text.strip().lower()
    if kind not in KINDS:
        near = nearest(kind, KINDS)
        hint = (f"did you mean {near!r}? " if near else "") + f"one of: {', '.join(KINDS)}"
        raise UsageError(f"unknown kind {text!r}", hint=hint)
    return kind


def compose(call: NewCall, knowledge: Knowledge, by: str, now: datetime, instead: Engram | None = None) -> Composed:
    """A new engram beside those of ``knowledge``; ``by`` is ``Name <email>``. ``instead``: in that one's place."""
    kind = checked_kind(call.kind)
    if not call.body.strip():
        raise UsageError("an engram needs a body", hint="give --body FILE, or pipe the text in")
    id_ = instead.id if instead else ulid(int(now.timestamp() * 1000), os.urandom(10))
    slug = slug_of(call.slug) if call.slug else slugify(call.title) or id_.lower()
    domain = domain_of(call.domain or (slugify(call.tag[0]) if call.tag else "") or "general")
    rel = engram_path(domain, slug)
    free_path(knowledge, rel, id_)
    requires = tuple(naming.one(knowledge, reference).id for reference in call.requires)
    body = call.body if call.body.endswith("\n") else f"{call.body}\n"
    scope = Scope(call.path, call.excluded, call.layer, call.command)
    engram = Engram(
        id=id_,
        title=" ".join(call.title.split()),
        kind=kind,
        body=body,
        summary=call.summary or cut(first_paragraph(body), 300),
        tags=call.tag,
        scope=None if scope.is_empty and not call.excluded else scope,
        requires=requires,
        confidence=CONFIDENCE_BY_SOURCE["firsthand"],
        visibility="private" if call.private else "team",
        created_at=instead.created_at if instead else rfc3339(now),
        created_by=instead.created_by if instead else by,
    )
    data = codec.encode(engram)
    _, warnings = admit(rel, data, call.allow_secret, is_private=call.private)
    doubts = (*_same_slug(knowledge, slug, id_), *odd_patterns((*call.path, *call.excluded)))
    return Composed(id_, slug, rel, data, (*warnings, *doubts))


def _same_slug(knowledge: Knowledge, slug: str, own_id: str) -> list[Notice]:
    others = [card.name for card in knowledge.under(f"slug:{slug}") if card.id != own_id]
    if not others:
        return []
    return [
        Notice(
            "ambiguous-slug",
            f"the slug {slug!r} is also that of {', '.join(others)}",
            hint="name it by id or domain/slug",
        )
    ]


def slug_of(text: str) -> str:
    wanted = text.strip().removesuffix(".md")
    if not is_slug(wanted):
        hint = f"for example {slugify(wanted)!r}" if slugify(wanted) else "a-z, 0-9 and -, at most 80, no device name"
        raise UsageError(f"not a slug: {text!r}", hint=hint)
    return wanted


def domain_of(text: str) -> str:
    parts = [part for part in text.strip().strip("/").split("/")]
    if not parts or not all(is_slug(part) for part in parts) or len(parts) > 8:
        raise UsageError(f"not a domain: {text!r}", hint="folders of a-z, 0-9 and -, for example api/http")
    return "/".join(parts)
