"""Items by filter, page by page, in an order that pages cannot disturb. Refuses bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gitmem.answers import naming, targets
from gitmem.answers.items import is_own, place_of
from gitmem.answers.reading import Reading, Revision, Session, ask, read
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.memory import filters
from gitmem.memory.filters import Filters, Traits
from gitmem.model.finding import Notice
from gitmem.record import record, replace
from gitmem.store import private
from gitmem.store.lastchanges import last_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.experience import Experience
    from gitmem.answers.private import Own

LIMIT, LIMIT_MAX = 50, 500


@record
class ListCall:
    domain: str = ""
    kind: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    freshness: tuple[str, ...] = ()
    author: str = ""
    created_after: str = ""
    created_before: str = ""
    min_importance: float = 0.0
    tag: tuple[str, ...] = ()
    context_tag: tuple[str, ...] = ()
    verification: tuple[str, ...] = ()
    visibility: tuple[str, ...] = ()
    path: str = ""
    rules: bool = False
    linked_to: str = ""
    limit: int = LIMIT
    cursor: str = ""
    at: str = ""


@record
class Row:
    """``visibility`` is told of what is private: for nobody else to read."""

    id: str
    slug: str
    title: str
    kind: str
    status: str
    tags: tuple[str, ...]
    path: str
    visibility: str | None = None


@record
class Listed:
    """``total`` counts what the filters admit; ``next`` is the cursor of the following page, '' on the last one."""

    items: tuple[Row, ...]
    total: int
    next: str
    warnings: tuple[Notice, ...] = ()


def list_items(session: Session, call: ListCall) -> Listed:
    """Importance down, then the last change down, then the id up."""
    if not 0 < call.limit <= LIMIT_MAX:
        raise UsageError(f"limit must be from 1 to {LIMIT_MAX}, not {call.limit}", hint="--cursor reads on")
    wanted = filters.checked(filters.of(call))
    reading = read(session.place, Revision(at=call.at))
    if wanted.path:
        wanted = replace(wanted, path=targets.one(session.place, wanted.path))
    linked_to = naming.find(reading, call.linked_to).id if call.linked_to else ""
    lived: Experience | None = None
    if wanted.min_importance or wanted.freshness:
        lived = load("gitmem.answers.experience:experience")(session, reading)
    admits = _Admission(session, wanted, lived).admits
    cards, _ = ask(reading, lambda knowledge: _admitted(knowledge, wanted, linked_to, admits))
    if not (call.at or linked_to):
        mine = [card for card in _beside(session, reading, wanted) if admits(card)]
        mine = _about(reading, mine, wanted.path) if wanted.path else mine
        cards += {card.id: card for card in reversed(mine)}.values()
    times = _times(reading) if reading.commit else {}
    ordered = sorted(cards, key=lambda card: (-card.importance, -times.get(card.path, 0), card.ref, card.path))
    start = next((at + 1 for at, card in enumerate(ordered) if _cursor(card) == call.cursor), 0) if call.cursor else 0
    if call.cursor and not start:
        raise UsageError(f"not a cursor of this list: {call.cursor!r}", hint="start again without --cursor")
    page = ordered[start : start + call.limit]
    following = _cursor(page[-1]) if page and start + len(page) < len(ordered) else ""
    return Listed(tuple(map(_row, page)), len(ordered), following, reading.warnings)


def _beside(session: Session, reading: Reading, wanted: Filters) -> list[Card]:
    """What is in no tree: private items, and where they are asked for the engrams of proposals, with their ids."""
    found: list[Card] = []
    if private.is_used(reading.place.repo):
        owns: tuple[Own, ...] = load("gitmem.answers.private:of_place")(reading.place)
        found += [own.card for own in owns]
    if filters.PROPOSAL in wanted.kind:
        waiting: list[tuple[Card, object]] = load("gitmem.answers.offered:documents")(session, reading)[0]
        found += [card for card, _ in waiting]
    return found


def _about(reading: Reading, cards: Sequence[Card], path: str) -> list[Card]:
    places, _ = ask(reading, lambda knowledge: filters.about_beside(knowledge, cards, path))
    return [cards[at] for at in sorted(places)]


def _cursor(card: Card) -> str:
    return f"{card.ref}@{place_of(card)}"


def _times(reading: Reading) -> Mapping[str, int]:
    return last_changes(reading.place.repo, reading.place.cache, reading.commit)


def _row(card: Card) -> Row:
    told = "private" if is_own(card) else None
    return Row(card.ref, card.slug, card.title, card.kind, card.status, card.tags, place_of(card), told)


@record
class _Admission:
    session: Session
    wanted: Filters
    lived: Experience | None

    def admits(self, card: Card) -> bool:
        """But for the path, by which the cards were picked."""
        importance, last_use = card.importance, ""
        if self.lived is not None:
            found = self.lived.effective(card)
            importance, last_use = found.importance, found.last_use
        aged = filters.age(self.wanted, card, importance, last_use, self.session.now)
        return filters.admits(self.wanted, card, Traits(importance, aged))


def _admitted(knowledge: Knowledge, wanted: Filters, linked_to: str, admits: Callable[[Card], bool]) -> list[Card]:
    linked = load("gitmem.answers.neighbours:joined")(knowledge, linked_to) if linked_to else None
    if wanted.path:
        cards = [knowledge.card(number) for number in sorted(filters.about(knowledge, wanted.path))]
    else:
        cards = list(knowledge.cards())
    is_meant = filters.SKILL in wanted.kind
    named = (card for card in cards if card.id or (is_meant and card.kind == filters.SKILL))
    return [card for card in named if (linked is None or card.id in linked) and admits(card)]
