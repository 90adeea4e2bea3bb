"""The index of what a history holds of attempts: made once, kept in the cache, followed as branches move.

Refuses to be wrong for want of a cache: without one it is made anew each time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from gitmem import __version__
from gitmem.answers.attempts import is_partial
from gitmem.answers.reading import Place, Session
from gitmem.memory.attempts import attempts
from gitmem.memory.branches import Landed, abandoned
from gitmem.memory.timeline import Timeline, timeline
from gitmem.memory.undoing import tells
from gitmem.model.finding import Notice
from gitmem.model.past import ABANDONED, DAY_S, QUIET_DAYS, Attempt, Past
from gitmem.record import record, replace
from gitmem.store import gitlog, objects, pastlog
from gitmem.store.gitlog import Heads, Wanted
from gitmem.store.pastlog import Commits, Found
from gitmem.text import words

# People build on branches of these names, whatever the trust.
_MAIN = ("main", "master", "trunk", "develop")
_COMMITS_MOST = 50_000
# Fewer new commits are read again by the next one who asks: cheaper than writing all of them anew.
_SAVED_LEAST = 200
_TIMES_KEPT = 200
_MOVES_KEPT = 20_000
_FILES_IN_TERMS = 10


@record
class Tried:
    """``attempts`` that stand as such at the time of asking; ``terms`` has those of each."""

    attempts: tuple[Attempt, ...]
    terms: tuple[str, ...]
    moves: pastlog.Names
    warnings: tuple[Notice, ...] = ()


def tried(session: Session, trusted: str) -> Tried:
    """``trusted`` is the commit that counts as decided, '' for none."""
    place = session.place
    heads = gitlog.heads(place.repo)
    edge = pastlog.key_of([gitlog.shallow_edge(place.repo).decode("ascii", "replace")])
    main = sorted({*_main(heads), trusted or heads.head} - {""})
    names = [f"{branch.name} {branch.tip}" for branch in heads.branches]
    # Another version may find other things in the same history.
    key = pastlog.key_of([__version__, edge, heads.head, heads.here, *main, "", *names, "", *heads.tagged])
    found = pastlog.load_found(place.cache, key)
    if found is None:
        line = timeline(_commits(session, heads, edge))
        found = _found(place, line, heads, (key, main))
        pastlog.keep_found(place.cache, found)
    return _standing(found, int(session.now.timestamp()), _warnings(place, found))


def _main(heads: Heads) -> list[str]:
    return [branch.tip for branch in heads.branches if branch.name.rpartition("/")[2] in _MAIN]


def _commits(session: Session, heads: Heads, edge: str) -> list[Past]:
    """What was read before and the commits that came since; all of them where nothing fits any more."""
    place, tips = session.place, heads.tips
    kept = pastlog.load_commits(place.cache)
    if kept is not None and kept.edge == edge:
        known = [tip for tip, there in zip(kept.tips, objects.look_up(place.repo, kept.tips), strict=True) if there]
    else:
        kept, known = None, []
    wanted = Wanted(tips, known, _COMMITS_MOST, is_partial(place))
    fresh = [_short(each) for each in gitlog.read(place.repo, wanted, lambda number: session.tell(_progress(number)))]
    session.tell("")
    by_oid = {commit.oid: commit for commit in (*(kept.commits if kept else ()), *fresh)}
    found = sorted(_reached(by_oid, tips), key=lambda commit: (-commit.at, commit.oid))[:_COMMITS_MOST]
    if kept is None or len(fresh) >= _SAVED_LEAST:
        pastlog.keep_commits(place.cache, Commits(tuple(tips), edge, tuple(found)))
    return found


def _progress(number: int) -> str:
    return f"reading the history of all branches, once: {number} commits"


def _short(commit: Past) -> Past:
    """Of a message that takes nothing back, the subject is enough."""
    return commit if not commit.body or tells(commit) else replace(commit, body="")


def _reached(by_oid: Mapping[str, Past], tips: Iterable[str]) -> list[Past]:
    """Without what no branch holds any more."""
    found = {tip: by_oid[tip] for tip in tips if tip in by_oid}
    waiting = deque(found.values())
    while waiting:
        for parent in waiting.popleft().parents:
            if parent in by_oid and parent not in found:
                found[parent] = by_oid[parent]
                waiting.append(by_oid[parent])
    return list(found.values())


def _found(place: Place, line: Timeline, heads: Heads, about: tuple[str, Sequence[str]]) -> Found:
    key, main = about
    landed = Landed(frozenset(line.reach(main)), frozenset(line.reach(heads.tagged)), heads.here)
    left = abandoned(line, heads.branches, landed, lambda keys: gitlog.patches(place.repo, keys))
    every = tuple(sorted([*attempts(line), *left], key=lambda each: (each.rank, each.kind, each.ref)))
    return Found(
        key=key,
        attempts=every,
        terms=tuple(" ".join(sorted(set(words.terms(_searched(each))))) for each in every),
        times=line.times[-_TIMES_KEPT:],
        moves=_moves(line),
        count=len(line.commits),
    )


def _searched(attempt: Attempt) -> str:
    name = attempt.ref if attempt.kind == ABANDONED else ""
    return "\n".join((attempt.text, attempt.why, name, *attempt.files[:_FILES_IN_TERMS]))


def _moves(line: Timeline) -> dict[str, tuple[str, ...]]:
    """By path, the names that it was moved from; the newest moves."""
    pairs = [(t.rel, t.moved_from) for commit in reversed(line.commits) for t in commit.touches if t.moved_from]
    found: dict[str, dict[str, None]] = {}
    for rel, before in pairs[:_MOVES_KEPT]:
        found.setdefault(rel, {})[before] = None
    return {rel: tuple(names) for rel, names in found.items()}


def _standing(found: Found, now: int, warnings: tuple[Notice, ...]) -> Tried:
    """A branch is given up when it was quiet for two weeks before the newest commit; no commit is newer than now."""
    latest = max((time for time in found.times if time <= now), default=now)
    rows = [
        (replace(each, time=min(each.time, now)), terms)
        for each, terms in zip(found.attempts, found.terms, strict=True)
        if each.kind != ABANDONED or latest - min(each.time, now) >= QUIET_DAYS * DAY_S
    ]
    return Tried(tuple(each for each, _ in rows), tuple(terms for _, terms in rows), found.moves, warnings)


def _warnings(place: Place, found: Found) -> tuple[Notice, ...]:
    told = []
    if gitlog.shallow_edge(place.repo):
        message = f"this clone is shallow: only {found.count} commit(s) could be looked at"
        told.append(Notice("shallow-history", message, hint="fetch the rest: git fetch --unshallow"))
    if found.count >= _COMMITS_MOST:
        told.append(Notice("history-cut", f"only the newest {_COMMITS_MOST} commits were looked at"))
    return tuple(told)
