"""A new text beside what it rewords: a change of that item, field by field. Refuses to overwrite anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime

from gitmem.answers import journal, plans
from gitmem.answers.admission import RefusedError
from gitmem.answers.alike import DUPLICATE, UPDATE
from gitmem.answers.composing import NewCall
from gitmem.answers.fields import EditCall
from gitmem.answers.ground import Ground
from gitmem.answers.opening import Draft, Plan, compared, draft, written
from gitmem.answers.session import Session
from gitmem.answers.terms import Terms
from gitmem.index.card import Card
from gitmem.memory.tally import HELPED
from gitmem.model.engram import Engram, Scope
from gitmem.model.event import FEEDBACK, Event
from gitmem.model.finding import Notice
from gitmem.model.ids import canonical_id, slugify
from gitmem.model.plain import Plain
from gitmem.record import replace
from gitmem.store import codec
from gitmem.store.canonical import body_of
from gitmem.store.layout import Place, place_of
from gitmem.store.repo import FOLDER

# Who says the same again speaks for it, though less than somebody whom it has helped.
_SUPPORT = 0.5
_NO_SCOPE = Scope()
_SLUG_CHARS = 60
# What is said of an engram of its own.
_OF_ITS_OWN = (UPDATE, "ambiguous-slug")


def plan_new(under: Ground, call: NewCall, by: str, now: datetime) -> Plan:
    """A new engram; where its name is taken, perhaps by what it rewords, under another one for the time being."""
    try:
        return plans.plan_new(under, call, by, now)
    except RefusedError as err:
        if err.code != "name-taken" or call.slug:
            raise
        taken = err
    passing = f"{slugify(call.title)[:_SLUG_CHARS]}-{os.urandom(4).hex()}"
    return replace(plans.plan_new(under, replace(call, slug=passing), by, now), taken=taken)


def by_its_name(plan: Plan) -> Plan:
    """The plan as it is, if what it makes can be called so."""
    if plan.taken is not None:
        raise plan.taken
    return plan


def drafted(session: Session, under: Ground, plan: Plan, terms: Terms) -> Draft:
    """What comes of a plan for a new engram: itself, a change of the item that it rewords, or nothing, which speaks for
    the item that says the same."""
    found, changes = compared(session, under, plan, terms)
    if found.verdict == DUPLICATE:
        _support(session, under, found.target or "", terms)
        return found
    edits = list(_edits(under, plan, found.target or "")) if found.verdict == UPDATE else []
    if not edits:
        by_its_name(plan)
        return written(session, under, (found, changes), terms)
    again = plans.plan_edits(under, edits)
    made = draft(session, under, again, terms)
    if made.verdict == DUPLICATE:
        return made
    told = [each for each in found.warnings if each.code not in _OF_ITS_OWN]
    hint = session.word("as an engram of its own: --no-dedup", "")
    message = f"this is {found.reason}, so it is a change of that one"
    told.append(Notice(UPDATE, message, f"{FOLDER}/{next(iter(again.changes))}", hint))
    return replace(
        made,
        verdict=UPDATE,
        target=found.target,
        reason=found.reason,
        confidence=found.confidence,
        candidates=found.candidates,
        warnings=tuple(dict.fromkeys((*told, *made.warnings))),
    )


def _support(session: Session, under: Ground, target: str, terms: Terms) -> None:
    if canonical_id(target) and under.knowledge().under(f"id:{target}"):
        data: dict[str, Plain] = {"item": target, "outcome": HELPED, "effectiveness": _SUPPORT, "cause": "said again"}
        journal.note(session, Event(FEEDBACK, data, terms.agent_session, terms.agent))


def _edits(under: Ground, plan: Plan, target: str) -> Iterator[EditCall]:
    """What the new engram says otherwise; nothing where what it rewords is no live item or applies elsewhere."""
    found = {rel: data for rel, data in plan.changes.items() if data is not None and place_of(rel) is Place.ENGRAM}
    cards = under.knowledge().under(f"id:{target}") if canonical_id(target) else []
    if len(cards) != 1 or len(found) != 1 or plan.kind != "new":
        return
    ((rel, data),) = found.items()
    engram = codec.decode(data, rel).engram
    if engram is not None and _applies_there(engram, cards[0]):
        yield from _differences(engram, cards[0], body_of(under.data_of(cards[0])))


def _applies_there(engram: Engram, card: Card) -> bool:
    """For elsewhere it would be a rule of its own; without a scope it applies wherever that one does."""
    scope = engram.scope or _NO_SCOPE
    mine = (scope.paths, scope.excluded, scope.layers, scope.commands)
    theirs = (card.paths, card.excluded, card.layers, card.commands)
    return engram.scope is None or [sorted(part) for part in mine] == [sorted(part) for part in theirs]


def _differences(engram: Engram, card: Card, body: str) -> Iterator[EditCall]:
    """Lists get what is new to them; the title comes last, since it may move the file."""
    if engram.body != body:
        yield EditCall(card.id, "body", file=engram.body)
    for field, mine, theirs in (
        ("tags", engram.tags, card.tags),
        ("requires", engram.requires, card.requires),
    ):
        more = tuple(value for value in mine if value not in theirs)
        if more:
            yield EditCall(card.id, field, add=more)
    if "summary" in engram.stated and engram.summary != card.summary:
        yield EditCall(card.id, "summary", (engram.summary,))
    if engram.kind != card.kind:
        yield EditCall(card.id, "kind", (engram.kind,))
    if engram.title != card.title:
        yield EditCall(card.id, "title", (engram.title,))
