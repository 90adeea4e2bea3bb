"""How deep each of several items is shown while a budget lasts. Refuses to know what an item is or what counts it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

TIERS = ("catalog", "digest", "content")
CATALOG, DIGEST, CONTENT = range(3)
# Of several items so many are shown in full; whoever wants more asks for them by name.
CONTENT_MOST = 5
# Below these scores an item is not worth its digest, or its text.
_DIGEST_FROM, _CONTENT_FROM = 0.2, 0.5

# The tokens of an item, by its number, at a tier, by its place in ``TIERS``.
Cost = Callable[[int, int], int]


def caps(scores: Sequence[float], count: int) -> list[int]:
    """The deepest tier that each item is worth: by its score, or any where there are none."""
    return [_worth(score) for score in scores] if scores else [CONTENT] * count


def _worth(score: float) -> int:
    return CONTENT if score >= _CONTENT_FROM else DIGEST if score >= _DIGEST_FROM else CATALOG


def ranked(scores: Sequence[float], count: int) -> list[int]:
    """The numbers of the items, the best first; of equal ones, and without scores, the first."""
    return sorted(range(count), key=lambda n: (-scores[n], n)) if scores else list(range(count))


def climb(
    order: Sequence[int], deepest: Sequence[int], budget: int, cost: Cost, most: int = CONTENT_MOST
) -> dict[int, int]:
    """The tier of each item that fits: all at catalog, the best deeper tier by tier while the budget lasts, and of
    these the first ``most`` in full.

    Items that do not even fit at catalog are left out, from the last of ``order`` up.
    """
    chosen: dict[int, int] = {}
    left = budget
    for number in order:
        left -= cost(number, CATALOG)
        if left < 0:
            return chosen
        chosen[number] = CATALOG
    for tier, numbers in ((DIGEST, order), (CONTENT, order[:most])):
        for number in numbers:
            if chosen[number] != tier - 1 or deepest[number] < tier:
                continue
            more = cost(number, tier) - cost(number, tier - 1)
            if more <= left:
                left -= more
                chosen[number] = tier
    return chosen


def step_down(order: Sequence[int], chosen: dict[int, int]) -> None:
    """Takes one tier from the last of the deepest items, or leaves out the last of those at catalog."""
    deepest = max(chosen.values())
    last = next(number for number in reversed(order) if chosen.get(number) == deepest)
    if deepest > CATALOG:
        chosen[last] = deepest - 1
    else:
        del chosen[last]
