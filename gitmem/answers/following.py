"""Where the files of a pattern went that matches none any more, and the pattern for that place. Refuses to write it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gitmem.globs import trie
from gitmem.globs.dialect import literal_prefix
from gitmem.globs.following import Move, followed, move_of
from gitmem.record import record
from gitmem.store import renames
from gitmem.store.renames import Removal
from gitmem.store.repo import Repo

_STAGED = ""
_NAMED = 3


@record
class Trail:
    """``now`` is the pattern for where the files are, '' where they are in no one place; ``files`` are some of them.

    ``move`` is None where there is no such pattern.
    """

    pattern: str
    now: str
    move: Move | None
    files: tuple[str, ...]


def trails(repo: Repo, commit: str, patterns: Iterable[str], *, is_staged: bool = False) -> dict[str, Trail]:
    """By pattern; without those whose files were removed for good, and those that never matched any.

    Where ``is_staged``, what the index renames counts too.
    """
    dead = sorted(set(patterns))
    prefixes = ["/".join(literal_prefix(pattern)) for pattern in dead]
    history = [removal for below in _places(prefixes) for removal in renames.removals(repo, commit, below)]
    if is_staged:
        pairs = renames.renamed_in_index(repo)
        history.insert(0, Removal(_STAGED, tuple(pairs), pairs))
    last = _last_seen(dead, history)
    moved = {old: new for removal, rels in last.values() for old in rels if (new := removal.moved.get(old))}
    now = _followed_on(repo, commit, moved, [removal for removal, _ in last.values()])
    found = (_trail(pattern, rels, now) for pattern, (_, rels) in last.items())
    return {trail.pattern: trail for trail in found if trail}


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


def _followed_on(repo: Repo, commit: str, moved: Mapping[str, str], history: Sequence[Removal]) -> dict[str, str]:
    """Old path -> where the file is in the end."""
    staged = {new for removal in history if removal.commit == _STAGED for new in removal.moved.values()}
    present = staged | renames.existing(repo, commit, moved.values())
    gone = sorted({new for new in moved.values() if new not in present})
    later = renames.whereabouts(repo, commit, gone) if gone else {}
    now = {old: new if new in present else later.get(new, "") for old, new in moved.items()}
    return {old: new for old, new in now.items() if new}


def _trail(pattern: str, rels: Sequence[str], now: Mapping[str, str]) -> Trail | None:
    """Half of the files must have gone to one place: the others may have been removed with the move."""
    pairs = [(rel, now[rel]) for rel in rels if rel in now]
    if len(pairs) * 2 < len(rels) or not pairs:
        return None
    moves = {move_of(old, new) for old, new in pairs}
    files = tuple(sorted(new for _, new in pairs))
    move = next(iter(moves)) if len(moves) == 1 else None
    pattern_now = followed(pattern, move, files) if move else ""
    return Trail(pattern, pattern_now, move if pattern_now else None, files[:_NAMED])
