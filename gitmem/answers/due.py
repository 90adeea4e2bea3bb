"""Which intentions have come up: by the time, by what happened in Git, by the files at hand. Refuses to do them."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.reading import Reading, ask
from gitmem.answers.session import Session
from gitmem.index.card import Card
from gitmem.memory.intentions import Sign, matching, signs, snoozes, state
from gitmem.model.event import INTENTION as KIND
from gitmem.model.finding import Notice
from gitmem.model.intention import EXECUTE, FIRED, MERGE, RELEASE, TOUCHED, VERIFY, When
from gitmem.model.intention import PROPOSE as PROPOSES
from gitmem.model.moments import is_before
from gitmem.record import record
from gitmem.store import happened
from gitmem.store.git import GitError
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
    come = [(card, found) for card in cards if (found := come_up(session, reading, card, files))]
    left = snoozed(session) if come else {}
    rows = [_row(session, card, found, left.get(card.slug, "")) for card, found in come]
    return sorted(rows, key=lambda row: (-row.card.priority, row.card.slug))


def _row(session: Session, card: Card, found: Sequence[Sign], until: str) -> Due:
    return Due(card, tuple(found), state(card.cue[0], until, session.now, has_come_up=True), until)


def come_up(session: Session, reading: Reading, card: Card, files: Sequence[str]) -> list[Sign]:
    when = when_of(card)
    return signs(when, session.now, files, _events(session, reading, card, when) if when.event else ())


def _events(session: Session, reading: Reading, card: Card, when: When) -> list[str]:
    repo, commit, since = reading.place.repo, reading.commit, card.created_at
    if not commit or not since or is_before(session.now, since):
        return []
    if when.event == MERGE:
        return [oid[:_OID_SHOWN] for oid in happened.merges(repo, commit, since, card.path)]
    if when.event == RELEASE:
        return happened.releases(repo, since, when.tag)
    assert when.event == TOUCHED
    return matching(when.paths, happened.touched(repo, commit, since))


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
