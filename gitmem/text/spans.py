"""The digest of a span of lines, blind to white space, and the search for a span. Refuses to know files.

``t1:`` and 40 hex digits: 8 of sha256 over the first line, by which a span can be looked for without its text, then 32
of sha256 over all lines, each with a LF. A line is taken without the blanks at its ends and with one space for each run
of blanks in it; empty ones are left out. See ``docs/data-format.md``.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from gitmem.lazy import load
from gitmem.record import record

ALGORITHM = "t1"
PREFIX = f"{ALGORITHM}:"
_ANCHOR, _REST = 8, 32
_DIGEST = re.compile(r"t1:[0-9a-f]{40}")
_LINES = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?")
_BOM = b"\xef\xbb\xbf"


@record
class Span:
    """Lines ``start`` to ``end``, from 1, both included."""

    start: int
    end: int

    def __str__(self) -> str:
        return str(self.start) if self.start == self.end else f"{self.start}-{self.end}"


def is_digest(text: str) -> bool:
    return _DIGEST.fullmatch(text) is not None


def span_of(text: str) -> Span | None:
    """``12`` or ``12-20``; None for anything else, an end before the start included."""
    found = _LINES.fullmatch(text)
    if found is None:
        return None
    start = int(found[1])
    end = int(found[2] or start)
    return Span(start, end) if start <= end else None


def folded(data: bytes) -> list[bytes]:
    """The lines of a file without what white space adds; those of blanks alone are there and empty, so that line
    numbers hold. Bytes that are no UTF-8 are compared as they are."""
    return [b" ".join(line.split()) for line in data.removeprefix(_BOM).split(b"\n")]


def digest(text: str) -> str:
    """The digest of a text as a whole."""
    return digest_of(folded(text.encode("utf-8", "surrogatepass")))


def digest_of(lines: Sequence[bytes]) -> str:
    """``lines`` come from ``folded``."""
    full = [line for line in lines if line]
    whole = hashlib.sha256(b"".join(line + b"\n" for line in full)).hexdigest()
    return PREFIX + _anchor(full[0] if full else b"") + whole[:_REST]


def _anchor(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()[:_ANCHOR]


def places(lines: Sequence[bytes], wanted: str, most: int, steps: int) -> Iterator[Span | None]:
    """Where a span with the digest ``wanted`` and at most ``most`` full lines is in ``lines``, from the top.

    None, as the last one, when ``steps`` lines were hashed and the end is not reached.
    """
    anchor, rest = wanted[len(PREFIX) :][:_ANCHOR], wanted[len(PREFIX) + _ANCHOR :]
    full = [(number, line) for number, line in enumerate(lines, 1) if line]
    starts = {line for line in {line for _, line in full} if _anchor(line) == anchor}
    for at, (number, line) in enumerate(full):
        if line not in starts:
            continue
        so_far = hashlib.sha256()
        for last, each in full[at : at + most]:
            steps -= 1
            so_far.update(each + b"\n")
            if so_far.hexdigest()[:_REST] == rest:
                yield Span(number, last)
                break
            if steps <= 0:
                yield None
                return


def followed(span: Span, before: Sequence[bytes], after: Sequence[bytes]) -> Span | None:
    """Where a span of one text is in what became of it, with what was changed in it; None when nothing is left."""
    same = _alike(before, after)
    least = min(len(before), len(after)) - same
    tail = min(_alike(before[::-1], after[::-1]), least)
    middle = before[same : len(before) - tail], after[same : len(after) - tail]
    steps = load("difflib:SequenceMatcher")(None, *middle).get_opcodes()
    rows = [(0, same, 0, same), *((a + same, b + same, c + same, d + same) for _, a, b, c, d in steps)]
    rows.append((len(before) - tail, len(before), len(after) - tail, len(after)))
    start = next((c + _within(span.start - 1 - a, b - a, d - c) for a, b, c, d in rows if a < span.start <= b), None)
    end = next((d - _within(b - span.end, b - a, d - c) for a, b, c, d in rows if a < span.end <= b), None)
    return Span(start + 1, end) if start is not None and end is not None and start < end else None


def _alike(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many lines are the same from the beginning on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _within(offset: int, old: int, new: int) -> int:
    """So far from the end of a piece; in one that got shorter no farther than its other end."""
    return offset if old == new else min(offset, new)
