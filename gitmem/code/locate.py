"""From what somebody calls a definition to it: an id, a place in a file, a name. Refuses to hide a guess."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gitmem.code import finding
from gitmem.code.atlas import Atlas
from gitmem.code.finding import EXACT, Asked
from gitmem.code.scopes import CALLABLE, TYPES
from gitmem.code.testing import is_test
from gitmem.model.code import Place, tail
from gitmem.record import record

_LINE = re.compile(r"^(.+):(\d+)$", re.DOTALL)
_LOOKED_AT = 600


@record
class Located:
    """``places`` are the definitions that may be meant, the likeliest first; a file is a place with the number -1.
    ``is_exact`` says that they have just the name that was given."""

    places: tuple[Place, ...]
    is_exact: bool
    total: int

    @property
    def is_reliable(self) -> bool:
        return self.is_exact and len(self.places) == 1


def locate(atlas: Atlas, text: str) -> Located:
    text = text.strip()
    path, mark, rest = text.partition("::")
    if mark and atlas.has(path):
        found = _with_tail(atlas, path, rest)
        if found:
            return Located(found, _is_of(atlas, found[0], rest), len(found))
    line = _LINE.match(text)
    if line and atlas.has(line[1]):
        return Located((_at_line(atlas, line[1], int(line[2])),), is_exact=True, total=1)
    if atlas.has(text):
        return Located((Place(text, -1),), is_exact=True, total=1)
    return _named(atlas, text)


def _with_tail(atlas: Atlas, path: str, rest: str) -> tuple[Place, ...]:
    symbols = atlas.facts(path).symbols
    exact = [number for number in range(len(symbols)) if tail(symbols, number) == rest]
    plain = rest.partition("(")[0]
    same = exact or [number for number in range(len(symbols)) if tail(symbols, number).partition("(")[0] == plain]
    return _grouped(atlas, [Place(path, number) for number in same])


def _is_of(atlas: Atlas, place: Place, rest: str) -> bool:
    """Whether an id still says what is there: without its parameters, or with those that it has."""
    return not re.search("[(#]", rest) or tail(atlas.facts(place.path).symbols, place.number) == rest


def _at_line(atlas: Atlas, path: str, line: int) -> Place:
    """The innermost definition around a line, the file itself where there is none."""
    symbols = atlas.facts(path).symbols
    around = [number for number, symbol in enumerate(symbols) if symbol.line <= line <= symbol.end_line]
    told = [number for number in around if symbols[number].kind in CALLABLE | TYPES] or around
    return Place(path, told[-1] if told else -1)


def _named(atlas: Atlas, text: str) -> Located:
    found, total = finding.find(atlas, Asked(text), _LOOKED_AT)
    exact = [each for each in found if each.reason == EXACT]
    strong = [each for each in exact if each.row.kind in CALLABLE | TYPES] or exact
    # A test may define what production does not: only then it is meant.
    production = [each for each in strong if not is_test(each.path)] or strong
    chosen = production or found[:1]
    places = _grouped(atlas, [Place(each.path, each.row.number) for each in chosen])
    return Located(places, bool(exact), len(places) if exact else total)


def _grouped(atlas: Atlas, places: Sequence[Place]) -> tuple[Place, ...]:
    """One for each function: a signature that only declares an overload gives way to the one with the body."""
    groups: dict[tuple[str, int, str], list[Place]] = {}
    for place in places:
        symbol = atlas.facts(place.path).symbols[place.number]
        groups.setdefault((place.path, symbol.owner, symbol.outer), []).append(place)
    kept: list[Place] = []
    for group in groups.values():
        bodies = [each for each in group if atlas.facts(each.path).symbols[each.number].body_end]
        kept += bodies if bodies else group[:1]
    return tuple(sorted(kept, key=places.index))
