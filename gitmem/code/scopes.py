"""What one file defines, binds and imports, by name and by scope. Refuses to look into another file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gitmem.code import expressions
from gitmem.code.dialects import Dialect, dialect
from gitmem.model.code import METHOD_OWNERS, Binding, Facts, Imported, Symbol
from gitmem.record import record

CALLABLE = frozenset({"function", "method", "constructor", "macro", "component"})
TYPES = METHOD_OWNERS | {"type", "component", "db_model", "module"}
# A scope that others do not see into by a bare name.
_CLOSED = METHOD_OWNERS | {"constant", "field", "element", "config"}
_VALUES = frozenset({"constant", "field", "element", "config"})
_DECLARED = re.compile(r"^(?:export |default |async |declare |const |let |var |function|class |abstract )")
_SIGNATURE_MOST = 200
_SET = re.compile(r"\.(?:setter|deleter)\b|\boverload\b")


@record
class Scopes:
    """``members`` has the numbers of symbols by owner and name, ``outside`` those of methods that stand outside of
    their type by its name, ``bound`` the bindings by scope and name, ``fields`` those of members by type and name."""

    path: str
    facts: Facts
    dialect: Dialect
    members: Mapping[tuple[int, str], tuple[int, ...]]
    outside: Mapping[tuple[str, str], tuple[int, ...]]
    bound: Mapping[tuple[int, str], tuple[Binding, ...]]
    fields: Mapping[tuple[int, str], tuple[Binding, ...]]
    imported: Mapping[str, tuple[Imported, ...]]
    stars: tuple[Imported, ...]

    def symbol(self, number: int) -> Symbol:
        return self.facts.symbols[number]

    def chain(self, owner: int) -> Iterator[int]:
        """The scopes around a place, the innermost first, -1 for the file at last."""
        for _ in range(len(self.facts.symbols) + 1):
            yield owner
            if owner < 0:
                return
            owner = self.symbol(owner).owner

    def type_around(self, owner: int) -> int:
        """The number of the type, or of the object, that ``self`` is there; -1 for none."""
        last = -1
        for number in self.chain(owner):
            if number >= 0 and self.symbol(number).kind in METHOD_OWNERS:
                return number
            last = number if number >= 0 and self.symbol(number).kind == "constant" else last
        return last

    def outer_type(self, owner: int) -> str:
        """The name of the type that a method around the place belongs to without standing in it; '' for none."""
        return next(
            (self.symbol(each).outer for each in self.chain(owner) if each >= 0 and self.symbol(each).outer), ""
        )

    def seen(self, owner: int, name: str) -> tuple[int, ...]:
        """The symbols of that name that a bare name means in the scope: those that stand in it, not members of it."""
        found = self.members.get((owner, name), ())
        if owner < 0 or not found:
            return tuple(number for number in found if not self.symbol(number).outer)
        if self.symbol(owner).kind in METHOD_OWNERS:
            is_seen = self.dialect.is_implicit
            return tuple(number for number in found if is_seen and self.symbol(number).kind in METHOD_OWNERS)
        if self.symbol(owner).kind in _CLOSED:
            return tuple(number for number in found if _DECLARED.match(self.symbol(number).signature))
        return tuple(number for number in found if self.symbol(number).kind != "method")


def scopes(path: str, facts: Facts) -> Scopes:
    members: dict[tuple[int, str], list[int]] = {}
    outside: dict[tuple[str, str], list[int]] = {}
    for number, symbol in enumerate(facts.symbols):
        members.setdefault((symbol.owner, symbol.name), []).append(number)
        if symbol.outer:
            outside.setdefault((symbol.outer, symbol.name), []).append(number)
    speech = dialect(facts.language)
    bound, fields = _bound(facts, speech)
    imported: dict[str, list[Imported]] = {}
    for row in facts.imports:
        name = local_name(row, speech)
        if name:
            imported.setdefault(name, []).append(row)
    return Scopes(
        path,
        facts,
        speech,
        {key: tuple(rows) for key, rows in members.items()},
        {key: tuple(rows) for key, rows in outside.items()},
        {key: tuple(rows) for key, rows in bound.items()},
        {key: tuple(rows) for key, rows in fields.items()},
        {key: tuple(rows) for key, rows in imported.items()},
        tuple(row for row in facts.imports if row.name == "*" and not row.alias),
    )


def blocks(scopes_: Scopes, text: bytes, numbers: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The lines between which each of these definitions is seen: its block, by how far it is indented."""
    lines = text.expandtabs(4).split(b"\n")
    return {number: _block(lines, scopes_.symbol(number).line) for number in numbers}


