"""From matched cards to the documents of a result, within a budget. Refuses to match and to hash."""

from collections.abc import Callable, Collection, Mapping, Sequence

from gitmem import lazy
from gitmem.index.card import Card
from gitmem.model.compiled import Base, CompileRequest, Delivery, Document, DomainCount, Edge, Ratio
from gitmem.model.finding import Notice
from gitmem.record import field, record, replace
from gitmem.rules import budget
from gitmem.rules.budget import Budget, Candidate, Limits

FULL, LINE, COUNTED = "full", "line", "counted"
NAMED = 10
Read = Callable[[Mapping[int, Card]], dict[int, str]]


@record
class Chosen:
    """Cards in the order of the result; ``bodies`` holds canonical text by card number, once it was read.

    ``edges`` says what brought in the items whose ids it is given.
    """

    documents: tuple[int, ...]
    templates: tuple[int, ...]
    expanded: tuple[int, ...]
    cards: Mapping[int, Card]
    relevance: Mapping[int, Ratio]
    edges: Callable[[Collection[str]], tuple[Edge, ...]]
    bodies: Mapping[int, str] = field(default_factory=dict)


@record
class Room:
    """The limits of one answer: ``entries`` are listed in full, ``listed`` at all.

    ``named`` are its warnings, ``beside`` those that only what tags add leads to.
    """

    max_inline_bytes: int
    max_tokens: int
    auto_inline_bytes: int
    entries: int
    listed: int
    named: tuple[Notice, ...] = ()
    beside: tuple[Notice, ...] = ()


@record
class Laid:
    """The documents of a result, what the budget did to them, and what of it must be said."""

    base: Base
    expanded: tuple[Document, ...]
    budget: Budget
    is_partial: bool
    warnings: tuple[Notice, ...]


@record
class Layout:
    """How each card is delivered, and in which of the three forms it is listed."""

    budget: Budget
    forms: Mapping[int, str]


def lay_out(chosen: Chosen, request: CompileRequest, room: Room, snapshot_id: str, read: Read) -> Laid:
    """The result under ``room``; with ``max_tokens`` lists shrink too, until the serialised answer fits.

    ``read`` is asked for texts once: for those that are inlined, or whose size in tokens decides what is.
    """
    if room.max_tokens:
        ready = replace(chosen, bodies=read(_may_be_inlined(chosen, request, room)))
        layout: Layout = lazy.load("gitmem.answers.fitting:fitted")(ready, request, room, snapshot_id)
        return _laid(ready, layout, snapshot_id)
    cost = {number: card.content_bytes for number, card in chosen.cards.items()}
    decided = budget.decide(candidates(chosen), limits_of(request, room, room.max_inline_bytes, cost))
    inline = {n: chosen.cards[n] for n, each in decided.decisions.items() if each.delivery is Delivery.INLINE}
    layout = Layout(decided, listed_forms(chosen, room.entries, room.listed))
    return _laid(replace(chosen, bodies=read(inline)), layout, snapshot_id)


def _may_be_inlined(chosen: Chosen, request: CompileRequest, room: Room) -> dict[int, Card]:
    if request.mode == "metadata":
        return {}
    is_auto = request.mode == "auto"
    return {n: card for n, card in chosen.cards.items() if not is_auto or card.content_bytes <= room.auto_inline_bytes}


def limits_of(request: CompileRequest, room: Room, left: int, cost: Mapping[int, int]) -> Limits:
    return Limits(request.mode, request.command, room.auto_inline_bytes, left, cost)


def candidates(chosen: Chosen) -> list[Candidate]:
    groups = ((chosen.templates, "template"), (chosen.documents, "document"), (chosen.expanded, "expanded"))
    return [Candidate(n, chosen.cards[n], group, chosen.relevance.get(n)) for numbers, group in groups for n in numbers]


def listed_forms(chosen: Chosen, entries: int, listed: int) -> dict[int, str]:
    """Over the whole answer: the first ``entries`` in full, a line each up to ``listed``, the rest counted."""
    numbers = (*chosen.documents, *chosen.templates, *chosen.expanded)
    return {n: FULL if at < entries else LINE if at < listed else COUNTED for at, n in enumerate(numbers)}


