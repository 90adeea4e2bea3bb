"""Intentions by name and by state. Refuses to change one, and to carry one out."""

from __future__ import annotations

from gitmem.answers import due, naming, targets
from gitmem.answers import notices as every_notice
from gitmem.answers.due import Past
from gitmem.answers.notices import Look
from gitmem.answers.reading import Revision, ask, read
from gitmem.answers.session import Session
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory.intentions import state
from gitmem.model.finding import Notice
from gitmem.model.intention import INTENTION, PREFIX, STATES
from gitmem.record import record
from gitmem.store import objects
from gitmem.store.canonical import body_of
from gitmem.store.repo import FOLDER
from gitmem.text.nearest import nearest

_LIMIT, _LIMIT_MAX = 50, 500


@record
class IntentionsCall:
    """``files`` are those that somebody is about to work on: they bring up what waits for a path."""

    state: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    limit: int = _LIMIT
    cursor: str = ""
    at: str = ""


@record
class Row:
    """``state`` is pending, fired, snoozed, completed or cancelled; ``because`` says what brought it up, ``until`` when
    a snooze ends; the rest is as in its file."""

    id: str
    slug: str
    title: str
    action: str
    state: str
    priority: int
    because: tuple[str, ...]
    until: str
    at: str
    event: str
    tag: str
    paths: tuple[str, ...]
    path: str


@record
class IntentionList:
    """``total`` counts what the filters admit; ``next`` is the cursor of the following page, '' on the last one."""

    intentions: tuple[Row, ...]
    total: int
    next: str
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()


def list_intentions(session: Session, call: IntentionsCall) -> IntentionList:
    """The most important first; what is done or cancelled comes only when it is asked for."""
    _check(call)
    reading = read(session.place, Revision(at=call.at))
    files = targets.normalise(session.place, call.files) if call.files else ()
    wanted = call.state or STATES[:3]
    cards, _ = ask(reading, lambda knowledge: knowledge.under(INTENTION))
    left = due.snoozed(session) if cards else {}
    past = due.past_of(session, reading, [card for card in cards if card.status == "active"])
    rows = [_row(session, past, card, (files, left.get(card.slug, ""))) for card in cards]
    rows = sorted((row for row in rows if row.state in wanted), key=lambda row: (-row.priority, row.slug))
    start = next((at + 1 for at, row in enumerate(rows) if row.slug == call.cursor), 0) if call.cursor else 0
    if call.cursor and not start:
        raise UsageError(f"not a cursor of this list: {call.cursor[:80]!r}", hint="start again without --cursor")
    page = rows[start : start + call.limit]
    following = page[-1].slug if page and start + len(page) < len(rows) else ""
    notes = (*reading.notices, *every_notice.waiting(Look(session, reading)))
    return IntentionList(tuple(page), len(rows), following, reading.warnings, notes)


def _check(call: IntentionsCall) -> None:
    if not 0 < call.limit <= _LIMIT_MAX:
        raise UsageError(f"limit must be from 1 to {_LIMIT_MAX}, not {call.limit}", hint="--cursor reads on")
    wrong = [each for each in call.state if each not in STATES]
    if wrong:
        raise UsageError(f"unknown state: {wrong[0][:40]!r}", hint=f"one of: {', '.join(STATES)}")


def _row(session: Session, past: Past, card: Card, at_hand: tuple[tuple[str, ...], str]) -> Row:
    """``at_hand`` are the files, and until when it is snoozed."""
    files, until = at_hand
    when = due.when_of(card)
    found = due.come_up(session, past, card, files) if card.status == "active" else []
    return Row(
        id=card.ref,
        slug=card.slug,
        title=card.title,
        action=due.action_of(card),
        state=state(card.cue[0], until, session.now, has_come_up=bool(found)),
        priority=card.priority,
        because=tuple(sign.told for sign in found),
        until=until,
        at=when.at,
        event=when.event,
        tag=when.tag,
        paths=when.paths,
        path=f"{FOLDER}/{card.path}",
    )


@record
class ShowIntentionCall:
    intention: str
    at: str = ""


@record
class IntentionShown:
    intention: Row
    content: str
    created: str
    created_by: str
    warnings: tuple[Notice, ...] = ()


def show_intention(session: Session, call: ShowIntentionCall) -> IntentionShown:
    reading = read(session.place, Revision(at=call.at))
    card, _ = ask(reading, lambda knowledge: find(knowledge, call.intention))
    text = body_of(dict(objects.read_blobs(reading.place.repo, [card.blob]))[card.blob])
    past = due.past_of(session, reading, [card])
    row = _row(session, past, card, ((), due.snoozed(session).get(card.slug, "")))
    return IntentionShown(row, text, card.created_at, card.created_by, reading.warnings)


def find(knowledge: Knowledge, name: str) -> Card:
    slug = name.strip().removeprefix(PREFIX).removesuffix(".md")
    card = knowledge.named(PREFIX + slug)
    if card is None:
        close = nearest(slug, [each.slug for each in knowledge.under(INTENTION)])
        hint = f"did you mean {close!r}?" if close else "see: gitmem intentions list"
        raise naming.NotFoundError(f"no intention {name!r} here", hint=hint)
    return card
