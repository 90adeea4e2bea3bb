"""Patterns that exist and nearly matched. Refuses to change what did match."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.globs import dialect as globs
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.model.compiled import NearMiss

FITS, EXCLUDED = "fits", "excluded"
_NAMED = 10


def near_misses(
    cards: Iterable[Card], asked: Mapping[str, frozenset[str]], why_dead: Callable[[Card], str]
) -> tuple[NearMiss, ...]:
    """For each target the nearest patterns of rules that it did not bring in: at most ten in all, nearest first.

    ``asked`` are the targets, each with the ids that came in; ``why_dead`` says why a card is never delivered, '' when
    it may be. What is delivered only by name is not named here.
    """
    rows: list[tuple[int, NearMiss]] = []
    for card in cards:
        missed = [target for target, matched in asked.items() if card.id not in matched]
        for pattern in card.paths if missed and card.visibility not in NEVER_BY_SCOPE else ():
            for target in missed:
                reason, nearness = why_no_match(card, pattern, target)
                reason = why_dead(card) if reason == FITS else reason
                rows += (
                    [(nearness, NearMiss(card.id, card.slug, pattern, target, reason))] if nearness and reason else []
                )
    rows.sort(key=lambda row: (-row[0], row[1].item, row[1].pattern, row[1].file))
    return tuple(miss for _, miss in rows[:_NAMED])


def why_no_match(card: Card, pattern: str, target: str) -> tuple[str, int]:
    """(reason, nearness): fits, excluded, wrong-path (the name fits), wrong-name (the folder fits), no-match;

    0 is not near.
    """
    try:
        fits = globs.matches(pattern, target)
    except GitmemError:
        return "not-a-glob", 0
    if fits:
        return (EXCLUDED if is_excepted(card, target) else FITS), 100
    shared = _shared(globs.literal_prefix(pattern), target)
    last = pattern.rstrip("/").rpartition("/")[2]
    name = target.rpartition("/")[2]
    if last not in ("*", "**") and _fits(last, name):
        return "wrong-path", 10 + shared
    return ("wrong-name", shared) if shared else ("no-match", 0)


def is_excepted(card: Card, target: str) -> bool:
    """Whether the scope of the card excepts the target."""
    return any(_fits(pattern, target) for pattern in card.excluded)


def _fits(pattern: str, name: str) -> bool:
    try:
        return globs.matches(pattern, name)
    except GitmemError:
        return False


def _shared(prefix: Sequence[str], target: str) -> int:
    """How many leading folders the pattern and the target have in common."""
    count = 0
    for mine, theirs in zip(prefix, target.split("/"), strict=False):
        if mine != theirs:
            break
        count += 1
    return count
