"""Whether skills rest on what is there, without circles, in a whole tree or after a change. Refuses to read files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gitmem.checks import skills as checks
from gitmem.checks.spotted import Spotted
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.skill import PREFIX, SKILL

Resolve = Callable[[str], Sequence[Card]]


def of_whole(cards: Iterable[Card], resolve: Resolve) -> list[Spotted]:
    """``resolve`` finds engrams by any name."""
    found = {card.ref: card for card in cards if card.kind == SKILL and card.cue}

    def named(reference: str) -> Sequence[Card]:
        if reference.startswith(PREFIX):
            return [found[reference]] if reference in found else []
        return resolve(reference)

    spotted = [spot for card in found.values() for spot in _unresolved(card, card.requires, named)]
    return spotted + _circles(found)


def of_change(knowledge: Knowledge, gone: Sequence[Card], come: Sequence[Card]) -> list[Spotted]:
    """Of the skills that came, and of those that a name that went or came decides; and the steps that were made."""
    changed = {card.path: card for card in come if card.kind == SKILL and card.cue}
    decisive = dict.fromkeys(name for card in (*gone, *come) for name in _names(card))
    citing = {card.path: card for name in decisive for card in knowledge.under(f"cited:{name}")}
    named = _named(knowledge)
    spotted = [spot for card in changed.values() for spot in _unresolved(card, card.requires, named)]
    for path, card in citing.items():
        if path not in changed:
            spotted += _unresolved(card, [name for name in card.requires if name in decisive], named)
    before = {card.path: card for card in gone if card.cue}
    for path, card in changed.items():
        spotted += checks.step(path, before[path].cue[0] if path in before else "", card.cue[0])
    return spotted + (_circles({c.ref: c for c in knowledge.under(SKILL)}, changed) if changed else [])


def _named(knowledge: Knowledge) -> Resolve:
    def named(reference: str) -> Sequence[Card]:
        if reference.startswith(PREFIX):
            return [card] if (card := knowledge.named(reference)) else []
        return knowledge.by_reference(reference)

    return named


def _names(card: Card) -> Iterator[str]:
    if card.cue:
        yield card.ref
    elif card.id:
        yield from (card.id, card.id.lower(), card.slug, card.name)


def _unresolved(card: Card, references: Iterable[str], named: Resolve) -> Iterator[Spotted]:
    for reference in references:
        targets = named(reference)
        if not targets:
            yield checks.missing(card.path, reference)
        elif len({target.ref for target in targets}) > 1:
            yield checks.ambiguous(card.path, reference, [target.name for target in targets])


def _circles(found: Mapping[str, Card], changed: Mapping[str, Card] | None = None) -> list[Spotted]:
    """``changed``: only circles through one of these files."""
    edges = {ref: [name for name in card.requires if name in found] for ref, card in found.items()}
    spotted = checks.circles(edges, {ref: card.path for ref, card in found.items()})
    if changed is None:
        return spotted
    touched = {card.ref for card in changed.values()}
    return [spot for spot, ring in zip(spotted, checks.rings(edges), strict=True) if touched & set(ring)]
