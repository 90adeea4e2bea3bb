"""Edges that the words of a text ask for, where what they mean can be told. Refuses to make any."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gitmem.answers.ground import Ground, at_commit
from gitmem.answers.opening import Draft, Hint
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.model.ledger import ItemChange
from gitmem.record import record
from gitmem.store import codec
from gitmem.store.layout import Place, place_of
from gitmem.text.causes import Said, causal
from gitmem.text.words import fold

_MOST = 5
_HAN_LEAST = 4
_ARTICLES = "the a an our this that der die das den dem le la les un une el los las il lo o os as"
_HAN = re.compile("[\u2e80-\u9fff\uac00-\ud7af]")
_WORDS = re.compile(r"[^\W_]+")


@record
class _Name:
    """An item by the words of its slug or of its title."""

    card: Card
    words: tuple[str, ...]
    title: str


def hints_of(under: Ground, title: str, body: str, own: str) -> tuple[Hint, ...]:
    """At most five, each once; ``own`` is the id of the text's engram."""
    said = causal(title, body)
    names = list(_names(card for card in under.knowledge().cards() if card.id != own)) if said else []
    found: dict[tuple[str, str, str], Hint] = {}
    for each in said:
        card = _meant(each, names)
        if card is not None:
            ends = (card.id, own) if each.is_from else (own, card.id)
            found.setdefault((each.kind, *ends), Hint(each.kind, *ends, card.slug, f"{each.cue} {each.clause}"))
    return tuple(found.values())[:_MOST]


def hints_for(under: Ground, made: Draft) -> tuple[Hint, ...]:
    """Those of the one engram that a draft writes."""
    found = [change for change in made.entry.changes if place_of(change.path) is Place.ENGRAM]
    return _of_change(under, made.tip, found[0]) if len(found) == 1 and made.tip else ()


def _of_change(under: Ground, tip: str, change: ItemChange) -> tuple[Hint, ...]:
    data = at_commit(under, tip).data_at([change.path]).get(change.path, b"")
    engram = codec.decode(data, change.path).engram
    return hints_of(under, engram.title, engram.body, engram.id) if engram is not None else ()


def _names(cards: Iterable[Card]) -> Iterator[_Name]:
    for card in cards:
        if not card.id or card.edge or card.status == "forgotten" or card.visibility in NEVER_BY_SCOPE:
            continue
        title = fold(card.title)
        words = {tuple(card.slug.split("-")), tuple(_WORDS.findall(title))}
        yield from (_Name(card, each, title) for each in sorted(words))


def _meant(said: Said, names: Iterable[_Name]) -> Card | None:
    """The one item whose name stands in the clause, the longest name first; else the one whose name begins as it."""
    clause = _WORDS.findall(said.clause)
    while clause and clause[0] in _ARTICLES.split():
        clause = clause[1:]
    if not clause:
        return None
    ranked: dict[int, set[str]] = {}
    cards: dict[str, Card] = {}
    for name in names:
        size = _size(name, clause, said.clause)
        if size:
            ranked.setdefault(size, set()).add(name.card.id)
            cards[name.card.id] = name.card
    best = ranked[max(ranked)] if ranked else set()
    return cards[next(iter(best))] if len(best) == 1 else None


def _size(name: _Name, clause: list[str], text: str) -> int:
    """How many words of the clause name the item, 0 where it does not. One word alone names it as the whole clause."""
    words, padded = name.words, f" {' '.join(clause)} "
    if not words:
        return 0
    if len(words) > 1 or len(clause) == 1:
        if f" {' '.join(words)} " in padded:
            return 2 * len(words)
        if len(clause) > 1 and f" {' '.join(words)} ".startswith(padded):
            return 2 * len(clause) - 1
    is_whole = len(name.title) >= _HAN_LEAST and _HAN.search(name.title) and name.title in text
    return len(name.title) if is_whole else 0
