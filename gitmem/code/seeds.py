"""What a task names, found in a tree: files by path first, then definitions by name. Refuses names that mean too many.

A path binds a file by as much of its end as agrees, so that a path of another machine binds as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gitmem.code.atlas import Atlas
from gitmem.code.task import Task
from gitmem.model.code import Place
from gitmem.record import record

HINT, PATH, TRACE, SYMBOL, ROUTE, CHANGE = "path hint", "path", "trace", "symbol", "route", "changed"
_MOST_FILES = 3
_MOST_PLACES = 6
_MOST = 40


@record
class Seed:
    """A file, with the number of a definition in it or -1; ``named`` is what the task says, ``by`` what it is."""

    path: str
    number: int
    by: str
    named: str


@record
class Seeded:
    """``resolved`` are the names that lead somewhere, ``missing`` those that lead nowhere, ``crowded`` those that mean
    too many things to choose."""

    seeds: tuple[Seed, ...]
    resolved: frozenset[str]
    missing: tuple[str, ...]
    crowded: tuple[str, ...]


class Ends:
    """The paths of a tree by the last part of them."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = {}
        self._folders: set[str] = set()
        for path in paths:
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def files(self, written: str) -> list[str]:
        """The files whose paths agree with the longest end of what is written; none when they are many."""
        parts = written.replace("\\", "/").removeprefix("./").strip("/").split("/")
        found = self._by_name.get(parts[-1], [])
        for size in range(2, len(parts) + 1):
            end = "/".join(parts[-size:])
            closer = [path for path in found if path == end or path.endswith(f"/{end}")]
            if not closer:
                break
            found = closer
        return found if len(found) <= _MOST_FILES else []


def seeds(atlas: Atlas, task: Task, hints: Sequence[str] = (), names: Sequence[str] = ()) -> Seeded:
    """``hints`` are paths and ``names`` keywords that the asker gives beside the task."""
    ends = Ends(path for path in atlas.paths if path)
    found: dict[tuple[str, int], Seed] = {}
    resolved: set[str] = set()
    missing: list[str] = []
    crowded: list[str] = []
    for named, by, kept in _asked(atlas, ends, task, hints, names):
        if kept is None:
            crowded.append(named)
            continue
        if not kept and by != PATH:
            missing.append(named)
        if kept:
            resolved.add(named)
        for place in kept:
            found.setdefault((place.path, place.number), Seed(place.path, place.number, by, named))
    return Seeded(tuple(found.values())[:_MOST], frozenset(resolved), tuple(dict.fromkeys(missing)), tuple(crowded))


def _asked(
    atlas: Atlas, ends: Ends, task: Task, hints: Sequence[str], names: Sequence[str]
) -> Iterator[tuple[str, str, list[Place] | None]]:
    bound: set[str] = set()
    for written, by in [*((hint, HINT) for hint in hints), *((path, PATH) for path in task.paths)]:
        files = ends.files(written)
        bound.update((written.rpartition("/")[2].partition(".")[0],) if files else ())
        yield written, by, [Place(path, -1) for path in files]
    for frame in task.frames:
        files = ends.files(frame.path)
        yield f"{frame.path}:{frame.line}", TRACE, [_at_line(atlas, path, frame.line) for path in files]
    for route in task.routes:
        yield f"{route.method} {route.path}", ROUTE, atlas.defined(f"{route.method} {route.path}")[:_MOST_PLACES]
    for name in dict.fromkeys([*names, *task.identifiers]):
        # A path binds its file before its stem is tried as a name.
        if name not in bound:
            yield name, SYMBOL, _defined(atlas, name)


def _at_line(atlas: Atlas, path: str, line: int) -> Place:
    """The innermost definition around a line."""
    symbols = atlas.facts(path).symbols
    around = [n for n, symbol in enumerate(symbols) if symbol.line <= line <= symbol.end_line and symbol.body_end]
    return Place(path, max(around, key=lambda n: symbols[n].start, default=-1))


def _defined(atlas: Atlas, name: str) -> list[Place] | None:
    """None where so many are called so that naming them says nothing."""
    owner, _, last = name.rpartition(".")
    places = atlas.defined(last)
    if owner:
        wanted = owner.rpartition(".")[2].casefold()
        closer = [place for place in places if _is_within(atlas, place, wanted)]
        places = closer or (places if len(places) == 1 else [])
    return places if len(places) <= _MOST_PLACES else None


def _is_within(atlas: Atlas, place: Place, wanted: str) -> bool:
    symbols = atlas.facts(place.path).symbols
    owner = symbols[place.number].owner
    around = symbols[owner].name if owner >= 0 else symbols[place.number].outer
    folders = place.path.rpartition(".")[0].casefold().split("/")
    return around.casefold() == wanted or wanted in folders[-2:]
