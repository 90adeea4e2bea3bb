"""Edges of the code of one tree, each found when it is asked for. Refuses to walk: it knows one step, either way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitmem.code import links
from gitmem.code.expressions import last_name
from gitmem.code.manifests import is_manifest
from gitmem.code.names import Names
from gitmem.code.receivers import Receivers
from gitmem.code.resolve import Resolver
from gitmem.code.scopes import CALLABLE, TYPES, Scopes
from gitmem.code.testing import is_test
from gitmem.code.tracked import tracked
from gitmem.model.code import CAUGHT, METHOD_OWNERS, THROWN, Place, Reference
from gitmem.model.graph import (
    CALLS,
    CATCHES,
    IMPORTS,
    INHERITS,
    LIKELY,
    PROVEN,
    REFERS,
    TESTS,
    THROWS,
    UNRESOLVED,
    Edge,
    Resolved,
    Unresolved,
)
from gitmem.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.code.atlas import Atlas

# What one question may cost: further files are counted, not read.
FILES_MOST = 400
_MANIFESTS_MOST = 400
# Of the files that import a name, so many are asked whether they give it another.
_FRONTS_MOST = 100
_KINDS = {THROWN: THROWS, CAUGHT: CATCHES}
_CONSTRUCTORS = ("__init__", "__new__", "constructor", "initialize", "init", "__construct")


@record
class Uses:
    """Who uses a definition: ``unread`` counts files that hold the name and were not looked into."""

    edges: tuple[Edge, ...]
    unread: int = 0


class CodeGraph:
    """The graph of one atlas; what was resolved is kept as long as this lives."""

    def __init__(self, atlas: Atlas) -> None:
        paths = atlas.all()
        found = sorted(
            (path for path in atlas.manifests() if is_manifest(path)), key=lambda path: (path.count("/"), path)
        )
        texts = {path: data.decode("utf-8", "replace") for path, data in atlas.texts(found[:_MANIFESTS_MOST]).items()}
        self.atlas = atlas
        self.names = Names(atlas, tracked(paths, texts))
        self.resolver = Resolver(self.names)
        self._handed_on: dict[frozenset[Place], frozenset[str]] = {}
        self._resolved: dict[tuple[str, int], Resolved] = {}

    @property
    def receivers(self) -> Receivers:
        return self.resolver.receivers

    def resolved(self, path: str, number: int) -> Resolved:
        """What the call with this number in the facts of the file means."""
        key = path, number
        found = self._resolved.get(key)
        if found is None:
            call = self.names.scopes(path).facts.calls[number]
            found = self._resolved[key] = self.resolver.resolve(path, call)
        return found

    def callees(self, place: Place, *, is_whole: bool = False) -> tuple[tuple[Edge, ...], tuple[Unresolved, ...]]:
        """What a definition calls, throws, catches and inherits from, and the calls of which nothing is known.

        Of a type that is its constructor and what stands outside of methods, or every method with ``is_whole``.
        """
        return self._out(place, _inside(self.names.scopes(place.path), place.number, is_whole=is_whole))

    def uses(self, path: str) -> tuple[Edge, ...]:
        """What a file and all that it defines use, in one look."""
        return self._out(Place(path, -1), frozenset(range(-1, len(self.names.scopes(path).facts.symbols))))[0]

    def _out(self, place: Place, inside: frozenset[int]) -> tuple[tuple[Edge, ...], tuple[Unresolved, ...]]:
        sheet = self.names.scopes(place.path)
        rows: list[tuple[str, Resolved, int]] = []
        missed = []
        for number, call in enumerate(sheet.facts.calls):
            if call.owner in inside:
                found = self.resolved(place.path, number)
                if found.confidence == UNRESOLVED:
                    missed.append(Unresolved(call.name, call.receiver, call.line, found.reason))
                else:
                    rows.append((CALLS, found, call.line))
        for reference in sheet.facts.references:
            if reference.owner in inside and reference.kind in _KINDS:
                target = self.receivers.type_named(place.path, reference.owner, reference.name)
                if target:
                    rows.append((_KINDS[reference.kind], Resolved("type", PROVEN, (target,)), reference.line))
        for number in sorted(inside) if place.number < 0 else [place.number]:
            if number >= 0 and sheet.symbol(number).kind in METHOD_OWNERS:
                bases = [base for base in self.receivers.bases(Place(place.path, number)) if base]
                rows += [(INHERITS, Resolved("base", PROVEN, (base,)), sheet.symbol(number).line) for base in bases]
        linked = links.of(self.names, self.receivers, place.path, inside)
        rows += [(link.kind, link.found, link.line) for link in linked if link.found.targets]
        return _joined(place, rows), tuple(missed)

    def callers(self, place: Place, files_most: int = FILES_MOST) -> Uses:
        """Who calls, constructs, throws, catches, names or inherits from a definition; of a file, who imports it."""
        if place.number < 0:
            return Uses(self.importers(place.path, files_most))
        return self.users(self._group(place), place.path, files_most)

    def users(self, group: frozenset[Place], near: str, files_most: int = FILES_MOST) -> Uses:
        """The same of any of several definitions; files of the folder of ``near`` are looked into first."""
        files = self._files(group, near)
        looked_at = files[:files_most]
        edges = [edge for path in looked_at for edge in self._uses_in(path, group)]
        edges += self._linked(group, files_most)
        edges.sort(key=lambda edge: _rank(edge, near))
        return Uses(tuple(edges), len(files) - len(looked_at))

    def imports(self, path: str) -> tuple[Edge, ...]:
        """The files of this tree that a file imports."""
        sheet = self.names.scopes(path)
        lines: dict[str, list[int]] = {}
        for row in sheet.facts.imports:
            for file in self.names.reached(path, row):
                if file != path:
                    lines.setdefault(file, []).append(row.line)
        source = Place(path, -1)
        return tuple(
            Edge(IMPORTS, source, Place(file, -1), "import", PROVEN, tuple(sorted({*sites})))
            for file, sites in sorted(lines.items())
        )

    def importers(self, path: str, files_most: int = FILES_MOST) -> tuple[Edge, ...]:
        """The files that import a file, those that are no tests first."""
        folder, _, name = path.rpartition("/")
        words = {name.partition(".")[0], folder.rpartition("/")[2]} - {""}
        files = {other for word in words for other in self.atlas.importing(word)} - {path}
        kin = sorted(
            (other for other in files if self.names.is_kin(path, other)), key=lambda each: (is_test(each), each)
        )
        edges = [edge for other in kin[:files_most] for edge in self.imports(other)]
        return tuple(edge for edge in edges if edge.target.path == path)

    def tests(self, place: Place, files_most: int = FILES_MOST) -> tuple[Edge, ...]:
        """The tests that use a definition."""
        found = self.callers(place, files_most).edges
        return tuple(
            Edge(TESTS, edge.source, edge.target, edge.rule, edge.confidence, edge.sites, edge.candidates)
            for edge in found
            if is_test(edge.source.path)
        )

    def _group(self, place: Place) -> frozenset[Place]:
        """The definition with what only declares it: signatures of the same function, and the type that a constructor
        makes."""
        sheet = self.names.scopes(place.path)
        symbol = sheet.symbol(place.number)
        same = sheet.members.get((symbol.owner, symbol.name), ())
        bodies = [number for number in same if sheet.symbol(number).body_end]
        found = {place}
        if len(bodies) <= 1:
            found |= {Place(place.path, number) for number in same if sheet.symbol(number).kind == symbol.kind}
        if symbol.owner >= 0 and (symbol.kind == "constructor" or symbol.name in _CONSTRUCTORS):
            found.add(Place(place.path, symbol.owner))
        return frozenset(found)

    def _files(self, group: frozenset[Place], near: str) -> list[str]:
        """The files that may use them, those of the same folder first, tests last."""
        names = self._called(group)
        stems = {
            place.path.rpartition("/")[2].partition(".")[0]
            for place in group
            if self.names.scopes(place.path).dialect.is_effect_only
        }
        files = {path for name in names for path in (*self.atlas.calling(name), *self.atlas.importing(name))}
        files |= {path for stem in stems for path in self.atlas.importing(stem)}
        kin = [path for path in files if self.names.is_kin(near, path)]
        folder = near.rpartition("/")[0]
        return sorted(kin, key=lambda path: (path != near, is_test(path), path.rpartition("/")[0] != folder, path))

    def _called(self, group: frozenset[Place]) -> frozenset[str]:
        """Their names, and those under which other files hand them on."""
        found = self._handed_on.get(group)
        if found is None:
            names = {self.names.symbol_name(place) for place in group}
            known = set(names)
            for name in names:
                for path in self.atlas.importing(name)[:_FRONTS_MOST]:
                    known.update(
                        row.alias for row in self.names.scopes(path).facts.imports if row.name == name and row.alias
                    )
            found = self._handed_on[group] = frozenset(known)
        return found

    def _uses_in(self, path: str, group: frozenset[Place]) -> Iterator[Edge]:
        sheet = self.names.scopes(path)
        names = self._names_in(sheet, group)
        rows: dict[int, list[tuple[str, Resolved, int]]] = {}
        for number, call in enumerate(sheet.facts.calls):
            if call.name in names or (call.name in sheet.dialect.above and not call.receiver):
                found = self.resolved(path, number)
                if not group.isdisjoint(found.targets):
                    rows.setdefault(_holder(sheet, call.owner), []).append((CALLS, found, call.line))
        for owner, kind, line, target in self._type_uses(sheet, group, names):
            rows.setdefault(owner, []).append((kind, Resolved("type", PROVEN, (target,)), line))
        for owner, each in sorted(rows.items()):
            yield from _joined(Place(path, owner), each, group)

    def _linked(self, group: frozenset[Place], files_most: int) -> Iterator[Edge]:
        """What uses them without a call, whatever its language is."""
        rows: dict[Place, list[tuple[str, Resolved, int]]] = {}
        for link in links.to(self.names, self.receivers, group, files_most):
            rows.setdefault(link.source, []).append((link.kind, link.found, link.line))
        for source, each in rows.items():
            yield from _joined(source, each, group)

    def _names_in(self, sheet: Scopes, group: frozenset[Place]) -> frozenset[str]:
        """The names by which a file may call one of the group."""
        own = self._called(group)
        stems = {place.path.rpartition("/")[2].partition(".")[0] for place in group}
        aliases = {
            row.alias
            for row in sheet.facts.imports
            if row.alias and (row.name in own or (row.name == "default" and last_name(row.module) in stems))
        }
        defaults = {row.alias for row in sheet.facts.imports if row.alias and row.name == "default"}
        return frozenset(own | aliases | (defaults if sheet.dialect.is_effect_only else set()))

    def _type_uses(
        self, sheet: Scopes, group: frozenset[Place], names: frozenset[str]
    ) -> Iterator[tuple[int, str, int, Place]]:
        """Where types of the group are thrown, caught, named and inherited from: owner, kind of edge, line, type."""
        if not any(self.names.kind(place) in TYPES for place in group):
            return
        for reference in sheet.facts.references:
            target = self._meant(sheet, reference) if last_name(reference.name) in names else None
            if target in group and target:
                yield _holder(sheet, reference.owner), _KINDS.get(reference.kind, REFERS), reference.line, target
        for number, symbol in enumerate(sheet.facts.symbols):
            if any(last_name(base) in names for base in (*symbol.extends, *symbol.implements)):
                for base in self.receivers.bases(Place(sheet.path, number)):
                    if base in group and base:
                        yield number, INHERITS, symbol.line, base

    def _meant(self, sheet: Scopes, reference: Reference) -> Place | None:
        return self.receivers.type_named(sheet.path, reference.owner, reference.name)


def _inside(sheet: Scopes, number: int, *, is_whole: bool) -> frozenset[int]:
    """The owners whose calls are those of a definition: itself and what stands in it without being called by name."""
    symbols = sheet.facts.symbols
    is_type = number >= 0 and symbols[number].kind in METHOD_OWNERS
    found = {number}
    for at, symbol in enumerate(symbols):
        if symbol.owner in found:
            is_member = symbol.kind in CALLABLE or symbol.kind in METHOD_OWNERS
            is_made = symbol.kind == "constructor" or symbol.name in _CONSTRUCTORS
            if not is_member or (number >= 0 and (not is_type or is_whole or is_made)):
                found.add(at)
    return frozenset(found)


def _holder(sheet: Scopes, owner: int) -> int:
    """The definition that a call is of: the function or type around it, not a value that is being made."""
    for number in sheet.chain(owner):
        if number < 0 or sheet.symbol(number).kind in CALLABLE or sheet.symbol(number).kind in METHOD_OWNERS:
            return number
    return owner


def _joined(
    source: Place, rows: Sequence[tuple[str, Resolved, int]], wanted: frozenset[Place] = frozenset()
) -> tuple[Edge, ...]:
    """One edge for each kind and target, with every line; the target is the wanted candidate, or the first."""
    found: dict[tuple[str, Place], list[tuple[Resolved, int]]] = {}
    for kind, resolved, line in rows:
        target = next((each for each in resolved.targets if each in wanted), resolved.targets[0])
        found.setdefault((kind, target), []).append((resolved, line))
    edges = []
    for (kind, target), each in found.items():
        best = min((resolved for resolved, _ in each), key=lambda one: (one.confidence != PROVEN, len(one.targets)))
        others = tuple(other for other in best.targets if other != target)
        sites = tuple(sorted({line for _, line in each}))
        edges.append(Edge(kind, source, target, best.rule, best.confidence, sites, others))
    by_target: dict[Place, list[Edge]] = {}
    for edge in edges:
        by_target.setdefault(edge.target, []).append(edge)
    return tuple(edge for edge in edges if not _is_told(edge, by_target[edge.target]))


def _is_told(edge: Edge, edges: Sequence[Edge]) -> bool:
    """Whether another edge to the same definition says it better: what is thrown is called, and named, as well."""
    others = [each for each in edges if each is not edge]
    if edge.kind == REFERS:
        return bool(others)
    return edge.kind == CALLS and any(each.kind == THROWS and {*edge.sites} <= {*each.sites} for each in others)


def _rank(edge: Edge, near: str) -> tuple[object, ...]:
    folder = near.rpartition("/")[0]
    path = edge.source.path
    is_near = path == near, path.rpartition("/")[0] == folder
    return (
        edge.confidence == LIKELY,
        len(edge.candidates),
        edge.kind == REFERS,
        is_test(path),
        not is_near[0],
        not is_near[1],
        path,
        edge.source.number,
        edge.kind,
    )
