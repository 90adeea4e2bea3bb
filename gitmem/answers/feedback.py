"""Whether an item, a compile or a packet was of use: put on record, and what it moves. Refuses to edit knowledge.

Nothing but the journal is written; importance and confidence are what ``answers.experience`` makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gitmem.answers import naming, private
from gitmem.answers.assessing import FeedbackCall, Said, said
from gitmem.answers.experience import Effective, Experience, effective, experience, start_of
from gitmem.answers.items import REFERRED
from gitmem.answers.journal import require_journal, write
from gitmem.answers.packets import Node
from gitmem.answers.reading import Reading, ask
from gitmem.answers.rereading import reread
from gitmem.answers.session import Session
from gitmem.errors import UsageError
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.memory import plasticity
from gitmem.memory.tally import HELPED, MISLED
from gitmem.memory.uses import Use
from gitmem.model.event import COMPILE, FEEDBACK, Event
from gitmem.model.finding import Notice
from gitmem.model.moments import rfc3339
from gitmem.model.plain import Plain
from gitmem.record import record, replace
from gitmem.store.mentions import entries_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.packet_feedback import Heard

_COMPILE = re.compile(r"[0-9a-f]{8,64}")
_TOLD = ("inline", "deferred")
# All of the journal.
_BYTES_MAX = 1 << 40
_DIGITS = 6
_NAME_CHARS_MAX = 200
_DAY_CHARS = len("2026-01-31")


@record
class Moved:
    before: float
    after: float
    band: str


@record
class Strength:
    before: float
    after: float


@record
class Row:
    id: str
    slug: str
    importance: Moved
    confidence: Moved
    strength: Strength


@record
class Neighbour:
    """``delta`` is what a success lends to the importance."""

    id: str
    slug: str
    delta: float


@record
class Advice:
    """What so many failures speak for; nothing is done by itself."""

    id: str
    slug: str
    action: str
    failures: int


@record
class Feedback:
    """``unresolved`` names what is no item here, or no symbol; ``event`` is the line of the journal, None where
    none was written; ``nodes`` are the files whose weight feedback on a packet moves."""

    items: tuple[Row, ...]
    neighbours: tuple[Neighbour, ...]
    unresolved: tuple[str, ...]
    advice: tuple[Advice, ...] | None = None
    event: str | None = None
    nodes: tuple[Node, ...] | None = None
    packet: str | None = None
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 0 if self.event else 1


def feedback(session: Session, call: FeedbackCall) -> Feedback:
    told = said(call)
    require_journal(session)
    reading = reread(session.place)
    cards, unresolved, compiled = _meant(session, reading, call.item.strip())
    if not cards:
        return _on_packet(session, call.item.strip(), told, Feedback((), (), unresolved, warnings=reading.warnings))
    known = experience(session, reading)
    day = rfc3339(session.now)[:_DAY_CHARS]
    uses = {card.id: known.uses.of(card.id) for card in cards}
    later = {id_: _with(use, day, told.counts) for id_, use in uses.items()}
    before = [known.effective(card) for card in cards]
    data: dict[str, Plain] = {"items": [card.id for card in cards], "outcome": told.verdict, "surface": session.surface}
    data |= {"compile": compiled} if compiled else {}
    event = write(session, Event(FEEDBACK, data | dict(told.given), session=session.run, agent=session.client))
    after = [effective(card, later[card.id], known.lent(card.id)) for card in cards]
    return Feedback(
        items=tuple(_row(card, *states) for card, *states in zip(cards, before, after, strict=True)),
        neighbours=_lent(reading, known, cards, (uses, later)) if told.verdict == HELPED else (),
        unresolved=unresolved,
        advice=_advice(cards, after) if told.verdict == MISLED else None,
        event=event,
        warnings=reading.warnings,
    )


def _on_packet(session: Session, wanted: str, told: Said, otherwise: Feedback) -> Feedback:
    heard: Heard | None = load("gitmem.answers.packet_feedback:heard")(session, wanted, told)
    if heard is None:
        return otherwise
    return replace(otherwise, unresolved=heard.unresolved, event=heard.event, nodes=heard.nodes, packet=heard.packet)


def _meant(session: Session, reading: Reading, text: str) -> tuple[list[Card], tuple[str, ...], str]:
    """The cards, what is none, and the compile whose items these are, '' without one."""
    mine = private.found(reading, [text])
    if mine:
        return [mine[0].card], (), ""
    try:
        return [naming.find(reading, text)], (), ""
    except naming.NotFoundError:
        _require_engram(session, text)
        compiled, ids = _of_compile(session, text) if _COMPILE.fullmatch(text) else ("", [])
    if not ids:
        return [], (text[:_NAME_CHARS_MAX],), ""
    found = ask(reading, lambda knowledge: {id_: _card(knowledge, id_) for id_ in ids})[0]
    return [card for card in found.values() if card], tuple(id_ for id_ in ids if not found[id_]), compiled


def _require_engram(session: Session, text: str) -> None:
    if text.startswith((*REFERRED, "syn-")):
        hint = session.word(
            "the use of a skill: gitmem skills record NAME OUTCOME", "a person keeps the use of a skill"
        )
        raise UsageError(f"feedback is about engrams and rules, which {text[:80]!r} is none of", hint=hint)


def _card(knowledge: Knowledge, id_: str) -> Card | None:
    return next(iter(knowledge.under(f"id:{id_}")), None)


def _of_compile(session: Session, wanted: str) -> tuple[str, list[str]]:
    """The newest compile of that id that is on record here, and what it told, in its order."""
    entries = entries_with(session.place.repo, f'"compile":"{wanted}'.encode(), most=_BYTES_MAX)
    told = [entry for entry in entries if entry.kind == COMPILE and str(entry.data.get("compile")).startswith(wanted)]
    if len({str(entry.data["compile"]) for entry in told}) != 1:
        return "", []
    items = told[-1].data.get("items")
    lists = [items.get(way) for way in _TOLD] if isinstance(items, dict) else []
    ids = [id_ for each in lists if isinstance(each, list) for id_ in each if isinstance(id_, str)]
    return str(told[-1].data["compile"]), list(dict.fromkeys(ids))


def _with(use: Use, day: str, more: Mapping[str, int]) -> Use:
    of_day = dict(use.days.get(day, {}))
    for action, count in more.items():
        of_day[action] = of_day.get(action, 0) + count
    return replace(use, days={**use.days, day: of_day})


def _row(card: Card, before: Effective, after: Effective) -> Row:
    return Row(
        card.id,
        card.slug,
        _moved(before.importance, after.importance),
        _moved(before.confidence, after.confidence),
        Strength(round(before.strength, _DIGITS), round(after.strength, _DIGITS)),
    )


def _moved(before: float, after: float) -> Moved:
    return Moved(round(before, _DIGITS), round(after, _DIGITS), plasticity.band(after))


def _lent(
    reading: Reading, known: Experience, cards: Sequence[Card], uses: tuple[Mapping[str, Use], Mapping[str, Use]]
) -> tuple[Neighbour, ...]:
    """What the new successes lend; a private or restricted neighbour gets it too and is not named."""
    gains = {}
    for card in cards:
        before, after = (plasticity.fold(start_of(card), each[card.id].days.items()).gain for each in uses)
        gains[card.id] = after - before
    return ask(reading, lambda knowledge: _shared(knowledge, known, gains))[0]


def _shared(knowledge: Knowledge, known: Experience, gains: Mapping[str, float]) -> tuple[Neighbour, ...]:
    deltas: dict[str, float] = {}
    for item, gain in gains.items():
        for share in known.shares_of(knowledge, item):
            deltas[share.item] = deltas.get(share.item, 0.0) + plasticity.lent(gain, share.weight)
    named = {item: _card(knowledge, item) for item in deltas}
    return tuple(
        Neighbour(item, card.slug, round(deltas[item], _DIGITS))
        for item, card in sorted(named.items())
        if card is not None and card.visibility not in NEVER_BY_SCOPE
    )


def _advice(cards: Sequence[Card], after: Sequence[Effective]) -> tuple[Advice, ...] | None:
    found = tuple(
        Advice(card.id, card.slug, action, state.misled)
        for card, state in zip(cards, after, strict=True)
        if (action := plasticity.advice(state.misled))
    )
    return found or None
