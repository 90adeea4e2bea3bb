"""Writes intentions into the work tree for the user to commit, and puts one off. Refuses to carry one out.

An end is a decision of the team and stands in the file; a snooze is nobody else's matter, and is an event of the
journal of this clone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from gitmem.answers.admission import RefusedError, admit
from gitmem.answers.author import on_disk
from gitmem.answers.composing import slug_of
from gitmem.answers.intentions import find
from gitmem.answers.observe import require_journal, written
from gitmem.answers.reading import ask, read
from gitmem.answers.session import Session, decides
from gitmem.answers.working import require_started, working
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.model.event import INTENTION, Event
from gitmem.model.finding import Notice
from gitmem.model.ids import slugify
from gitmem.model.intention import (
    ACTIONS,
    CANCELLED,
    COMPLETED,
    EVENTS,
    PENDING,
    PREFIX,
    REMIND,
    SNOOZED,
    Intention,
    When,
)
from gitmem.model.moments import instant, rfc3339, utc
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.store import edit as edits
from gitmem.store import files, lock
from gitmem.store.intentions import encode_intention, intention_path
from gitmem.store.repo import FOLDER

_LISTS = ("when.paths",)
_FIELDS = ("title", "action", "when.at", "when.event", "when.tag", "when.paths", "priority", "body")
_DAYS_MOST = 3650


@record
class NewIntentionCall:
    title: str
    action: str = REMIND
    at: str = ""
    event: str = ""
    tag: str = ""
    path: tuple[str, ...] = ()
    priority: int = 0
    slug: str = ""
    body: str = ""
    allow_secret: tuple[str, ...] = ()


@record
class IntentionWritten:
    """``changed`` is False when everything was already as asked; ``path`` is repo-relative, to be committed."""

    id: str
    slug: str
    path: str
    status: str
    changed: bool
    warnings: tuple[Notice, ...] = ()


def new_intention(session: Session, call: NewIntentionCall) -> IntentionWritten:
    decides(session)
    place = session.place
    require_started(place)
    intention = _intention(session, call)
    rel = intention_path(intention.slug)
    with lock.held(place.repo):
        if working(place).knowledge.under(f"path:{rel}"):
            hint = "choose another name: --slug"
            raise RefusedError(f"the intention {intention.slug} is here already", hint=hint, code="name-taken")
        data = encode_intention(intention)
        _, warnings = admit(rel, data, call.allow_secret)
        files.write_file(place.repo.knowledge_dir.parent, f"{FOLDER}/{rel}", data, expected=None)
    slug = intention.slug
    return IntentionWritten(PREFIX + slug, slug, f"{FOLDER}/{rel}", PENDING, changed=True, warnings=warnings)


def _intention(session: Session, call: NewIntentionCall) -> Intention:
    for name, value, options in (("action", call.action, ACTIONS), ("event", call.event, EVENTS)):
        if value and value not in options:
            raise UsageError(f"unknown {name} {value[:40]!r}", hint=f"one of: {', '.join(options)}")
    if not (call.at or call.event or call.path):
        hint = session.word("--at TIME, --event merge|release|touched, or --path GLOB", "at, event or path")
        raise UsageError("say when it is to come up", hint=hint)
    slug = slug_of(call.slug) if call.slug else slugify(call.title)
    if not slug:
        raise UsageError("no name can be made of this title", hint="give one: --slug")
    body = call.body.strip("\n") or call.title
    return Intention(
        slug=slug,
        title=" ".join(call.title.split()),
        body=f"{body}\n",
        action=call.action or REMIND,
        when=When(_moment(call.at) if call.at else "", call.event, call.tag, call.path),
        priority=call.priority,
        created_at=rfc3339(session.now),
        created_by=session.place.author,
    )


def _moment(text: str) -> str:
    found = utc(text.strip())
    if found is None:
        raise UsageError(f"not a date: {text[:40]!r}", hint="for example 2026-01-31 or 2026-01-31T10:00:00Z")
    return found


@record
class SetCall:
    """``value`` are several for when.paths only, which they replace; ``unset`` takes the key out."""

    intention: str
    field: str
    value: tuple[str, ...] = ()
    unset: bool = False


def set_field(session: Session, call: SetCall) -> IntentionWritten:
    decides(session)
    if call.field not in _FIELDS:
        raise UsageError(f"unknown field {call.field[:40]!r}", hint=f"one of: {', '.join(_FIELDS)}")
    if not call.unset and (not call.value or (len(call.value) > 1 and call.field not in _LISTS)):
        raise UsageError(f"{call.field} takes one value", hint="put it in quotes; or take it out: --unset")

    def change(data: bytes, card: Card) -> bytes:
        if call.unset:
            return edits.remove_key(data, call.field, card.path)
        if call.field == "body":
            return edits.set_body(data, call.value[0], card.path)
        value: Text = [*call.value] if call.field in _LISTS else call.value[0]
        return edits.set_value(data, call.field, _moment(call.value[0]) if call.field == "when.at" else value)

    return _changed(session, call.intention, change)


@record
class EndCall:
    """``outcome`` says in words what came of it."""

    intention: str
    outcome: str = ""


def complete(session: Session, call: EndCall) -> IntentionWritten:
    return _ended(session, call, COMPLETED)


def cancel(session: Session, call: EndCall) -> IntentionWritten:
    return _ended(session, call, CANCELLED)


def _ended(session: Session, call: EndCall, status: str) -> IntentionWritten:
    def change(data: bytes, card: Card) -> bytes:
        data = edits.set_value(data, "status", status, card.path)
        outcome = " ".join(call.outcome.split())
        return edits.set_value(data, "outcome", outcome, card.path) if outcome else data

    return _changed(session, call.intention, change)


def _changed(session: Session, name: str, change: Callable[[bytes, Card], bytes]) -> IntentionWritten:
    decides(session)
    place = session.place
    require_started(place)
    with lock.held(place.repo):
        card = find(working(place).knowledge, name)
        root, rel = place.repo.knowledge_dir.parent, f"{FOLDER}/{card.path}"
        before = on_disk(root, rel)
        after = change(before, card)
        if after == before:
            return IntentionWritten(card.ref, card.slug, rel, card.cue[0], changed=False)
        fresh, warnings = admit(card.path, after)
        files.write_file(root, rel, after, expected=before)
    return IntentionWritten(fresh.ref, fresh.slug, rel, fresh.cue[0], changed=True, warnings=warnings)


@record
class SnoozeCall:
    """``until`` is a date or a time; ``days`` counts from now where there is none."""

    intention: str
    until: str = ""
    days: int = 1


@record
class Snoozed:
    id: str
    slug: str
    until: str
    warnings: tuple[Notice, ...] = ()


def snooze(session: Session, call: SnoozeCall) -> Snoozed:
    """Nothing of it comes up in this clone until then; no file changes."""
    decides(session)
    most = min(_DAYS_MOST, (datetime.max.replace(tzinfo=UTC) - session.now).days)
    if not 0 < call.days <= most:
        raise UsageError(f"days go from 1 to {most}, not {call.days}", hint="or give --until a date")
    until = _moment(call.until) if call.until else rfc3339(session.now + timedelta(days=call.days))
    moment = instant(until)
    if moment is None or moment <= session.now:
        raise UsageError(f"{until} is over already", hint="give a later time")
    reading = read(session.place)
    card, _ = ask(reading, lambda knowledge: find(knowledge, call.intention))
    require_journal(session)
    written(session, Event(INTENTION, {"intention": card.slug, "action": SNOOZED, "until": until}, session.run))
    return Snoozed(card.ref, card.slug, until, reading.warnings)
