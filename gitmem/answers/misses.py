"""Which rules came near to files that somebody missed one for. Refuses to say which of them was meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gitmem.answers.reading import Reading, ask
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import CompileRequest, NearMiss
from gitmem.record import record
from gitmem.rules import near
from gitmem.rules.match import match, why_not_live

# Each of them is held against every pattern that there is.
_FILES_MOST = 50
_NAMED = 3


@record
class Missed:
    """``delivered`` are the ids that a compile brings in for each of the files, ``applying`` their slugs, the most
    specific first; ``near`` are the patterns that nearly matched one of them."""

    delivered: frozenset[str]
    applying: tuple[str, ...]
    near: tuple[NearMiss, ...]


def missed(reading: Reading, files: Sequence[str]) -> Missed:
    """What the trusted rules say about files."""
    found: Missed = ask(reading, lambda knowledge: _missed(knowledge, tuple(files[:_FILES_MOST])))[0]
    return found


def _missed(knowledge: Knowledge, files: tuple[str, ...]) -> Missed:
    found = {file: match(knowledge, CompileRequest((file,))) for file in files}
    brought = {file: frozenset(card.id for card in each.cards.values()) for file, each in found.items()}
    delivered = frozenset.intersection(*brought.values()) if brought else frozenset()
    ranks = Counter({n: rank for each in found.values() for n, rank in each.specificity.items()})
    cards = {n: card for each in found.values() for n, card in each.cards.items() if card.id in delivered}
    applying = [cards[n].slug for n in sorted(cards, key=lambda n: (-ranks[n], cards[n].slug))]
    duplicates = knowledge.facts.duplicates
    known = [card for card in knowledge.cards() if card.id]
    rows = near.near_misses(known, brought, lambda card: why_not_live(card, duplicates, ""))
    return Missed(delivered, tuple(applying), rows)


def hint_of(found: Missed, target: Card | None) -> str:
    """The question that a miss comes down to; ``target`` is the item that was missed, where that was said."""
    if target is not None and target.id in found.delivered:
        return f"{target.slug} is delivered for these files: what was missed is in its text, or was not read"
    rows = [row for row in found.near if target is None or row.item == target.id]
    patterns = list(dict.fromkeys(row.pattern for row in rows))
    applying = several(found.applying) if target is None else ""
    if not patterns:
        if target is not None:
            return f"{target.slug} has no pattern near these files"
        asks = f"what applies already is {applying}: was it in there, or is a rule missing?"
        return asks if applying else "no pattern is near: is a rule missing?"
    slugs = ", ".join(dict.fromkeys(row.slug for row in rows[:_NAMED]))
    named = ", ".join(patterns[:_NAMED]) + (" and others" if len(patterns) > _NAMED else "")
    there = f"; what applies already is {applying}" if applying else ""
    if len(patterns) == 1:
        return f"1 near-miss pattern for {named}: should it match? ({slugs}){there}"
    return f"{len(patterns)} near-miss patterns for {named}: should one match? ({slugs}){there}"


def several(slugs: Sequence[str]) -> str:
    more = f" and {len(slugs) - _NAMED} more" if len(slugs) > _NAMED else ""
    return ", ".join(slugs[:_NAMED]) + more
