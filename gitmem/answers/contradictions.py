"""The contradictions on record: who stands against whom, how far each is from being settled, what the numbers advise.

Refuses to settle any, and to look for those that nobody has put on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from gitmem.answers import naming
from gitmem.answers.edge_names import slug_or_id
from gitmem.answers.reading import Place, Reading, Revision, Session, ask, read
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.edges import edges, evidence
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.memory import ladder
from gitmem.memory.ladder import Advice, Side
from gitmem.model import contradiction
from gitmem.model.contradiction import STATES, Resolution
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.model.ids import moment_of
from gitmem.model.moments import instant
from gitmem.model.synapse import Synapse, link
from gitmem.model.verification import REFUTED
from gitmem.record import record, replace
from gitmem.store import objects
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.synapses import decode_synapse, synapse_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.experience import Experience

KIND = "contradicts"
HOLDS = ("draft", "active", "frozen")
_LIMIT, _LIMIT_MAX = 50, 500
_NAMED = 5


@record
class ContradictionsCall:
    """Without a ``state`` those that are not settled."""

    state: tuple[str, ...] = ()
    item: str = ""
    overdue: bool = False
    limit: int = _LIMIT
    cursor: str = ""
    at: str = ""


@record
class Row:
    """``newer`` and ``older`` are ids, with their slugs where these may be told; ``since`` is when it was put on
    record, ``said`` what speaks for it. ``advice`` is None once it is settled."""

    id: str
    state: str
    newer: str
    older: str
    newer_slug: str
    older_slug: str
    since: str
    age_days: int
    said: tuple[str, ...]
    path: str
    advice: Advice | None = None
    resolution: Resolution | None = None

    @property
    def is_settled(self) -> bool:
        return self.state in (contradiction.RESOLVED, contradiction.AUTO_RESOLVED)

    @property
    def ends(self) -> tuple[str, str]:
        return self.newer, self.older


@record
class Contradictions:
    """The oldest first. ``next`` is the cursor of the next page, '' at the end."""

    contradictions: tuple[Row, ...]
    total: int
    next: str
    warnings: tuple[Notice, ...] = ()


def list_contradictions(session: Session, call: ContradictionsCall) -> Contradictions:
    if not 1 <= call.limit <= _LIMIT_MAX:
        raise UsageError(f"limit must be from 1 to {_LIMIT_MAX}, not {call.limit}", hint="--cursor reads on")
    unknown = [state for state in call.state if state not in STATES]
    if unknown:
        raise UsageError(f"unknown state {unknown[0][:40]!r}", hint=f"one of: {', '.join(STATES)}")
    reading = read(session.place, Revision(at=call.at))
    item = naming.find(reading, call.item).id if call.item else ""
    rows = [row for row in on_record(session, reading, item) if _is_meant(row, call)]
    start = next((at + 1 for at, row in enumerate(rows) if row.id == call.cursor), 0) if call.cursor else 0
    if call.cursor and not start:
        raise UsageError(f"not a cursor of this list: {call.cursor[:80]!r}", hint="start again without one")
    page = rows[start : start + call.limit]
    more = page[-1].id if start + len(page) < len(rows) else ""
    return Contradictions(tuple(page), len(rows), more, reading.warnings)


def _is_meant(row: Row, call: ContradictionsCall) -> bool:
    if call.overdue and not ladder.is_overdue(row.state):
        return False
    return row.state in call.state if call.state else not row.is_settled


def on_record(session: Session, reading: Reading, item: str = "") -> list[Row]:
    """Every contradiction of a revision whose ends may be told, settled ones too; ``item``: only those of that id."""
    found, _ = ask(reading, lambda knowledge: _rows(knowledge, reading.place, session.now, item))
    if all(row.is_settled for row in found):
        return found
    lived: Experience = load("gitmem.answers.experience:experience")(session, reading)
    repo = reading.place.repo
    return ask(reading, lambda knowledge: [_advised(knowledge, repo, lived, row) for row in found])[0]


def _advised(knowledge: Knowledge, repo: Repo, lived: Experience, row: Row) -> Row:
    if row.is_settled:
        return row
    newer, older = (side(knowledge, repo, lived, knowledge.under(f"id:{end}")[0]) for end in row.ends)
    return replace(row, advice=ladder.advice(newer, older))


def overdue(session: Session) -> list[Finding]:
    """What has waited for a week, or was settled and holds again; for `doctor`."""
    reading = read(session.place)
    return [_finding(row) for row in on_record(session, reading) if ladder.is_overdue(row.state)]


def _finding(row: Row) -> Finding:
    slugs = f"{row.newer_slug} and {row.older_slug}"
    if row.state == contradiction.CONTESTED:
        message = f"{slugs} both hold, and one of them was to go"
    else:
        message = f"{slugs} have contradicted each other for {row.age_days} days, and nobody has decided"
    advised = f" ({row.advice.verdict}: {row.advice.reason})" if row.advice else ""
    hint = f"gitmem contradictions resolve {row.id} --verdict ... --rationale ...{advised}"
    return Finding("contradiction-overdue", Severity.WARNING, row.path, 0, message, hint, row.newer)


def marks(session: Session, reading: Reading, knowledge: Knowledge, card: Card) -> list[Notice]:
    """What whoever reads an engram is told of those that contradict it, as far as nobody has settled it."""
    found = []
    rows = _of_cards(knowledge, reading.place, _edges_of(knowledge, card.id), session.now)
    for row in [row for row in rows if not row.is_settled][:_NAMED]:
        other = row.older_slug if row.newer == card.id else row.newer_slug
        message = f"{card.slug} and {other} contradict each other, and that is {row.state}"
        found.append(Notice("contradicted", message, row.path, f"gitmem get {other}; a person decides"))
    return found


def against(knowledge: Knowledge, place: Place, items: Iterable[str], now: datetime) -> dict[str, tuple[str, ...]]:
    """By engram the ids of those that contradict it, as far as nobody has settled it."""
    wanted = [*dict.fromkeys(items)]
    cards = {card.path: card for item in wanted for card in _edges_of(knowledge, item)}
    open_ends = [row.ends for row in _of_cards(knowledge, place, [*cards.values()], now) if not row.is_settled]
    found = {item: sorted({end for ends in open_ends if item in ends for end in ends} - {item}) for item in wanted}
    return {item: tuple(ends) for item, ends in found.items() if ends}


def is_settled(knowledge: Knowledge, place: Place, one: str, other: str) -> bool:
    """Whether somebody has looked at these two and decided, whatever holds since."""
    card = knowledge.at_path(synapse_path(link(one, other, KIND)))
    if card is None:
        return False
    synapse = decode_synapse(dict(objects.read_blobs(place.repo, [card.blob]))[card.blob], card.path).synapse
    resolution = contradiction.read(synapse.resolution) if synapse else None
    return resolution is not None and resolution.is_settled


def _rows(knowledge: Knowledge, place: Place, now: datetime, item: str) -> list[Row]:
    if not knowledge.facts.counts.get("edge", {}).get(KIND):
        return []
    every = (card for card in knowledge.cards() if card.edge and card.edge[2] == KIND)
    cards = _edges_of(knowledge, item) if item else list(every)
    return sorted(_of_cards(knowledge, place, cards, now), key=lambda row: (-row.age_days, row.since, row.id))


def _edges_of(knowledge: Knowledge, item: str) -> list[Card]:
    rels = [edge.rel for edge in edges(knowledge, item, kinds=(KIND,))]
    return [card for rel in rels if (card := knowledge.at_path(rel)) is not None]


def _of_cards(knowledge: Knowledge, place: Place, cards: Sequence[Card], now: datetime) -> list[Row]:
    data = dict(objects.read_blobs(place.repo, sorted({card.blob for card in cards})))
    found = ((card, decode_synapse(data[card.blob], card.path).synapse) for card in cards)
    rows = (_row(knowledge, card, synapse, now) for card, synapse in found if synapse is not None)
    return [row for row in rows if row is not None]


def _row(knowledge: Knowledge, card: Card, synapse: Synapse, now: datetime) -> Row | None:
    """None where an end is not here, which `check` says, or is private."""
    found = [next(iter(knowledge.under(f"id:{end}")), None) for end in (synapse.from_, synapse.to)]
    ends = [each for each in found if each is not None and each.visibility != "private"]
    if len(ends) < len(found):
        return None
    older, newer = by_age(ends)
    resolution = contradiction.read(synapse.resolution)
    since = since_of(synapse, newer)
    live = frozenset(each.id for each in ends if holds(each))
    state = ladder.state_of(resolution, since, (newer.id, older.id), live, now)
    return Row(
        id=synapse.id,
        state=state,
        newer=newer.id,
        older=older.id,
        newer_slug=slug_or_id(knowledge, newer.id),
        older_slug=slug_or_id(knowledge, older.id),
        since=since,
        age_days=ladder.age_days(since, now),
        said=tuple(each.description for each in synapse.evidence),
        path=f"{FOLDER}/{card.path}",
        resolution=resolution,
    )


def holds(card: Card) -> bool:
    """Whether an engram is in force: what was refuted is not, whatever its status."""
    return card.status in HOLDS and card.verification != REFUTED


def by_age(ends: Iterable[Card]) -> tuple[Card, Card]:
    """The older and the newer of two, by when each was made."""
    older, newer = sorted(ends, key=lambda card: (_made(card), card.id))
    return older, newer


def _made(card: Card) -> float:
    moment = instant(card.created_at)
    return moment.timestamp() if moment else moment_of(card.id) / 1000


def since_of(synapse: Synapse, newer: Card) -> str:
    """When the edge says that it was made; else when its evidence was, or the newer engram."""
    dated = sorted(each.at for each in synapse.evidence if each.at)
    return synapse.created_at or (dated[0] if dated else newer.created_at)


def side(knowledge: Knowledge, repo: Repo, lived: Experience, card: Card) -> Side:
    """In numbers, its confidence as experience has left it."""
    told: int = load("gitmem.answers.proofs:backing")(repo, [card])[card.id]
    return Side(card.id, lived.effective(card).confidence, told + evidence(knowledge, card), card.source_type)
