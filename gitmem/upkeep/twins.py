"""Engrams that say the same twice: which of two stays, and what becomes of the other. Refuses to word a text anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime

from gitmem.answers import plans
from gitmem.answers.alike import DUPLICATE
from gitmem.answers.edges import Wanted
from gitmem.answers.ground import SCAFFOLD, Ground
from gitmem.answers.opening import Plan
from gitmem.answers.repeats import Twin
from gitmem.index.card import Card
from gitmem.index.edges import edges
from gitmem.index.knowledge import Knowledge
from gitmem.model.verification import LADDER, REFUTED
from gitmem.record import record
from gitmem.store import edit as edits
from gitmem.store.commits import commits
from gitmem.store.repo import FOLDER
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.worth import Weigh

STAGE = "consolidate"
KIND = "consolidates"


@record
class _Pair:
    """``keeper`` stays as it is but for tags and paths; ``other`` is retired, and an edge leads to it."""

    keeper: Card
    other: Card
    reason: str


def drafts(knowledge: Knowledge, twins: Iterable[Twin], weigh: Weigh) -> list[Draft]:
    """The nearest pairs first. An engram that goes takes no part in another pair, and one that stays does not go."""
    ordered = sorted(twins, key=lambda twin: (-twin.percent, twin.first.path, twin.second.path))
    stays, goes = set[str](), set[str]()
    found = []
    for twin in ordered:
        pair = _pair(knowledge, twin, weigh)
        if pair is None or pair.other.id in stays | goes or pair.keeper.id in goes:
            continue
        stays.add(pair.keeper.id)
        goes.add(pair.other.id)
        found.append(_draft(pair))
    return found


def _pair(knowledge: Knowledge, twin: Twin, weigh: Weigh) -> _Pair | None:
    """None where one does not stand for the other: where they apply differs, or both are required, or one is wrong."""
    both = (twin.first, twin.second)
    if REFUTED in (card.verification for card in both) or not _can_join(*both):
        return None
    if any(edge.beyond(twin.first.id) == twin.second.id for edge in edges(knowledge, twin.first.id)):
        # Somebody has said already how the two stand to each other.
        return None
    required = [card for card in both if _is_required(knowledge, card)]
    if len(required) > 1 or any(card.status == "frozen" for card in both):
        return None
    keeper, other = sorted(both, key=lambda card: (card not in required, *_rank(card, weigh)))
    return _Pair(keeper, other, "their texts are equal" if twin.kind == DUPLICATE else f"{twin.percent} % alike")


def _rank(card: Card, weigh: Weigh) -> tuple[int, float, str]:
    """The most trusted first, then the weightiest, then the oldest."""
    return -LADDER.index(card.verification), -weigh(card).importance, card.id


def _is_required(knowledge: Knowledge, card: Card) -> bool:
    return any(knowledge.numbers(f"needs:{name}") for name in (card.id, card.slug, card.name))


def _can_join(one: Card, other: Card) -> bool:
    """Rules on different paths are one rule on all of them; any other difference of scope is meant."""
    if (one.excluded, one.layers, one.commands) != (other.excluded, other.layers, other.commands):
        return False
    return bool(one.paths) == bool(other.paths) and one.kind == other.kind and one.visibility == other.visibility


def _draft(pair: _Pair) -> Draft:
    keeper, other = pair.keeper, pair.other
    return Draft(
        stage=STAGE,
        rule="merge",
        rests_on=(keeper.id, other.id, keeper.blob, other.blob),
        title=f"Merge {other.slug} into {keeper.slug}",
        plan=lambda under: _plan(under, pair),
        rationale=f"{other.slug} and {keeper.slug}: {pair.reason}. What only {other.slug} says stays in history.",
    )


def _plan(under: Ground, pair: _Pair) -> Plan:
    keeper, other = pair.keeper, pair.other
    retired = plans.plan_life(under, other.id, "retire", "")
    wanted = Wanted(keeper.id, KIND, other.id, description=pair.reason)
    linked = plans.plan_link(under, wanted, SCAFFOLD, moment_of(under))
    changes = {**retired.changes, **linked.changes}
    data = under.data_of(keeper)
    joined = _with_all(data, keeper, other)
    if joined != data:
        changes[keeper.path] = joined
    return Plan("update", "", changes, warnings=(*retired.warnings, *linked.warnings))


def _with_all(data: bytes, keeper: Card, other: Card) -> bytes:
    """The tags and paths of both."""
    rel = f"{FOLDER}/{keeper.path}"
    for key, mine, theirs in (("tags", keeper.tags, other.tags), ("scope.paths", keeper.paths, other.paths)):
        missing = _missing(mine, theirs)
        if missing:
            data = edits.add_to_list(data, key, missing, rel)
    return data


def _missing(mine: Collection[str], theirs: Sequence[str]) -> list[str]:
    return [value for value in theirs if value not in mine]


def moment_of(under: Ground) -> datetime:
    """The date that every clone gives to what a machine makes on this ground."""
    return datetime.fromtimestamp(commits(under.repo, [under.base])[under.base].time, UTC)
