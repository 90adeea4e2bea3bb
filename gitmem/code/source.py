"""One file as it is cut for reading: its bytes and what is said of them. Refuses to read either."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from gitmem.model.code import Facts, Symbol, qualified
from gitmem.text.tokens import estimate

TYPES = frozenset({"class", "interface", "struct", "enum", "trait"})
# What is opened or folded whole; a body of any other kind holds definitions.
BODIES = frozenset({"function", "method", "constructor", "test", "job", "hook", "command"})

# Longer spans are judged by what a token of this file takes.
_COUNTED_BYTES = 2000
_SAMPLED_BYTES = 16_000


class Source:
    """A file at a path, by the id of its blob. Offsets are bytes, lines count from 1."""

    def __init__(self, path: str, oid: str, content: bytes, facts: Facts) -> None:
        self.path, self.oid, self.content, self.facts = path, oid, content, facts

    @cached_property
    def line_starts(self) -> list[int]:
        starts, at = [0], self.content.find(b"\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.content.find(b"\n", at + 1)
        return starts

    @cached_property
    def kids(self) -> dict[int, list[int]]:
        """The symbols that lie in the body of each, -1 for the file, in the order of their start.

        By where they stand, not by their owners: a method may be written far from its type.
        """
        found: dict[int, list[int]] = {}
        above: list[int] = []
        symbols = self.facts.symbols
        for number in sorted(range(len(symbols)), key=lambda n: (symbols[n].start, -symbols[n].end)):
            symbol = symbols[number]
            while above and symbols[above[-1]].end < symbol.end:
                above.pop()
            while above and symbols[above[-1]].end <= symbol.start:
                above.pop()
            found.setdefault(above[-1] if above else -1, []).append(number)
            if symbol.end > symbol.start:
                above.append(number)
        return found

    @cached_property
    def above(self) -> dict[int, int]:
        """The symbol around each that lies in one."""
        return {kid: owner for owner, kids in self.kids.items() for kid in kids if owner >= 0}

    @cached_property
    def import_lines(self) -> frozenset[int]:
        return frozenset(row.line for row in self.facts.imports)

    @cached_property
    def _comment_starts(self) -> list[int]:
        return [start for start, _ in self.facts.comments]

    def line_of(self, offset: int) -> int:
        return bisect_right(self.line_starts, offset)

    def is_comment(self, offset: int) -> bool:
        return self.comment_end(offset) > offset

    def comment_end(self, offset: int) -> int:
        """Where the comment that the offset lies in ends, 0 when it lies in none."""
        at = bisect_right(self._comment_starts, offset) - 1
        end = self.facts.comments[at][1] if at >= 0 else 0
        return end if end > offset else 0

    def text(self, start: int = 0, end: int | None = None) -> str:
        """What is no UTF-8 becomes the sign for that."""
        return self.content[start:end].decode("utf-8", "replace")

    @cached_property
    def _tokens_a_byte(self) -> float:
        sample = self.text(0, _SAMPLED_BYTES)
        return estimate(sample) / max(1, len(sample.encode("utf-8", "replace")))

    def tokens(self, start: int, end: int) -> int:
        """About what the span takes."""
        if end - start <= _COUNTED_BYTES:
            return estimate(self.text(start, end))
        return round((end - start) * self._tokens_a_byte)

    def symbol(self, number: int) -> Symbol:
        return self.facts.symbols[number]

    def name(self, number: int) -> str:
        return qualified(self.facts.symbols, number)
