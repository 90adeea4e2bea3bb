"""What a bare name means in a place: a definition, a module, a typed variable. Refuses to guess by popularity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gitmem.code.dialects import EVERYWHERE, FOLDER, NOWHERE, dialect
from gitmem.code.expressions import last_name
from gitmem.code.modules import reached
from gitmem.code.scopes import CALLABLE, TYPES, Scopes, blocks, is_parameter, local_name, scopes
from gitmem.code.testing import is_test
from gitmem.code.tracked import Tracked
from gitmem.model.code import Imported, Place
from gitmem.model.imports import Import
from gitmem.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.code.atlas import Atlas

# Through so many files a name is followed that each take it from the next.
_HANDED_ON_MOST = 8
_COMMON = "module.exports"
_ASSIGNED = re.compile(
    rb"\bmodule\.exports\s*=\s*(?:require\(\s*['\"]([^'\"]+)['\"]\s*\)|([A-Za-z_$][\w$]*)\s*(?:;|\n|$))"
)
_DEFAULT = re.compile(
    rb"\bexport\s+default\s+(?:async\s+|abstract\s+)*(?:class\b|function\b\s*\*?)?\s*([A-Za-z_$][\w$]*)"
)
_EXPORTED_AS = rb"\bexport\s*(?:type\s*)?\{[^}]*?\b([\w$]+)\s+as\s+%s\b"
_SOURCES = re.compile(r"(?:^|/)(?:java|kotlin)/")


@record
class Found:
    """Definitions, and the rule by which they were found."""

    places: tuple[Place, ...]
    rule: str


@record
class Module:
    """The files of a module; ``name`` is what it is called as a whole, '' where that is not known."""

    paths: tuple[str, ...]
    name: str = ""


@record
class Typed:
    """A variable whose type is ``text``, as it is written in the scope ``owner`` of the file."""

    text: str
    path: str
    owner: int
    rule: str


@record
class Outside:
    """What is known not to be a definition of this tree, with the reason in words."""

    reason: str


UNTYPED = Outside("a parameter without a type")
Meaning = Found | Module | Typed | Outside


class Names:
    """The names of one tree. What was read of a file is kept as long as this lives."""

    def __init__(self, atlas: Atlas, known: Tracked) -> None:
        self.atlas = atlas
        self.known = known
        self._scopes: dict[str, Scopes] = {}
        self._exports: dict[tuple[str, str], tuple[Place, ...]] = {}
        self._reached: dict[tuple[str, str, str], tuple[str, ...]] = {}

    def scopes(self, path: str) -> Scopes:
        found = self._scopes.get(path)
        if found is None:
            found = self._scopes[path] = scopes(path, self.atlas.facts(path))
        return found

    def symbol_name(self, place: Place) -> str:
        return self.scopes(place.path).symbol(place.number).name

    def kind(self, place: Place) -> str:
        return self.scopes(place.path).symbol(place.number).kind

    def meaning(self, path: str, owner: int, name: str, line: int = 0) -> Meaning | None:
        """What the name means in a scope; None for a name that nothing in the file says anything about."""
        sheet = self.scopes(path)
        for scope in sheet.chain(owner):
            found = self._in_scope(sheet, scope, name, line)
            if found:
                return found
        for row in sheet.imported.get(name, ()):
            return self.linked(path, row)
        for row in sheet.stars:
            places = tuple(place for file in self.reached(path, row) for place in self.exports(file, name))
            if places:
                return Found(places, "import")
        return self._nearby(path, name)

    def reached(self, path: str, row: Imported) -> tuple[str, ...]:
        key = path, row.module, row.name
        found = self._reached.get(key)
        if found is None:
            found = self._reached[key] = reached(path, self._import(path, row), self.known)
        return found

    def _in_scope(self, sheet: Scopes, scope: int, name: str, line: int) -> Meaning | None:
        numbers = sheet.seen(scope, name)
        rows = sheet.bound.get((scope, name), ())
        is_value = all(sheet.symbol(number).kind not in CALLABLE | TYPES for number in numbers)
        if rows and is_value:
            before = [row for row in rows if row.line <= line] if scope >= 0 and line else rows
            row = (before or rows)[-1]
            return Typed(row.type, sheet.path, row.owner, "variable")
        if numbers and line and sheet.dialect.is_effect_only:
            numbers = self._in_block(sheet, numbers, line)
        if numbers:
            return Found(tuple(Place(sheet.path, number) for number in numbers), "file")
        if scope >= 0 and is_parameter(sheet, scope, name):
            return UNTYPED
        return None

    def _in_block(self, sheet: Scopes, numbers: Sequence[int], line: int) -> tuple[int, ...]:
        """Those in the innermost block around the line: functions that a call is given make no scope of their own."""
        spans = blocks(sheet, self.atlas.text(sheet.path), numbers)
        around = [number for number in numbers if spans[number][0] <= line <= spans[number][1]]
        least = min((spans[number][1] - spans[number][0] for number in around), default=0)
        return tuple(number for number in around if spans[number][1] - spans[number][0] == least)

    def _import(self, path: str, row: Imported) -> Import:
        """In Java the class is part of what is imported, and a static member stands behind it."""
        if self.atlas.language(path) == "java" and row.name not in ("", "*"):
            return Import(f"{row.module}.{row.name}", (), row.line)
        return Import(row.module, (row.name,) if row.name else (), row.line)

    def linked(self, path: str, row: Imported) -> Meaning:
        """What an import gives to the name that it binds."""
        files = self.reached(path, row)
        if not files:
            return Outside(f"{row.module} is not of this tree")
        speech = self.scopes(path).dialect
        if row.name == "*" or (not row.name and (speech.head or speech.is_effect_only or speech.family == "go")):
            first = row.module.partition(".")[0]
            if speech.head and not row.alias and first:
                return Module(self.reached(path, Imported(first, "", "", row.line)), first)
            return Module(files, row.module if speech.head else "")
        wanted = row.name or local_name(row, speech) if not row.alias else row.name or last_name(row.module)
        if speech.head:
            return self._taken(path, row, files)
        places = tuple(dict.fromkeys(place for file in files for place in self.exports(file, wanted)))
        if places:
            return Found(places, "import")
        return Module(files) if speech.family == "rust" else Outside(f"{wanted} is not defined in {files[0]}")

    def _taken(self, path: str, row: Imported, files: Sequence[str]) -> Meaning:
        """In Python a name may be that of a module in the package, or one that the package defines."""
        whole = self.reached(path, Imported(row.module, "", "", row.line))
        inside = [file for file in files if file not in whole]
        places = tuple(dict.fromkeys(place for file in whole for place in self.exports(file, row.name)))
        if places:
            return Found(places, "import")
        return Module(tuple(inside)) if inside else Outside(f"{row.name} is not defined in {files[0]}")

    def exports(self, path: str, name: str, depth: int = 0) -> tuple[Place, ...]:
        """The definitions that a file gives under a name, its own or those that it takes from others."""
        key = path, name
        found = self._exports.get(key)
        if found is None:
            self._exports[key] = ()
            found = self._exports[key] = tuple(dict.fromkeys(self._exported(path, name, depth)))
        return found

    def _exported(self, path: str, name: str, depth: int) -> Iterator[Place]:
        sheet = self.scopes(path)
        own = [number for number in sheet.seen(-1, name) if sheet.symbol(number).kind not in ("method", "field")]
        if name == "default" and not own:
            own = list(sheet.seen(-1, _COMMON))
            taken = list(self._assigned(path, depth)) if depth < _HANDED_ON_MOST else []
            if taken:
                yield from taken
                return
        if own:
            yield from (Place(path, number) for number in own)
            return
        if depth >= _HANDED_ON_MOST:
            return
        rows = sheet.imported.get(name, ()) or [row for row in sheet.facts.imports if name == row.name == "default"]
        taken = [place for row in rows[:1] for place in self._handed(path, row, depth)]
        if not taken:
            taken = list(self._inner(sheet, name)) or list(self._renamed(path, name, depth))
        for row in sheet.stars if not taken else ():
            taken += [place for file in self.reached(path, row) for place in self.exports(file, name, depth + 1)]
            if taken:
                break
        yield from taken

    def _handed(self, path: str, row: Imported, depth: int) -> Iterator[Place]:
        if row.name in ("", "*"):
            return
        for file in self.reached(path, row):
            if file != path:
                yield from self.exports(file, row.name, depth + 1)

    def _inner(self, sheet: Scopes, name: str) -> Iterator[Place]:
        """What stands in a namespace of the file, or in the type that the file is named after."""
        for number in range(len(sheet.facts.symbols)):
            symbol = sheet.symbol(number)
            if symbol.name == name and symbol.owner >= 0:
                around = sheet.symbol(symbol.owner)
                if around.kind == "module" or (around.owner < 0 and around.name == _stem(sheet.path)):
                    yield Place(sheet.path, number)

    def _renamed(self, path: str, name: str, depth: int) -> Iterator[Place]:
        """What a file exports under another name than it has inside."""
        if self.scopes(path).dialect.family != "ecmascript":
            return
        pattern = _DEFAULT if name == "default" else re.compile(_EXPORTED_AS % re.escape(name.encode()))
        text = self.atlas.text(path)
        found = pattern.search(text) or (re.search(_EXPORTED_AS % b"default", text) if name == "default" else None)
        inner = found[1].decode() if found else ""
        if inner and inner != name:
            yield from self.exports(path, inner, depth + 1)

    def _assigned(self, path: str, depth: int) -> Iterator[Place]:
        """What ``module.exports`` is said to be: another module as a whole, or a definition of the file."""
        if self.scopes(path).dialect.family != "ecmascript":
            return
        found = _ASSIGNED.search(self.atlas.text(path))
        if found and found[1]:
            row = Imported(found[1].decode("utf-8", "replace"), "default", "", 0)
            yield from (place for file in self.reached(path, row) for place in self.exports(file, "default", depth + 1))
        elif found:
            name = found[2].decode()
            yield from (Place(path, number) for number in self.scopes(path).seen(-1, name))

    def _nearby(self, path: str, name: str) -> Found | None:
        """What the files of the same package define, where a language needs no import for it."""
        speech = self.scopes(path).dialect
        if speech.reach == NOWHERE:
            return None
        folder = _package(path)
        places = []
        for place in self.atlas.defined(name):
            is_near = speech.reach == EVERYWHERE or _package(place.path) == folder
            is_for_it = is_test(path) or not is_test(place.path)
            if place.path != path and is_near and is_for_it and self.is_kin(path, place.path) and self.is_top(place):
                places.append(place)
        return Found(tuple(places), "package" if speech.reach == FOLDER else "single") if places else None

    def is_top(self, place: Place) -> bool:
        """Whether a definition stands in no other, or only in a module."""
        sheet = self.scopes(place.path)
        symbol = sheet.symbol(place.number)
        if symbol.owner >= 0:
            return sheet.symbol(symbol.owner).kind == "module"
        return not symbol.outer

    def is_kin(self, path: str, other: str) -> bool:
        """Whether the languages of two files call each other."""
        return dialect(self.atlas.language(path)).family == dialect(self.atlas.language(other)).family

    def submodule(self, module: Module, name: str) -> Module | None:
        """The module of that name inside a package of Python, by where its files lie."""
        for path in module.paths:
            folder = path.rpartition("/")[0]
            stem = f"{folder}/{name}".lstrip("/")
            files = tuple(file for file in (f"{stem}.py", f"{stem}/__init__.py") if file in self.known.paths)
            if path.endswith("/__init__.py") and files:
                return Module(files, f"{module.name}.{name}" if module.name else "")
        return None


def _package(path: str) -> str:
    """The folder, below the one that holds the sources of the tests or of the rest where a language has such."""
    return _SOURCES.split(path.rpartition("/")[0])[-1]


def _stem(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return folder.rpartition("/")[2] if name.startswith("__init__.") else name.partition(".")[0]
