"""Where the files of a pattern went that matches none any more, and the pattern for that place. Refuses to write it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem.globs import trie
from gitmem.globs.dialect import literal_prefix
from gitmem.globs.following import Move, followed, move_of
from gitmem.record import record
from gitmem.store import renames
from gitmem.store.renames import Removal
from gitmem.store.repo import Repo

_STAGED = ""
_NAMED = 3
_STEPS_MOST = 8


@record
class Trail:
    """``now`` is the pattern for where the files are, '' where they are in no one place; ``files`` are some of them.
    ``move`` is what became of one that the pattern meant at first."""

    pattern: str
    now: str
    move: Move
    files: tuple[str, ...]


@record
class _Step:
    """What one removal made of a pattern; ``pairs`` are (new, old) paths, sorted."""

    now: str
    pairs: tuple[tuple[str, str], ...]


def trails(
    repo: Repo, commit: str, patterns: Iterable[str], files: Sequence[str], *, is_staged: bool = False
) -> dict[str, Trail]:
    """By pattern, rename after rename until some of ``files``, those of the commit, match; without patterns whose files
    were removed for good, and those that never matched any.

    Where ``is_staged``, what the index renames counts too.
    """
    found: dict[str, Trail] = {}
    one: dict[str, tuple[str, str]] = {}
    waiting = {pattern: pattern for pattern in patterns}
    staged = _staged(repo) if is_staged else []
    for _ in range(_STEPS_MOST):
        steps = _steps(repo, commit, set(waiting.values()), staged) if waiting else {}
        trips: dict[str, Trail] = {}
        for start, at in waiting.items():
            if at in steps:
                one[start] = _followed_on(one.get(start), steps[at])
                files_now = tuple(new for new, _ in steps[at].pairs[:_NAMED])
                trips[start] = Trail(start, steps[at].now, move_of(*one[start]), files_now)
        lost = waiting.keys() - trips.keys()
        found = {start: trail for start, trail in (found | trips).items() if start not in lost}
        matched = trie.first_matches([trail.now or "**" for trail in trips.values()], files)
        pairs = zip(trips.items(), matched, strict=True)
        waiting = {start: trail.now for (start, trail), file in pairs if trail.now and file is None}
    return {start: trail for start, trail in found.items() if start not in waiting}


def _staged(repo: Repo) -> list[Removal]:
    pairs = renames.renamed_in_index(repo)
    return [Removal(_STAGED, tuple(pairs), pairs)]


def _followed_on(before: tuple[str, str] | None, step: _Step) -> tuple[str, str]:
    """Where one file was at first and is now; another one takes its place where its own way ends."""
    was = {old: new for new, old in step.pairs}
    if before is not None and before[1] in was:
        return before[0], was[before[1]]
    return step.pairs[0][1], step.pairs[0][0]


def _steps(repo: Repo, commit: str, patterns: Iterable[str], staged: Sequence[Removal]) -> dict[str, _Step]:
    """What the removal that left each pattern without a file made of it."""
    dead = sorted(patterns)
    prefixes = ["/".join(literal_prefix(pattern)) for pattern in dead]
    history = [*staged, *(each for below in _places(prefixes) for each in renames.removals(repo, commit, below))]
    last = _last_seen(dead, history)
    found = {pattern: _step(pattern, rels, removal) for pattern, (removal, rels) in last.items()}
    return {pattern: step for pattern, step in found.items() if step}


def hints(repo: Repo, patterns: Iterable[str], files: Sequence[str]) -> dict[str, str]:
    """What to do about patterns that match nothing because their files moved, by pattern; staged moves count too."""
    found = trails(repo, "HEAD", patterns, files, is_staged=repo.root is not None)
    return {pattern: _hint(trail) for pattern, trail in found.items()}


def _hint(trail: Trail) -> str:
    if trail.now:
        return f"its files have moved: write {trail.now!r}, or have it proposed: gitmem scopes follow"
    return f"its files have moved to several places, for example {trail.files[0]}: write a pattern for each"


def _places(prefixes: Sequence[str]) -> list[list[str]]:
    """What begins with a folder is asked for by itself: the newest removals of the whole tree would crowd it out."""
    named = sorted({prefix for prefix in prefixes if prefix})
    return [*([named] if named else []), *([[""]] if "" in prefixes else [])]


def _last_seen(patterns: Sequence[str], history: Sequence[Removal]) -> dict[str, tuple[Removal, list[str]]]:
    """For each pattern the removal that left it without a file, and what it meant until then."""
    found: dict[str, tuple[Removal, list[str]]] = {}
    for removal in history:
        rows: dict[str, list[str]] = {}
        for rel, numbers in trie.all_matches(patterns, removal.gone):
            for number in numbers:
                rows.setdefault(patterns[number], []).append(rel)
        for pattern, rels in rows.items():
            found.setdefault(pattern, (removal, rels))
    return found


def _step(pattern: str, rels: Sequence[str], removal: Removal) -> _Step | None:
    """Half of the files must have gone to one place: the others may have been removed with the move."""
    pairs = sorted((new, old) for old in rels if (new := removal.moved.get(old)))
    if len(pairs) * 2 < len(rels) or not pairs:
        return None
    moves = {move_of(old, new) for new, old in pairs}
    files = [new for new, _ in pairs]
    return _Step(followed(pattern, next(iter(moves)), files) if len(moves) == 1 else "", tuple(pairs))
