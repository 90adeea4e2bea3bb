"""One row of an overlay that fits, made into a route, a component, or what else the row says.

Refuses to look into other files: a handler that is not here is told by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gitmem.code.overlay_rows import CALL, DECORATOR, ENTRY, Row
from gitmem.model.code import METHOD_OWNERS, Facts, Overlaid
from gitmem.record import record

ROUTE, PREFIX = "route", "prefix"
_STRING = re.compile(r"[\"'`]([^\"'`\n]*)[\"'`]")
_ASSIGNED = re.compile(r"([A-Za-z_$][\w$.]*)\s*(?::\s*[\w.<>]+\s*)?:?=\s*(?:await\s+)?$")
# What languages write between a type and its member.
_BETWEEN = re.compile(r"::class\s*,?\s*|::|[@#\\]|\.")
_NAME_MOST = 200


@record
class Found:
    """Something that a row may fit. ``receiver`` is what stands before the last part of the name."""

    source: str
    name: str
    receiver: str
    text: str
    owner: int
    line: int
    before: str = ""
    end_line: int = 0
    kind: str = ""


@record
class Match:
    """``groups`` are what the patterns of the row have found, by name."""

    overlay: str
    row: Row
    found: Found
    groups: Mapping[str, str]


@record
class Prefix:
    """``path`` goes before the routes of what ``receiver`` names, itself under ``parent``, of the members of ``owner``,
    or of the lines to ``end``."""

    path: str
    line: int
    end: int = 0
    receiver: str = ""
    parent: str = ""
    owner: int = -1


def prefixes_of(matches: Sequence[Match], facts: Facts) -> list[Prefix]:
    return [_prefix(match, facts) for match in matches]


def _prefix(match: Match, facts: Facts) -> Prefix:
    found, path = match.found, _url(match, facts)
    if found.source == DECORATOR:
        return Prefix(path, found.line, owner=found.owner)
    receiver = match.groups.get("mounted", "")
    if not receiver and (assigned := _ASSIGNED.search(found.before)):
        receiver = assigned[1]
    end = 0 if receiver else found.end_line
    return Prefix(path, found.line, end, receiver, found.receiver)


def made(match: Match, path: str, facts: Facts, prefixes: Sequence[Prefix]) -> Iterator[Overlaid]:
    row, found = match.row, match.found
    if row.kind != ROUTE:
        title = _filled(row.title or "{of}", match, path)
        target, handler = _target(match, facts, path)
        for pattern, text in row.rewrite:
            title = pattern.sub(text, title)
        title = title.replace("{of}", facts.symbols[target].name if target >= 0 else found.name)
        if title:
            yield Overlaid(row.kind, title[:_NAME_MOST], found.line, target, handler, match.overlay)
        return
    whole = _whole([match.groups.get("base", ""), _url(match, facts)], found, facts, prefixes)
    if row.expand:
        yield from _expanded(match, path, whole)
    elif row.pairs:
        for pair in row.pairs.finditer(found.text):
            name = f"{pair['method'].upper()} {whole}"
            target, handler = _meant(facts, pair["handler"])
            yield Overlaid(ROUTE, name, found.line, target, handler, match.overlay)
    else:
        target, handler = _target(match, facts, path)
        for method in _methods(match):
            yield Overlaid(ROUTE, f"{method} {whole}"[:_NAME_MOST], found.line, target, handler, match.overlay)


def _methods(match: Match) -> list[str]:
    row, said = match.row, match.groups.get("method", "")
    if row.methods and (found := row.methods.findall(match.found.text)):
        return sorted({method.upper() for method in found})
    return [(said or row.method or "any").upper()]


def _expanded(match: Match, path: str, whole: str) -> Iterator[Overlaid]:
    """One call that means several routes."""
    row, found = match.row, match.found
    only = row.only.search(found.text) if row.only else None
    for method, rest, action in row.expand:
        if only is None or re.search(rf"\b{action}\b", only[1]):
            handler = _filled(row.target.replace("{action}", action), match, path)
            yield Overlaid(ROUTE, f"{method} {_joined([whole, rest])}", found.line, -1, handler, match.overlay)


def _target(match: Match, facts: Facts, path: str) -> tuple[int, str]:
    row, found = match.row, match.found
    if row.picks:
        picks = row.picks
        chosen = (n for n, each in enumerate(facts.symbols) if each.owner < 0 and picks.fullmatch(each.name))
        return next(chosen, -1), ""
    if row.target:
        return _meant(facts, _filled(row.target, match, path))
    named = row.handler.search(found.text) if row.handler else None
    handler = next(filter(None, named.groups()), "") if named else ""
    return _meant(facts, handler) if handler else (found.owner, "")


def _meant(facts: Facts, handler: str) -> tuple[int, str]:
    """The one definition of this file that is meant, and its name with dots."""
    handler = ".".join(part for word in _BETWEEN.split(handler) if (part := word.strip("\"'` ")))
    numbers = [number for number, symbol in enumerate(facts.symbols) if symbol.name == handler]
    return (numbers[0] if len(numbers) == 1 else -1), handler


def _filled(template: str, match: Match, path: str) -> str:
    """``{group}`` is what a pattern found, ``{Group}`` the same with capitals and without dashes; ``{stem}`` is that of
    the file, ``{name}`` what was matched."""
    stem = path.rpartition("/")[2].partition(".")[0]
    words = {"name": match.found.name, "stem": stem, **match.groups}
    for word, text in words.items():
        template = template.replace(f"{{{word}}}", text).replace(f"{{{word.capitalize()}}}", _capitals(text))
    return template


def _capitals(text: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", text.rpartition("/")[2]))


def _url(match: Match, facts: Facts) -> str:
    row, found = match.row, match.found
    path = match.groups.get("url")
    if path is None:
        string = _STRING.search(found.text) if found.source in (CALL, DECORATOR, ENTRY) else None
        path = string[1] if string else ""
    for pattern, text in row.rewrite:
        path = pattern.sub(text.replace("{around}", _around(found, facts)), path)
    return path


def _around(found: Found, facts: Facts) -> str:
    """The name of the type that a decorated definition is, or is a member of."""
    number = found.owner
    while number >= 0 and facts.symbols[number].kind not in METHOD_OWNERS:
        number = facts.symbols[number].owner
    return facts.symbols[number].name if number >= 0 else ""


def _whole(path: Sequence[str], found: Found, facts: Facts, prefixes: Sequence[Prefix]) -> str:
    """With what goes before it: the lines around, the type around, and what its receiver stands for."""
    parts, receiver, seen = [*path], found.receiver, set[str]()
    while receiver and receiver not in seen:
        seen.add(receiver)
        held = [each for each in prefixes if each.receiver == receiver and each.line <= found.line]
        held = held or [each for each in prefixes if each.receiver == receiver]
        receiver = held[-1].parent if held else ""
        parts[:0] = [held[-1].path] if held else []
    around = facts.symbols[found.owner].owner if found.owner >= 0 else -1
    parts[:0] = [each.path for each in prefixes if each.owner >= 0 and each.owner in (found.owner, around)]
    parts[:0] = [each.path for each in prefixes if each.end and each.line < found.line <= each.end]
    return _joined(parts)


def _joined(parts: Sequence[str]) -> str:
    """One path; only the last part may end with a slash."""
    kept = [part.strip("/") for part in parts if part.strip("/")]
    end = "/" if kept and parts[-1].endswith("/") and parts[-1] != "/" else ""
    return "/" + "/".join(kept) + end
