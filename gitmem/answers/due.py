"""Which intentions have come up: by the time, by what happened in Git, by the files at hand. Refuses to do them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.answers.reading import Reading, ask
from gitmem.answers.session import Session
from gitmem.index.card import Card
from gitmem.memory.intentions import Sign, matching, signs, snoozes, state
from gitmem.model.event import INTENTION as KIND
from gitmem.model.finding import Notice
from gitmem.model.intention import EVENTS, EXECUTE, FIRED, MERGE, RELEASE, TOUCHED, VERIFY, When
from gitmem.model.intention import PROPOSE as PROPOSES
from gitmem.model.moments import instant, is_before
from gitmem.record import record
from gitmem.store import happened
from gitmem.store.git import GitError
from gitmem.store.happened import Event
from gitmem.store.mentions import entries_with
from gitmem.store.repo import FOLDER

_NAMED_MOST = 10
_OID_SHOWN = 12


@record
class Due:
    """An intention that has come up, by which signs, and its state: fired, or snoozed ``until`` a time."""

    card: Card
    signs: tuple[Sign, ...]
    state: str
    until: str = ""


def when_of(card: Card) -> When:
    _, _, at, event, tag, *paths = card.cue
    return When(at, event, tag, tuple(paths))


def action_of(card: Card) -> str:
    return card.cue[1]


def due(session: Session, reading: Reading, files: Sequence[str] = ()) -> list[Due]:
    """The most important first, then by name; what is snoozed comes along and says so."""
    cards, _ = ask(reading, lambda knowledge: knowledge.under("pending"))
    past = past_of(session, reading, cards)
    come = [(card, found) for card in cards if (found := come_up(session, past, card, files))]
    left = snoozed(session) if come else {}
    rows = [_row(session, card, found, left.get(card.slug, "")) for card, found in come]
    return sorted(rows, key=lambda row: (-row.card.priority, row.card.slug))


def _row(session: Session, card: Card, found: Sequence[Sign], until: str) -> Due:
    return Due(card, tuple(found), state(card.cue[0], until, session.now, has_come_up=True), until)


@record
class Past:
    """What came about since the oldest intention that waits for it was made; merges by the file of the intention."""

    merges: Mapping[str, Sequence[Event]]
    tags: Sequence[Event]
    touched: Sequence[Event]


def past_of(session: Session, reading: Reading, cards: Sequence[Card]) -> Past:
    """Git is asked once for each kind of event, however many intentions there are, and not for what none waits for."""
    waiting = [card for card in cards if when_of(card).event and _is_made(session, card)] if reading.commit else []
    by_event = {event: [card for card in waiting if when_of(card).event == event] for event in EVENTS}
    repo, commit = reading.place.repo, reading.commit
    since = {event: min(map(_made, found)) for event, found in by_event.items() if found}
    rels = [card.path for card in by_event[MERGE]]
    return Past(
        happened.merges(repo, commit, since[MERGE], rels) if rels else {},
        happened.tags(repo) if RELEASE in since else (),
        happened.touched(repo, commit, since[TOUCHED]) if TOUCHED in since else (),
    )


def _is_made(session: Session, card: Card) -> bool:
    return bool(card.created_at) and not is_before(session.now, card.created_at)


def _made(card: Card) -> int:
    """Seconds since 1970; Git knows no time before that."""
    moment = instant(card.created_at)
    return max(0, int(moment.timestamp())) if moment else 0


def come_up(session: Session, past: Past, card: Card, files: Sequence[str]) -> list[Sign]:
    when = when_of(card)
    return signs(when, session.now, files, _events(past, card, when) if _is_made(session, card) else ())


def _events(past: Past, card: Card, when: When) -> list[str]:
    since = _made(card)
    if when.event == MERGE:
        return [each.name[:_OID_SHOWN] for each in past.merges.get(card.path, ()) if each.at >= since]
    if when.event == RELEASE:
        return [each.name for each in past.tags if each.at >= since and happened.is_release(each.name, when.tag)]
    names = [each.name for each in past.touched if each.at >= since] if when.event == TOUCHED else []
    return matching(when.paths, names)


def snoozed(session: Session) -> dict[str, str]:
    """By name, until when whoever works in this clone wants to hear nothing of it."""
    told = entries_with(session.place.repo, b'"kind":"intention"')
    return snoozes(entry.data for entry in told if entry.kind == KIND)


def notices(session: Session, reading: Reading, files: Sequence[str] = ()) -> list[Notice]:
    """One line for each that has come up and is not snoozed."""
    try:
        found = [row for row in due(session, reading, files) if row.state == FIRED]
    except GitError as err:
        message = f"which intentions have come up is not known: {err.message}"
        return [Notice("intentions-unknown", message, err.place, "see: gitmem intentions list")]
    lines = [_notice(session, row) for row in found[:_NAMED_MOST]]
    if len(found) > _NAMED_MOST:
        message = f"{len(found) - _NAMED_MOST} more intention(s) have come up"
        lines.append(Notice("intention", message, hint=session.word("gitmem intentions list --state fired", "")))
    return lines


def _notice(session: Session, row: Due) -> Notice:
    card, action = row.card, action_of(row.card)
    about = f": {card.summary}" if card.summary not in ("", card.title) else ""
    message = f"{action} ({row.signs[0].told}): {card.title}{about}"
    slug = card.slug
    done = session.word(
        f"then: gitmem intentions complete {slug}; later: gitmem intentions snooze {slug} --days 1",
        "a person completes or snoozes it",
    )
    return Notice("intention", message, f"{FOLDER}/{card.path}", f"{_ASKS.get(action, 'bear it in mind')}; {done}")


_ASKS = {
    VERIFY: "check whether it is so",
    EXECUTE: "gitmem runs nothing: decide whether to do it",
    PROPOSES: "propose the change",
}
