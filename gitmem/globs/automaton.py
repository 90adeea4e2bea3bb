"""A linear automaton over symbols: characters of a name, names of a path. Refuses to know what a symbol is."""

from collections.abc import Callable, Iterable

_DISTANCES_MAX = 256


class Layout:
    """Lays out the states of many sequences; the state reached last is where the next token starts.

    A token leads from its state to the next number, so tokens cost one shift; ``loops`` marks the states that stay
    on any symbol, ``forks`` leads to states that are reached without one.
    """

    __slots__ = ("ends", "forks", "loops", "size", "starts")

    def __init__(self) -> None:
        self.size = 0
        self.starts = 0
        self.loops = 0
        self.forks: dict[int, list[int]] = {}
        self.ends: dict[int, int] = {}

    def begin(self) -> None:
        self.starts |= 1 << self.size
        self.size += 1

    def advance(self) -> int:
        """Adds the state behind one token and returns its bit."""
        self.size += 1
        return 1 << (self.size - 1)

    def loop(self) -> None:
        self.loops |= 1 << (self.size - 1)

    def fork(self, origin: int) -> None:
        """Adds a state that is reached from ``origin`` without a symbol."""
        self.forks.setdefault(origin, []).append(self.size)
        self.size += 1

    def join(self, origins: Iterable[int]) -> None:
        """Adds a state that is reached from each of ``origins`` without a symbol."""
        for origin in origins:
            self.forks.setdefault(origin, []).append(self.size)
        self.size += 1

    def end(self) -> None:
        self.ends[self.size - 1] = len(self.ends)


class _Row:
    """A set of states, where single symbols lead from it, and the sequences that end in it once they were asked for."""

    __slots__ = ("after", "ended", "states")

    def __init__(self, states: int) -> None:
        self.states = states
        self.after: dict[str, _Row] = {}
        self.ended: tuple[int, ...] | None = None


class _Forks:
    """What states lead to without a symbol; always to higher states."""

    __slots__ = ("_alike", "_reached", "bits")

    def __init__(self, targets: dict[int, list[int]]) -> None:
        self.bits = _bits(targets)
        self._reached: dict[int, int] = {}
        for state in sorted(targets, reverse=True):  # what a state leads to is known before the state
            reached = 0
            for target in targets[state]:
                reached |= (self._reached.get(target, 0) | 1) << (target - state)
            self._reached[state] = reached
        self._alike = self._followed_together()

    def closed(self, states: int) -> int:
        """The same states and all that they lead to."""
        waiting = states & self.bits
        if self._alike:
            for origins, distances in self._alike:
                hit = waiting & origins
                if hit:
                    for distance in distances:
                        states |= hit << distance
            return states
        while waiting:
            lowest = (waiting & -waiting).bit_length() - 1
            reached = (self._reached[lowest] | 1) << lowest
            states |= reached
            waiting ^= waiting & reached
        return states

    def _followed_together(self) -> list[tuple[int, list[int]]]:
        """States that lead over the same distances, with these; empty where so few are alike that it does not pay."""
        origins: dict[int, int] = {}
        for state, reached in self._reached.items():
            origins[reached] = origins.get(reached, 0) | 1 << state
        if sum(reached.bit_count() + 1 for reached in origins) > _DISTANCES_MAX:
            return []
        return [(states, _states(reached)) for reached, states in origins.items()]


class Automaton:
    """All sequences of a layout at once, each state a bit of one integer (shift-and, Baeza-Yates and Gonnet 1992).

    A step costs a few integer operations whatever the input, so there is nothing to blow up; steps taken before are
    remembered, as many as ``remembered`` says. ``accepts`` says which states a symbol can lead to.
    """

    __slots__ = ("_accepts", "_end_bits", "_ends", "_first", "_forks", "_left", "_loops", "_rows")

    def __init__(self, layout: Layout, accepts: Callable[[str], int], *, remembered: int) -> None:
        self._accepts = accepts
        self._loops = layout.loops
        self._forks = _Forks(layout.forks)
        self._ends = layout.ends
        self._end_bits = _bits(layout.ends)
        self._left = remembered
        self._first = _Row(self._forks.closed(layout.starts))
        self._rows = {self._first.states: self._first}

    def accepted(self, symbols: Iterable[str]) -> tuple[int, ...]:
        """The numbers, ascending, of the sequences that match all of ``symbols``."""
        row = self._first
        for symbol in symbols:
            row = row.after.get(symbol) or self._advance(row, symbol)
            if not row.states:
                return ()
        if row.ended is None:
            row.ended = tuple(self._ends[state] for state in _states(row.states & self._end_bits))
        return row.ended

    def _advance(self, row: _Row, symbol: str) -> _Row:
        states = (row.states << 1) & self._accepts(symbol) | row.states & self._loops
        if states & self._forks.bits:
            states = self._forks.closed(states)
        if self._left <= 0:
            return self._rows.get(states) or _Row(states)
        self._left -= 1
        reached = row.after[symbol] = self._rows.setdefault(states, _Row(states))
        return reached


def _bits(states: Iterable[int]) -> int:
    return sum(1 << state for state in states)


def _states(bits: int) -> list[int]:
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
