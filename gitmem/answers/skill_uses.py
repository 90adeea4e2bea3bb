"""The uses of skills that are on record, in this clone and by others. Refuses to put one there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from gitmem.answers import counting
from gitmem.answers.session import Session
from gitmem.memory.skills import Use
from gitmem.memory.tally import HELPED, IRRELEVANT, MISLED
from gitmem.model.event import SKILL, Entry
from gitmem.model.skill import PREFIX
from gitmem.store import shared
from gitmem.store.mentions import entries_with, holds
from gitmem.store.repo import Repo

OUTCOMES = (HELPED, IRRELEVANT, MISLED)
# What an outcome is worth where nobody says it in a number.
REWARDS: Mapping[str, float] = {HELPED: 1.0, IRRELEVANT: 0.5, MISLED: 0.0}
_ALL = 1 << 40
# Of a day that only counts tell of, no order is known.
_HOUR = "T12:00:00Z"


def uses(session: Session) -> dict[str, tuple[Use, ...]]:
    """By name, in the order of their times; others may share only how often a skill helped on which day."""
    found: dict[str, list[Use]] = defaultdict(list)
    for entry in _entries(session.place.repo):
        for name, reward in _told(entry):
            found[name].append(Use(entry.at, reward))
    for name, use in _counted(session):
        found[name].append(use)
    return {name: tuple(sorted(each, key=lambda use: use.at)) for name, each in found.items()}


def _entries(repo: Repo) -> list[Entry]:
    own = entries_with(repo, b'"kind":"skill"', most=_ALL)
    if not shared.chains(repo):
        return [entry for entry in own if entry.kind == SKILL]
    return [entry for entry in shared.every(repo) if entry.kind == SKILL]


def _told(entry: Entry) -> Iterator[tuple[str, float]]:
    items, stated = entry.data.get("items"), entry.data.get("reward")
    for outcome, names in items.items() if isinstance(items, dict) else ():
        if outcome in REWARDS and isinstance(names, list):
            reward = float(stated) if isinstance(stated, int | float) and 0 <= stated <= 1 else REWARDS[outcome]
            yield from ((each.removeprefix(PREFIX), reward) for each in names if isinstance(each, str))


def _counted(session: Session) -> Iterator[tuple[str, Use]]:
    repo = session.place.repo
    if not shared.chains(repo) and not holds(repo, b'"folded":'):
        return
    for _, tally in counting.told_in_counts(session):
        for (day, item, action), count in sorted(tally.counts.items()):
            if item.startswith(PREFIX) and action in REWARDS:
                use = Use(f"{day}{_HOUR}", REWARDS[action])
                yield from ((item.removeprefix(PREFIX), use) for _ in range(count))
