"""Which of the documents that match come first: relevance beside recency, importance with truth, strength and heat.

Refuses words and files: it gets scores, and what is known of each document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from heapq import nlargest

from gitmem.index.card import Card
from gitmem.memory import freshness
from gitmem.memory.filters import is_shown
from gitmem.record import record, state

TRUTH: Mapping[str, float] = {"verified": 1.0, "probable": 0.7, "plausible": 0.5, "unverified": 0.3, "refuted": 0.0}
_TRUTH_LEAST = 0.3
_DAY_S = 86_400.0
_FIRST = 64

# The byte of a document: its truth, whether a person would see it, whether it is a rule, how its kind ages.
_TRUTHS = tuple(TRUTH)
_KINDS = ("", *freshness.MULTIPLIERS)
_SHOWN_BIT, _RULE_BIT, _KIND_SHIFT, _TRUTH_MASK = 1 << 3, 1 << 4, 5, 7


@record
class Weights:
    """What each part weighs; together 1."""

    relevance: float = 0.50
    recency: float = 0.15
    importance: float = 0.25
    strength: float = 0.05
    heat: float = 0.05


@record
class Parts:
    """Of one score, each 0 to 1 and not weighed yet; ``importance`` has the truth in it."""

    relevance: float
    recency: float
    importance: float
    strength: float
    heat: float

    def score(self, weights: Weights) -> float:
        return (
            weights.relevance * self.relevance
            + weights.recency * self.recency
            + weights.importance * self.importance
            + weights.strength * self.strength
            + weights.heat * self.heat
        )


@record
class Lived:
    """What experience says of an item; the moments are RFC 3339 or ''."""

    importance: float
    strength: float
    hits: int
    last_use: str
    last_hit: str


@record
class Ranked:
    number: int
    score: float
    parts: Parts


def code_of(card: Card) -> int:
    """The byte that the index keeps of a card."""
    truth = _TRUTHS.index(card.verification) if card.verification in TRUTH else _TRUTHS.index("unverified")
    kind = _KINDS.index(card.kind) if card.kind in freshness.MULTIPLIERS else 0
    shown = _SHOWN_BIT if is_shown(card) else 0
    return truth | shown | (_RULE_BIT if card.has_scope else 0) | kind << _KIND_SHIFT


def is_shown_code(code: int) -> bool:
    return bool(code & _SHOWN_BIT)


@state
class Standing:
    """What every document weighs beside its words. ``lived`` answers None for an item that nothing happened to."""

    importance: Sequence[float]
    created: Sequence[float]
    codes: Sequence[int]
    now: datetime
    lived: Callable[[int], Lived | None]

    def parts(self, number: int, relevance: float) -> Parts:
        code = self.codes[number]
        lived = self.lived(number)
        importance = self.importance[number] if lived is None else lived.importance
        truth = TRUTH[_TRUTHS[code & _TRUTH_MASK]]
        return Parts(
            relevance,
            1.0 if code & _RULE_BIT else freshness.recency(self._age(number, lived), self._half_life(importance, code)),
            importance * (_TRUTH_LEAST + (1 - _TRUTH_LEAST) * truth),
            lived.strength if lived else 0.0,
            freshness.heat(lived.hits, freshness.age_days(self.now, lived.last_hit)) if lived else 0.0,
        )

    def freshness(self, number: int) -> str:
        """Of the age against the half-life; a rule stays fresh."""
        code, lived = self.codes[number], self.lived(number)
        if code & _RULE_BIT:
            return freshness.FRESH
        importance = self.importance[number] if lived is None else lived.importance
        return freshness.freshness(self._age(number, lived), self._half_life(importance, code))

    def _age(self, number: int, lived: Lived | None) -> float:
        """From the last effective use, else from the creation; 0 where neither is known."""
        if lived and lived.last_use:
            return freshness.age_days(self.now, lived.last_use)
        created = self.created[number]
        return max(0.0, (self.now.timestamp() - created) / _DAY_S) if created >= 0 else 0.0

    def _half_life(self, importance: float, code: int) -> float:
        return freshness.half_life_days(importance, _KINDS[code >> _KIND_SHIFT])


def ranked(standing: Standing, weights: Weights, scores: Sequence[float], numbers: Sequence[int]) -> Iterator[Ranked]:
    """The documents of ``numbers``, best first; equal scores by number. The best words make a relevance of 1.

    As many are weighed as the order of those that were taken needs: what follows in ``scores`` has no better words.
    """
    top = max((scores[number] for number in numbers), default=0.0) or 1.0
    best_beside = weights.recency + weights.importance * max(standing.importance, default=0.0)
    beside = max(best_beside, weights.recency + weights.importance) + weights.strength + weights.heat
    waiting: list[Ranked] = []
    weighed, size = 0, _FIRST
    while weighed < len(numbers) or waiting:
        if weighed < len(numbers):
            order = nlargest(size, [(scores[number], -number) for number in numbers])
            for score, negative in order[weighed:]:
                parts = standing.parts(-negative, score / top)
                waiting.append(Ranked(-negative, parts.score(weights), parts))
            weighed, size = len(order), size * 8
            waiting.sort(key=lambda each: (-each.score, each.number))
            bound = weights.relevance * order[-1][0] / top + beside if weighed < len(numbers) else -1.0
        taken = 0
        while taken < len(waiting) and waiting[taken].score >= bound:
            yield waiting[taken]
            taken += 1
        del waiting[:taken]
