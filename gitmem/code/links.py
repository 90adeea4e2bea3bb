"""What is used without a call: components and stores in templates, tokens of styles, elements, tables, templates that
are rendered, handlers of routes. Refuses to choose between two: they stay likely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from gitmem.code import languages
from gitmem.code.names import Found, Module, Names
from gitmem.code.receivers import Receivers, Value
from gitmem.code.slices import last_part
from gitmem.model.code import USES, Overlaid, Place, Reference
from gitmem.model.graph import ANSWERS, LIKELY, PROVEN, RENDERS, UNRESOLVED, Resolved
from gitmem.record import record

_NOTHING = Resolved("", UNRESOLVED)
_CANDIDATES_MOST = 10
_ROUTE, _COMPONENT, _TEMPLATE, _RENDERS = "route", "component", "template", "renders"
# What a name may mean by the kind of the file that uses it.
_MEANT = {
    languages.STYLE: ("style", "function"),
    languages.SQL: ("table", "view"),
    languages.MARKUP: ("element",),
    languages.TEMPLATE: ("element", "style"),
}


@record
class Link:
    """``source`` is a definition, or a file with the number -1."""

    kind: str
    source: Place
    found: Resolved
    line: int


def of(names: Names, receivers: Receivers, path: str, owners: frozenset[int]) -> Iterator[Link]:
    """What the definitions with these numbers use, render and leave to handlers; -1 is what stands in none."""
    for reference in names.scopes(path).facts.references:
        if reference.kind == USES and reference.owner in owners:
            yield Link(USES, Place(path, reference.owner), used(names, receivers, path, reference), reference.line)
    for where, seen in names.atlas.seen():
        if where == path and seen.target in owners:
            yield from _of_overlay(names, receivers, path, seen)


def to(names: Names, receivers: Receivers, group: frozenset[Place], files_most: int) -> Iterator[Link]:
    """What uses one of several definitions, or leads to it as a handler."""
    called = {names.symbol_name(place) for place in group}
    lasts = {last_part(name) for name in called}
    files = {
        path for name in called | lasts for path in names.atlas.calling(name) if _has_uses(names.atlas.language(path))
    }
    for path in sorted(files)[:files_most]:
        for reference in names.atlas.facts(path).references:
            if reference.kind == USES and last_part(reference.name) in lasts:
                link = Link(USES, Place(path, reference.owner), used(names, receivers, path, reference), reference.line)
                yield from [link] if not group.isdisjoint(link.found.targets) else []
    for path, seen in names.atlas.seen():
        if seen.kind == _ROUTE and seen.target < 0 and last_part(seen.handler) in lasts:
            links = _of_overlay(names, receivers, path, seen)
            yield from (link for link in links if not group.isdisjoint(link.found.targets))


@cache
def _has_uses(language: str) -> bool:
    """Whether files of the language say what they use, by its queries."""
    row = languages.named(language)
    return row is not None and "uses" in languages.query_text(row) + languages.line_patterns(row)


def _of_overlay(names: Names, receivers: Receivers, path: str, seen: Overlaid) -> Iterator[Link]:
    if seen.kind == _RENDERS:
        yield Link(RENDERS, Place(path, seen.target), _rendered(names, path, seen.name), seen.line)
    elif seen.kind == _ROUTE and seen.target < 0 and seen.handler:
        yield Link(ANSWERS, Place(path, -1), _handler(names, receivers, path, seen), seen.line)


def used(names: Names, receivers: Receivers, path: str, reference: Reference) -> Resolved:
    """What a reference of this kind means."""
    row = languages.row_of(path)
    kind = row.kind if row else ""
    name = reference.name
    if kind in (languages.STYLE, languages.SQL) or not (name[0].isalpha() or name[0] in "_$") or name[0] == "$":
        return _token(names, path, name, _MEANT.get(kind, ("style", "element")))
    found = _member(names, receivers, path, (reference.owner, name, reference.line))
    if found is None and kind in _MEANT:
        found = _token(names, path, name, _MEANT[kind])
    if (found is None or not found.targets) and name[0].isupper():
        found = _component(names, name)
    return found or _NOTHING


def _token(names: Names, path: str, name: str, kinds: Sequence[str]) -> Resolved:
    """Tokens, ids and tables are known in the whole tree by their names."""
    places = [place for place in names.atlas.defined(name) if names.kind(place) in kinds]
    own = [place for place in places if place.path == path]
    return _picked(own or places, "token")


def _member(names: Names, receivers: Receivers, path: str, at: tuple[int, str, int]) -> Resolved | None:
    """A name of the script, or a member of what such a name is; None where the script says nothing of it."""
    owner, name, line = at
    head, _, last = name.rpartition(".")
    if not head:
        meaning = names.meaning(path, owner, name, line)
        if isinstance(meaning, Found):
            return _picked(meaning.places, "binding")
        return _picked(_whole(names, meaning), "import") if isinstance(meaning, Module) else None
    value = receivers.value(path, owner, head, line)
    if isinstance(value, Module):
        return _picked([place for file in value.paths for place in names.exports(file, last)], "module")
    member = receivers.member(value, last) if isinstance(value, Value) else None
    return _picked(member.places, "binding") if member and member.places else None


def _whole(names: Names, module: Module) -> list[Place]:
    """What a file is as a whole: its default export, else the file."""
    found = [place for path in module.paths for place in names.exports(path, "default")]
    return found or [Place(path, -1) for path in module.paths]


def _component(names: Names, name: str) -> Resolved:
    seen = names.atlas.seen()
    return _picked(
        [Place(path, row.target) for path, row in seen if row.kind == _COMPONENT and row.name == name], "component"
    )


def _rendered(names: Names, path: str, name: str) -> Resolved:
    """The template files of that name: ``orders/row`` is ``orders/_row.html.erb`` as well, and a name without a folder
    is first of all of the one that is called like a part of the path it stands in."""
    wanted = _template_name(name)
    rows = [(where, _template_name(row.name)) for where, row in names.atlas.seen() if row.kind == _TEMPLATE]
    found = [Place(where, -1) for where, each in rows if each == wanted]
    if not found and "/" not in wanted:
        words = {*re.split(r"[/_.]", path.lower())}
        near = [(where, each.rpartition("/")) for where, each in rows]
        found = [Place(where, -1) for where, (folder, _, last) in near if last == wanted and last_part(folder) in words]
    if not found:
        ending = "/" + name.lstrip("./")
        found = [Place(where, -1) for where in names.atlas.all() if where.endswith(ending)]
    return _picked(found, "template")


def _template_name(name: str) -> str:
    folder, slash, file = name.lstrip("./~").rpartition("/")
    return f"{folder}{slash}{file.lstrip('_').partition('.')[0]}".lower()


def _handler(names: Names, receivers: Receivers, path: str, seen: Overlaid) -> Resolved:
    found = _member(names, receivers, path, (-1, seen.handler, seen.line))
    if found and found.targets:
        return found
    head, _, last = seen.handler.rpartition(".")
    outer = last_part(head)
    places = []
    for place in names.atlas.defined(last):
        sheet = names.scopes(place.path)
        owner = sheet.symbol(place.number).owner
        around = sheet.symbol(owner).name if owner >= 0 else place.path.rpartition("/")[2].partition(".")[0]
        if around == outer:
            places.append(place)
    return _picked(places, "handler") if outer else _component(names, last)


def _picked(places: Sequence[Place], rule: str) -> Resolved:
    places = list(dict.fromkeys(places))[: _CANDIDATES_MOST + 1]
    if not places or len(places) > _CANDIDATES_MOST:
        return _NOTHING
    return Resolved(rule, PROVEN if len(places) == 1 else LIKELY, tuple(places))
