"""Definitions by name, kind and path, in the work tree or at a revision. Refuses to guess what was meant silently."""

from __future__ import annotations

from gitmem.answers import coding
from gitmem.answers.session import Session
from gitmem.code import finding
from gitmem.code.atlas import Atlas
from gitmem.code.finding import Asked, Found
from gitmem.errors import UsageError
from gitmem.model.code import DEFINITIONS, OVERLAID, tail
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.text import nearest

_LIMIT, _LIMIT_MOST = 20, 80
_TEXT_MOST = 500
_NO_NAME = " \t\n.:#"
_KINDS = tuple(sorted({*DEFINITIONS, *OVERLAID}))


@record
class SymbolsCall:
    name: str = ""
    kind: tuple[str, ...] = ()
    path: str = ""
    limit: int = _LIMIT
    at: str = ""
    max_files: int = 0


@record
class SymbolRow:
    """``id`` is what ``trace`` and ``outline`` take; ``reason`` how the name matched; ``score`` is 0 to 1."""

    id: str
    name: str
    kind: str
    path: str
    line: int
    signature: str
    score: float
    reason: str


@record
class Symbols:
    """The best first; ``total`` counts those beyond the limit as well. ``suggested`` is a name that may be meant where
    there is none."""

    symbols: tuple[SymbolRow, ...]
    total: int
    suggested: str | None = None
    notices: tuple[Notice, ...] = ()


def symbols(session: Session, call: SymbolsCall) -> Symbols:
    _check(call)
    graph = coding.graph(session, call.at, call.max_files)
    asked = Asked(call.name, call.kind, call.path.removeprefix("./"))
    found, total = finding.find(graph.atlas, asked, call.limit)
    return Symbols(
        symbols=tuple(_row(graph.atlas, each) for each in found),
        total=total,
        suggested=_suggested(graph.atlas, call.name) if call.name and not found else None,
        notices=graph.notices,
    )


def _check(call: SymbolsCall) -> None:
    if not (call.name.strip(_NO_NAME) or call.kind or call.path):
        raise UsageError("no name was given", hint="for example: gitmem symbols RetryPolicy, or --kind route")
    if len(call.name) > _TEXT_MOST:
        raise UsageError(f"a name has at most {_TEXT_MOST} characters", hint="a task in words is for: gitmem context")
    if not 0 < call.limit <= _LIMIT_MOST:
        raise UsageError(f"limit must be from 1 to {_LIMIT_MOST}, not {call.limit}", hint=f"the default is {_LIMIT}")
    if ".." in call.path.split("/"):
        raise UsageError(
            f"a path outside: {call.path}", hint="paths are those of the repository, as git ls-files has them"
        )
    for kind in call.kind:
        if kind not in _KINDS:
            raise UsageError(f"there is no kind {kind!r}", hint=f"kinds are: {', '.join(_KINDS)}")


def _row(atlas: Atlas, each: Found) -> SymbolRow:
    row = each.row
    name = row.tail if row.kind == "route" else row.tail.partition("(")[0].partition("#")[0].rpartition(".")[2]
    return SymbolRow(
        f"{each.path}::{row.tail}",
        name or row.tail,
        row.kind,
        each.path,
        row.line,
        _signature(atlas, each),
        each.score / 1000,
        each.reason,
    )


def _signature(atlas: Atlas, each: Found) -> str:
    """What overlays see is told with the symbol that answers it."""
    symbols = atlas.facts(each.path).symbols if each.row.kind in OVERLAID else ()
    if each.row.number < 0 or each.row.number >= len(symbols):
        return each.row.signature
    return f"{each.row.signature} -> {tail(symbols, each.row.number)}"


def _suggested(atlas: Atlas, name: str) -> str | None:
    """A name of nearly the same letters; only those of about the same length are looked at."""
    names = (each for each in atlas.names().split("\n") if abs(len(each) - len(name)) <= 1 + len(name) // 4)
    same = [each for each in names if each[:1].lower() == name[:1].lower()]
    return nearest.nearest(name, same[:2_000]) or None
