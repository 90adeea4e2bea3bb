"""Items by name, as deep as asked or as the budget allows. Refuses to serve what the revision does not hold."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import items, notices, retrieved, serialised
from gitmem.answers.beside import META, SYNAPSES, Beside, beside
from gitmem.answers.notices import Look
from gitmem.answers.reading import Revision, Session, ask, read
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.lazy import load
from gitmem.memory import disclosure
from gitmem.memory.disclosure import CONTENT, TIERS
from gitmem.model.disclosed import BOTH, DIRECTIONS, Item
from gitmem.model.finding import Notice
from gitmem.record import field, record, replace, state

AUTO = "auto"
# Beside the three depths of an item: its whole header, and what it is linked to.
ALL_TIERS = (*TIERS, META, SYNAPSES, AUTO)
BUDGET_TOKENS = 4096
ITEMS_MAX = 100
# Notices about several items that take more than this part of a budget are summed up.
_NOTICES_SHARE = 4
# What stands in an answer where it says how many tokens it takes.
_COUNT = 99_999


@record
class GetCall:
    """``budget`` None: the usual one for auto, none for what is asked for by name. ``score`` are numbers from 0 to 1 in
    the order of ``items``."""

    items: tuple[str, ...] = ()
    tier: str = AUTO
    budget: int | None = None
    reserved: int = 0
    score: tuple[str, ...] = ()
    edges: str = ""
    kind: tuple[str, ...] = ()
    depth: int = 0
    lineage: bool = False
    direction: str = BOTH
    blame: bool = False
    at: str = ""


@record
class Got:
    """``tier`` is the deepest that every item reached; ``tokens`` what the whole answer takes, erring high."""

    items: tuple[Item, ...]
    tier: str
    tokens: int
    snapshot_id: str
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()


@state
class _Desk:
    """One call: the items at each tier, made and counted when they are first needed."""

    session: Session
    call: GetCall
    cards: Sequence[Card]
    texts: dict[int, str]
    reply: Got
    beside: Beside
    made: dict[tuple[int, int], Item] = field(default_factory=dict)
    counted: dict[tuple[int, int], int] = field(default_factory=dict)

    def item(self, number: int, tier: int) -> Item:
        at = number, tier
        if at not in self.made:
            named = self.call.tier if self.call.tier in (META, SYNAPSES) else TIERS[tier]
            bare = self.beside.items[number]
            self.made[at] = replace(_at(bare, self.cards[number], self.texts[number], tier), tier=named)
        return self.made[at]

    def cost(self, number: int, tier: int) -> int:
        at = number, tier
        if at not in self.counted:
            self.counted[at] = serialised.tokens(self.session, [self.item(number, tier)])
        return self.counted[at]

    def answer(self, chosen: dict[int, int]) -> Got:
        """The reply with these items, in the order in which they were asked for."""
        tier = self.call.tier if self.call.tier in (META, SYNAPSES) else TIERS[min(chosen.values(), default=0)]
        shown = tuple(self.item(number, chosen[number]) for number in sorted(chosen))
        found = replace(self.reply, items=shown, tier=tier, tokens=_COUNT)
        found = replace(found, warnings=(*found.warnings, *_cut(self.call, chosen)))
        return replace(found, tokens=serialised.of_answer(self.session, found))


def get(session: Session, call: GetCall) -> Got:
    """Items in the order asked. An answer with a budget never takes more; a single item is named in any case."""
    call = _checked(call)
    reading = read(session.place, Revision(at=call.at))
    own = items.own_of(reading, call.items, call.at)
    cards = [own[n].card if n in own else items.found(reading, name) for n, name in enumerate(call.items)]
    texts = reading.place.bodies.read({n: card for n, card in enumerate(cards) if n not in own})
    texts |= {n: each.text for n, each in own.items()}
    found = beside(session, reading, call, cards, {each.card.blob: each.data for each in own.values()})
    snapshot_id, _ = ask(reading, lambda knowledge: knowledge.facts.snapshot_id)
    look = Look(session, reading)
    notes = (*reading.notices, *notices.waiting(look), *notices.intended(look))
    reply = Got((), call.tier, _COUNT, snapshot_id, (*reading.warnings, *found.warnings), notes)
    desk = _Desk(session, call, cards, texts, reply, found)
    answer = _fitted(desk)
    shared = [card.ref for n, card in enumerate(cards) if n not in own and not card.edge]
    retrieved.note(session, retrieved.Question(retrieved.GET, is_private=bool(own)), shared)
    return answer


def _fitted(desk: _Desk) -> Got:
    """As deep as the budget allows; what was counted piece by piece is counted once more as a whole."""
    call, count = desk.call, len(desk.cards)
    scores = [float(each) for each in call.score]
    order = disclosure.ranked(scores, count)
    caps = disclosure.caps(scores, count) if call.tier == AUTO else [_rung(call.tier)] * count
    limit, bare = _limit(call), desk.reply
    desk.reply = replace(bare, notices=(*bare.notices, *(notice for _, notice in desk.beside.said)))
    if limit is None:
        return desk.answer({number: caps[number] for number in order})
    if count > 1 and serialised.of_answer(desk.session, desk.reply) > limit // _NOTICES_SHARE:
        desk.reply = replace(bare, notices=(*bare.notices, *load("gitmem.answers.summed:summed")(desk.beside.said)))
    most = disclosure.CONTENT_MOST if call.tier == AUTO else count
    room = limit - serialised.of_answer(desk.session, desk.reply)
    chosen = disclosure.climb(order, caps, room, desk.cost, most)
    while True:
        found = desk.answer(chosen)
        if found.tokens <= limit and found.items:
            return found
        if len(chosen) < 2 and max(chosen.values(), default=0) == 0:
            return _least(desk, limit)
        disclosure.step_down(order, chosen)


def _least(desk: _Desk, limit: int) -> Got:
    """Not even the first name fits: alone it is given all the same, of several nothing is."""
    least = desk.answer({0: 0})
    if len(desk.cards) > 1:
        message = f"{limit} tokens do not hold one of {len(desk.cards)} items"
        raise UsageError(message, hint=f"at least {least.tokens}", code="budget")
    message = f"{limit} tokens do not hold the item at its shortest; it takes {least.tokens}"
    found = replace(least, warnings=(*least.warnings, Notice("budget", message, hint="ask for more tokens")))
    return replace(found, tokens=serialised.of_answer(desk.session, replace(found, tokens=_COUNT)))


def _cut(call: GetCall, chosen: dict[int, int]) -> tuple[Notice, ...]:
    """What the budget kept from whoever asked for more."""
    count, hint = len(call.items), "ask for fewer at once, or for more tokens"
    left = count - len(chosen)
    if left:
        message = f"{left} of {count} items are left out: the budget does not hold their names"
        return (Notice("budget", message, hint=hint),)
    less = sum(tier < _rung(call.tier) for tier in chosen.values()) if call.tier in TIERS else 0
    message = f"{less} of {count} items are less deep than asked for"
    return (Notice("budget", message, hint=hint),) if less else ()


def _limit(call: GetCall) -> int | None:
    """None where something is asked for by name and no budget is."""
    is_named = call.tier != AUTO or call.blame or call.lineage
    if is_named and call.budget is None and not call.reserved:
        return None
    return (BUDGET_TOKENS if call.budget is None else call.budget) - call.reserved


def _checked(call: GetCall) -> GetCall:
    """The call with its tier settled: who asks for edges and for no tier means that of the edges."""
    if call.tier not in ALL_TIERS:
        raise UsageError(f"unknown tier {call.tier!r}", hint=f"one of: {', '.join(ALL_TIERS)}")
    if call.budget is not None and call.budget <= 0:
        raise UsageError(f"budget must be above 0, not {call.budget}", hint=f"tokens, for example {BUDGET_TOKENS}")
    budget = BUDGET_TOKENS if call.budget is None else call.budget
    if not 0 <= call.reserved < budget:
        raise UsageError(f"reserved must be from 0 to below the budget of {budget}, not {call.reserved}")
    if not 0 < len(call.items) <= ITEMS_MAX:
        raise UsageError(f"name 1 to {ITEMS_MAX} items", hint="ids, slugs or domain/slug names; see: gitmem list")
    _check_scores(call)
    if call.direction not in DIRECTIONS:
        raise UsageError(f"unknown direction {call.direction!r}", hint=f"one of: {', '.join(DIRECTIONS)}")
    is_linked = bool(call.edges or call.kind or (call.depth and not call.lineage))
    if call.lineage and (is_linked or call.tier == SYNAPSES):
        raise UsageError("a lineage has edges of its own", hint="ask for it and for the edges one at a time")
    return replace(call, tier=SYNAPSES) if is_linked and call.tier == AUTO else call


def _check_scores(call: GetCall) -> None:
    for each in call.score:
        digits = each.strip()
        if not digits.replace(".", "", 1).isdecimal() or not 0 <= float(digits) <= 1:
            raise UsageError(f"not a score: {each[:40]!r}", hint="a number from 0 to 1")
    if call.score and len(call.score) != len(call.items):
        message = f"{len(call.score)} score(s) for {len(call.items)} item(s)"
        raise UsageError(message, hint="one for each item, in the same order")


def _rung(tier: str) -> int:
    return TIERS.index("digest" if tier in (META, SYNAPSES) else tier)


def _at(item: Item, card: Card, text: str, tier: int) -> Item:
    if card.edge:
        # An edge has no summary: its file is its content.
        return replace(item, content=text, source_path=items.place_of(card)) if tier == CONTENT else item
    if tier == disclosure.CATALOG:
        return item
    item = replace(item, summary=card.summary, importance=card.importance, status=card.status)
    if tier == disclosure.DIGEST:
        return item
    return replace(
        item,
        content=text,
        source_path=items.place_of(card),
        content_hash=card.content_hash,
        content_bytes=card.content_bytes,
        paths=card.paths or None,
        requires=card.requires or None,
    )
