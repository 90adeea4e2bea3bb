"""One document as a proposal, from a file of the repository or from words, with what is known about where it applies.

Refuses a path that leads out of the repository, and to land anything.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace as with_values

from gitmem.answers import naming
from gitmem.answers.admission import admit, free_path
from gitmem.answers.alike import DUPLICATE
from gitmem.answers.bundling import bundle_of
from gitmem.answers.composing import checked_kind, domain_of, slug_of
from gitmem.answers.edges import Stamp, Wanted, plan_link
from gitmem.answers.extending import extend
from gitmem.answers.ground import Ground, at_commit, ground
from gitmem.answers.opening import Plan, Proposed, draft, publish
from gitmem.answers.reading import Place
from gitmem.answers.session import Session, decides
from gitmem.answers.terms import Terms, checked
from gitmem.errors import GitmemError, UsageError
from gitmem.exchange import headings, placing
from gitmem.exchange.arrival import chosen, sources
from gitmem.exchange.convert import convert
from gitmem.exchange.draft import Draft, Skipped
from gitmem.exchange.formats import named, recognise
from gitmem.exchange.offering import Waits, reader, waiting
from gitmem.exchange.placing import Desk
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.engram import Engram
from gitmem.model.finding import Notice
from gitmem.model.ids import canonical_id, slugify, ulid
from gitmem.model.moments import rfc3339
from gitmem.model.vocabulary import TITLE_MAX
from gitmem.record import record, replace
from gitmem.store.codec import encode
from gitmem.store.edit import remove_key, set_value
from gitmem.store.layout import engram_path
from gitmem.store.repo import FOLDER

_INLINE = "document.md"
_LINKS_MOST = 50
# Field of the request -> key of the header.
_SCOPE = (
    ("paths", "scope.paths"),
    ("excluded", "scope.except"),
    ("layers", "scope.layers"),
    ("commands", "scope.commands"),
)


@record
class DocumentCall:
    """``file`` is a path of the repository, or ``content`` the text itself. ``item`` names the engram: one that is
    there gets the text, another name is that of the new one. ``links`` are KIND:ITEM.

    Where paths, layers or commands are given the scope becomes just these.
    """

    file: str = ""
    content: str = ""
    item: str = ""
    title: str = ""
    kind: str = ""
    summary: str = ""
    domain: str = ""
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    bundle: str = ""
    agent: str = ""
    model: str = ""
    agent_session: str = ""
    allow_secret: tuple[str, ...] = ()


def propose_document(session: Session, call: DocumentCall) -> Proposed:
    """A new engram, or the difference to the one that is there; what waits with the document gets a patch set."""
    decides(session)
    under = ground(session)
    wanted = _draft(session.place, call)
    given = Terms(call.rationale, call.evidence, (), "", (), call.agent, call.model, call.agent_session)
    terms = checked(session, replace(given, allow_secret=call.allow_secret))
    terms = replace(terms, bundle=bundle_of(session, call.bundle))
    waits = _waits(session, under, call, wanted)
    if waits is None:
        return publish(session, draft(session, under, _plan(session, under, call, wanted), terms))
    there = at_commit(under, waits.proposal.tip)
    plan = _plan(session, there, call, wanted)
    if there.data_at(sorted(plan.changes)) == plan.changes:
        notice = Notice("duplicate", f"proposal {waits.proposal.id} waits with this text", waits.proposal.id)
        return Proposed(None, "", "", DUPLICATE, waits.proposal.id, warnings=(notice,))
    return extend(session, waits.proposal.id, lambda on: _plan(session, on, call, wanted), terms)


def plan_document(session: Session, under: Ground, call: DocumentCall, same: Engram) -> Plan | Waits:
    """What would be proposed, and nothing is written; a new engram gets the id of ``same``, and its time and author."""
    wanted = _draft(session.place, call)
    return _waits(session, under, call, wanted) or _plan(session, under, call, wanted, same)


def _draft(place: Place, call: DocumentCall) -> Draft:
    """The document as its format reads it, with what the request says of it on top."""
    if bool(call.file) == bool(call.content.strip()):
        raise UsageError("give the document: either a file of the repository or its text", hint="file, or content")
    found = _of_file(place, call.file) if call.file else _of_text(call)
    return with_values(
        found,
        title=" ".join(call.title.split()) or found.title,
        kind=checked_kind(call.kind) if call.kind else found.kind,
        summary=" ".join(call.summary.split()) or found.summary,
        tags=call.tags or found.tags,
        requires=(),
        **({name: getattr(call, name) for name, _ in _SCOPE} if _is_scoped(call) else {}),
    )


def _is_scoped(call: DocumentCall) -> bool:
    return any(getattr(call, name) for name, _ in _SCOPE)


def _of_file(place: Place, name: str) -> Draft:
    listed, read = sources(place)
    rels = chosen(place, [name], listed)
    if len(rels) > 1:
        raise UsageError(f"{name} is a folder with {len(rels)} files", hint="gitmem import FOLDER --propose")
    (rel,) = rels
    data = read(rel)
    if data is None:
        raise GitmemError("it cannot be read as a file of this repository", place=rel, code="not-found")
    return _read(rel, data)


def _of_text(call: DocumentCall) -> Draft:
    if not call.title.strip() and not headings.title(call.content):
        raise UsageError("a text without a heading needs a title")
    return with_values(_read(_INLINE, call.content.encode()), source="", origin={})


def _read(rel: str, data: bytes) -> Draft:
    known = recognise(rel)
    fmt = with_values(known or named("markdown", rel), has_imports=False)
    found = convert(rel, data, fmt, lambda _: None)
    if isinstance(found, Skipped):
        raise GitmemError(f"{rel} is no document: {found.reason}", place=rel, code="unreadable")
    if found[0].kind == "skill":
        raise UsageError(f"{rel} is a skill", hint=f"gitmem import {rel} --propose", place=rel)
    lines = found[0].origin.get("header", [])
    is_said = any(line.startswith("status") for line in lines if isinstance(line, str))
    # A loose note is a draft where nobody looks at it before it counts; here somebody does.
    return found[0] if known or is_said else with_values(found[0], status="active")


def _waits(session: Session, under: Ground, call: DocumentCall, wanted: Draft) -> Waits | None:
    """The newest open proposal that brings or changes the same engram."""
    card = _there(under.knowledge(), call, wanted)
    names = {call.item.strip().removesuffix(".md").casefold()} - {""}
    found = [
        each
        for each in waiting(session)
        if (card and each.card.id == card.id)
        or (wanted.source and each.card.origin == wanted.source)
        or names & {each.card.id.casefold(), each.card.slug, each.card.name}
    ]
    return found[-1] if found else None


def _there(knowledge: Knowledge, call: DocumentCall, wanted: Draft) -> Card | None:
    """The engram that the document is the text of already."""
    if not call.item.strip():
        return placing.earlier(knowledge, wanted.source) if wanted.source else None
    try:
        return naming.one(knowledge, call.item)
    except naming.NotFoundError:
        if canonical_id(call.item.strip()):
            raise
        return None


def _plan(session: Session, under: Ground, call: DocumentCall, wanted: Draft, same: Engram | None = None) -> Plan:
    knowledge = under.knowledge()
    card = _there(knowledge, call, wanted)
    warnings: list[Notice] = []
    if card is None:
        rel = _new_rel(knowledge, call, wanted)
        id_ = same.id if same else ulid(int(session.now.timestamp() * 1000), os.urandom(10))
        made = placing.engram(Desk(session, knowledge, reader(under), ids={wanted.source: id_}), wanted)
        made = replace(made, created_at=same.created_at, created_by=same.created_by) if same else made
        data = encode(made)
    else:
        rel, id_ = card.path, card.id
        old = under.data_of(card)
        warnings += _overwrites(wanted, rel, old)
        data = _revised(call, wanted, rel, old)
    if call.requires:
        data = set_value(data, "requires", [naming.one(knowledge, each).id for each in call.requires], rel)
    warnings += admit(rel, data, call.allow_secret)[1]
    changes: dict[str, bytes | None] = {rel: data}
    if call.links:
        changes |= _linked(session, under.with_changes(changes), id_, call.links)
    what = wanted.source or wanted.title[:TITLE_MAX]
    kind, again = ("update", " again") if card else ("new", "")
    return Plan(kind, f"Import {what}{again}", changes, warnings=tuple(warnings))


def _new_rel(knowledge: Knowledge, call: DocumentCall, wanted: Draft) -> str:
    domain, _, name = call.item.strip().strip("/").removesuffix(".md").rpartition("/")
    slug = slug_of(name) if name else slugify(wanted.title)
    is_loose = wanted.format == "markdown" and not wanted.tags
    domain = domain_of(call.domain or domain or ("general" if is_loose else placing.domain_of(wanted)))
    rel = engram_path(domain, slug or "document")
    free_path(knowledge, rel)
    return rel


def _revised(call: DocumentCall, wanted: Draft, rel: str, old: bytes) -> bytes:
    """What is there with the new text and with what the request says; the rest stays."""
    data = placing.revised(wanted, rel, old)
    for name in ("title", "kind", "summary"):
        if getattr(call, name):
            data = set_value(data, name, getattr(wanted, name), rel)
    if call.tags:
        data = set_value(data, "tags", list(call.tags), rel)
    for name, key in _SCOPE if _is_scoped(call) else ():
        values: tuple[str, ...] = getattr(call, name)
        data = set_value(data, key, list(values), rel) if values else remove_key(data, key, rel)
    return data


def _overwrites(wanted: Draft, rel: str, old: bytes) -> Iterator[Notice]:
    if placing.edited(wanted, rel, old):
        message = "it was edited since it was imported; the proposal replaces what was written there"
        yield Notice("overwrites", message, f"{FOLDER}/{rel}", "look at the difference before it is approved")


def _linked(session: Session, under: Ground, id_: str, links: Sequence[str]) -> dict[str, bytes | None]:
    """The edges that are not there yet; one that is there is not said twice."""
    if len(links) > _LINKS_MOST:
        raise UsageError(f"a document takes at most {_LINKS_MOST} links")
    found: dict[str, bytes | None] = {}
    stamp = Stamp(session.place.author, rfc3339(session.now))
    for text in links:
        kind, colon, item = text.partition(":")
        if not colon or not item.strip():
            raise UsageError(f"not a link: {text!r}", hint="KIND:ITEM, for example extends:use-the-client")
        made = plan_link(under.knowledge(), Wanted(id_, kind.strip(), item.strip()), under.data_of, stamp)
        if made.is_change:
            found[made.rel] = made.after
    return found
