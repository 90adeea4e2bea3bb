"""What comes with an item that is read, beside its text: edges, header, lineage, lines, and what speaks against it.

Refuses to leave out that an item holds no more, whatever was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.answers import items
from gitmem.answers.edge_names import is_private, slug_or_id
from gitmem.answers.reading import Reading, Session, ask
from gitmem.index.card import Card
from gitmem.index.edges import IN, edges
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.memory import filters
from gitmem.model.disclosed import Item
from gitmem.model.finding import Notice
from gitmem.record import field, replace, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.getting import GetCall
    from gitmem.answers.neighbours import Neighbours

META, SYNAPSES = "meta", "synapses"
_GONE = ("superseded", "deprecated", "forgotten")
_NAMED = 5


@state
class Beside:
    """The items at catalog with what was asked for beside them, in the order of the cards; ``warnings`` say what was
    cut, ``said`` what holds no more, each with the slug of its item."""

    items: list[Item]
    warnings: list[Notice] = field(default_factory=list)
    said: list[tuple[str, Notice]] = field(default_factory=list)


def beside(
    session: Session, reading: Reading, call: GetCall, cards: Sequence[Card], own: Mapping[str, bytes]
) -> Beside:
    """``own`` has the files by blob that are in no object of Git."""
    found = Beside([])
    linked = _linked(reading, call, cards)
    headers = load("gitmem.answers.headers:headers")(session, reading, cards, own) if call.tier == META else {}
    for number, card in enumerate(cards):
        if card.edge:
            found.items.append(Item(card.id, card.id, card.title, card.kind, ()))
            continue
        if card.cue:
            found.items.append(Item(card.ref, card.slug, card.title, card.kind, (), status=_unusual(card)))
            continue
        item = _marked(session, reading, card, found.said)
        item = replace(item, meta=headers.get(card.blob), synapses=linked[number].rows if linked else None)
        found.items.append(_traced(reading, call, card, item, found.warnings))
    found.warnings += [notice for each in linked for notice in each.warnings]
    claiming = [card for card in cards if card.claims and not items.is_own(card)]
    if claiming:
        slugs = {items.place_of(card): card.slug for card in claiming}
        marks: tuple[Notice, ...] = load("gitmem.answers.claim_marks:notices")(reading, claiming)
        found.said += [(slugs.get(notice.place, notice.place), notice) for notice in marks]
    return found


def _linked(reading: Reading, call: GetCall, cards: Sequence[Card]) -> list[Neighbours]:
    """The edges of each card, nothing when they were not asked for."""
    is_asked = call.edges or call.kind or call.tier == SYNAPSES or (call.depth and not call.lineage)
    if not is_asked:
        return []
    along = load("gitmem.answers.neighbours:walk_of")(call.edges, call.kind, call.depth)
    neighbours = load("gitmem.answers.neighbours:neighbours")
    found: list[Neighbours] = ask(reading, lambda knowledge: [neighbours(knowledge, card, along) for card in cards])[0]
    return found


def _marked(session: Session, reading: Reading, card: Card, said: list[tuple[str, Notice]]) -> Item:
    """The bare item, with what has taken its place; what is to be said of it goes to ``said``."""
    by, marks = ask(reading, lambda knowledge: _marks(session, reading, knowledge, card))[0]
    said += [(card.slug, notice) for notice in marks]
    status = _unusual(card)
    item = Item(card.id, card.slug, card.title, card.kind, card.tags, status=status, superseded_by=by or None)
    return replace(item, visibility=card.visibility) if items.is_own(card) else item


def _unusual(card: Card) -> str | None:
    return card.status if card.status != "active" else None


def _traced(reading: Reading, call: GetCall, card: Card, item: Item, warnings: list[Notice]) -> Item:
    if call.lineage:
        item = replace(item, lineage=load("gitmem.answers.lineage:beside")(reading, card, call.direction, call.depth))
    if call.blame and not items.is_own(card):
        lines, missing = load("gitmem.answers.why:lines_of")(reading, card)
        item = replace(item, lines=lines)
        warnings += missing
    return item


def _later(knowledge: Knowledge, card: Card) -> tuple[str, ...]:
    """What supersedes it, as far as that holds or the item itself does not; and what it went into, once it did."""
    kinds = ("supersedes", "consolidates") if card.status == "superseded" else ("supersedes",)
    ends = [edge.from_ for edge in edges(knowledge, card.id, IN, kinds) if not is_private(knowledge, edge.from_)]
    if card.status not in _GONE:
        ends = [end for end in ends if any(filters.is_shown(each) for each in knowledge.under(f"id:{end}"))]
    return tuple(dict.fromkeys(ends))


def _marks(
    session: Session, reading: Reading, knowledge: Knowledge, card: Card
) -> tuple[tuple[str, ...], list[Notice]]:
    """The ids of what took its place, and why somebody should think twice before going by it."""
    place, by = items.place_of(card), _later(knowledge, card)
    found = []
    if by or card.status in _GONE:
        names = ", ".join(slug_or_id(knowledge, each) for each in by[:_NAMED])
        message = f"{card.slug} is {card.status}" + (f"; superseded by {names}" if names else "")
        found.append(
            Notice("superseded" if by else card.status, message, place, "read what took its place" if by else "")
        )
    if card.verification == "refuted":
        found.append(Notice("refuted", f"{card.slug} was refuted", place, f"gitmem get {card.slug} --tier meta"))
    if edges(knowledge, card.id, kinds=("contradicts",)):
        found += load("gitmem.answers.contradictions:marks")(session, reading, knowledge, card)
    return by, found
