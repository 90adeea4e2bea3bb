"""Commits in one order with times that fit it, and what builds on what. Refuses to believe a clock that jumped."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from gitmem.model.past import Past
from gitmem.record import record

# Looking for an ancestor ends here: one commit more or less in a list is not worth a walk through a whole history.
_STEPS_MAX = 4000


@record
class Timeline:
    """``commits`` from the oldest to the newest, each after its parents; ``place`` is the number of each by its id."""

    commits: tuple[Past, ...]
    place: dict[str, int]
    times: tuple[int, ...]

    def time(self, oid: str) -> int:
        return self.times[self.place[oid]]

    def get(self, oid: str) -> Past | None:
        at = self.place.get(oid)
        return None if at is None else self.commits[at]

    def builds_on(self, late: str, early: str) -> bool:
        """Whether ``late`` has ``early`` among its ancestors, as far as a short walk tells."""
        bound, waiting, seen = self.place[early], [self.place[late]], {self.place[late]}
        while waiting and len(seen) < _STEPS_MAX:
            for parent in self.commits[waiting.pop()].parents:
                at = self.place.get(parent, -1)
                if at == bound:
                    return True
                if at > bound and at not in seen:
                    seen.add(at)
                    waiting.append(at)
        return False

    def reach(self, starts: Iterable[str], without: frozenset[str] = frozenset(), most: int = 0) -> set[str]:
        """The commits that are or lie below ``starts``; those in ``without`` are not entered. Ends soon after ``most``
        of them, unless that is 0.
        """
        found = {oid for oid in starts if oid in self.place and oid not in without}
        waiting = list(found)
        while waiting and (not most or len(found) <= most):
            for parent in self.commits[self.place[waiting.pop()]].parents:
                if parent in self.place and parent not in found and parent not in without:
                    found.add(parent)
                    waiting.append(parent)
        return found


def timeline(commits: Iterable[Past]) -> Timeline:
    """Parents first; among those that could come next, the one with the earliest time."""
    by_oid = {commit.oid: commit for commit in commits}
    children: dict[str, list[str]] = {}
    missing = {}
    for oid, commit in by_oid.items():
        parents = [parent for parent in dict.fromkeys(commit.parents) if parent in by_oid]
        missing[oid] = len(parents)
        for parent in parents:
            children.setdefault(parent, []).append(oid)
    ready = [(by_oid[oid].at, oid) for oid, count in missing.items() if not count]
    heapq.heapify(ready)
    order = []
    while ready:
        _, oid = heapq.heappop(ready)
        order.append(by_oid[oid])
        for child in children.get(oid, ()):
            missing[child] -= 1
            if not missing[child]:
                heapq.heappush(ready, (by_oid[child].at, child))
    times = fitting([commit.at for commit in order])
    return Timeline(tuple(order), {commit.oid: at for at, commit in enumerate(order)}, tuple(times))


def fitting(times: Sequence[int]) -> list[int]:
    """Never falling: the most times that agree with each other stay, the rest become that of the nearest such one."""
    kept = _rising(times)
    found: list[int] = []
    at = 0
    for number, time in enumerate(times):
        while at < len(kept) and kept[at] < number:
            at += 1
        low = found[-1] if found else time
        high = times[kept[at]] if at < len(kept) else time
        found.append(min(max(time, low), high) if at < len(kept) else low)
    return found


def _rising(times: Sequence[int]) -> list[int]:
    """The numbers of a longest subsequence that never falls."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, time in enumerate(times):
        at = bisect_right(ends, time)
        before.append(last[at - 1] if at else -1)
        if at == len(ends):
            ends.append(time)
            last.append(number)
        else:
            ends[at] = time
            last[at] = number
    found = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(number)
        number = before[number]
    return found[::-1]
