"""Who calls a definition and what it calls, or the shortest ways to another. Refuses an answer without end."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import coding
from gitmem.answers.coding import Graph
from gitmem.answers.session import Session
from gitmem.code import locate, walks
from gitmem.code.atlas import Atlas
from gitmem.code.graph import CodeGraph
from gitmem.code.locate import Located
from gitmem.code.testing import is_test
from gitmem.code.walks import DEPTH_MOST, PATH_DEPTH_MOST, Hop, Walk
from gitmem.errors import GitmemError, UsageError
from gitmem.model.code import Place
from gitmem.model.graph import Edge
from gitmem.model.plain import canonical, plain
from gitmem.model.traced import Cut, Origin, Step, Trace, TraceHop
from gitmem.record import record, replace

CALLERS, CALLEES, BOTH = "callers", "callees", "both"
_DEPTH = 2
_DEPENDENCIES_MOST, _UNRESOLVED_MOST, _OTHERS_MOST = 40, 10, 10
_SITES_MOST, _CANDIDATES_MOST = 5, 3
# A reply over MCP has its text twice.
_BYTES_MOST = 10_000
_NAME_MOST = 500


@record
class TraceCall:
    """``depth`` 0 is the usual one: 2 steps, or with ``to`` as many as are looked for at most."""

    name: str = ""
    direction: str = BOTH
    depth: int = 0
    to: str = ""
    at: str = ""
    max_files: int = 0


def trace(session: Session, call: TraceCall) -> Trace:
    _check(call)
    graph = coding.graph(session, call.at, call.max_files)
    code = CodeGraph(graph.atlas)
    start = _located(graph.atlas, call.name)
    found = _paths(graph, code, call, start) if call.to else _walks(graph, code, call, start)
    return replace(_fitted(found), notices=graph.notices)


def _check(call: TraceCall) -> None:
    if not call.name.strip():
        raise UsageError("no definition was named", hint="for example: gitmem trace RetryPolicy.next_delay")
    if max(len(call.name), len(call.to)) > _NAME_MOST:
        raise UsageError(f"a name has at most {_NAME_MOST} characters", hint="find one with: gitmem symbols")
    if call.direction not in (CALLERS, CALLEES, BOTH):
        raise UsageError(f"there is no direction {call.direction!r}", hint="callers, callees or both")
    most = PATH_DEPTH_MOST if call.to else DEPTH_MOST
    if not 0 <= call.depth <= most:
        raise UsageError(f"depth must be from 1 to {most}, not {call.depth}", hint="leave it out for the usual one")


def _located(atlas: Atlas, text: str) -> Located:
    found = locate.locate(atlas, text)
    if not found.places:
        raise GitmemError(
            f"no definition is called {text!r}",
            hint="gitmem symbols finds names by their parts; gitmem index reads what is not read yet",
            code="unknown-symbol",
        )
    return found


def _walks(graph: Graph, code: CodeGraph, call: TraceCall, start: Located) -> Trace:
    place, depth = start.places[0], call.depth or _DEPTH
    atlas = graph.atlas
    callers = callees = Walk(())
    if call.direction != CALLEES:
        callers = _importers(code, place) if place.number < 0 else walks.callers(code, place, depth)
    if call.direction != CALLERS:
        callees = walks.callees(code, place, depth)
    unresolved = code.callees(place, is_whole=True)[1] if call.direction != CALLERS else ()
    imports = sorted({edge.target.path for edge in code.imports(place.path)})
    cut = Cut(
        callers=callers.more or None,
        callees=callees.more or None,
        dependencies=max(0, len(imports) - _DEPENDENCIES_MOST) or None,
        unresolved=max(0, len(unresolved) - _UNRESOLVED_MOST) or None,
        namesakes=max(0, start.total - 1 - _OTHERS_MOST) or None,
        unread_files=callers.unread or None,
    )
    return Trace(
        origin=_origin(atlas, place),
        origin_reliable=start.is_reliable,
        callers=tuple(_hop(atlas, hop, place) for hop in callers.hops),
        callees=tuple(_hop(atlas, hop, place) for hop in callees.hops),
        dependencies=tuple(imports[:_DEPENDENCIES_MOST]),
        unresolved=unresolved[:_UNRESOLVED_MOST],
        others=_ids(atlas, start.places[1 : 1 + _OTHERS_MOST]) or None,
        cut=_or_none(cut),
    )


def _importers(code: CodeGraph, place: Place) -> Walk:
    """Of a file, the files that import it are what calls it."""
    edges = code.importers(place.path)
    hops = [Hop(edge.source, 1, place, edge) for edge in edges[: walks.HOPS_MOST]]
    return Walk(tuple(hops), max(0, len(edges) - walks.HOPS_MOST))


def _paths(graph: Graph, code: CodeGraph, call: TraceCall, start: Located) -> Trace:
    """No search runs where a name has several definitions: the answer lists them."""
    end = _located(graph.atlas, call.to)
    atlas = graph.atlas
    many = [each for each in (start, end) if len(each.places) > 1]
    found = Trace(
        origin=None if len(start.places) > 1 else _origin(atlas, start.places[0]),
        origin_reliable=start.is_reliable,
        target=None if len(end.places) > 1 else _origin(atlas, end.places[0]),
        ambiguous_from=_ids(atlas, start.places[:_OTHERS_MOST]) if start in many else None,
        ambiguous_to=_ids(atlas, end.places[:_OTHERS_MOST]) if end in many else None,
        paths=(),
    )
    if many:
        more = sum(max(0, len(each.places) - _OTHERS_MOST) for each in many)
        return replace(found, cut=Cut(namesakes=more) if more else None)
    ways = walks.paths(code, start.places[0], end.places[0], call.depth or PATH_DEPTH_MOST)
    told = tuple(tuple(_step(atlas, edge) for edge in way) for way in ways.paths)
    cut = Cut(paths=ways.more or None, unread_files=None if ways.is_whole else 1)
    return replace(found, paths=told, depth=ways.depth, cut=_or_none(cut))


def _origin(atlas: Atlas, place: Place) -> Origin:
    if place.number < 0:
        return Origin(place.path, place.path.rpartition("/")[2], "file", place.path, 0, "")
    symbol = atlas.facts(place.path).symbols[place.number]
    return Origin(atlas.symbol_id(place), symbol.name, symbol.kind, place.path, symbol.line, symbol.signature)


def _id(atlas: Atlas, place: Place) -> str:
    return atlas.symbol_id(place) if place.number >= 0 else place.path


def _ids(atlas: Atlas, places: Sequence[Place]) -> tuple[str, ...]:
    return tuple(_id(atlas, place) for place in places)


def _hop(atlas: Atlas, hop: Hop, start: Place) -> TraceHop:
    place, edge = hop.place, hop.edge
    line = atlas.facts(place.path).symbols[place.number].line if place.number >= 0 else 0
    return TraceHop(
        id=_id(atlas, place),
        line=line,
        depth=hop.depth,
        edge=edge.kind,
        confidence=edge.confidence,
        rule=edge.rule,
        sites=edge.sites[:_SITES_MOST],
        via=None if hop.via == start else _id(atlas, hop.via),
        is_test=True if is_test(place.path) else None,
        candidates=_ids(atlas, edge.candidates[:_CANDIDATES_MOST]) or None,
    )


def _step(atlas: Atlas, edge: Edge) -> Step:
    sites = edge.sites[:_SITES_MOST]
    return Step(_id(atlas, edge.source), _id(atlas, edge.target), sites, edge.confidence, edge.rule)


def _or_none(cut: Cut) -> Cut | None:
    return None if cut == Cut() else cut


def _fitted(found: Trace) -> Trace:
    """Without the last hops and paths, until the answer has its size; what was left out is counted."""
    while len(canonical(plain(found))) > _BYTES_MOST:
        cut = found.cut or Cut()
        if found.paths:
            found = replace(found, paths=found.paths[:-1], cut=replace(cut, paths=(cut.paths or 0) + 1))
        elif found.callers and len(found.callers) >= len(found.callees):
            found = replace(found, callers=found.callers[:-1], cut=replace(cut, callers=(cut.callers or 0) + 1))
        elif found.callees:
            found = replace(found, callees=found.callees[:-1], cut=replace(cut, callees=(cut.callees or 0) + 1))
        elif found.dependencies:
            gone = (cut.dependencies or 0) + 1
            found = replace(found, dependencies=found.dependencies[:-1], cut=replace(cut, dependencies=gone))
        else:
            return found
    return found
