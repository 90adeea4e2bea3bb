"""Which of the documents that match come first: relevance beside recency, importance with truth, strength and heat.

Refuses words and files: it gets scores, and what is known of each document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from gitmem.index.card import Card
from gitmem.memory import freshness
from gitmem.memory.filters import is_shown
from gitmem.memory.relevance import best
from gitmem.record import record, state

TRUTH: Mapping[str, float] = {"verified": 1.0, "probable": 0.7, "plausible": 0.5, "unverified": 0.3, "refuted": 0.0}
_TRUTH_LEAST = 0.3
_DAY_S = 86_400.0
FIRST = 64

# The byte of a document: its truth, whether a person would see it, whether it is a rule, how its kind ages.
_TRUTHS = tuple(TRUTH)
_FACTORS = [_TRUTH_LEAST + (1 - _TRUTH_LEAST) * truth for truth in TRUTH.values()]
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


def hidden(codes: Sequence[int]) -> frozenset[int]:
    """The numbers of the documents that nobody sees who sets no filter."""
    return frozenset(number for number, code in enumerate(codes) if not code & _SHOWN_BIT)


@state
class Standing:
    """What every document weighs beside its words. ``lived`` has those to which something happened, by number;
    ``names`` order what is equal in all else."""

    importance: Sequence[float]
    created: Sequence[float]
    codes: Sequence[int]
    now: datetime
    lived: Mapping[int, Lived]
    names: Sequence[str]

    def parts(self, number: int, relevance: float) -> Parts:
        code = self.codes[number]
        lived = self.lived.get(number)
        importance = self.importance[number] if lived is None else lived.importance
        return Parts(
            relevance,
            1.0 if code & _RULE_BIT else freshness.recency(self._age(number, lived), self._half_life(importance, code)),
            importance * _FACTORS[code & _TRUTH_MASK],
            lived.strength if lived else 0.0,
            freshness.heat(lived.hits, freshness.age_days(self.now, lived.last_hit)) if lived else 0.0,
        )

    def _age(self, number: int, lived: Lived | None) -> float:
        """From the last effective use, else from the creation; 0 where neither is known."""
        if lived and lived.last_use:
            return freshness.age_days(self.now, lived.last_use)
        created = self.created[number]
        return max(0.0, (self.now.timestamp() - created) / _DAY_S) if created >= 0 else 0.0

    def _half_life(self, importance: float, code: int) -> float:
        return freshness.half_life_days(importance, _KINDS[code >> _KIND_SHIFT])


def most_beside(importance: Sequence[float], codes: Sequence[int]) -> float:
    """The largest importance with truth that any document has to which nothing happened."""
    truest = max((_FACTORS[code & _TRUTH_MASK] for code in set(codes)), default=0.0)
    return max(importance, default=0.0) * truest


def ranked(
    standing: Standing, weights: Weights, scores: Sequence[float], numbers: Sequence[int], beside: float
) -> Iterator[Ranked]:
    """The documents of ``numbers``, best first; equal scores by name. The best words make a relevance of 1.

    As many are weighed as the order of those that were taken needs: what follows in ``scores`` has no better words, and
    ``beside`` (see ``most_beside``) is the most that else counts for any but those to which something happened.
    """
    top = max(map(scores.__getitem__, numbers), default=0.0) or 1.0
    most = weights.recency + weights.importance * beside
    lived = standing.lived
    own = [number for number in numbers if number in lived] if lived else []
    waiting = [_weighed(standing, weights, number, scores[number] / top) for number in own]
    others = [number for number in numbers if number not in lived] if waiting else numbers
    taken, size = 0, FIRST
    while taken < len(others) or waiting:
        order = best(scores, others, size, standing.names)
        waiting += [_weighed(standing, weights, number, scores[number] / top) for number in order[taken:]]
        waiting.sort(key=lambda each: (-each.score, standing.names[each.number]))
        taken, size = len(order), size * 8
        bound = weights.relevance * scores[order[-1]] / top + most if taken < len(others) else -1.0
        ready = next((at for at, each in enumerate(waiting) if each.score < bound), len(waiting))
        yield from waiting[:ready]
        del waiting[:ready]


def _weighed(standing: Standing, weights: Weights, number: int, relevance: float) -> Ranked:
    parts = standing.parts(number, relevance)
    return Ranked(number, parts.score(weights), parts)