def _laid(chosen: Chosen, layout: Layout, snapshot_id: str) -> Laid:
    decisions = layout.budget.decisions
    shown = {n: FULL if decisions[n].delivery is Delivery.INLINE else form for n, form in layout.forms.items()}

    def of(numbers: Sequence[int]) -> tuple[Document, ...]:
        return tuple(_document(chosen, n, layout, snapshot_id) for n in numbers if shown[n] != COUNTED)

    def counted(numbers: Sequence[int]) -> tuple[DomainCount, ...]:
        return by_domain([chosen.cards[n] for n in numbers if shown[n] == COUNTED])

    full = {chosen.cards[n].id for n, form in shown.items() if form == FULL}
    rest = counted((*chosen.documents, *chosen.templates))
    base = Base(of(chosen.documents), of(chosen.templates), chosen.edges(full), rest)
    beside = counted(chosen.expanded)
    deferred = [chosen.cards[n].slug for n, decision in decisions.items() if decision.reason == "budget"]
    is_partial = bool(deferred) or any(form != FULL for form in shown.values())
    warnings = (*expanded_more(beside), *deferred_by_budget(deferred))
    return Laid(base, of(chosen.expanded), layout.budget, is_partial, warnings)


def _document(chosen: Chosen, number: int, layout: Layout, snapshot_id: str) -> Document:
    is_inline = layout.budget.decisions[number].delivery is Delivery.INLINE
    if not is_inline and layout.forms[number] == LINE:
        return line(chosen, number, layout.budget)
    return full(chosen, number, layout.budget, snapshot_id)


def line(chosen: Chosen, number: int, decided: Budget) -> Document:
    """One rule in a line: its name, its size and how it would have been delivered."""
    card = chosen.cards[number]
    delivery = decided.decisions[number].delivery
    return Document(card.id, card.slug, card.title, card.kind, delivery, card.content_bytes, card.content_hash, "")


def full(chosen: Chosen, number: int, decided: Budget, snapshot_id: str) -> Document:
    """One rule with its text, or with the command that reads it at this snapshot."""
    card = chosen.cards[number]
    decision = decided.decisions[number]
    is_inline = decision.delivery is Delivery.INLINE
    return Document(
        id=card.id,
        slug=card.slug,
        title=card.title,
        kind=card.kind,
        delivery=decision.delivery,
        content_bytes=card.content_bytes,
        content_hash=card.content_hash,
        source_path=f".gitmem/{card.path}",
        content=chosen.bodies[number] if is_inline else None,
        summary=None if is_inline else card.summary,
        read=None if is_inline else f"gitmem get {card.id} --tier content --at snapshot:{snapshot_id[:16]}",
        relevance=chosen.relevance.get(number),
        omit_reason=decision.reason or None,
    )


def by_domain(cards: Sequence[Card]) -> tuple[DomainCount, ...]:
    counts: dict[str, int] = {}
    for card in cards:
        counts[card.domain] = counts.get(card.domain, 0) + 1
    return tuple(DomainCount(domain, count) for domain, count in sorted(counts.items()))


def expanded_more(counts: Sequence[DomainCount]) -> tuple[Notice, ...]:
    """What tags bring beyond the lists is a warning: the base must not change with the tags."""
    if not counts:
        return ()
    total = sum(row.count for row in counts)
    named = ", ".join(f"{row.count} in {row.domain or '.'}" for row in counts[:NAMED])
    message = f"{total} further rules carry the tags: {named}{' and others' if len(counts) > NAMED else ''}"
    return (Notice("expanded-more", message, hint="name fewer tags, or see: gitmem list --tag TAG"),)


def deferred_by_budget(slugs: Sequence[str]) -> tuple[Notice, ...]:
    """Names what the budget kept from being inlined."""
    if not slugs:
        return ()
    more = f" and {len(slugs) - NAMED} more" if len(slugs) > NAMED else ""
    shown = ", ".join(sorted(slugs)[:NAMED]) + more
    hint = "each entry says how to read it; or raise --max-inline-bytes or --max-tokens"
    return (Notice("budget", f"deferred, since the budget was used up: {shown}", hint=hint),)
