"""Definitions and imports by line patterns, where no grammar loads. Refuses what a line does not show.

The patterns are rows of ``data/queries/plain.rows``. What a definition holds is told by how far the lines below it are
indented, so the time is in proportion to the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gitmem.code import languages
from gitmem.code.languages import Language
from gitmem.model.code import METHOD_OWNERS, Facts, Imported, Symbol
from gitmem.record import field, record, replace, state

ENGINE = "regex"
# What people write is shorter; a longer line is data.
_LONGEST_LINE = 1000
_SYMBOLS_MOST = 20_000
_SIGNATURE_MOST = 200
_WORDS = "words"
_IMPORT, _OF = "import", "of"
# Their line is all of them.
_LINES = frozenset({"constant", "macro", "type", "element"})
# Lines that begin so end nothing, however little they are indented.
_ASIDE = (b"#", b"//", b"/*", b"*", b"{", b")", b"<<", b"==", b">>", b"--", b"rescue", b"ensure")
_CLOSING = (b"}", b"]", b"end")


@record
class Row:
    kind: str
    pattern: re.Pattern[bytes]


@state
class _Open:
    """A definition whose end is not yet seen, or, with the number -1, a block that adds to the type ``outer``."""

    number: int
    indent: int
    outer: str = ""


@state
class _Page:
    """One file while it is read. ``last`` is where the last line ends that may belong to what is open, and which."""

    row: Language
    symbols: list[Symbol] = field(default_factory=list)
    imports: list[Imported] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    open_: list[_Open] = field(default_factory=list)
    seen: dict[tuple[int, str, str], int] = field(default_factory=dict)
    last: tuple[int, int] = (0, 0)


def facts(row: Language, content: bytes) -> Facts:
    page = _Page(row)
    for number, (start, line) in enumerate(_lines(content), 1):
        text = line.strip()
        if text:
            _read(page, number, start, line, text)
    while page.open_:
        _close(page)
    symbols, imports = tuple(page.symbols), tuple(page.imports)
    return Facts(row.name, ENGINE, symbols=symbols, imports=imports, comments=tuple(page.comments))


def _lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Each line with its offset; a mark at the start of the file is part of no line."""
    at = 3 if content.startswith(b"\xef\xbb\xbf") else 0
    for line in content[at:].split(b"\n"):
        yield at, line
        at += len(line) + 1


def _read(page: _Page, number: int, start: int, line: bytes, text: bytes) -> None:
    indent = len(line) - len(line.lstrip())
    span = start + indent, start + len(line.rstrip())
    is_note = text.startswith(_marks(page.row))
    if is_note:
        page.comments.append(span)
    elif not text.startswith(_ASIDE):
        _leave(page, indent, text)
    if not is_note or (page.open_ and page.open_[-1].indent < indent):
        page.last = span[1], number
    if text.startswith(_CLOSING):
        while page.open_ and page.open_[-1].indent >= indent:
            _close(page)
    if len(text) <= _LONGEST_LINE and len(page.symbols) < _SYMBOLS_MOST:
        _match(page, number, indent, span[0], text)


@cache
def _marks(row: Language) -> tuple[bytes, ...]:
    """What a line that is all comment begins with."""
    begin, end = row.comment
    return (b"//", begin.encode()) if end else (begin.encode(),)


def _leave(page: _Page, indent: int, text: bytes) -> None:
    """Ends what is indented as far as this line or further; a closing bracket still belongs to what it closes."""
    least = indent + 1 if text.startswith(_CLOSING) else indent
    while page.open_ and page.open_[-1].indent >= least:
        _close(page)


def _close(page: _Page) -> None:
    number = page.open_.pop().number
    if number < 0:
        return
    symbol, (end, end_line) = page.symbols[number], page.last
    if end > symbol.end:
        page.symbols[number] = replace(symbol, end=end, end_line=end_line, body_start=symbol.end, body_end=end)


def _match(page: _Page, number: int, indent: int, start: int, text: bytes) -> None:
    for row in _rows(page.row.name):
        found = row.pattern.match(text)
        if found is None:
            continue
        if row.kind == _IMPORT:
            page.imports += _imported(found, number)
        else:
            _define(page, row.kind, found, (start, number, indent))
        return


def _imported(found: re.Match[bytes], line: int) -> list[Imported]:
    groups = found.groupdict()
    module, names = groups["module"].decode("utf-8", "replace"), groups.get("names")
    if not names:
        return [Imported(module, "", "", line)]
    pairs = (name.partition(" as ") for name in names.decode("utf-8", "replace").split(",") if name.strip())
    return [Imported(module, name.strip(), alias.strip(), line) for name, _, alias in pairs]


def _define(page: _Page, kind: str, found: re.Match[bytes], at: tuple[int, int, int]) -> None:
    """``at`` is the offset, the line, and how far it is indented."""
    start, line, indent = at
    if kind == _OF:
        page.open_.append(_Open(-1, indent, found["owner"].decode("utf-8", "replace")))
        return
    symbol = _symbol(page, kind, found, start, line)
    if kind not in _LINES:
        page.open_.append(_Open(len(page.symbols), indent))
    page.symbols.append(symbol)


def _symbol(page: _Page, kind: str, found: re.Match[bytes], start: int, line: int) -> Symbol:
    text, inside = found.string, page.open_[-1] if page.open_ else _Open(-1, 0)
    name, owner = found["name"].decode("utf-8", "replace"), inside.number
    outer = (found.groupdict().get("owner") or b"").decode("utf-8", "replace") or inside.outer
    is_inside = outer or (owner >= 0 and page.symbols[owner].kind in METHOD_OWNERS)
    key = (owner, outer, name)
    page.seen[key] = ordinal = page.seen.get(key, 0) + 1
    return Symbol(
        name=name,
        kind="method" if kind == "function" and is_inside else kind,
        owner=owner,
        start=start,
        end=start + len(text),
        line=line,
        end_line=line,
        signature=" ".join(text.decode("utf-8", "replace").rstrip("{: ").split())[:_SIGNATURE_MOST],
        ordinal=ordinal,
        outer=outer,
    )


@cache
def _rows(language: str) -> tuple[Row, ...]:
    rows = [line.split("\t", 2) for line in languages.plain_rows().splitlines() if line[:1] not in ("#", "")]
    words = next(row[1] for row in rows if row[0] == _WORDS)
    before = f"(?:(?:{words})[ \\t]+)*"
    return tuple(
        Row(kind, re.compile(pattern.replace("{words}", before).encode()))
        for names, kind, pattern in (row for row in rows if row[0] != _WORDS)
        if language in names.split()
    )