def _block(lines: Sequence[bytes], line: int) -> tuple[int, int]:
    depth = _indent(lines[line - 1]) if 0 < line <= len(lines) else 0
    first = last = line
    while first > 1 and (not lines[first - 2].strip() or _indent(lines[first - 2]) >= depth):
        first -= 1
    while last < len(lines) and (not lines[last].strip() or _indent(lines[last]) >= depth):
        last += 1
    return (first, last) if depth else (1, len(lines))


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())


_Rows = dict[tuple[int, str], list[Binding]]


def _bound(facts: Facts, speech: Dialect) -> tuple[_Rows, _Rows]:
    """Bindings by the scope that holds them, and those of members by their type."""
    bound: _Rows = {}
    fields: _Rows = {}
    for binding in facts.bindings:
        owner = binding.owner
        while owner >= 0 and facts.symbols[owner].kind in _VALUES and facts.symbols[owner].name == binding.name:
            owner = facts.symbols[owner].owner
        before, dot, member = binding.name.replace("->", ".").partition(".")
        if dot and before in speech.own:
            around = _type_around(facts, owner)
            fields.setdefault((around, member), []).append(binding)
        elif binding.name.startswith("@"):
            fields.setdefault((_type_around(facts, owner), binding.name), []).append(binding)
        elif owner >= 0 and facts.symbols[owner].kind in METHOD_OWNERS:
            fields.setdefault((owner, binding.name), []).append(binding)
            bound.setdefault((owner, binding.name), []).append(binding)
        else:
            bound.setdefault((owner, binding.name), []).append(binding)
            if owner >= 0 and facts.symbols[owner].kind == "constructor" and _is_kept(facts.symbols[owner], binding):
                fields.setdefault((facts.symbols[owner].owner, binding.name), []).append(binding)
    return bound, fields


def _type_around(facts: Facts, owner: int) -> int:
    while owner >= 0 and facts.symbols[owner].kind not in METHOD_OWNERS:
        owner = facts.symbols[owner].owner
    return owner


def _is_kept(constructor: Symbol, binding: Binding) -> bool:
    """Whether a parameter of a constructor is a field as well, by the word before it."""
    if len(constructor.signature) >= _SIGNATURE_MOST and binding.name not in constructor.signature:
        return True
    return bool(
        re.search(rf"\b(?:private|public|protected|readonly)\s+{re.escape(binding.name)}\b", constructor.signature)
    )


def local_name(row: Imported, speech: Dialect) -> str:
    """The name that an import has in its file, '' for one that gives none."""
    if row.alias:
        return row.alias
    if row.name == "*" or row.name == "default":
        return ""
    if row.name:
        return row.name
    if speech.is_effect_only:
        return ""
    parts = re.split(r"[./\\:]+", row.module.strip("./\\:"))
    return parts[0] if speech.head else parts[-1]


def is_parameter(sheet: Scopes, scope: int, name: str) -> bool:
    """Whether a function has a parameter of that name, as far as its signature is kept."""
    symbol = sheet.symbol(scope)
    if name not in symbol.signature or symbol.kind not in CALLABLE:
        return False
    text = expressions.parameters(symbol.signature, symbol.name)
    return name in _parameters(text, is_name_first=sheet.dialect.family == "go")


_WORD = re.compile(r"[\w$]+")


def _parameters(text: str, *, is_name_first: bool) -> list[str]:
    """The names in a list of parameters: a type stands behind a colon or before the name, in Go behind it."""
    found = []
    for part in expressions.split(text, ","):
        bare = part.partition("=")[0].partition(":")[0]
        words = _WORD.findall(bare)
        found += words if bare.lstrip()[:1] in ("{", "[") else words[:1] if is_name_first else words[-1:]
    return found


def chosen(scopes_: Scopes, numbers: Sequence[int], arity: int) -> tuple[tuple[int, ...], bool]:
    """Of symbols of one name in one scope, those that a call means, and whether that is sure.

    What only declares an overload gives way to the one with a body; then the number of arguments decides.
    """
    if len(numbers) < 2:
        return tuple(numbers), True
    texts = decorators(scopes_)
    left = [number for number in numbers if not _SET.search(texts.get(number, ""))] or list(numbers)
    bodies = [number for number in left if scopes_.symbol(number).body_end]
    left = bodies if len(bodies) == 1 else left
    if len(left) > 1 and arity >= 0:
        left = [number for number in left if scopes_.symbol(number).arity == arity] or left
    return tuple(left), len(left) == 1


def decorators(scopes_: Scopes) -> Mapping[int, str]:
    found: dict[int, str] = {}
    for hint in scopes_.facts.hints:
        if hint.kind == "decorator":
            found[hint.owner] = f"{found.get(hint.owner, '')} {hint.text}"
    for number, symbol in enumerate(scopes_.facts.symbols):
        if symbol.decorators:
            found[number] = f"{found.get(number, '')} {' '.join(symbol.decorators)}"
    return found
