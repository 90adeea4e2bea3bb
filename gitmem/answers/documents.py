"""From matched cards to the documents of a result, within a budget. Refuses to match and to hash."""

from collections.abc import Mapping, Sequence

from gitmem.index.card import Card
from gitmem.model.compiled import Base, CompileRequest, Delivery, Document, DomainCount, Edge, Ratio
from gitmem.model.plain import canonical, plain
from gitmem.record import record, replace
from gitmem.rules import budget
from gitmem.rules.budget import Budget, Candidate, Limits
from gitmem.text.tokens import estimate

# What a document costs beside its content once it is inline: the key and its quotes.
_INLINE_TOKENS = 8


@record
class Chosen:
    """Cards in the order of the result.

    ``bodies`` holds canonical text by card number, for those that may be inlined.
    """

    documents: tuple[int, ...]
    templates: tuple[int, ...]
    expanded: tuple[int, ...]
    cards: Mapping[int, Card]
    relevance: Mapping[int, Ratio]
    edges: tuple[Edge, ...]
    bodies: Mapping[int, str]


@record
class Room:
    """The limits of one answer. ``entries`` are listed in full, ``listed`` at all."""

    max_inline_bytes: int
    max_tokens: int
    auto_inline_bytes: int
    entries: int
    listed: int
    fixed_tokens: int = 0


@record
class Laid:
    """The documents of a result and what the budget did to them."""

    base: Base
    expanded: tuple[Document, ...]
    budget: Budget
    is_partial: bool


def candidates(chosen: Chosen) -> list[Candidate]:
    groups = ((chosen.templates, "template"), (chosen.documents, "document"), (chosen.expanded, "expanded"))
    return [Candidate(n, chosen.cards[n], group, chosen.relevance.get(n)) for numbers, group in groups for n in numbers]


def lay_out(chosen: Chosen, request: CompileRequest, room: Room, snapshot_id: str) -> Laid:
    """The result under ``room``;

    With ``max_tokens`` it shrinks until the serialised answer fits, or nothing is left to cut.
    """
    if not room.max_tokens:
        cost = {c.number: c.card.content_bytes for c in candidates(chosen)}
        return _laid(chosen, _limits(request, room, room.max_inline_bytes, cost), room, snapshot_id)
    cost = {c.number: estimate(chosen.bodies.get(c.number, "")) + _INLINE_TOKENS for c in candidates(chosen)}
    for shrunk in _shrinking(room):
        bare = _laid(chosen, _limits(request, shrunk, 0, cost), shrunk, snapshot_id)
        left = room.max_tokens - room.fixed_tokens - _tokens(bare)
        if left >= 0:
            return _fit(chosen, request, shrunk, (left, snapshot_id, cost))
    return bare


def _fit(chosen: Chosen, request: CompileRequest, room: Room, rest: tuple[int, str, Mapping[int, int]]) -> Laid:
    """Inlines what the estimate admits, then checks the whole and gives room back until it holds."""
    left, snapshot_id, cost = rest
    while True:
        laid = _laid(chosen, _limits(request, room, left, cost), room, snapshot_id)
        over = room.fixed_tokens + _tokens(laid) - room.max_tokens
        if over <= 0 or left <= 0:
            return laid
        left = max(0, min(left - 1, laid.budget.used - over))


def _limits(request: CompileRequest, room: Room, left: int, cost: Mapping[int, int]) -> Limits:
    return Limits(request.mode, request.command, room.auto_inline_bytes, left, cost)


def _shrinking(room: Room) -> list[Room]:
    """Ever smaller lists: full entries halve first, then lines; the last one only counts."""
    steps = [room]
    while steps[-1].entries or steps[-1].listed:
        last = steps[-1]
        steps.append(
            replace(last, entries=last.entries // 2) if last.entries else replace(last, listed=last.listed // 2)
        )
    return steps


def _tokens(laid: Laid) -> int:
    return estimate(canonical(plain({"base": laid.base, "expanded": laid.expanded})).decode("utf-8", "surrogatepass"))


def _laid(chosen: Chosen, limits: Limits, room: Room, snapshot_id: str) -> Laid:
    decided = budget.decide(candidates(chosen), limits)
    listing = _Listing(chosen, decided, room, snapshot_id)
    documents, more = listing.of(chosen.documents)
    templates, more_templates = listing.of(chosen.templates)
    expanded, more_expanded = listing.of(chosen.expanded)
    full = {d.id for d in (*documents, *templates, *expanded) if d.source_path}
    edges = tuple(edge for edge in chosen.edges if edge.item in full)
    rest = _by_domain([*more, *more_templates, *more_expanded])
    cut = any(d.reason == "budget" for d in decided.decisions.values())
    short = len(full) < len(documents) + len(templates) + len(expanded)
    return Laid(Base(documents, templates, edges, rest), expanded, decided, cut or short or bool(rest))


@record
class _Listing:
    chosen: Chosen
    decided: Budget
    room: Room
    snapshot_id: str

    def of(self, numbers: Sequence[int]) -> tuple[tuple[Document, ...], list[Card]]:
        """Documents for as many as may be listed, and the cards of the rest."""
        documents: list[Document] = []
        rest: list[Card] = []
        for at, number in enumerate(numbers):
            is_inline = self.decided.decisions[number].delivery is Delivery.INLINE
            if is_inline or at < self.room.entries:
                documents.append(self._full(number))
            elif at < self.room.listed:
                documents.append(self._line(number))
            else:
                rest.append(self.chosen.cards[number])
        return tuple(documents), rest

    def _line(self, number: int) -> Document:
        card = self.chosen.cards[number]
        delivery = self.decided.decisions[number].delivery
        return Document(card.id, card.slug, card.title, card.kind, delivery, card.content_bytes, card.content_hash, "")

    def _full(self, number: int) -> Document:
        card = self.chosen.cards[number]
        decision = self.decided.decisions[number]
        inline = decision.delivery is Delivery.INLINE
        return replace(
            self._line(number),
            source_path=f".gitmem/{card.path}",
            content=self.chosen.bodies[number] if inline else None,
            summary=None if inline else card.summary,
            read=None if inline else f"gitmem get {card.id} --at snapshot:{self.snapshot_id[:16]}",
            relevance=self.chosen.relevance.get(number),
            omit_reason=decision.reason or None,
        )


def _by_domain(cards: Sequence[Card]) -> tuple[DomainCount, ...]:
    counts: dict[str, int] = {}
    for card in cards:
        counts[card.domain] = counts.get(card.domain, 0) + 1
    return tuple(DomainCount(domain, count) for domain, count in sorted(counts.items()))
