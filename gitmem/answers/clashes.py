"""What changed items contradict or repeat among the others, by the texts of those that come with the same work.

Refuses to look at all others: candidates share a file, a layer, a command or a tag, and words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from gitmem.answers.bodies import Bodies
from gitmem.answers.turn import Turn, may_be_delivered
from gitmem.checks import likeness, opposition
from gitmem.checks.likeness import Kind, Known
from gitmem.checks.opposition import Held
from gitmem.checks.stances import Stance
from gitmem.globs.dialect import literal_prefix
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.effect import Alike, Contradiction
from gitmem.record import record
from gitmem.text.words import terms

# How many changed items are looked at, from how many of their files, and how many others are held against each.
_ITEMS_MAX = 50
_FILES_MAX = 16
_NEAR_MAX = 1000
_READ_MAX = 48


@record
class Clashes:
    """``is_cut``: there were more changed items, or more that come with the same work, than were looked at."""

    contradicts: tuple[Contradiction, ...]
    alike: tuple[Alike, ...]
    is_cut: bool


def clashes(turn: Turn, bodies: Bodies, files: Callable[[Card], list[str]]) -> Clashes:
    """``files`` gives the tracked files that the scope of a card matches."""
    changed = [pair.new for pair in turn.pairs if pair.new and may_be_delivered(turn.after, pair.new)]
    looked = {n: card for card in changed[:_ITEMS_MAX] for n in turn.after.numbers(f"id:{card.id}")}
    near = {n: _near(turn.after, n, files(card)) for n, card in looked.items()}
    chosen = {n: _likeliest(turn.after, card, near[n]) for n, card in looked.items()}
    cards = looked | {n: turn.after.card(n) for numbers in chosen.values() for n in numbers}
    texts = bodies.read(cards)
    found: dict[tuple[str, str, str, str], Contradiction] = {}
    alike: dict[tuple[str, str], Alike] = {}
    for number, card in looked.items():
        others = [cards[n] for n in chosen[number]]
        by_id = {cards[n].id: texts[n] for n in (number, *chosen[number])}
        for each in _contradictions(card, others, by_id):
            found.setdefault(_unordered(each), each)
        for like in _alike(card, others, by_id):
            alike.setdefault((min(like.item, like.other), max(like.item, like.other)), like)
    is_cut = len(changed) > _ITEMS_MAX or any(len(near[n]) > len(chosen[n]) == _READ_MAX for n in looked)
    return Clashes(tuple(found.values()), tuple(alike.values()), is_cut)


def _unordered(each: Contradiction) -> tuple[str, str, str, str]:
    mine, theirs = sorted([(each.item, each.mine), (each.other, each.theirs)])
    return (*mine, *theirs)


def _near(knowledge: Knowledge, number: int, files: Sequence[str]) -> list[int]:
    """The live cards that may come with the same work as one, at most ``_NEAR_MAX``, in a fixed order."""
    card = knowledge.card(number)
    spread = files[:: max(1, len(files) // _FILES_MAX)][:_FILES_MAX]
    found: dict[int, None] = {}
    for file in (*spread, *_made_up(card)):
        found.update(dict.fromkeys(n for n, _ in knowledge.matching(file)))
    keys = [f"layer:{layer}" for layer in card.layers] + [f"command:{name}" for name in card.commands]
    for key in keys + [f"tag:{tag}" for tag in card.tags]:
        found.update(dict.fromkeys(knowledge.numbers(key)[:_NEAR_MAX]))
    found.pop(number, None)
    live = (n for n in found if may_be_delivered(knowledge, knowledge.card(n)))
    return [n for n, _ in zip(live, range(_NEAR_MAX), strict=False)]


def _made_up(card: Card) -> list[str]:
    """A path at the beginning of each pattern: its files need not exist yet."""
    return ["/".join((*literal_prefix(pattern), "x")) for pattern in card.paths[:_FILES_MAX]] + [
        pattern for pattern in card.paths[:_FILES_MAX] if "/".join(literal_prefix(pattern)) == pattern
    ]


def _likeliest(knowledge: Knowledge, card: Card, near: Iterable[int]) -> list[int]:
    """Those that share most words of title, summary and tags with the card; at least one."""
    own = _words(card)
    shared = [(-len(own & _words(knowledge.card(n))), knowledge.card(n).id, n) for n in near]
    return [n for count, _, n in sorted(shared)[:_READ_MAX] if count]


def _words(card: Card) -> frozenset[str]:
    return _terms(card.title) | _terms(card.summary)


@lru_cache(maxsize=8_192)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _contradictions(card: Card, others: Sequence[Card], texts: Mapping[str, str]) -> Iterable[Contradiction]:
    slugs = {other.id: other.slug for other in others}
    held = [_held(other, texts[other.id]) for other in others]
    for each in opposition.oppositions(_held(card, texts[card.id]), held):
        yield Contradiction(card.id, card.slug, each.other, slugs[each.other], each.mine, each.theirs, each.reason)


def _held(card: Card, body: str) -> Held:
    return Held(card.id, _stances(card.title, body), card.paths, card.excluded, card.layers, card.commands, card.tags)


@lru_cache(maxsize=2_048)
def _stances(title: str, body: str) -> tuple[Stance, ...]:
    return opposition.stances_of(title, body)


def _alike(card: Card, others: Sequence[Card], texts: Mapping[str, str]) -> Iterable[Alike]:
    slugs = {other.id: other.slug for other in others}
    known = [Known(other.id, other.title, texts[other.id]) for other in others]
    for each in likeness.verdict(card.title, texts[card.id], known).candidates:
        if each.kind is not Kind.NEW:
            yield Alike(card.id, card.slug, each.item, slugs[each.item], each.kind.value, each.percent)
