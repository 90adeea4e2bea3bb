"""The order of rules, and how well they fit a plan. Refuses floats: no rounding decides an order."""

from collections.abc import Mapping

from gitmem.index.card import Card
from gitmem.model.compiled import Ratio

_SCALE = 10**12


def by_rank(card: Card, specificity: int) -> tuple[int, int, str, str]:
    """specificity down, priority up, slug up, id up: a total order."""
    return (-specificity, card.priority, card.slug, card.id)


def by_relevance(ratio: Ratio | None) -> int:
    """Most relevant first; all alike without a plan. Shares of one plan have one denominator."""
    return -(ratio.n * _SCALE // ratio.d) if ratio and ratio.d else 0


def claims_order(card: Card, ratio: Ratio | None) -> tuple[int, int, str, str]:
    """Who may use the budget first, among cards of one group: relevance down, priority up, slug up, id up."""
    return (by_relevance(ratio), card.priority, card.slug, card.id)


def is_relevant(ratio: Ratio | None, thousandths: int) -> bool:
    return ratio is None or ratio.n * 1000 >= thousandths * ratio.d


def ranked(cards: Mapping[int, Card], specificity: Mapping[int, int], relevance: Mapping[int, Ratio]) -> list[int]:
    """Card numbers as they are listed: with a plan by relevance first."""
    return sorted(cards, key=lambda n: (by_relevance(relevance.get(n)), by_rank(cards[n], specificity[n])))
