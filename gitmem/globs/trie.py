"""Many patterns in buckets by literal prefix, so that a path reads only the buckets along it. Refuses to store them."""

from collections.abc import Iterable, Iterator, Sequence

from gitmem.globs.dialect import literal_names, parse
from gitmem.globs.paths import PathMatcher, enter, segments_of
from gitmem.globs.segments import DOUBLE_STAR, Segment, Wilds, WildTable

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a cold process more than a compile does
    from typing import TypedDict

    class Step(TypedDict, total=False):
        """One place in a trie; a number is a place in the list of steps."""

        lit: dict[str, int]  # literal segment -> step
        wild: WildTable  # wild segment -> step
        deep: int  # the step behind a ``**``
        stay: int  # 1 where a ``**`` led here, so that any segment stays here
        end: list[int]  # values of the patterns that end here

    class Node(TypedDict):
        """A trie; flat, so that a deep one costs no recursion. The first step is the root."""

        steps: list[Step]
else:
    Step = Node = dict

TRIE_VERSION = 1
# Deeper literal prefixes lie in the trie itself, so that the keys of a path stay few and short.
_KEY_SEGMENTS_MAX = 32
_WALKED_MAX = 64
_ROOT = Segment("")


def build(patterns: Iterable[tuple[str, int]]) -> dict[str, Node]:
    """Buckets of plain JSON values by the literal prefix of their patterns; raises GlobError.

    The same pairs in the same order give the same buckets. A pattern may have several values, a value several patterns.
    """
    buckets: dict[str, Node] = {}
    for pattern, value in patterns:
        for sequence in parse(pattern).sequences:
            names = literal_names(sequence)[:_KEY_SEGMENTS_MAX]
            bucket = buckets.setdefault("/".join(names), {"steps": [{}]})
            _insert(bucket["steps"], sequence[len(names) :], value)
    return buckets


def lookup_keys(path: str) -> list[str]:
    """The keys of all buckets that may concern a path, shortest first."""
    names = segments_of(path)[:_KEY_SEGMENTS_MAX]
    return ["/".join(names[:count]) for count in range(len(names) + 1)] if names else []


def match(bucket: Node, key: str, path: str) -> list[int]:
    """The values in one bucket whose patterns match a path; ascending, each once."""
    names = segments_of(path)
    depth = key.count("/") + 1 if key else 0
    if not names or "/".join(names[:depth]) != key:
        return []
    if len(names) - depth > _WALKED_MAX:
        return _deep_values(bucket["steps"], names[depth:])
    walk = _Walk(bucket["steps"])
    state = walk.start()
    for name in names[depth:]:
        state = walk.onward(state, name)
    return sorted({value for at in state for value in bucket["steps"][at].get("end", ())})


def first_matches(patterns: Sequence[str], paths: Sequence[str]) -> list[str | None]:
    """For each pattern the first of ``paths`` that it matches, or None; raises GlobError."""
    distinct = {pattern: number for number, pattern in enumerate(dict.fromkeys(patterns))}
    steps: list[Step] = [{}]
    for pattern, number in distinct.items():
        for sequence in parse(pattern).sequences:
            _insert(steps, sequence, number)
    found: dict[int, str] = {}
    tree = _Tree(steps)
    for path in paths:
        if len(found) == len(distinct):
            break
        for number in tree.take(path):
            found.setdefault(number, path)
    return [found.get(distinct[pattern]) for pattern in patterns]


def all_matches(patterns: Sequence[str], paths: Iterable[str]) -> Iterator[tuple[str, list[int]]]:
    """The paths that some pattern matches, with the numbers of all that do, ascending; raises GlobError."""
    steps: list[Step] = [{}]
    for number, pattern in enumerate(patterns):
        for sequence in parse(pattern).sequences:
            _insert(steps, sequence, number)
    tree = _Tree(steps)
    for path in paths:
        values = tree.values(path)
        if values:
            yield path, values


