"""What frameworks make of definitions, calls and paths: routes, components, models, jobs, templates.

Refuses to know a framework: each is a file of rows in ``data/overlays``, and what no row knows is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.code import dependencies
from gitmem.code.overlaid import PREFIX, Found, Match, made, prefixes_of
from gitmem.code.overlay_rows import DECORATOR, Overlay, Row, overlays, rows
from gitmem.code.overlay_rows import hint_names as hint_names
from gitmem.model.code import Facts, Overlaid

_SEPARATORS = "./:\\"
_MOST = 400
Ready = dict[str, list[tuple[Row, Mapping[str, str]]]]


def frameworks(manifests: Mapping[str, str], modules: Iterable[str]) -> frozenset[str]:
    """The overlays that a project asks for, by what its manifests depend on and by what its files import."""
    named = {name for path, text in manifests.items() for name in dependencies.named(path, text)}
    imported = {*modules}
    return frozenset(
        overlay.name
        for overlay in overlays()
        if _any_fits(overlay.dependencies, named) or any(_is_of(module, overlay.imports) for module in imported)
    )


def overlay(path: str, facts: Facts, switched_on: frozenset[str]) -> tuple[Overlaid, ...]:
    """In the order of their lines. An overlay counts where the project asks for it, or the file imports it."""
    modules = {row.module for row in facts.imports}
    active = [each for each in overlays() if _is_on(each, facts, modules, switched_on)]
    if not active:
        return ()
    found = [*_found(path, facts)]
    matches = [match for each in active for match in _matches(each, path, modules, found)]
    prefixes = prefixes_of([match for match in matches if match.row.kind == PREFIX], facts)
    told = {row for match in matches if match.row.kind != PREFIX for row in made(match, path, facts, prefixes)}
    return tuple(sorted(told, key=_place)[:_MOST])


def _place(row: Overlaid) -> tuple[int, str, str, str, str, int]:
    return row.line, row.kind, row.name, row.overlay, row.handler, row.target


def _any_fits(wanted: Sequence[str], names: Iterable[str]) -> bool:
    exact, starts = {name for name in wanted if name[-1] != "*"}, tuple(name[:-1] for name in wanted if name[-1] == "*")
    return any(name in exact or (starts and name.startswith(starts)) for name in names)


def _is_of(module: str, wanted: Sequence[str]) -> bool:
    return any(module == name or (module.startswith(name) and module[len(name)] in _SEPARATORS) for name in wanted)


def _is_on(each: Overlay, facts: Facts, modules: Iterable[str], switched_on: frozenset[str]) -> bool:
    if facts.language in each.owns:
        return True
    if each.languages and facts.language not in each.languages:
        return False
    return each.name in switched_on or any(_is_of(module, each.imports) for module in modules)


def _found(path: str, facts: Facts) -> Iterator[Found]:
    yield Found("path", path, "", path, -1, 1)
    for number, symbol in enumerate(facts.symbols):
        yield Found("symbol", symbol.name, "", symbol.signature, number, symbol.line, kind=symbol.kind)
        for base in (*symbol.extends, *symbol.implements):
            yield Found("base", base, "", symbol.signature, number, symbol.line, kind=symbol.kind)
    for row in facts.imports:
        yield Found("import", row.module, "", row.name, -1, row.line)
    for hint in facts.hints:
        receiver, _, last = hint.name.rpartition(".")
        kind = facts.symbols[hint.owner].kind if hint.owner >= 0 else ""
        name = hint.name if hint.kind == DECORATOR else last
        yield Found(hint.kind, name, receiver, hint.text, hint.owner, hint.line, hint.before, hint.end_line, kind)


def _matches(each: Overlay, path: str, modules: Iterable[str], found: Iterable[Found]) -> Iterator[Match]:
    ready = _ready(each, path, modules)
    for one in found:
        for row, groups in ready.get(one.source, ()):
            if row.on and one.kind not in row.on:
                continue
            wanted = [(row.name, one.name), (row.receiver, one.receiver)]
            fits = [pattern.fullmatch(text) for pattern, text in wanted if pattern]
            fits += [row.text.search(one.text)] if row.text else []
            known = [fit.groupdict("") for fit in fits if fit]
            if len(known) == len(fits):
                yield Match(each.name, row, one, {key: text for part in (groups, *known) for key, text in part.items()})


def _ready(each: Overlay, path: str, modules: Iterable[str]) -> Ready:
    """The rows that this file may fit, by what they look at."""
    ready: Ready = {}
    for row in rows(each.name):
        place = row.path.search(path) if row.path else None
        if (row.path and not place) or (row.imports and not any(_is_of(module, row.imports) for module in modules)):
            continue
        ready.setdefault(row.source, []).append((row, place.groupdict("") if place else {}))
    return ready
