"""Items in full by name, and lists of them by filter. Refuses to serve what the revision does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem.answers import naming, notices, targets
from gitmem.answers.notices import Look
from gitmem.answers.reading import Reading, Revision, Session, ask, read
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.model.vocabulary import KINDS, STATUSES
from gitmem.record import record, replace
from gitmem.store import objects, private
from gitmem.store.repo import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.private import Own

_LIMIT, _LIMIT_MAX = 50, 500
# How the names of what is no engram begin.
REFERRED = ("skill:", "intention:")


def found(reading: Reading, reference: str) -> Card:
    """The card of an item by any name, that of an edge by its id, of a skill as skill:NAME, or of an intention."""
    if reference.strip().lower().startswith("syn-"):
        card: Card = load("gitmem.answers.neighbours:find")(reading, reference)
        return card
    if reference.strip().startswith(REFERRED):
        named: Card = load("gitmem.answers.procedures:find")(reading, reference)
        return named
    return naming.find(reading, reference)


def own_of(reading: Reading, references: Sequence[str], at: str) -> dict[int, Own]:
    """The private items among those named, by number; at a revision there are none."""
    if at or not private.is_used(reading.place.repo):
        return {}
    named: dict[int, Own] = load("gitmem.answers.private:found")(reading, references)
    return named


def place_of(card: Card) -> str:
    """How answers call the file of an item."""
    return f"private/{card.path}" if is_own(card) else f"{FOLDER}/{card.path}"


def is_own(card: Card) -> bool:
    """Whether it is of this clone alone: then its blob is no object of Git."""
    return card.blob.startswith("private-")


@record
class ShowCall:
    item: str
    at: str = ""


@record
class Shown:
    """``text`` is the whole file as it is at ``commit``, which is '' for a private item."""

    id: str
    slug: str
    source_path: str
    commit: str
    text: str
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()


def show(session: Session, call: ShowCall) -> Shown:
    reading = read(session.place, Revision(at=call.at))
    notes = (*reading.notices, *notices.waiting(Look(session, reading)))
    own = own_of(reading, (call.item,), call.at).get(0)
    if own is not None:
        said = own.data.decode("utf-8", "replace")
        return Shown(own.card.id, own.card.slug, own.path, "", said, reading.warnings, notes)
    card = found(reading, call.item)
    data = dict(objects.read_blobs(reading.place.repo, [card.blob]))[card.blob]
    text = data.decode("utf-8", "replace")
    slug = card.id if card.edge else card.slug
    return Shown(card.ref, slug, f"{FOLDER}/{card.path}", reading.commit, text, reading.warnings, notes)


@record
class ListCall:
    kind: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    domain: str = ""
    path: str = ""
    rules: bool = False
    linked_to: str = ""
    limit: int = _LIMIT
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
    """Importance down, then id up: an order that pages cannot disturb."""
    if not 0 < call.limit <= _LIMIT_MAX:
        raise UsageError(f"limit must be from 1 to {_LIMIT_MAX}, not {call.limit}", hint="--cursor reads on")
    call = replace(call, kind=_closed(call.kind, KINDS, "kind"), status=_closed(call.status, STATUSES, "status"))
    reading = read(session.place, Revision(at=call.at))
    path = targets.one(session.place, call.path) if call.path else ""
    linked_to = naming.find(reading, call.linked_to).id if call.linked_to else ""
    wanted = replace(call, path=path, linked_to=linked_to)
    cards, _ = ask(reading, lambda knowledge: _filtered(knowledge, wanted))
    if not (call.at or path or linked_to) and private.is_used(reading.place.repo):
        owns: tuple[Own, ...] = load("gitmem.answers.private:of_place")(reading.place)
        cards += [own.card for own in owns if _admits(wanted, own.card)]
    ordered = sorted(cards, key=lambda card: (-card.importance, card.id, card.path))
    start = next((at + 1 for at, card in enumerate(ordered) if card.name == call.cursor), 0) if call.cursor else 0
    if call.cursor and not start:
        raise UsageError(f"not a cursor of this list: {call.cursor!r}", hint="start again without --cursor")
    page = ordered[start : start + call.limit]
    following = page[-1].name if page and start + len(page) < len(ordered) else ""
    rows = tuple(map(_row, page))
    return Listed(rows, len(ordered), following, reading.warnings)


def _row(card: Card) -> Row:
    told = "private" if is_own(card) else None
    return Row(card.id, card.slug, card.title, card.kind, card.status, card.tags, place_of(card), told)


def _closed(values: Iterable[str], known: tuple[str, ...], name: str) -> tuple[str, ...]:
    folded = tuple(value.strip().lower() for value in values)
    wrong = [value for value in folded if value not in known]
    if wrong:
        raise UsageError(f"unknown {name}: {', '.join(wrong)}", hint=f"one of: {', '.join(known)}")
    return folded


def _filtered(knowledge: Knowledge, call: ListCall) -> list[Card]:
    if call.path:
        numbers = {number for number, _ in knowledge.matching(call.path)} - knowledge.excluding(call.path)
        cards = [knowledge.card(number) for number in sorted(numbers)]
    else:
        cards = list(knowledge.cards())
    linked = load("gitmem.answers.neighbours:joined")(knowledge, call.linked_to) if call.linked_to else None
    return [card for card in cards if card.id and (linked is None or card.id in linked) and _admits(call, card)]


def _admits(call: ListCall, card: Card) -> bool:
    statuses = call.status or tuple(s for s in STATUSES if s != "forgotten")
    in_domain = not call.domain or f"{card.domain}/".startswith(f"{call.domain.strip('/')}/")
    return (
        (not call.kind or card.kind in call.kind)
        and card.status in statuses
        and set(call.tag) <= set(card.tags)
        and in_domain
        and (card.has_scope or not call.rules)
        and card.visibility != "restricted"
    )