def _insert(steps: list[Step], segments: Iterable[Segment], value: int) -> None:
    at = 0
    for segment in segments:
        step, fresh = steps[at], len(steps)
        if segment.is_double_star:
            at = step.setdefault("deep", fresh)
        elif segment.literal is not None:
            at = step.setdefault("lit", {}).setdefault(segment.literal, fresh)
        else:
            at = enter(step.setdefault("wild", {}), segment, fresh)
        if at == fresh:
            steps.append({"stay": 1} if segment.is_double_star else {})
    values = steps[at].setdefault("end", [])
    if value not in values[-1:]:
        values.append(value)


class _Walk:
    """Follows names through a trie; a state is every step that the names so far can have led to."""

    __slots__ = ("_steps", "_wilds")

    def __init__(self, steps: list[Step]) -> None:
        self._steps = steps
        self._wilds: dict[int, Wilds] = {}

    def start(self) -> tuple[int, ...]:
        return self._with_deep([0])

    def onward(self, state: tuple[int, ...], name: str) -> tuple[int, ...]:
        reached: list[int] = []
        for at in state:
            step = self._steps[at]
            if "stay" in step:
                reached.append(at)
            if "lit" in step and name in step["lit"]:
                reached.append(step["lit"][name])
            if "wild" in step:
                reached += self._wilds_at(at, step["wild"]).matching(name)
        return self._with_deep(reached)

    def _with_deep(self, reached: list[int]) -> tuple[int, ...]:
        deep = [self._steps[at]["deep"] for at in reached if "deep" in self._steps[at]]
        return tuple(dict.fromkeys(reached + deep))

    def _wilds_at(self, at: int, table: WildTable) -> Wilds:
        wilds = self._wilds.get(at)
        if wilds is None:
            wilds = self._wilds[at] = Wilds(table)
        return wilds


class _Tree:
    """Follows many paths through a trie, each folder once."""

    __slots__ = ("_folders", "_steps", "_walk")

    def __init__(self, steps: list[Step]) -> None:
        self._steps = steps
        self._walk = _Walk(steps)
        self._folders = {"": self._walk.start()}

    def take(self, path: str) -> list[int]:
        """Takes the values that ``path`` matches out of the trie."""
        names = segments_of(path)
        if not names:
            return []
        if len(names) > _WALKED_MAX:
            return _deep_values(self._steps, names)
        folder, _, name = path.rpartition("/")
        values: list[int] = []
        for at in self._walk.onward(self._state_of(folder), name):
            values += self._steps[at].pop("end", ())
        return values

    def values(self, path: str) -> list[int]:
        """The values that ``path`` matches; ascending, each once."""
        folder, _, name = path.rpartition("/")
        if path.count("/") >= _WALKED_MAX:
            return _deep_values(self._steps, segments_of(path))
        state = self._state_of(folder) if folder else self._folders[""]
        if not state or not segments_of(path):
            return []
        reached = self._walk.onward(state, name)
        return sorted({value for at in reached for value in self._steps[at].get("end", ())})

    def _state_of(self, folder: str) -> tuple[int, ...]:
        state = self._folders.get(folder)
        if state is None:
            parent, _, name = folder.rpartition("/")
            state = self._folders[folder] = self._walk.onward(self._state_of(parent), name)
        return state


def _deep_values(steps: list[Step], names: Sequence[str]) -> list[int]:
    """What a walk would find, by one automaton over the whole trie: a path of many segments visits each step often."""
    origins: list[tuple[int, Segment]] = [(0, _ROOT)] * len(steps)
    for at, step in enumerate(steps):
        for segment, following in _edges(step):
            origins[following] = (at, segment)
    ends = [at for at, step in enumerate(steps) if "end" in step]
    matcher = PathMatcher(_sequence_to(at, origins) for at in ends)
    return sorted({value for number in matcher.matching(names) for value in steps[ends[number]]["end"]})


def _edges(step: Step) -> Iterator[tuple[Segment, int]]:
    for name, following in step.get("lit", {}).items():
        yield Segment(name, name), following
    for head, tails in step.get("wild", {}).items():
        for tail, keys in tails.items():
            for key, following in keys.items():
                yield Segment(key, None, (head, tail, key)), following
    if "deep" in step:
        yield Segment(DOUBLE_STAR), step["deep"]


def _sequence_to(at: int, origins: Sequence[tuple[int, Segment]]) -> list[Segment]:
    segments = []
    while at:
        at, segment = origins[at]
        segments.append(segment)
    return segments[::-1]
