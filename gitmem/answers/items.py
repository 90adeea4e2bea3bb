"""Items by name and by filter, as deep as asked. Refuses to serve what the revision does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem.answers import naming, notices, targets
from gitmem.answers.notices import Look
from gitmem.answers.reading import Reading, Revision, Session, ask, read
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.edge import SynapseRow
from gitmem.model.finding import Notice
from gitmem.model.plain import canonical, plain
from gitmem.model.vocabulary import KINDS, STATUSES
from gitmem.record import record, replace
from gitmem.store import objects, private
from gitmem.store.repo import FOLDER
from gitmem.text.tokens import estimate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.neighbours import Neighbours
    from gitmem.answers.private import Own

TIERS = ("catalog", "digest", "content")
_AUTO = "auto"
# Beside the three depths of an item: what it is linked to.
_SYNAPSES = "synapses"
_TIERS = (*TIERS, _SYNAPSES, _AUTO)
_BUDGET_TOKENS = 4096
_LIMIT, _LIMIT_MAX = 50, 500
_ITEMS_MAX = 100


@record
class GetCall:
    items: tuple[str, ...] = ()
    tier: str = _AUTO
    budget: int = _BUDGET_TOKENS
    edges: str = ""
    kind: tuple[str, ...] = ()
    depth: int = 0
    at: str = ""


@record
class Item:
    """One item at a tier; what the tier does not hold is None. ``source_path`` is repo-relative.

    ``synapses`` are there when they were asked for, ``visibility`` where it is private: for nobody else to read.
    """

    id: str
    slug: str
    title: str
    kind: str
    tags: tuple[str, ...]
    summary: str | None = None
    importance: float | None = None
    status: str | None = None
    content: str | None = None
    source_path: str | None = None
    content_hash: str | None = None
    content_bytes: int | None = None
    paths: tuple[str, ...] | None = None
    requires: tuple[str, ...] | None = None
    tier: str | None = None
    synapses: tuple[SynapseRow, ...] | None = None
    visibility: str | None = None


@record
class Got:
    """``tier`` is the deepest that every item reached; ``tokens`` what the serialised items take."""

    items: tuple[Item, ...]
    tier: str
    tokens: int
    snapshot_id: str
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()


def get(session: Session, call: GetCall) -> Got:
    """Items in the order asked; auto goes up a tier, first named first, while the budget lasts."""
    call = _checked(call)
    reading = read(session.place, Revision(at=call.at))
    own = _own(reading, call.items, call.at)
    cards = [own[n].card if n in own else _found(reading, reference) for n, reference in enumerate(call.items)]
    texts = reading.place.bodies.read({n: card for n, card in enumerate(cards) if n not in own})
    texts |= {n: each.text for n, each in own.items()}
    rungs = [[_at(card, texts[n], tier) for tier in TIERS] for n, card in enumerate(cards)]
    linked = _linked(reading, call, cards)
    chosen = _climb(rungs, call.budget) if call.tier == _AUTO else [_rung(call.tier)] * len(rungs)
    tier = call.tier if call.tier == _SYNAPSES else TIERS[min(chosen)]
    items = tuple(
        replace(
            rungs[n][rung],
            tier=_named_tier(call, rung),
            synapses=linked[n].rows if linked and not cards[n].edge else None,
            visibility=cards[n].visibility if n in own else None,
        )
        for n, rung in enumerate(chosen)
    )
    snapshot_id, _ = ask(reading, lambda knowledge: knowledge.facts.snapshot_id)
    tokens = sum(_tokens(item) for item in items)
    notes = (*reading.notices, *notices.waiting(Look(session, reading)))
    cut = tuple(notice for each in linked for notice in each.warnings)
    return Got(items, tier, tokens, snapshot_id, (*reading.warnings, *cut), notes)


def _checked(call: GetCall) -> GetCall:
    """The call with its tier settled: who asks for edges and for no tier means that of the edges."""
    if call.tier not in _TIERS:
        raise UsageError(f"unknown tier {call.tier!r}", hint=f"one of: {', '.join(_TIERS)}")
    if call.budget <= 0:
        raise UsageError(f"budget must be above 0, not {call.budget}", hint=f"tokens, for example {_BUDGET_TOKENS}")
    if not 0 < len(call.items) <= _ITEMS_MAX:
        raise UsageError(f"name 1 to {_ITEMS_MAX} items", hint="ids, slugs or domain/slug names; see: gitmem list")
    is_linked = bool(call.edges or call.kind or call.depth)
    return replace(call, tier=_SYNAPSES) if is_linked and call.tier == _AUTO else call


def _found(reading: Reading, reference: str) -> Card:
    """The card of an item by any name, or that of an edge by its id."""
    if reference.strip().lower().startswith("syn-"):
        found: Card = load("gitmem.answers.neighbours:find")(reading, reference)
        return found
    return naming.find(reading, reference)


def _own(reading: Reading, references: Sequence[str], at: str) -> dict[int, Own]:
    """The private items among those named, by number; at a revision there are none."""
    if at or not private.is_used(reading.place.repo):
        return {}
    found: dict[int, Own] = load("gitmem.answers.private:found")(reading, references)
    return found


def _place_of(card: Card) -> str:
    return f"private/{card.path}" if card.blob.startswith("private-") else f"{FOLDER}/{card.path}"


def _linked(reading: Reading, call: GetCall, cards: Sequence[Card]) -> list[Neighbours]:
    """The edges of each card, nothing when they were not asked for."""
    if not (call.edges or call.kind or call.depth or call.tier == _SYNAPSES):
        return []
    along = load("gitmem.answers.neighbours:walk_of")(call.edges, call.kind, call.depth)
    neighbours = load("gitmem.answers.neighbours:neighbours")
    found: list[Neighbours] = ask(reading, lambda knowledge: [neighbours(knowledge, card, along) for card in cards])[0]
    return found


def _rung(tier: str) -> int:
    return TIERS.index("digest" if tier == _SYNAPSES else tier)


def _named_tier(call: GetCall, rung: int) -> str:
    return call.tier if call.tier == _SYNAPSES else TIERS[rung]


def _at(card: Card, text: str, tier: str) -> Item:
    if card.edge:
        return _edge_at(card, text, tier)
    item = Item(card.id, card.slug, card.title, card.kind, card.tags)
    if tier == "catalog":
        return item
    item = replace(item, summary=card.summary, importance=card.importance, status=card.status)
    if tier == "digest":
        return item
    return replace(
        item,
        content=text,
        source_path=_place_of(card),
        content_hash=card.content_hash,
        content_bytes=card.content_bytes,
        paths=card.paths or None,
        requires=card.requires or None,
    )


def _edge_at(card: Card, text: str, tier: str) -> Item:
    """An edge has no summary: its file is its content."""
    item = Item(card.id, card.id, card.title, card.kind, ())
    return replace(item, content=text, source_path=f"{FOLDER}/{card.path}") if tier == "content" else item


def _climb(rungs: list[list[Item]], budget: int) -> list[int]:
    """Every item starts at catalog; each goes as deep as what is left allows."""
    chosen = [0] * len(rungs)
    left = budget - sum(_tokens(tiers[0]) for tiers in rungs)
    for rung in range(1, len(TIERS)):
        for n, tiers in enumerate(rungs):
            more = _tokens(tiers[rung]) - _tokens(tiers[chosen[n]])
            if chosen[n] == rung - 1 and more <= left:
                left -= more
                chosen[n] = rung
    return chosen


def _tokens(item: Item) -> int:
    return estimate(canonical(plain(item)).decode("utf-8", "surrogatepass")) + 6


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
    own = _own(reading, (call.item,), call.at).get(0)
    if own is not None:
        said = own.data.decode("utf-8", "replace")
        return Shown(own.card.id, own.card.slug, own.path, "", said, reading.warnings, notes)
    card = _found(reading, call.item)
    data = dict(objects.read_blobs(reading.place.repo, [card.blob]))[card.blob]
    text = data.decode("utf-8", "replace")
    slug = card.id if card.edge else card.slug
    return Shown(card.id, slug, f"{FOLDER}/{card.path}", reading.commit, text, reading.warnings, notes)


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
    is_own = card.blob.startswith("private-")
    told = "private" if is_own else None
    return Row(card.id, card.slug, card.title, card.kind, card.status, card.tags, _place_of(card), told)


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
