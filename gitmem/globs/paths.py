"""Paths as segments, and sequences of glob segments matched against them. Refuses pattern text: it gets it parsed."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from gitmem.globs.automaton import Automaton, Layout
from gitmem.globs.segments import Segment, Wilds, WildTable

# No file of a repository has one of these in its path; Git's own folder is nobody's scope.
_NEVER = frozenset({"", ".", "..", ".git"})
_REMEMBERED = 64


@lru_cache(maxsize=64)
def segments_of(path: str) -> tuple[str, ...]:
    """The names along a repo-relative path; empty for a path that no pattern matches."""
    names = tuple(path.split("/"))
    return names if _NEVER.isdisjoint(names) else ()


class PathMatcher:
    """Matches paths against several sequences of segments at once, in time linear in the path."""

    __slots__ = ("_automaton", "_bits", "_known", "_literals", "_wilds")

    def __init__(self, sequences: Iterable[Sequence[Segment]]) -> None:
        table: WildTable = {}
        self._bits: list[int] = []
        self._literals: dict[str, int] = {}
        self._known: dict[str, int] = {}
        layout = Layout()
        for sequence in sequences:
            layout.begin()
            for segment in sequence:
                self._lay_out(segment, layout, table)
            layout.end()
        self._wilds = Wilds(table)
        self._automaton = Automaton(layout, self._accepts, remembered=_REMEMBERED)

    def matching(self, names: Sequence[str]) -> tuple[int, ...]:
        """The numbers, ascending, of the sequences that match the path made of ``names``."""
        return self._automaton.accepted(names) if names else ()

    def _lay_out(self, segment: Segment, layout: Layout, table: WildTable) -> None:
        if segment.is_double_star:
            layout.loop()
        elif segment.literal is not None:
            self._literals[segment.literal] = self._literals.get(segment.literal, 0) | layout.advance()
        else:
            number = enter(table, segment, len(self._bits))
            if number == len(self._bits):
                self._bits.append(0)
            self._bits[number] |= layout.advance()

    def _accepts(self, name: str) -> int:
        bits = self._known.get(name)
        if bits is None:
            bits = self._literals.get(name, 0)
            for number in self._wilds.matching(name):
                bits |= self._bits[number]
            if len(self._known) < _REMEMBERED:
                self._known[name] = bits
        return bits


def enter(table: WildTable, segment: Segment, number: int) -> int:
    """The number of a wild segment in the table, which is ``number`` when it was not there."""
    head, tail, key = segment.place
    return table.setdefault(head, {}).setdefault(tail, {}).setdefault(key, number)
