"""How important, sure and strong each item is by what happened with it, in all clones that share it. Refuses to write.

What a person set in the frontmatter is where it starts; the formulas are those of ``memory.plasticity``. A success of
an item is shared with its neighbours as the edges are now, and what they lend each other goes no further.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from threading import RLock

from gitmem.answers import gathering
from gitmem.answers.reading import Reading, ask
from gitmem.answers.rereading import reread
from gitmem.answers.session import Session
from gitmem.index.card import Card
from gitmem.index.edges import edges
from gitmem.index.knowledge import Knowledge
from gitmem.memory import plasticity, tally
from gitmem.memory.plasticity import State, believed, within
from gitmem.memory.uses import Use, Uses
from gitmem.model.experienced import Effective as Effective
from gitmem.record import field, record, state
from gitmem.store.repo import Repo

CONTRADICTS = "contradicts"
_RESTING = ("frozen", "forgotten")
_HELD_MOST = 4
_TURN = RLock()
_DAY_CHARS = len("2026-01-31")


@record
class Share:
    """What one success lends to one neighbour, for each unit of what it adds; ``item`` is the neighbour."""

    item: str
    weight: float


@state
class Experience:
    """``gains`` is what successes added to the importance of an item, ``received`` by item what each neighbour lends;
    ``known`` is what was folded before, by item with the blob of its card; ``seen`` how much of the log is counted."""

    uses: Uses
    reading: Reading
    gains: dict[str, float] = field(default_factory=dict)
    received: dict[str, dict[str, float]] = field(default_factory=dict)
    shares: dict[str, tuple[Share, ...]] = field(default_factory=dict)
    known: dict[str, tuple[str, Effective]] = field(default_factory=dict)
    seen: int = 0

    def effective(self, card: Card) -> Effective:
        item = card.id
        known = self.known.get(item)
        if known is not None and known[0] == card.blob:
            return known[1]
        if item not in self.received and item not in self.uses.days and item not in self.uses.hits:
            return Effective(card.importance, believed(card.confidence, card.verification))
        # Another call may be adding to it, and what was worked out before must not stay behind what came.
        with _TURN:
            found = effective(card, self.uses.of(item), self.lent(item))
            self.known[item] = card.blob, found
        return found

    def lent(self, item: str) -> float:
        """In the order of the neighbours, so that every clone gets the same sum."""
        found = self.received.get(item)
        return sum(found[source] for source in sorted(found)) if found else 0.0

    def renew(self, items: Iterable[str] | None) -> None:
        """Counts anew what these items lend to their neighbours; None stands for all."""
        wanted = list(self.uses.days) if items is None else list(items)
        for item in wanted:
            self.known.pop(item, None)
        ask(self.reading, lambda knowledge: self._lend_all(knowledge, wanted))

    def _lend_all(self, knowledge: Knowledge, items: Iterable[str]) -> None:
        for item in items:
            self._lend(knowledge, item)

    def _lend(self, knowledge: Knowledge, item: str) -> None:
        days = self.uses.days.get(item, {})
        if not any(tally.HELPED in counts for counts in days.values()):
            return
        card = next(iter(knowledge.under(f"id:{item}")), None)
        if card is None:
            return
        gain = plasticity.fold(start_of(card), days.items()).gain
        if gain == self.gains.get(item):
            return
        self.gains[item] = gain
        for share in self.shares_of(knowledge, item):
            self.received.setdefault(share.item, {})[item] = plasticity.lent(gain, share.weight)
            self.known.pop(share.item, None)

    def shares_of(self, knowledge: Knowledge, item: str) -> tuple[Share, ...]:
        if item not in self.shares:
            self.shares[item] = tuple(_shares(knowledge, item))
        return self.shares[item]


def start_of(card: Card) -> State:
    return State(card.importance, believed(card.confidence, card.verification))


def _shares(knowledge: Knowledge, item: str) -> Iterator[Share]:
    """Along every edge but a contradiction, both ways; an end that rests gets nothing. By neighbour, weights added."""
    weights: dict[str, float] = {}
    for edge in edges(knowledge, item):
        far = edge.beyond(item)
        if edge.kind != CONTRADICTS and far != item:
            weights[far] = weights.get(far, 0.0) + edge.weight
    for far, weight in sorted(weights.items()):
        if any(card.status not in _RESTING for card in knowledge.under(f"id:{far}")):
            yield Share(far, weight)


def effective(card: Card, use: Use, lent: float = 0.0) -> Effective:
    """From what is on the card and what was counted; pure."""
    folded = plasticity.fold(start_of(card), use.days.items())
    return Effective(
        importance=within(folded.importance + lent),
        confidence=folded.confidence,
        strength=folded.strength,
        hits=use.hits,
        helped=use.count(tally.HELPED),
        misled=use.count(tally.MISLED),
        last_use=_moment(max((day for day, counts in use.days.items() if _was_of_use(counts)), default="")),
        last_score=use.score,
        last_hit=_moment(use.last_hit),
        irrelevant=use.count(tally.IRRELEVANT),
        effective=use.count(tally.EFFECTIVE),
        failed=use.count(tally.FAILED),
        contradicted=use.count(tally.CONTRADICTED),
        inconclusive=use.count(tally.INCONCLUSIVE),
        reinforced=folded.reinforced,
        lent=lent,
    )


def _was_of_use(counts: Mapping[str, int]) -> bool:
    """A success of no effect at all is no effective use."""
    short = counts.get(tally.SHORTFALL, 0)
    return counts.get(tally.HELPED, 0) * tally.THOUSAND > short or tally.EFFECTIVE in counts


def _moment(day: str) -> str:
    return f"{day}T00:00:00Z" if len(day) == _DAY_CHARS else ""


_HELD: dict[Path, Experience] = {}


def experience(session: Session, reading: Reading | None = None) -> Experience:
    """Of the trusted knowledge; the same object from call to call, as long as that stands where it stood."""
    reading = reading or reread(session.place)
    with _TURN:
        found = gathering.gather(session)
        held = _HELD.pop(_key(session.place.repo), None)
        if held is None or held.uses is not found.uses or held.reading.tree != reading.tree:
            held = Experience(found.uses, reading)
            held.renew(None)
        elif held.seen < len(found.log):
            held.renew(dict.fromkeys(found.log[held.seen :]))
        held.seen = len(found.log)
        _HELD[_key(session.place.repo)] = held
        for old in list(_HELD)[:-_HELD_MOST]:
            del _HELD[old]
    return held


def _key(repo: Repo) -> Path:
    return repo.private_dir
