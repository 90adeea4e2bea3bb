"""The lines of stack traces in a text, in the forms of eight languages. Refuses to judge which of them is at fault."""

from __future__ import annotations

import re
from functools import cache

from gitmem.record import record

_MOST = 60
_LONGEST_LINE = 600


@record
class Frame:
    """One line of a trace: ``path`` as it is written there, ``line`` 0 where none is told, ``symbol`` '' likewise."""

    path: str
    line: int
    symbol: str


def frames(text: str) -> tuple[Frame, ...]:
    """In the order of the text, each once; at most 60."""
    found: dict[Frame, None] = {}
    pending = ""
    for row in text.splitlines():
        if len(row) > _LONGEST_LINE:
            continue
        frame = _frame(row, pending)
        if frame is not None and not frame.path.startswith("<"):
            found[frame] = None
        pending = _announced(row) if frame is None else ""
        if len(found) == _MOST:
            break
    return tuple(found)


def _frame(row: str, pending: str) -> Frame | None:
    """``pending`` is the function that the line before named, as Go and Rust write it."""
    if ":" not in row and "line" not in row and "(" not in row:
        return None
    for pattern in _forms():
        match = pattern.search(row)
        if match:
            names = match.groupdict()
            return Frame(names["path"].strip(), int(names["line"] or 0), _symbol(names.get("symbol") or pending))
    return None


def _symbol(text: str) -> str:
    """A name with its owners and dots alone: no package folders, closures, blanks or stars."""
    bare = text.strip().rpartition("/")[2]
    bare = (
        re.sub(r"[(*)\[\]&]|<[^<>]*>|\{\{[^{}]*\}\}", "", bare).replace("->", ".").replace("::", ".").replace("#", ".")
    )
    kept = [part for part in re.split(r"[.\\$\s]+", bare) if part and not re.fullmatch(r"\d+|func\d+|async|new", part)]
    return ".".join(kept[-3:])


def _announced(row: str) -> str:
    match = _announcement().match(row)
    return (match["go"] or match["rust"] or "") if match else ""


@cache
def _announcement() -> re.Pattern[str]:
    go = r"(?P<go>[\w./*()\-]{1,200}\.[\w*().]{1,200})\((?:\.\.\.|0x|\{|\))"
    return re.compile(rf"\s*(?:{go}|\d{{1,4}}: (?:0x[0-9a-f]+ - )?(?P<rust>[\w:<>{{}} ]{{3,200}})$)")


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    line = r"(?P<line>\d{1,7})"
    path = r"(?P<path>(?:[A-Za-z]:)?[^\s:()\"'`|<>]{1,300})"
    return tuple(
        re.compile(form)
        for form in (
            rf'File "(?P<path>[^"]{{1,300}})", line {line}(?:, in (?P<symbol>[\w.<>]+))?',
            rf"^\s*at (?P<symbol>[^()]{{1,200}})\([^()]*\) in (?P<path>[^:]*(?::[\\/][^:]*)?):line {line}",
            rf"^\s*at (?P<symbol>[\w$.<>]{{1,200}})\((?P<path>[\w$\-]+\.(?:java|kt|scala|groovy)):?{line}?\)",
            rf"^\s*at (?P<symbol>[^()]{{1,200}}?) \((?:file://)?{path}:{line}(?::\d+)?\)",
            rf"^\s*at (?:async )?(?:file://)?{path}:{line}(?::\d+)?\s*$",
            rf"{path}:{line}:in [`'](?:block in |rescue in |ensure in )?(?P<symbol>[^'`]{{1,120}})'",
            rf"^\s*#\d+ (?P<path>[^\s():]+\.\w+)\({line}\): (?P<symbol>[\w\\$>:\-]{{1,200}})",
            rf"panicked at (?:'[^']*', )?{path}:{line}",
            rf"^\s+(?P<path>[^\s:()]{{1,300}}\.go):{line}",
            rf" in (?P<path>[^\s():]+\.php)(?::| on line ){line}",
        )
    )
