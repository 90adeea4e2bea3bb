"""A file in parts: what is open, what frames it, imports, signatures, bodies, comments. Refuses to leave a byte out."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.code.source import BODIES, Source
from gitmem.record import record

OPEN, FRAME, IMPORT, SHOWN, BODY, SILENT = "open", "frame", "import", "shown", "body", "silent"
_DEEPEST = 12
# A type without definitions of its own, an enumeration or a record, is short enough to be read as it stands.
_SHORT_LINES = 8
_BRACKETS = {ord("{"): b"}", ord("["): b"]", ord("("): b")"}


@record
class Part:
    """Bytes of a file. BODY is left out of a skeleton, SILENT too and without a word; ``name`` is the definition that
    a part begins or belongs to, '' for none."""

    start: int
    end: int
    kind: str
    name: str = ""


class Cut:
    """Cuts a file once. ``open_`` are the numbers of the symbols that are to be whole; bodies of up to
    ``threshold_lines`` lines are not worth a fold. ``is_deep``: what neither is open nor frames it is cut up too."""

    def __init__(self, source: Source, open_: frozenset[int], threshold_lines: int, *, is_deep: bool = True) -> None:
        self._source, self._open, self._threshold, self._is_deep = source, open_, threshold_lines, is_deep
        self._framing = {above for number in open_ for above in _around(source, number)}

    def parts(self) -> list[Part]:
        """In order and without gaps between them; none is empty."""
        found = self._within(0, len(self._source.content), -1, 0)
        return [part for part in found if part.end > part.start]

    def _within(self, start: int, end: int, owner: int, depth: int) -> Iterator[Part]:
        around = FRAME if owner < 0 or owner in self._framing else SHOWN
        at, before = start, around
        for number in self._source.kids.get(owner, ()):
            symbol = self._source.symbol(number)
            if symbol.start < at or symbol.end > end:
                continue
            after = FRAME if number in self._open or number in self._framing else SHOWN
            yield from self._gap((at, symbol.start), before, after)
            yield from self._symbol(number, depth)
            at, before = symbol.end, after
        yield from self._gap((at, end), before, around if owner >= 0 else SHOWN)

    def _symbol(self, number: int, depth: int) -> Iterator[Part]:
        symbol, name = self._source.symbol(number), self._source.name(number)
        if number in self._open:
            yield Part(symbol.start, symbol.end, OPEN, name)
            return
        frame = FRAME if number in self._framing else SHOWN
        if frame == SHOWN and not self._is_deep:
            yield Part(symbol.start, symbol.end, BODY, name)
            return
        begin, stop = symbol.body_start, symbol.body_end
        if not symbol.start < begin < stop <= symbol.end:
            yield from self._bodiless(number, frame)
        elif number in self._framing or self._is_container(number, depth):
            yield Part(symbol.start, begin, frame, name)
            yield from self._within(begin, stop, number, depth + 1)
            yield Part(stop, symbol.end, frame, name)
        elif self._lines(begin, stop) <= self._threshold:
            yield Part(symbol.start, symbol.end, frame, name)
        else:
            yield Part(symbol.start, begin, frame, name)
            yield Part(begin, stop, BODY, name)
            yield Part(stop, symbol.end, frame, name)

    def _is_container(self, number: int, depth: int) -> bool:
        symbol = self._source.symbol(number)
        if symbol.kind in BODIES or depth >= _DEEPEST:
            return False
        is_short = self._lines(symbol.body_start, symbol.body_end) <= _SHORT_LINES
        return number in self._source.kids or is_short

    def _bodiless(self, number: int, frame: str) -> Iterator[Part]:
        """A long value is folded behind its first line, within its brackets where it has them."""
        symbol, name = self._source.symbol(number), self._source.name(number)
        if self._lines(symbol.start, symbol.end) <= self._threshold + 1:
            yield Part(symbol.start, symbol.end, frame, name)
            return
        content = self._source.content
        first = content.index(b"\n", symbol.start)
        last = content.rindex(b"\n", 0, symbol.end)
        opening = content[symbol.start : first].rstrip()[-1:]
        closing = content[last : symbol.end].strip(b" \t\r\n;,")[:1]
        is_bracketed = bool(opening) and _BRACKETS.get(opening[0]) == closing and last > first
        end = last + 1 if is_bracketed else symbol.end
        yield Part(symbol.start, first + 1 if is_bracketed else first, frame, name)
        yield Part(first + 1 if is_bracketed else first, end, BODY, name)
        yield Part(end, symbol.end, frame, name)

    def _gap(self, span: tuple[int, int], before: str, after: str) -> Iterator[Part]:
        """Between two definitions: the rests of their lines go with them, whole lines are sorted by what they are."""
        start, end = span
        if not self._is_deep and before == after == SHOWN and not self._has_import(start, end):
            yield Part(start, end, SHOWN if self._source.content[start:end].strip() else SILENT)
            return
        if self._source.is_comment(start):
            stop = min(end, self._source.comment_end(start))
            yield Part(start, stop, SILENT)
            start = stop
        content = self._source.content
        first = content.find(b"\n", start, end) + 1
        if not first:
            rest = bool(content[start:end].strip())
            yield Part(start, end, before if rest and after == SHOWN else after)
            return
        last = content.rindex(b"\n", start, end) + 1
        if start and content[start - 1 : start] != b"\n":
            yield Part(start, first, before)
        else:
            first = start
        yield from self._lines_between(first, last)
        yield Part(last, end, after)

    def _has_import(self, start: int, end: int) -> bool:
        first, last = self._source.line_of(start), self._source.line_of(end)
        return any(first <= line <= last for line in self._source.import_lines)

    def _lines_between(self, start: int, end: int) -> Iterator[Part]:
        """Runs of whole lines of one kind, each import by itself; a blank line or a comment in code belongs to it."""
        run = Part(start, start, SILENT)
        depth = 0
        for at, stop in self._rows(start, end):
            is_begun = depth > 0
            kind = IMPORT if is_begun else self._kind(at, stop)
            depth = _depth(self._source.content[at:stop], depth) if kind == IMPORT else 0
            if kind == run.kind and (is_begun or kind != IMPORT):
                run = Part(run.start, stop, kind)
            elif kind != SILENT:
                yield self._run(run)
                yield Part(run.end, at, SILENT)
                run = Part(at, stop, kind)
        yield self._run(run)
        yield Part(run.end, end, SILENT)

    def _run(self, run: Part) -> Part:
        is_long = run.kind == SHOWN and self._lines(run.start, run.end) > self._threshold + 1
        return Part(run.start, run.end, BODY) if is_long else run

    def _rows(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        at = start
        while at < end:
            stop = self._source.content.find(b"\n", at, end) + 1 or end
            yield at, stop
            at = stop

    def _kind(self, start: int, stop: int) -> str:
        row = self._source.content[start:stop]
        bare = row.lstrip()
        if not bare or self._source.is_comment(stop - len(bare)):
            return SILENT
        line, imports = self._source.line_of(start), self._source.import_lines
        is_import = line in imports or (line + 1 in imports and _depth(row, 0) > 0)
        return IMPORT if is_import else SHOWN

    def _lines(self, start: int, end: int) -> int:
        return self._source.content.count(b"\n", start, end) + 1


def _around(source: Source, number: int) -> Iterator[int]:
    above = source.above.get(number, -1)
    while above >= 0:
        yield above
        above = source.above.get(above, -1)


def _depth(row: bytes, depth: int) -> int:
    """Brackets that an import leaves open: it goes on in the next line."""
    opened = sum(map(row.count, (b"(", b"{", b"[")))
    return depth + opened - sum(map(row.count, (b")", b"}", b"]")))
