"""What has aged: which engrams to freeze, to forget, or to take out of the tree. Refuses to let anything go by itself.

An engram ages from its last effective use, its creation or the last commit that changed it, whichever is newest: what
somebody restored, imported or had in hand is not proposed again at once. Rules do not age.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from gitmem.answers import plans
from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory.freshness import FORGOTTEN, STALE, freshness, half_life_days
from gitmem.memory.plasticity import advice
from gitmem.model.moments import instant
from gitmem.record import record
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.worth import Weigh, Worth

STAGE = "decay"
FREEZE, FORGET, DROP, ARCHIVE = "freeze", "forget", "drop", "archive"
UNIMPORTANT = 0.2
DROP_DAYS = 30
_DAY_S = 86_400
_ORDER = (FORGET, DROP, ARCHIVE, FREEZE)
_Key = tuple[int, float, str, str]


@record
class Sight:
    """The knowledge, the time, the worth of an engram, and when its file was last changed: seconds since the epoch, by
    its path below ``.gitmem``."""

    knowledge: Knowledge
    now: datetime
    weigh: Weigh
    changed: Mapping[str, int]


def drafts(sight: Sight) -> list[Draft]:
    """First what is to be forgotten, then what leaves the tree, then what is frozen; of each the least important, then
    the oldest."""
    found = [(draft, key) for card in _live(sight.knowledge) for draft, key in _draft(sight, card)]
    return [draft for draft, _ in sorted(found, key=lambda row: row[1])]


def _live(knowledge: Knowledge) -> Iterable[Card]:
    return (card for card in knowledge.cards() if card.id and card.visibility != "private")


def _draft(sight: Sight, card: Card) -> Iterator[tuple[Draft, _Key]]:
    found = _judged(sight, card)
    if found is not None:
        rule, why, importance = found
        yield _made(card, rule, why), (_ORDER.index(rule), importance, card.created_at, card.id)


def _judged(sight: Sight, card: Card) -> tuple[str, str, float] | None:
    """The rule, the reason and the importance."""
    if card.status == "forgotten":
        since = sight.changed.get(card.path)
        is_over = since is not None and sight.now.timestamp() - since >= DROP_DAYS * _DAY_S
        return (DROP, f"It was forgotten {DROP_DAYS} days ago or more.", 0.0) if is_over else None
    if card.status not in ("active", "frozen"):
        return None
    worth = sight.weigh(card)
    return _failing(card, worth) or (None if card.has_scope else _aged(sight, card, worth))


def _failing(card: Card, worth: Worth) -> tuple[str, str, float] | None:
    """What misled more often than it helped."""
    said = advice(worth.misled) if worth.misled > worth.helped else ""
    told = f"It misled {worth.misled} times and helped {worth.helped} times."
    if said == FORGET:
        return FORGET, told, worth.importance
    return (ARCHIVE, told, worth.importance) if said and card.status == "active" else None


def _aged(sight: Sight, card: Card, worth: Worth) -> tuple[str, str, float] | None:
    half_life = half_life_days(worth.importance, card.kind)
    if freshness(_age_days(sight, card, worth), half_life) not in (STALE, FORGOTTEN):
        return None
    told = (
        f"With an importance of {worth.importance:.2f} its half-life is {half_life:.0f} days, "
        "and nothing was done with it for more than twice as long."
    )
    if worth.importance < UNIMPORTANT:
        return FORGET, told, worth.importance
    return (FREEZE, told, worth.importance) if card.status == "active" else None


def _age_days(sight: Sight, card: Card, worth: Worth) -> float:
    """Since somebody last did something with it; 0 where nothing tells of a time."""
    moments = [moment.timestamp() for text in (worth.last_use, card.created_at) if text and (moment := instant(text))]
    moments += [sight.changed[card.path]] if card.path in sight.changed else []
    return max(0.0, (sight.now.timestamp() - max(moments)) / _DAY_S) if moments else 0.0


_VERBS = {FORGET: "forget", ARCHIVE: "archive", FREEZE: "archive"}
_REASONS = {
    FORGET: "It is stale and matters little, or it misled more often than it helped.",
    ARCHIVE: "It misled more often than it helped.",
    FREEZE: "It is stale: nothing was done with it for more than two half-lives.",
    DROP: f"It was forgotten {DROP_DAYS} days ago or more; history keeps it.",
}
_WORDS = {FORGET: "Forget", ARCHIVE: "Archive", FREEZE: "Freeze", DROP: "Take out of the tree"}


def _made(card: Card, rule: str, why: str) -> Draft:
    def plan(under: Ground) -> Plan:
        if rule == DROP:
            return plans.plan_remove(under, card.id)
        return plans.plan_life(under, card.id, _VERBS[rule], _REASONS[rule])

    title = f"{_WORDS[rule]}: {card.title}"
    return Draft(STAGE, rule, (card.id, card.blob), title, plan, _REASONS[rule], measured=why)
