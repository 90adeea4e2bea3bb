"""Which definitions a change of some files reaches through the graph of the code. Refuses to mix the directions."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import coding
from gitmem.answers.session import Session
from gitmem.code.atlas import Atlas
from gitmem.code.graph import CodeGraph
from gitmem.code.scopes import CALLABLE, TYPES
from gitmem.code.testing import is_test
from gitmem.errors import GitmemError
from gitmem.model.code import Place
from gitmem.model.finding import Notice
from gitmem.model.graph import PROVEN, REFERS, Edge
from gitmem.model.impact import AffectedSymbol
from gitmem.record import record, state

HIGH_FILES, MEDIUM_FILES = 12, 5
# What one answer looks into: steps, definitions, and files of each step.
_STEPS = 3
_DEFINITIONS_MOST, _REACHED_MOST = 2_000, 300
_FILES_MOST = (600, 200, 100)
_SITES_MOST = 5
_KINDS = CALLABLE | TYPES | {"constant", "route", "db_model"}


@record
class Reached:
    """``symbols`` use what is changed, the nearest first, without those of tests; ``tests`` have the reasons why each
    test is one to run. ``steps`` is how far away the farthest is."""

    symbols: tuple[AffectedSymbol, ...] = ()
    tests: tuple[tuple[str, str], ...] = ()
    steps: int = 0
    uses: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


@state
class _Search:
    code: CodeGraph
    changed: frozenset[str]
    seen: set[Place]
    found: list[AffectedSymbol]
    tests: dict[str, str]
    unread: int = 0
    is_cut: bool = False


def reached(session: Session, files: Sequence[str], at: str) -> Reached:
    """Without a graph of the code, nothing and a notice that says why."""
    try:
        graph = coding.graph(session, at)
    except GitmemError as error:
        return Reached(notices=(Notice(error.code or "no-code-graph", f"no graph of the code: {error.message}"),))
    code = CodeGraph(graph.atlas)
    start = _defined(graph.atlas, files)
    search = _Search(code, frozenset(files), set(start), [], {})
    level, steps = start[:_DEFINITIONS_MOST], 0
    for step in range(_STEPS):
        level = _step(search, level, step)
        steps = step + 1 if level else steps
        if not level:
            break
    return Reached(
        tuple(search.found),
        tuple(sorted(search.tests.items())),
        steps,
        tuple(_used(code, files)),
        (*graph.notices, *_notices(search, len(start))),
    )


def _notices(search: _Search, defined: int) -> list[Notice]:
    found = []
    if search.unread:
        text = f"{search.unread} further files hold the names of what is changed and were not looked into"
        found.append(Notice("code-unread", text))
    if defined > _DEFINITIONS_MOST:
        text = f"of {defined} definitions that these files have, the first {_DEFINITIONS_MOST} were looked for"
        found.append(Notice("code-cut", text))
    if search.is_cut:
        found.append(Notice("code-cut", f"only the first {_REACHED_MOST} definitions that are reached were followed"))
    return found


def _defined(atlas: Atlas, files: Sequence[str]) -> list[Place]:
    return [
        Place(path, number)
        for path in files
        if atlas.has(path)
        for number, symbol in enumerate(atlas.facts(path).symbols)
        if symbol.kind in _KINDS
    ]


def _step(search: _Search, level: Sequence[Place], step: int) -> list[Place]:
    """The definitions that use one of these, outside of what is changed."""
    if not level:
        return []
    uses = search.code.users(frozenset(level), level[0].path, _FILES_MOST[step])
    search.unread += uses.unread if step == 0 else 0
    further = []
    for edge in uses.edges:
        is_guess = edge.confidence != PROVEN
        if edge.source.path in search.changed or edge.candidates or (is_guess and step):
            continue
        if is_test(edge.source.path):
            search.tests.setdefault(edge.source.path, _reason(search, edge)) if step == 0 else None
        elif edge.source not in search.seen:
            search.seen.add(edge.source)
            search.is_cut = search.is_cut or len(search.found) >= _REACHED_MOST
            if len(search.found) < _REACHED_MOST:
                search.found.append(_affected(search, edge, step + 1))
                is_followed = edge.source.number >= 0 and edge.kind != REFERS and not is_guess
                further += [edge.source] if is_followed else []
    return further


def _reason(search: _Search, edge: Edge) -> str:
    name = search.code.names.symbol_name(edge.target)
    verb = edge.kind if edge.confidence == PROVEN else f"likely {edge.kind}"
    return f"{verb} {name} of {edge.target.path} at line {edge.sites[0]}"


def _affected(search: _Search, edge: Edge, depth: int) -> AffectedSymbol:
    atlas, source = search.code.atlas, edge.source
    is_file = source.number < 0
    return AffectedSymbol(
        id=source.path if is_file else atlas.symbol_id(source),
        path=source.path,
        line=0 if is_file else atlas.facts(source.path).symbols[source.number].line,
        depth=depth,
        edge=edge.kind,
        confidence=edge.confidence,
        reaches=atlas.symbol_id(edge.target),
        sites=edge.sites[:_SITES_MOST],
    )


def _used(code: CodeGraph, files: Sequence[str]) -> list[str]:
    """What the changed files use of others: the other direction, as a list of its own."""
    edges = (edge for path in files if code.atlas.has(path) for edge in code.uses(path))
    outside = (edge.target for edge in edges if edge.target.path not in files and not edge.candidates)
    return list(dict.fromkeys(code.atlas.symbol_id(target) for target in outside))


def risk_of(files: int) -> str:
    return "high" if files >= HIGH_FILES else "medium" if files >= MEDIUM_FILES else "low"
