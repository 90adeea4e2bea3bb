"""Branches that never came in, though nobody works on them any more. Refuses to run Git: patches are asked of a caller.

What was squashed or rebased before it came in is no attempt that was given up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from gitmem.memory.timeline import Timeline
from gitmem.memory.undoing import plain_subject
from gitmem.model.past import ABANDONED, Attempt, Branch, Past
from gitmem.record import record

# A branch of more commits is a line of its own.
_OWN_MAX = 300
_BRANCHES_MAX = 300
_FILES_MAX = 50
# So many of a branch's commits, and of those that may be the same work, are compared line by line.
_COMPARED_OWN = 20
_COMPARED_OTHERS = 10
_SWEEP = 40
_LANDED_N, _LANDED_D = 3, 4

Key = tuple[str, ...]
Patches = Callable[[Sequence[Key]], Mapping[Key, str]]


@record
class Landed:
    """What counts as having come in: the commits below the branches that people build on, and those below tags."""

    main: frozenset[str]
    released: frozenset[str] = frozenset()
    here: str = ""


@record
class _Work:
    """What one branch has alone: its commits, the one on the main line that it left from, and what they come to."""

    branch: Branch
    own: tuple[int, ...]
    base: str
    net: Mapping[str, tuple[str, str]]


def abandoned(line: Timeline, branches: Iterable[Branch], landed: Landed, patches: Patches) -> list[Attempt]:
    """Every branch that holds work which did not come in; how long it has been quiet is for the reader to judge.

    One that may be the same as something on the main line is left out where patches cannot be read.
    """
    works = [work for branch in _outermost(line, branches, landed) if (work := _work(line, branch, landed))]
    works = sorted(works, key=lambda work: -work.own[-1])[:_BRANCHES_MAX]
    arrivals = _Arrivals(line, landed.main)
    left = [work for work in works if not arrivals.has_states(work) and not arrivals.has_subject(work)]
    asked = {work.branch.name: _asked(line, work, arrivals) for work in left}
    keys = list(dict.fromkeys(key for mine, others in asked.values() for key in (*mine, *others)))
    known = patches(keys) if keys else {}
    return [_attempt(line, work) for work in left if not _is_same(asked[work.branch.name], known)]


def _outermost(line: Timeline, branches: Iterable[Branch], landed: Landed) -> list[Branch]:
    """Branches whose end is on no other branch and not on the main line; of one commit under two names the first."""
    by_tip: dict[str, Branch] = {}
    known = list(branches)
    for branch in sorted(known, key=lambda each: (each.name.startswith("refs/remotes/"), each.name)):
        if branch.tip in line.place and branch.tip not in landed.main:
            by_tip.setdefault(branch.tip, branch)
    inner = line.reach((parent for tip in by_tip for parent in line.commits[line.place[tip]].parents), landed.main)
    at_hand = {branch.tip for branch in known if branch.name == landed.here}
    return [branch for tip, branch in by_tip.items() if tip not in inner and tip not in at_hand]


def _work(line: Timeline, branch: Branch, landed: Landed) -> _Work | None:
    own = line.reach([branch.tip], landed.main, _OWN_MAX)
    if len(own) > _OWN_MAX or not landed.released.isdisjoint(own):
        return None
    numbers = sorted(line.place[oid] for oid in own)
    below = {parent for number in numbers for parent in line.commits[number].parents if parent in landed.main}
    if not below:
        return None
    base = max(below, key=lambda oid: line.place[oid])
    net: dict[str, tuple[str, str]] = {}
    for number in numbers:
        for touch in line.commits[number].touches:
            if touch.moved_from:
                net[touch.moved_from] = (net.get(touch.moved_from, (touch.before, ""))[0], "")
            start = "" if touch.moved_from else touch.before
            net[touch.rel] = (net.get(touch.rel, (start, ""))[0], touch.after)
    net = {rel: sides for rel, sides in net.items() if sides[0] != sides[1]}
    return _Work(branch, tuple(numbers), base, net) if net else None


class _Arrivals:
    """The main line by what came in with each commit."""

    def __init__(self, line: Timeline, main: Collection[str]) -> None:
        self._line = line
        self._states: set[tuple[str, str]] = set()
        self._by_subject: dict[str, list[int]] = {}
        self._by_files: dict[frozenset[str], list[int]] = {}
        for number, commit in enumerate(line.commits):
            if commit.oid not in main:
                continue
            self._by_subject.setdefault(plain_subject(commit.subject), []).append(number)
            if commit.touches:
                self._by_files.setdefault(_paths(commit), []).append(number)
                self._states.update((touch.rel, touch.after) for touch in commit.touches)
                self._states.update((touch.moved_from, "") for touch in commit.touches if touch.moved_from)

    def has_states(self, work: _Work) -> bool:
        """Whether the main line had, at one time, nearly every file as the branch has it."""
        hits = sum((rel, after) in self._states for rel, (_, after) in work.net.items())
        return hits * _LANDED_D >= len(work.net) * _LANDED_N

    def has_subject(self, work: _Work) -> bool:
        """Whether a later commit of the main line bears the name of the branch's work and changes its files."""
        own = [self._line.commits[number] for number in work.own]
        names = {plain_subject(commit.subject) for commit in (own[0], own[-1]) if len(commit.parents) < 2}
        after = self._line.place[work.base]
        for number in (n for name in names for n in self._by_subject.get(name, ()) if n > after):
            files = frozenset(self._line.commits[number].files)
            if 2 * len(files & work.net.keys()) >= len(work.net):
                return True
        return False

    def on(self, files: frozenset[str], after: int) -> list[str]:
        """The commits on the main line that change these paths and no other, the newest first."""
        numbers = [number for number in self._by_files.get(files, ()) if number > after]
        return [self._line.commits[number].oid for number in numbers[: -_COMPARED_OTHERS - 1 : -1]]


