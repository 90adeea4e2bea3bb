"""Engrams that repeat, reword or contradict each other, as findings: of the whole tree, or of what a change brings.

Refuses to say how large a tree may be to be looked at unasked: sketching takes a millisecond an engram.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.answers.contradictions import is_settled
from gitmem.answers.delta import Delta
from gitmem.answers.likeness import Against, Contradiction, Waiting, draft_of, likeness_of
from gitmem.answers.reading import Place, ask_at
from gitmem.answers.session import Session
from gitmem.answers.working import working
from gitmem.checks import likeness, opposition
from gitmem.checks.likeness import Kind, Known
from gitmem.checks.opposition import Held
from gitmem.index import pairs as pairing
from gitmem.index import sketching
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge, overlaid
from gitmem.index.parse import card_of
from gitmem.index.sketches import Sketches
from gitmem.index.sketching import Ground
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.record import record
from gitmem.store.canonical import body_of
from gitmem.store.repo import FOLDER

_CHANGED_MOST = 100
_BATCH = 500
_LIVE = ("draft", "active", "frozen")


@record
class Repeats:
    """Paths are repo-relative."""

    findings: tuple[Finding, ...] = ()
    warnings: tuple[Notice, ...] = ()


@record
class Twin:
    """Two live engrams, the first by path and the one that says the same (``kind`` duplicate) or much the same
    (update); ``percent`` is what they share."""

    first: Card
    second: Card
    kind: str
    percent: int
    reason: str


def twins(place: Place, tree: str) -> tuple[Twin, ...]:
    """Every pair of a knowledge tree that says the same twice."""

    def found(knowledge: Knowledge) -> tuple[Twin, ...]:
        kept = sketching.kept_up(Ground(place.repo, place.cache, tree, knowledge), is_whole=True)
        cards = _live(kept, knowledge)
        return tuple(
            twin for batch in _batches(pairing.near(kept, list(cards))) for twin in _twins(place, cards, batch)
        )

    return ask_at(place, tree, found)[0]


def opposed(session: Session) -> tuple[Finding, ...]:
    """What contradicts each other among the live engrams of HEAD."""
    place = session.place
    tree = working(place).tree

    def found(knowledge: Knowledge) -> tuple[Finding, ...]:
        kept = sketching.kept_up(Ground(place.repo, place.cache, tree, knowledge), is_whole=True)
        cards = _live(kept, knowledge)
        pairs = pairing.opposed(kept, list(cards), lambda one, other: _meet(cards[one], cards[other]))
        return tuple(_opposed(place, knowledge, cards, pairs))

    return ask_at(place, tree, found)[0] if tree else ()


def of_tree(session: Session) -> Repeats:
    """Every pair of the live engrams of HEAD; what waits in the work tree is named when it is written."""
    place = session.place
    tree = working(place).tree
    found: Repeats = ask_at(place, tree, lambda knowledge: _of_tree(place, tree, knowledge))[0]
    return found


def _of_tree(place: Place, tree: str, knowledge: Knowledge) -> Repeats:
    kept = sketching.kept_up(Ground(place.repo, place.cache, tree, knowledge), is_whole=True)
    cards = _live(kept, knowledge)
    found = pairing.pairs(kept, list(cards), lambda one, other: _meet(cards[one], cards[other]))
    near = [finding for batch in _batches(found.near) for finding in _near(place, cards, batch)]
    against = [finding for batch in _batches(found.opposed) for finding in _opposed(place, knowledge, cards, batch)]
    cut = Notice("contradictions-cut", "on some matters so many engrams take sides that not all pairs were compared")
    return Repeats((*near, *against), (cut,) if found.is_cut else ())


def _live(kept: Sketches, knowledge: Knowledge) -> dict[int, Card]:
    """The live cards by the number of their row, in the order of their paths."""
    by_blob = {kept.entry(number)[1]: number for number in range(len(kept.entries))}
    cards = sorted((card for card in knowledge.cards() if card.id and _is_live(card)), key=lambda card: card.path)
    return {by_blob[card.blob]: card for card in cards if card.blob in by_blob}


def _is_live(card: Card) -> bool:
    return card.status in _LIVE and card.visibility != "private"


def _batches(found: Sequence[pairing.Pair]) -> Iterator[Sequence[pairing.Pair]]:
    return (found[at : at + _BATCH] for at in range(0, len(found), _BATCH))


def _bodies(place: Place, cards: Mapping[int, Card], batch: Iterable[pairing.Pair]) -> dict[int, str]:
    return place.bodies.read({number: cards[number] for pair in batch for number in pair})


def _twins(place: Place, cards: Mapping[int, Card], batch: Sequence[pairing.Pair]) -> Iterator[Twin]:
    bodies = _bodies(place, cards, batch)
    for first, second in batch:
        known = Known(cards[first].path, cards[first].title, bodies[first])
        verdict = likeness.verdict(cards[second].title, bodies[second], [known])
        if verdict.kind is not Kind.NEW:
            percent = verdict.shared * 100 // verdict.total
            yield Twin(cards[first], cards[second], verdict.kind.value, percent, verdict.reason)


def _near(place: Place, cards: Mapping[int, Card], batch: Sequence[pairing.Pair]) -> Iterator[Finding]:
    for twin in _twins(place, cards, batch):
        yield _repeats(twin.second, f"{FOLDER}/{twin.first.path}", twin.kind, twin.reason)


def _opposed(
    place: Place, knowledge: Knowledge, cards: Mapping[int, Card], batch: Sequence[pairing.Pair]
) -> Iterator[Finding]:
    """Of two that somebody has looked at and lets stand nothing is said."""
    bodies = _bodies(place, cards, batch)
    held = {number: _held(cards[number], body) for number, body in bodies.items()}
    for first, second in batch:
        other = cards[first]
        found = opposition.oppositions(held[second], [held[first]])[:1]
        if found and is_settled(knowledge, place, cards[second].id, other.id):
            continue
        for each in found:
            yield _against(
                cards[second],
                Contradiction(other.id, other.slug, f"{FOLDER}/{other.path}", each.mine, each.theirs, each.reason),
            )


def _meet(one: Card, other: Card) -> bool:
    return opposition.apply_together(_held(one), _held(other))


def _held(card: Card, body: str | None = None) -> Held:
    stances = () if body is None else opposition.stances_of(card.title, body)
    return Held(card.path, stances, card.paths, card.excluded, card.layers, card.commands, card.tags)


def of_change(session: Session, delta: Delta | None) -> Repeats:
    """Of the engrams that a change writes, each against all that there will be."""
    if delta is None:
        return Repeats()
    place, change = session.place, delta
    found: Repeats = ask_at(place, delta.tree, lambda knowledge: _of_change(place, change, knowledge))[0]
    return found


def _of_change(place: Place, delta: Delta, before: Knowledge) -> Repeats:
    if delta.tree:
        sketching.kept_up(Ground(place.repo, place.cache, delta.tree, before), is_whole=True)
    cards = [card_of(entry, delta.contents[entry.rel]) for entry in delta.entries if entry.rel in delta.contents]
    come = [card for card in cards if card.id and _is_live(card)]
    after = overlaid(before, [change.rel for change in delta.changes], cards)
    waiting = tuple(Waiting("", card.path, card.blob, delta.contents[card.path]) for card in come)
    against = Against(place, delta.tree, waiting, after)
    found: list[Finding] = []
    for card in come[:_CHANGED_MOST]:
        alike = likeness_of(against, draft_of(card, body_of(delta.contents[card.path])))
        if alike.target:
            found.append(_repeats(card, alike.candidates[0].path, alike.verdict, alike.reason))
        firsts = {each.item: each for each in reversed(alike.contradictions)}
        found += [_against(card, each) for each in firsts.values()]
    left = len(come) - _CHANGED_MOST
    cut = Notice("likeness-cut", f"{left} more changed engrams were not compared", hint="gitmem check --alike")
    return Repeats(tuple(found), (cut,) if left > 0 else ())


def _repeats(card: Card, other: str, kind: str, reason: str) -> Finding:
    code = "near-duplicate" if kind == Kind.UPDATE.value else kind
    hint = "make one of the two, or say in both what sets them apart"
    return Finding(code, Severity.WARNING, f"{FOLDER}/{card.path}", 0, f"{reason} ({other})", hint, card.id)


def _against(card: Card, each: Contradiction) -> Finding:
    message = f"{each.mine!r} against {each.theirs!r} ({each.path}): {each.reason}"
    hint = "change one of them, say where each applies, or let one supersede the other: gitmem link"
    return Finding("contradicts", Severity.WARNING, f"{FOLDER}/{card.path}", 0, message, hint, card.id)
