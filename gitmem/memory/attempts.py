"""What a history holds of work that did not last: taken back, undone within days, repaired again and again.

Refuses abandoned branches, which need a word on what counts as landed.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence

from gitmem.memory.timeline import Timeline
from gitmem.memory.undoing import undoings
from gitmem.model.past import DAY_S, FIXUP, UNDONE, UNDONE_DAYS, Attempt, Past, Touch
from gitmem.record import field, record, state

_CHAIN_DAYS = 7
_REPAIRS_LEAST = 2
# A path that every tenth commit touches says nothing about what belongs together.
_BUSY_SHARE = 10
_BUSY_LEAST = 20
# A commit of so many paths is a sweep, not an attempt at something.
_SWEEP = 40
_AUTOSQUASH = re.compile(r"^(?:fixup|squash|amend)! ")
_REPAIR = re.compile(
    r"\b(?:fix(?:es|ed|ing|up)?|bug ?fix|hot ?fix|again|really|follow(?:ing)?[ -]?up|oops|actually|properly|another try"
    r"|second try|try again|take two|correct(?:s|ed|ion)?|repair(?:s|ed)?)\b",
    re.I,
)
# What follows a release mends the release, not what it is about.
_RELEASE = re.compile(r"\b(?:bump|releas\w*|next dev\w*|start version)\b", re.I)
_SMALL = re.compile(
    r"\b(?:typos?|spelling|grammar|lint(?:er|ing|s)?|pre-commit|flake8|mypy|pylint|ruff|whitespace|formatting|wording)\b",
    re.I,
)


def attempts(line: Timeline) -> list[Attempt]:
    """All but abandoned branches, from the oldest to the newest."""
    taken_back = undoings(line)
    known = {each.ref for each in taken_back.attempts} | taken_back.repeats
    undone = list(_undone(line, known))
    repaired = list(_autosquashed(line)) + list(_chains(line, known | {each.ref for each in undone}))
    every = sorted([*taken_back.attempts, *undone, *repaired], key=lambda each: (each.rank, each.kind, each.ref))
    # A branch that was rebased holds the same work as before under other names.
    once = {(each.kind, each.text, line.commits[each.rank].made): each for each in every}
    return [each for each in every if once[each.kind, each.text, line.commits[each.rank].made] is each]


@state
class _Trail:
    """The states of one path of late: (number of the commit, blob before, blob after)."""

    steps: deque[tuple[int, str, str]] = field(default_factory=deque)


def _undone(line: Timeline, known: Collection[str]) -> Iterator[Attempt]:
    trails: dict[str, _Trail] = {}
    lasting: dict[tuple[str, str], int] = {}
    found: list[tuple[int, int, tuple[Touch, ...]]] = []
    for at, commit in enumerate(line.commits):
        back: dict[str, int] = {}
        for touch in commit.touches:
            trail = trails.setdefault(touch.rel, _Trail()).steps
            while trail and line.times[at] - line.times[trail[0][0]] > UNDONE_DAYS * DAY_S:
                trail.popleft()
            start = _left(line, trail, touch, commit)
            if start >= 0:
                back[touch.rel] = start
            trail.append((at, touch.before, touch.after))
            lasting[touch.rel, touch.after] = at
        if back and commit.oid not in known and _is_undoing(commit, back):
            found.append((at, max(back.values()), tuple(t for t in commit.touches if t.rel in back)))
    for at, start, touches in found:
        yield _undoing(line, (at, start), touches, lasting)


def _left(line: Timeline, trail: Collection[tuple[int, str, str]], touch: Touch, commit: Past) -> int:
    """The newest commit that left the state which ``touch`` comes back to, -1 for none."""
    for start, before, after in reversed(list(trail)):
        is_back = before == touch.after and after != before and touch.before != touch.after
        if is_back and line.builds_on(commit.oid, line.commits[start].oid):
            return start
    return -1


def _is_undoing(commit: Past, back: Collection[str]) -> bool:
    """Most of what the commit does is going back, and it brings in nothing in exchange."""
    if _SMALL.search(commit.subject):
        return False
    is_moving = any(not touch.before or touch.moved_from for touch in commit.touches if touch.rel not in back)
    return not is_moving and 2 * len(back) >= commit.count and len(commit.parents) < 2


def _undoing(
    line: Timeline, ends: tuple[int, int], touches: Sequence[Touch], lasting: dict[tuple[str, str], int]
) -> Attempt:
    at, start = ends
    commit, first = line.commits[at], line.commits[start]
    days = (line.times[at] - line.times[start]) // DAY_S
    is_back = all(lasting.get((touch.rel, touch.before), -1) > at for touch in touches)
    return Attempt(
        kind=UNDONE,
        ref=commit.oid,
        time=line.times[at],
        rank=at,
        files=tuple(touch.rel for touch in touches),
        text=commit.subject,
        of=first.oid,
        why=f"undoes within {days or 1} day(s): {first.subject}",
        is_superseded=is_back,
    )


def _autosquashed(line: Timeline) -> Iterator[Attempt]:
    """``fixup!`` and its like that were never squashed; each with the newest earlier commit of that subject."""
    newest: dict[str, Past] = {}
    for at, commit in enumerate(line.commits):
        subject = commit.subject
        while _AUTOSQUASH.match(subject):
            subject = subject.partition("! ")[2]
        of = newest.get(subject)
        if subject != commit.subject:
            why = f"repairs: {of.subject}" if of else ""
            oid = of.oid if of else ""
            yield Attempt(FIXUP, commit.oid, line.times[at], at, commit.files, commit.subject, oid, why)
        else:
            newest[subject] = commit


@record
class _Chain:
    """Commits on common files, each soon after the one before; ``repairs`` counts those after the first."""

    numbers: tuple[int, ...]
    files: frozenset[str]


def _chains(line: Timeline, known: Collection[str]) -> Iterator[Attempt]:
    """A commit and at least two on the same files within days that say of themselves that they mend."""
    busy = _busy(line)
    open_: dict[str, _Chain] = {}
    for at, commit in enumerate(line.commits):
        files = frozenset(commit.files) - busy
        if not files or commit.count > _SWEEP or len(commit.parents) > 1 or _AUTOSQUASH.match(commit.subject):
            continue
        before = _continued(line, at, files, open_)
        for ended in _met(open_, files):
            _forget(open_, ended)
            if ended is not before:
                yield from _told(line, ended, known)
        chain = _Chain((*before.numbers, at), before.files & files) if before else _Chain((at,), files)
        open_.update(dict.fromkeys(chain.files, chain))
    for chain in _met(open_, open_):
        yield from _told(line, chain, known)


def _met(open_: dict[str, _Chain], files: Collection[str]) -> list[_Chain]:
    """The chains that hold one of the files, each once, the one that began first in front."""
    chains = {open_[rel].numbers: open_[rel] for rel in files if rel in open_}
    return [chain for _, chain in sorted(chains.items())]


def _forget(open_: dict[str, _Chain], chain: _Chain) -> None:
    for rel in chain.files:
        if open_.get(rel) is chain:
            del open_[rel]


def _continued(line: Timeline, at: int, files: frozenset[str], open_: dict[str, _Chain]) -> _Chain | None:
    """The chain that a commit goes on with, the one with most files in common."""
    if not _mends(line.commits[at]):
        return None
    near = [each for each in _met(open_, files) if line.times[at] - line.times[each.numbers[-1]] <= _CHAIN_DAYS * DAY_S]
    fitting = [each for each in near if 2 * len(each.files & files) >= len(files)]
    best = max(fitting, key=lambda each: (len(each.files & files), each.numbers), default=None)
    return best if best and line.builds_on(line.commits[at].oid, line.commits[best.numbers[-1]].oid) else None


def _mends(commit: Past) -> bool:
    return bool(_REPAIR.search(commit.subject)) and not _SMALL.search(commit.subject)


def _told(line: Timeline, chain: _Chain, known: Collection[str]) -> Iterator[Attempt]:
    repairs = len(chain.numbers) - 1
    last, first = line.commits[chain.numbers[-1]], line.commits[chain.numbers[0]]
    if repairs < _REPAIRS_LEAST or last.oid in known or _RELEASE.search(first.subject):
        return
    time = line.times[chain.numbers[-1]]
    days = (time - line.times[chain.numbers[0]]) // DAY_S
    why = f"{repairs} repairs within {days or 1} day(s) of: {first.subject}"
    yield Attempt(FIXUP, last.oid, time, chain.numbers[-1], tuple(sorted(chain.files)), last.subject, first.oid, why)


def _busy(line: Timeline) -> frozenset[str]:
    counts = Counter(rel for commit in line.commits for rel in commit.files)
    most = max(len(line.commits) // _BUSY_SHARE, _BUSY_LEAST)
    return frozenset(rel for rel, count in counts.items() if count > most)
