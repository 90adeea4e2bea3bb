"""Which standing rules the words of a prompt bring up, and which rules are about the same. Refuses what is not trusted.

Words are compared by their stems. A rule with a scope is never brought up here: a compile brings it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from gitmem.answers.reading import Reading, ask
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.moments import rfc3339
from gitmem.model.vocabulary import STANDING
from gitmem.record import record
from gitmem.rules.match import is_live
from gitmem.text.statement_words import stem
from gitmem.text.words import cut, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

# Two words of a rule in the prompt bring it up, or one where that is a third of its words.
WORDS_LEAST = 2
SHARE = 3
PROMPT_CHARS = 20_000
_TEXT_CHARS = 1500
# Words that any rule may have, and that say nothing about what it is about.
_COMMON = """
a about after again all also always an and any anything are as ask at be because been before but by can could do
does doing don done each either else ever every everything first for from get give go had has have here how i if
in instead into is it its just keep last let like make makes may me more most must my need never new no not now
of off ok okay on once one only or other our out over own please put rather rule rules say says should since so
some something still sure take tell than that the their them then there these they thing things this those to
too t until unless up us use used using very want was way we well what when where whether which while who why
will with without would yes you your
"""


@record
class Reminder:
    """A rule as it is told: ``text`` is its body, cut where it is long; ``digest`` that of the body."""

    id: str
    name: str
    title: str
    text: str
    digest: str
    is_cut: bool


def standing(knowledge: Knowledge, now: datetime) -> list[Card]:
    """Every standing rule that is in force, by id."""
    moment = rfc3339(now)
    found = {card.id: card for card in knowledge.under(f"tag:{STANDING}") if card.path.startswith("engrams/")}
    return [found[id_] for id_ in sorted(found) if is_live(found[id_], knowledge.facts.duplicates, moment)]


def reminders(reading: Reading, now: datetime, prompt: str, told: Mapping[str, str], most: int) -> list[Reminder]:
    """The best ``most`` that fit and were not told with the same text; ``told`` is the digest by id."""
    words = words_of(prompt[:PROMPT_CHARS])
    if most <= 0 or not words or not reading.tree:
        return []
    cards, _ = ask(reading, lambda knowledge: standing(knowledge, now))
    new = [card for card in cards if not card.has_scope and told.get(card.id) != card.content_hash]
    scored = [(_fit(card, words), card) for card in new]
    best = sorted(((fit, card) for fit, card in scored if fit), key=lambda row: (-row[0], row[1].id))[:most]
    return _texts(reading, [card for _, card in best])


def of_ids(reading: Reading, now: datetime, ids: Collection[str]) -> list[Reminder]:
    """Those of these rules that are still in force, with their text of now."""
    if not ids or not reading.tree:
        return []
    cards, _ = ask(reading, lambda knowledge: standing(knowledge, now))
    return _texts(reading, [card for card in cards if card.id in ids])


def words_of(text: str) -> frozenset[str]:
    """The stems of the telling words."""
    return frozenset(stem(term) for term in terms(text) if len(term) > 1 and "'" not in term and term not in _common())


@cache
def _common() -> frozenset[str]:
    return frozenset(_COMMON.split())


def _fit(card: Card, words: frozenset[str]) -> int:
    """How many words are shared, 0 where these are too few."""
    title = words_of(f"{card.title} {' '.join(tag for tag in card.tags if tag != STANDING)}")
    shared = len(words & (title | words_of(card.summary)))
    in_title = len(words & title)
    return shared if shared >= WORDS_LEAST or in_title * SHARE >= max(len(title), 1) else 0


def about_the_same(cards: Sequence[Card], title: str) -> list[tuple[Card, list[str]]]:
    """The rules that share two words of their title with another one, and half of those of the shorter title."""
    own = words_of(title)
    found = []
    for card in cards:
        theirs = words_of(card.title)
        shared = own & theirs
        if len(shared) >= WORDS_LEAST and 2 * len(shared) >= min(len(own), len(theirs)):
            found.append((card, sorted(shared)))
    return found


def _texts(reading: Reading, cards: Sequence[Card]) -> list[Reminder]:
    bodies = reading.place.bodies.read(dict(enumerate(cards)))
    return [
        Reminder(
            card.id,
            card.name,
            card.title,
            cut(bodies[at].strip(), _TEXT_CHARS),
            card.content_hash,
            len(bodies[at].strip()) > _TEXT_CHARS,
        )
        for at, card in enumerate(cards)
    ]
