"""What the calls of sessions say of the items that were opened in them, put on record once each. Refuses to guess.

Each clone judges what it has done itself, and shares the counts. What a use said is a line of the journal; nobody is
asked, and no importance moves: only feedback does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from gitmem.answers import journal
from gitmem.answers.experience import CONTRADICTS
from gitmem.answers.reading import Reading, ask, read
from gitmem.answers.session import Session
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory import learning, windows
from gitmem.memory.learning import Call, Learned, Watch
from gitmem.memory.tally import ENDS
from gitmem.model.event import FEEDBACK, MAINTENANCE, OBSERVATION, RETRIEVAL, VERIFY, Entry, Event
from gitmem.model.moments import instant, moved, rfc3339
from gitmem.model.observation import KEPT, REVIEW_CORRECTION, SESSION_NOTE
from gitmem.model.plain import Plain
from gitmem.record import record, replace
from gitmem.store import objects
from gitmem.store.mentions import entries_with
from gitmem.store.synapses import decode_synapse
from gitmem.store.writer import names_of

LEARNED = "learned"
# What lies further back was judged, or nobody looked in time. It is more than any window twice over.
BACK = timedelta(days=30)
_KINDS = (RETRIEVAL, FEEDBACK, OBSERVATION, VERIFY, MAINTENANCE)
_GET, _PASS = "get", "pass"
# Where nothing says what belongs together, as on the command line, a pause ends it.
_PAUSE = timedelta(hours=1)
_BYTES_MAX = 1 << 40
_DIGITS = 3
_DAY_CHARS = len("2026-01-31")


def light(session: Session) -> Mapping[str, int]:
    """Judges the uses that are over, and writes a line for each; how many that were kept ended in which way."""
    counts: dict[str, int] = {}
    # What was done in no session is judged in none: the run of a server that judges is not where it belongs.
    judge = Session(session.start, session.now, session.surface, session.client, held=session.place)
    for name, each in judged(session):
        if journal.note(judge, Event(MAINTENANCE, _row(each), session=name)) == journal.KEPT:
            counts[each.outcome] = counts.get(each.outcome, 0) + 1
    return {f"uses {outcome}": counts[outcome] for outcome in ENDS if outcome in counts}


def _row(each: Learned) -> dict[str, Plain]:
    """``on`` is the day of the use, and ``opened`` the line that it began with; no later judgement goes back behind
    ``until``."""
    row: dict[str, Plain] = {
        "action": LEARNED,
        "item": each.item,
        "outcome": each.outcome,
        "on": rfc3339(each.since)[:_DAY_CHARS],
        "opened": each.opened,
        "until": rfc3339(each.until),
    }
    row |= {"surprise": round(each.surprise, _DIGITS)} if each.surprise else {}
    row |= {"signals": [*each.signals]} if each.signals else {}
    return row | ({"predicted": each.predicted} if each.predicted is not None else {})


def judged(session: Session) -> list[tuple[str, Learned]]:
    """(session, use) of what can be judged now and was not before; nothing is written."""
    opened = _waiting(session)
    if not opened:
        return []
    told = _own(session, *(f'"kind":"{kind}"'.encode() for kind in _KINDS))
    reading = read(session.place)
    cards, _ = ask(reading, lambda knowledge: _cards(knowledge, opened))
    made = _contradictions(reading, opened)
    watch = Watch(session.now, {item: windows.window(card.kind) for item, card in cards.items()})
    given = [each for each in told if each.kind == FEEDBACK]
    found: list[tuple[str, Learned]] = []
    nameless: dict[str, datetime] = {}
    for name, entries in _sessions(told):
        calls = [call for each in entries if (call := _call(each)) is not None]
        # What a run of calls without a session has said holds for the runs after it.
        until = _judged_until(entries) | ({} if name else nameless)
        watching = replace(watch, told=until, said=_said_elsewhere(given, opened, entries))
        judgements = list(learning.learn(_merged(calls, made), watching))
        nameless |= {} if name else {each.item: each.until for each in judgements}
        found += [(name, each) for each in judgements]
    return found


def _said_elsewhere(given: Iterable[Entry], opened: set[str], here: Sequence[Entry]) -> dict[str, list[datetime]]:
    """When feedback was given on any of the items in other sessions: it is about the same use."""
    own = {each.id for each in here if each.kind == FEEDBACK}
    found: dict[str, list[datetime]] = {}
    for each in given:
        moment = instant(each.at) if each.id not in own else None
        for item in _items(each) if moment is not None else ():
            if item in opened and moment is not None:
                found.setdefault(item, []).append(moment)
    return found


def _own(session: Session, *marks: bytes) -> list[Entry]:
    """What this clone has written lately, of the lines that hold any of the marks."""
    repo, since = session.place.repo, rfc3339(moved(session.now, -BACK))
    own = names_of(repo)
    return [e for e in entries_with(repo, *marks, most=_BYTES_MAX) if e.at >= since and e.writer in own]


def _waiting(session: Session) -> set[str]:
    """The items that were opened and not judged since. There are few such lines: mostly all is said with them."""
    told = _own(session, f'"tool":"{_GET}"'.encode(), f'"action":"{LEARNED}"'.encode())
    by_session: dict[str, list[Entry]] = {}
    for each in told:
        by_session.setdefault(each.session, []).append(each)
    found = set()
    for entries in by_session.values():
        until = {item: rfc3339(moment) for item, moment in _judged_until(entries).items()}
        opened = (each for each in entries if _tool(each) == _GET)
        found |= {item for each in opened for item in _items(each) if each.at > until.get(item, "")}
    return found


def _cards(knowledge: Knowledge, items: Iterable[str]) -> dict[str, Card]:
    return {item: card for item in items for card in knowledge.under(f"id:{item}")[:1]}


def _sessions(told: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    """(name, entries in order); what names no session is taken together while it goes on without a pause."""
    named: dict[str, list[Entry]] = {}
    for each in told:
        named.setdefault(each.session, []).append(each)
    for name, entries in named.items():
        if name:
            yield name, entries
            continue
        for run in _runs(entries):
            yield name, run


def _runs(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """What was judged before, of any run, stands at the front of each."""
    before = [each for each in entries if each.kind == MAINTENANCE]
    run: list[Entry] = []
    last: datetime | None = None
    for each in entries:
        at = instant(each.at)
        if each.kind == MAINTENANCE or at is None:
            continue
        if last is not None and at - last > _PAUSE:
            yield [*before, *run]
            run = []
        run.append(each)
        last = at
    if run:
        yield [*before, *run]


def _judged_until(entries: Sequence[Entry]) -> dict[str, datetime]:
    found: dict[str, datetime] = {}
    for each in entries:
        if each.kind == MAINTENANCE and each.data.get("action") == LEARNED:
            until, item = instant(str(each.data.get("until"))), str(each.data.get("item"))
            if until is not None:
                found[item] = max(until, found.get(item, until))
    return found


def _call(entry: Entry) -> Call | None:
    """None for what is no call of the session."""
    at = instant(entry.at)
    if at is None or entry.kind == MAINTENANCE:
        return None
    items = tuple(_items(entry))
    if entry.kind == RETRIEVAL:
        kind = learning.GET if _tool(entry) == _GET else learning.SEARCH
        return Call(kind, at, items, _scores(entry, items), entry.id)
    return Call(_kind_of(entry), at, items, id=entry.id)


def _kind_of(entry: Entry) -> str:
    if entry.kind == FEEDBACK:
        return learning.FEEDBACK
    if entry.kind == VERIFY:
        return learning.ACTION if entry.data.get("verdict") == _PASS else learning.OTHER
    if entry.data.get("event_type") == REVIEW_CORRECTION:
        return learning.CORRECTION
    is_kept = entry.data.get("event_type") == SESSION_NOTE and _payload(entry).get("outcome") == KEPT
    return learning.ACTION if is_kept else learning.OTHER


def _payload(entry: Entry) -> Mapping[str, Plain]:
    found = entry.data.get("payload")
    return found if isinstance(found, dict) else {}


def _tool(entry: Entry) -> str:
    return str(entry.data.get("tool", "")) if entry.kind == RETRIEVAL else ""


def _items(entry: Entry) -> list[str]:
    """The items that an event is about."""
    found = entry.data.get("items")
    rows = [*(found if isinstance(found, list) else ()), entry.data.get("item"), _payload(entry).get("target_doc_id")]
    return [each for each in rows if isinstance(each, str) and each]


def _scores(entry: Entry, items: Sequence[str]) -> dict[str, float]:
    found = entry.data.get("scores")
    scores = found if isinstance(found, list) else []
    pairs = zip(items, scores, strict=False)
    return {item: float(score) for item, score in pairs if isinstance(score, int | float) and 0 <= score <= 1}


@record
class _Made:
    at: datetime
    ends: tuple[str, str]


def _contradictions(reading: Reading, items: Iterable[str]) -> list[_Made]:
    """The edges that contradict any of the items, with the moment at which each was made, where it says one."""
    cards, _ = ask(reading, lambda knowledge: [c for item in sorted(items) for c in _edges(knowledge, item)])
    rels = {card.blob: card.path for card in cards}
    found = []
    for oid, data in objects.read_blobs(reading.place.repo, sorted(rels)):
        synapse = decode_synapse(data, rels[oid]).synapse
        at = instant(synapse.created_at) if synapse and synapse.created_at else None
        if synapse is not None and at is not None:
            found.append(_Made(at, (synapse.from_, synapse.to)))
    return sorted(found, key=lambda each: (each.at, each.ends))


def _edges(knowledge: Knowledge, item: str) -> list[Card]:
    both = [*knowledge.under(f"from:{item}"), *knowledge.under(f"to:{item}")]
    return [card for card in both if card.edge and card.edge[2] == CONTRADICTS]


def _merged(calls: Sequence[Call], made: Sequence[_Made]) -> list[Call]:
    """The calls with each contradiction in its place: after what was done by then."""
    if not made:
        return list(calls)
    extra = [Call(learning.CONTRADICTION, each.at, each.ends) for each in made]
    return sorted([*calls, *extra], key=lambda call: call.at)
