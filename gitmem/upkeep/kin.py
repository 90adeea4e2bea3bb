"""Which engrams are how much alike, measured on their texts, and which edges join them. Refuses to compare all pairs.

Candidates are those that share a band of their sketches; of each at most forty are read.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from gitmem.answers.reading import Place, Reading
from gitmem.index import pairs as pairing
from gitmem.index import sketching
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.edges import Edge, edge_of
from gitmem.index.knowledge import Knowledge
from gitmem.index.sketching import Ground
from gitmem.record import field, record, state
from gitmem.text import shingles

KIN_LEAST = 0.25
# So much alike they are one text, which the deep stage proposes to merge.
TWINS_LEAST = 0.85
# Two texts of a few words are alike by chance.
_SHARED_LEAST = 8
_LIVE = ("active", "draft", "frozen")
_READ_AT_ONCE = 500


@record
class Kin:
    """Two engrams by id; ``shared`` of ``total`` shingles."""

    first: Card
    second: Card
    shared: int
    total: int

    @property
    def share(self) -> float:
        return self.shared / self.total


@state
class Texts:
    """The shingles of engrams, each made once; ``words`` is by blob id."""

    place: Place
    words: dict[str, Sequence[int]] = field(default_factory=dict)

    def fetch(self, cards: Iterable[Card]) -> None:
        missing = list({card.blob: card for card in cards if card.blob not in self.words}.values())
        for at in range(0, len(missing), _READ_AT_ONCE):
            page = dict(enumerate(missing[at : at + _READ_AT_ONCE]))
            for number, body in self.place.bodies.read(page).items():
                self.words[page[number].blob] = array("Q", shingles.shingles(body))

    def sizes(self, one: Card, other: Card) -> tuple[int, int, int]:
        """How many shingles both have, the one, and the other."""
        mine, theirs = self.words[one.blob], self.words[other.blob]
        return len(frozenset(mine).intersection(theirs)), len(mine), len(theirs)


@record
class Family:
    """``cards`` are the engrams that everybody may read, by id; ``kin`` the active ones that are alike, nearest first;
    ``joined`` the edges between two, by their ids in order."""

    cards: Mapping[str, Card]
    kin: tuple[Kin, ...]
    joined: Mapping[tuple[str, str], Sequence[Edge]]
    edges: Sequence[Edge]
    texts: Texts

    def near(self) -> dict[str, list[tuple[str, float]]]:
        """By id the ids of what is alike, the nearest first."""
        found: dict[str, list[tuple[str, float]]] = {}
        for each in self.kin:
            found.setdefault(each.first.id, []).append((each.second.id, each.share))
            found.setdefault(each.second.id, []).append((each.first.id, each.share))
        return found


def family(reading: Reading, knowledge: Knowledge) -> Family:
    cards = {card.id: card for card in knowledge.cards() if card.id and _is_readable(card)}
    edges = [edge for card in knowledge.cards() if (edge := edge_of(card)) and {edge.from_, edge.to} <= cards.keys()]
    joined: dict[tuple[str, str], list[Edge]] = {}
    for edge in edges:
        joined.setdefault(in_order(edge.from_, edge.to), []).append(edge)
    texts = Texts(reading.place)
    active = sorted((card for card in cards.values() if card.status == "active"), key=lambda card: card.id)
    found = sorted(_kin(reading, knowledge, active, texts), key=lambda kin: (-kin.share, kin.first.id, kin.second.id))
    return Family(cards, tuple(found), joined, edges, texts)


def in_order(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _is_readable(card: Card) -> bool:
    return card.status in _LIVE and card.visibility not in NEVER_BY_SCOPE


def _kin(reading: Reading, knowledge: Knowledge, active: Sequence[Card], texts: Texts) -> Iterator[Kin]:
    place = reading.place
    kept = sketching.kept_up(Ground(place.repo, place.cache, reading.tree, knowledge), is_whole=True)
    rows = {kept.entry(number)[1]: number for number in range(len(kept.entries))}
    cards = {rows[card.blob]: card for card in active if card.blob in rows}
    met = pairing.akin(kept, list(cards))
    while page := list(islice(met, _READ_AT_ONCE)):
        texts.fetch(cards[each] for number, others in page if others for each in (number, *others))
        for number, others in page:
            if others:
                yield from _near(texts, cards[number], [cards[each] for each in others])


def _near(texts: Texts, card: Card, others: Iterable[Card]) -> Iterator[Kin]:
    mine = frozenset(texts.words[card.blob])
    for other in others:
        theirs = texts.words[other.blob]
        shared = len(mine.intersection(theirs))
        total = len(mine) + len(theirs) - shared
        if shared >= max(_SHARED_LEAST, KIN_LEAST * total):
            yield Kin(card, other, shared, total)
