"""What line patterns of a language show that its grammar does not. Refuses what stands in a comment.

A pattern is a row of ``data/queries/LANGUAGE.lines``: what it finds, and an expression with the group ``name``. A
definition whose pattern ends with a bracket ends where that is closed, one marked with ``*`` where the next one begins,
any other with its line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cache

from gitmem.code import languages
from gitmem.code.languages import Language
from gitmem.model.code import DEFINITIONS, USES, Facts, Imported, Reference, Symbol
from gitmem.record import record

Span = tuple[int, int]

_TO_NEXT = "*"
_OPEN = re.compile(r"\\\{$")
_SIGNATURE_MOST = 200


@record
class Row:
    """``kind`` is that of a definition, import or uses."""

    kind: str
    is_to_next: bool
    is_open: bool
    pattern: re.Pattern[bytes]


def facts(row: Language, content: bytes, known: Facts, closing: Callable[[bytes, int], int]) -> Facts:
    """``known`` is what the grammar shows: its comments are left out, and what it defines is not found again."""
    found = [(match.start("name"), each, match) for each in _rows(row) for match in each.pattern.finditer(content)]
    if not found:
        return Facts()
    found = [one for one in sorted(found, key=lambda one: one[0]) if not _is_in(known.comments, one[0])]
    ends = [at for at, byte in enumerate(content) if byte == 10]
    names = {(symbol.name, symbol.line) for symbol in known.symbols}
    symbols: list[Symbol] = []
    imports, references = [], []
    starts = [match.start() for _, each, match in found if each.kind in DEFINITIONS]
    for at, each, match in found:
        name, line = match["name"].decode("utf-8", "replace"), bisect_left(ends, at) + 1
        if each.kind == "import":
            imports.append(Imported(name, "", "", line))
        elif each.kind == USES:
            references.append(Reference(name, USES, -1, line))
        elif (name, line) not in names:
            names.add((name, line))
            symbols.append(_symbol(content, (each, match), (starts, ends), closing))
    return Facts(row.name, "grammar", symbols=tuple(symbols), imports=tuple(imports), references=tuple(references))


@cache
def _rows(row: Language) -> tuple[Row, ...]:
    made = []
    for line in languages.line_patterns(row).splitlines():
        kind, _, pattern = line.partition("\t")
        if pattern and not line.startswith("#"):
            flags = re.MULTILINE | re.IGNORECASE
            is_open = _OPEN.search(pattern) is not None
            made.append(
                Row(kind.rstrip(_TO_NEXT), kind.endswith(_TO_NEXT), is_open, re.compile(pattern.encode(), flags))
            )
    return tuple(made)


def _is_in(spans: Sequence[Span], at: int) -> bool:
    number = bisect_right(spans, (at, at)) - 1
    return number >= 0 and spans[number][0] <= at < spans[number][1]


def _symbol(
    content: bytes,
    found: tuple[Row, re.Match[bytes]],
    marks: tuple[Sequence[int], Sequence[int]],
    closing: Callable[[bytes, int], int],
) -> Symbol:
    (row, match), (starts, ends) = found, marks
    start = match.start() + len(match[0]) - len(match[0].lstrip())
    line_end = content.find(b"\n", match.end())
    end, body = line_end if line_end >= 0 else len(content), (0, 0)
    if row.is_open:
        end = min(len(content), closing(content, match.end()) + 1)
        body = match.end() - 1, end
    elif row.is_to_next:
        next_one = bisect_right(starts, match.start())
        end = starts[next_one] if next_one < len(starts) else len(content)
    end = start + len(content[start:end].rstrip())
    body = (body[0], end) if row.is_open else body
    head = content[start : body[0] or end][: 2 * _SIGNATURE_MOST].partition(b"\n")[0]
    return Symbol(
        name=match["name"].decode("utf-8", "replace"),
        kind=row.kind,
        owner=-1,
        start=start,
        end=end,
        line=bisect_left(ends, match.start("name")) + 1,
        end_line=bisect_left(ends, max(start, end - 1)) + 1,
        body_start=body[0],
        body_end=body[1],
        signature=" ".join(head.decode("utf-8", "replace").split())[:_SIGNATURE_MOST],
    )