def _paths(commit: Past) -> frozenset[str]:
    return frozenset(commit.files).union(touch.moved_from for touch in commit.touches if touch.moved_from)


def _asked(line: Timeline, work: _Work, arrivals: _Arrivals) -> tuple[list[Key], list[Key]]:
    """The patches of the branch, first the whole of it unless that is a sweep, and those on the main line that may be
    the same.
    """
    after = line.place[work.base]
    own = [line.commits[number] for number in work.own[-_COMPARED_OWN:] if line.commits[number].touches]
    sets = [frozenset(work.net), *map(_paths, own)]
    others = [oid for files in dict.fromkeys(sets) if len(files) <= _SWEEP for oid in arrivals.on(files, after)]
    if not others:
        return [], []
    whole: list[Key] = [(work.branch.tip, work.base)] if len(work.net) <= _SWEEP else []
    parts: list[Key] = [(commit.oid,) for commit in own if commit.count <= _SWEEP]
    return [*whole, *parts], [(oid,) for oid in dict.fromkeys(others)]


def _is_same(asked: tuple[list[Key], list[Key]], known: Mapping[Key, str]) -> bool:
    mine, others = asked
    if any(key not in known for key in (*mine, *others)):
        return True
    arrived = {known[key] for key in others}
    whole = {known[key] for key in mine if len(key) > 1}
    parts = {known[key] for key in mine if len(key) == 1}
    return not arrived.isdisjoint(whole) or (bool(parts) and parts <= arrived)


def _attempt(line: Timeline, work: _Work) -> Attempt:
    last = line.commits[work.own[-1]]
    count = len(work.own)
    name = work.branch.name.removeprefix("refs/heads/").removeprefix("refs/remotes/")
    files = sorted(work.net)[:_FILES_MAX]
    why = f"{count} commit(s) that never came in"
    place = work.own[-1]
    return Attempt(ABANDONED, name, line.times[place], place, tuple(files), last.subject, last.oid, why)
