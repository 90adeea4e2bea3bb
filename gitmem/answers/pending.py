"""What waits for a decision and concerns a compile: proposals by item and by scope. Refuses their texts: ids only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from gitmem.answers.notices import Look
from gitmem.answers.reading import Reading, ask
from gitmem.answers.session import Session
from gitmem.index import tables
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge, added_keys
from gitmem.index.tables import Keys
from gitmem.lazy import load
from gitmem.model.compiled import CompileRequest
from gitmem.model.finding import Notice
from gitmem.model.proposal import PENDING, Proposal
from gitmem.record import record, replace
from gitmem.rules.match import match
from gitmem.store import cache as caches
from gitmem.store import objects, refs
from gitmem.store.layout import Place as In
from gitmem.store.layout import place_of
from gitmem.store.objects import Entry
from gitmem.store.refs import META, PROPOSALS
from gitmem.store.trust import quoted

_VERSION = 2
_KEPT_SECONDS = 2
_NAMED = 5
# Of more only the newest are matched against the files; all are counted.
_MATCHED_MOST = 500


@record
class Waiting:
    """One proposal that waits: the items it changes, and how those that it writes would look."""

    id: str
    tip: str
    items: tuple[str, ...]
    cards: tuple[Card, ...]


@record
class Snapshot:
    """All that waits, the newest last, at the state of the refs that ``of`` is the hash of.

    ``cards`` are those of the newest, ``owners`` the proposals that they belong to, ``keys`` what finds them.
    """

    of: str
    waiting: tuple[Waiting, ...]
    owners: tuple[str, ...]
    cards: tuple[Card, ...]
    keys: Keys


def _snapshot(of: str, waiting: tuple[Waiting, ...]) -> Snapshot:
    rows = [(each.id, card) for each in waiting[-_MATCHED_MOST:] for card in each.cards]
    cards = tuple(card for _, card in rows)
    return Snapshot(of, waiting, tuple(id_ for id_, _ in rows), cards, added_keys(0, cards))


def touching(look: Look, request: CompileRequest, brought: Iterable[Card]) -> list[Notice]:
    """How many proposals would change a rule that was brought in, or bring one in, and how many wait besides."""
    session, reading = look.session, look.reading
    asked = Session(session.start, session.now, session.surface, session.client, session.run, held=reading.place)
    known = snapshot(asked, reading, is_fresh=look.is_fresh)
    ids = {card.id for card in brought}
    found = {each.id for each in known.waiting if not ids.isdisjoint(each.items)}
    found |= _matching(reading, request, known)
    return [*_touching(session, request, found), *_others(session, len(known.waiting) - len(found))]


def _matching(reading: Reading, request: CompileRequest, found: Snapshot) -> set[str]:
    """The proposals of which an engram would be brought in by the request."""

    def matched(knowledge: Knowledge) -> set[str]:
        facts = replace(knowledge.facts, duplicates={})
        proposed = Knowledge(facts, knowledge.settings, None, frozenset(), found.cards, found.keys)
        return {found.owners[number] for number in match(proposed, request).cards}

    return ask(reading, matched)[0] if found.cards else set()


def _touching(session: Session, request: CompileRequest, found: set[str]) -> Iterator[Notice]:
    if not found:
        return
    ids = sorted(found)
    named = ", ".join(ids[:_NAMED]) + (f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else "")
    message = f"{len(ids)} proposal(s) that touch these rules or files wait for a decision: {named}"
    target = quoted(next(iter(request.target_files), "FILE"))
    hint = session.word(f"gitmem proposals list --touches {target}; or: proposals show ID", "list_proposals says more")
    yield Notice("pending", message, hint=f"nothing of them is approved yet; {hint}")


def _others(session: Session, count: int) -> Iterator[Notice]:
    if count:
        hint = session.word("gitmem proposals list", "list_proposals says which")
        yield Notice("backlog", f"{count} proposal(s) on other matters wait for a decision", hint=hint)


def snapshot(session: Session, reading: Reading, *, is_fresh: bool = False) -> Snapshot:
    """What waits, at most two seconds old; what refs have not changed since is not worked out again."""
    place, now = session.place, session.now.timestamp()
    name = f"pending-{_VERSION}-{tables.VERSION}-{caches.tag_of(place.repo)}"
    looked, rows = caches.load(place.cache, f"{name}.at"), caches.load(place.cache, f"{name}.json")
    kept = _load(rows) if rows is not None else None
    if kept is not None and looked is not None and not is_fresh and 0 <= now - float(looked) <= _KEPT_SECONDS:
        return kept
    state = _state(reading)
    if kept is None or kept.of != state:
        known = {each.tip: each for each in kept.waiting} if kept is not None else {}
        kept = _snapshot(state, _waiting(session, known))
        caches.save(place.cache, f"{name}.json", _dump(kept))
    caches.save(place.cache, f"{name}.at", str(now).encode())
    return kept


def _state(reading: Reading) -> str:
    """A hash of all that the statuses hang on: the refs of proposals, what was said, what is trusted."""
    trusted = reading.trusted
    lines = [f"{ref.oid} {ref.name}" for ref in refs.listed(reading.place.repo, PROPOSALS, META)]
    lines += [trusted.commit, trusted.head_commit, trusted.policy]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _waiting(session: Session, known: Mapping[str, Waiting]) -> tuple[Waiting, ...]:
    standings = load("gitmem.answers.standing:board")(session, PENDING).standings
    pending = sorted((each.proposal for each in standings if each.status in PENDING), key=lambda each: each.id)
    fresh = [each for each in pending if each.tip not in known]
    blobs = sorted({oid for each in fresh for _, oid in _engrams(each)})
    data = dict(objects.read_blobs(session.place.repo, blobs))
    made = {each.tip: _read(each, data) for each in fresh}
    return tuple(known.get(each.tip) or made[each.tip] for each in pending)


def _engrams(proposal: Proposal) -> list[tuple[str, str]]:
    return [(rel, oid) for rel, oid in sorted(proposal.blobs.items()) if place_of(rel) is In.ENGRAM]


def _read(proposal: Proposal, data: Mapping[str, bytes]) -> Waiting:
    card_of = load("gitmem.index.parse:card_of")
    cards = (card_of(Entry(rel, "100644", oid), data[oid]) for rel, oid in _engrams(proposal))
    items = tuple(sorted({change.item for change in proposal.entry.changes if change.item}))
    return Waiting(proposal.id, proposal.tip, items, tuple(card for card in cards if card.id))


def _dump(found: Snapshot) -> bytes:
    head = json.dumps([found.of, [[w.id, w.tip, w.items, len(w.cards)] for w in found.waiting]])
    return b"\n".join((head.encode(), *(card.dump() for each in found.waiting for card in each.cards)))


@lru_cache(maxsize=4)
def _load(data: bytes) -> Snapshot:
    head, *lines = data.split(b"\n")
    of, rows = json.loads(head)
    cards = map(Card.load, lines)
    waiting = tuple(
        Waiting(id_, tip, tuple(items), tuple(next(cards) for _ in range(count))) for id_, tip, items, count in rows
    )
    return _snapshot(of, waiting)
