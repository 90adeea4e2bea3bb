"""What type an expression before a call has, and which member of it is meant. Refuses a type that is not written."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.code import expressions
from gitmem.code.expressions import CALL, CAST, INDEX, MEMBER, Part
from gitmem.code.names import UNTYPED, Found, Meaning, Module, Names, Outside, Typed
from gitmem.code.scopes import CALLABLE, TYPES, decorators
from gitmem.model.code import METHOD_OWNERS, Place
from gitmem.record import record, replace

INSTANCE, CLASS, ABOVE, FUNCTION = "instance", "class", "above", "function"
_ANCESTORS_MOST = 100
_NESTED_MOST = 8
_SIGNATURE_MOST = 200
# A text of this length may have been cut.
_LONGEST = 200
_CLASS_WORDS = frozenset({"cls", "Self", "static"})


@record
class Value:
    """An object of the type at ``place``, the type itself, what it inherits, or a function; ``rule`` says how it was
    found, ``is_many`` that it is a collection of such."""

    kind: str
    place: Place
    rule: str
    is_many: bool = False


@record
class Member:
    """The definitions that a member may be. ``is_sure`` is false where a base that was not found may have it too."""

    places: tuple[Place, ...]
    is_inherited: bool = False
    is_sure: bool = True


Evaluated = Value | Module | Outside | None


class Receivers:
    """Types of expressions in one tree."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._bases: dict[Place, tuple[Place | None, ...]] = {}

    def value(self, path: str, owner: int, text: str, line: int) -> Evaluated:
        """None where nothing says what it is."""
        return self._walked(path, owner, expressions.parts(text), line, 0)

    def _walked(self, path: str, owner: int, parts: tuple[Part, ...], line: int, depth: int) -> Evaluated:
        if not parts or depth > _NESTED_MOST:
            return None
        if parts[0].kind == CAST:
            found: Evaluated = self.typed(Typed(parts[0].text, path, owner, "variable"), depth + 1)
            rest = parts[1:]
        else:
            found, rest = self._start(path, owner, parts, line, depth)
        for part in rest:
            if found is None or isinstance(found, Outside):
                return found
            found = self._stepped(found, part, depth)
        return found

    def _start(
        self, path: str, owner: int, parts: tuple[Part, ...], line: int, depth: int
    ) -> tuple[Evaluated, tuple[Part, ...]]:
        name = parts[0].text
        sheet = self.names.scopes(path)
        if name in sheet.dialect.own | sheet.dialect.above:
            around = self.type_around(path, owner, depth + 1)
            if around is None:
                return None, ()
            is_above = name in sheet.dialect.above
            kind = ABOVE if is_above else CLASS if name in _CLASS_WORDS else INSTANCE
            is_called = len(parts) > 1 and parts[1].kind == CALL and (is_above or name == "cls")
            kind = INSTANCE if is_called and not is_above else kind
            return Value(kind, around, "super" if is_above else "self"), parts[2:] if is_called else parts[1:]
        if name.startswith("@"):
            around = self.type_around(path, owner, depth + 1)
            return (self._field(around, name, depth) if around else None), parts[1:]
        for count in range(len(parts) - 1, 0, -1):
            module = self._dotted(path, parts[: count + 1])
            if module:
                return module, parts[count + 1 :]
        meaning = self.names.meaning(path, owner, name, line)
        if meaning is None and sheet.dialect.is_implicit:
            around = self.type_around(path, owner, depth + 1)
            return (self._field(around, name, depth) if around else None), parts[1:]
        return None if meaning == UNTYPED else self.meant(meaning, depth), parts[1:]

    def _dotted(self, path: str, parts: tuple[Part, ...]) -> Module | None:
        """The module that ``import a.b`` names, where the expression begins with it."""
        sheet = self.names.scopes(path)
        if not sheet.dialect.head or any(part.kind != MEMBER for part in parts[1:]):
            return None
        dotted = ".".join(part.text for part in parts)
        row = next(
            (each for each in sheet.imported.get(parts[0].text, ()) if each.module == dotted and not each.name), None
        )
        files = self.names.reached(path, row) if row and not row.alias else ()
        return Module(files, dotted) if files else None

    def type_around(self, path: str, owner: int, depth: int = 0) -> Place | None:
        sheet = self.names.scopes(path)
        number = sheet.type_around(owner)
        if number >= 0:
            return Place(path, number)
        outer = sheet.outer_type(owner)
        return self.type_named(path, -1, outer, depth) if outer else None

    def types_around(self, path: str, owner: int) -> Iterator[Place]:
        """The type around a place, and where a language sees their members the types around that."""
        sheet = self.names.scopes(path)
        around = self.type_around(path, owner)
        while around:
            yield around
            is_seen = sheet.dialect.is_nested and around.path == path
            outer = sheet.type_around(sheet.symbol(around.number).owner) if is_seen else -1
            around = Place(path, outer) if outer >= 0 else None

    def type_named(self, path: str, owner: int, name: str, depth: int = 0) -> Place | None:
        """The one type that a name with dots means in a scope."""
        found = self.typed(Typed(name, path, owner, "class"), depth)
        return found.place if isinstance(found, Value) and found.kind == INSTANCE and not found.is_many else None

    def meant(self, meaning: Meaning | None, depth: int) -> Evaluated:
        if isinstance(meaning, Typed):
            return self.typed(meaning, depth + 1)
        if not isinstance(meaning, Found):
            return meaning
        return self._of_places(meaning.places, "class", depth)

    def _of_places(self, places: tuple[Place, ...], rule: str, depth: int) -> Evaluated:
        types = [place for place in places if self.names.kind(place) in TYPES]
        if len(types) == 1 or (types and len({place.path for place in types}) == 1 and len(places) == len(types)):
            return self._aliased(types[0], rule, depth)
        if len(places) != 1 and not all(self.names.kind(place) in CALLABLE for place in places):
            return None
        if not places:
            return None
        place = places[-1]
        if self.names.kind(place) in CALLABLE:
            return Value(FUNCTION, place, rule)
        return self._constant(place, rule, depth)

    def _aliased(self, place: Place, rule: str, depth: int) -> Evaluated:
        """The class itself, or the type that another name was given to."""
        symbol = self.names.scopes(place.path).symbol(place.number)
        if symbol.kind == "type" and "=" in symbol.signature and depth <= _NESTED_MOST:
            other = self.typed(
                Typed(symbol.signature.partition("=")[2].strip(" ;"), place.path, symbol.owner, rule), depth + 1
            )
            if isinstance(other, Value):
                return replace(other, kind=CLASS, rule=rule)
        return Value(CLASS, place, rule)

    def _constant(self, place: Place, rule: str, depth: int) -> Evaluated:
        """A value that a module keeps: by its type, else by its own members."""
        sheet = self.names.scopes(place.path)
        symbol = sheet.symbol(place.number)
        rows = sheet.bound.get((symbol.owner, symbol.name), ()) or sheet.fields.get((symbol.owner, symbol.name), ())
        if rows and depth <= _NESTED_MOST:
            found = self.typed(Typed(rows[-1].type, place.path, rows[-1].owner, "variable"), depth + 1)
            # What a call gives back that was given functions, as a store is made of its actions.
            is_given = not isinstance(found, Value) and any(row.owner == place.number for row in sheet.facts.symbols)
            return Value(CLASS, place, rule) if is_given else found
        return Value(CLASS, place, rule)

    def typed(self, typed: Typed, depth: int = 0) -> Evaluated:
        """An object of a written type."""
        written = expressions.written(typed.text)
        if depth > _NESTED_MOST or len(typed.text) >= _LONGEST:
            return None
        if written is None:
            return self._expressed(typed, depth)
        first, _, rest = written.name.partition(".")
        if first in ("Self", "self", "this", "static") and not rest:
            around = self.type_around(typed.path, typed.owner, depth + 1)
            return Value(INSTANCE, around, typed.rule) if around else None
        parts = expressions.parts(written.name)
        found = self._walked(
            typed.path, self._outside_of(typed, first) if not rest else typed.owner, parts, 0, depth + 1
        )
        if isinstance(found, Value) and found.kind == FUNCTION:
            found = self._given_back(found, depth + 1)
            return replace(found, rule="returned") if isinstance(found, Value) else found
        if isinstance(found, Value) and found.kind == CLASS:
            kind = CLASS if written.is_class else INSTANCE
            return Value(kind, found.place, typed.rule, written.is_many)
        if isinstance(found, Value) and self.names.kind(found.place) == "type":
            return self._of_function_type(found.place, depth)
        # A name that is a variable stands for one of several: ``for each of all``.
        return (
            replace(found, is_many=False) if isinstance(found, Value) else found if isinstance(found, Outside) else None
        )

    def _expressed(self, typed: Typed, depth: int) -> Evaluated:
        """What a call of an expression gives back, where that is all that is written of a variable."""
        parts = expressions.parts(typed.text)
        found = self._walked(typed.path, typed.owner, parts, 0, depth + 1) if len(parts) > 1 else None
        return self._given_back(found, depth + 1) if isinstance(found, Value) and found.kind == FUNCTION else None

    def _outside_of(self, typed: Typed, name: str) -> int:
        """The scope in which a type's name is looked for: not that of a variable of the same name."""
        sheet = self.names.scopes(typed.path)
        owner = typed.owner
        while owner >= 0 and any(row.type == name for row in sheet.bound.get((owner, name), ())):
            owner = sheet.symbol(owner).owner
        return owner

    def _stepped(self, found: Value | Module, part: Part, depth: int) -> Evaluated:
        if isinstance(found, Module):
            return self._of_module(found, part, depth)
        if part.kind == INDEX:
            return replace(found, is_many=False) if found.is_many else None
        if part.kind == CALL:
            return self._called(found, depth)
        if found.is_many:
            return None
        if found.kind == FUNCTION:
            return None
        member = self.member(found, part.text)
        if member and member.places:
            return self._member_value(found, member, depth)
        if found.kind in (INSTANCE, CLASS, ABOVE):
            return self._field(found.place, part.text, depth)
        return None

    def _of_module(self, module: Module, part: Part, depth: int) -> Evaluated:
        if part.kind != MEMBER:
            return None
        places = tuple(dict.fromkeys(place for path in module.paths for place in self.names.exports(path, part.text)))
        if places:
            return self._of_places(places, "module", depth)
        return self.names.submodule(module, part.text) or self._module_taken(module, part.text)

    def _module_taken(self, module: Module, name: str) -> Evaluated:
        """A module that a module has imported under that name."""
        for path in module.paths:
            for row in self.names.scopes(path).imported.get(name, ()):
                linked = self.names.linked(path, row)
                if isinstance(linked, (Module, Outside)):
                    return linked
        return None

    def _member_value(self, found: Value, member: Member, depth: int) -> Evaluated:
        place = member.places[-1]
        sheet = self.names.scopes(place.path)
        kind = sheet.symbol(place.number).kind
        if kind in METHOD_OWNERS:
            return Value(CLASS, place, "class")
        if kind not in CALLABLE:
            value = self._field(found.place, self.names.symbol_name(place), depth)
            return value if value else self._constant(place, "field", depth)
        function = Value(FUNCTION, place, "returned")
        is_property = "property" in decorators(sheet).get(place.number, "") or sheet.symbol(
            place.number
        ).signature.startswith("get ")
        return self._given_back(function, depth + 1) if is_property else function

    def _called(self, found: Value, depth: int) -> Evaluated:
        if found.kind == CLASS:
            return Value(INSTANCE, found.place, "returned")
        if found.kind == INSTANCE and self.names.kind(found.place) == "type":
            return self._of_function_type(found.place, depth)
        return self._given_back(found, depth + 1) if found.kind == FUNCTION else None

    def _of_function_type(self, place: Place, depth: int) -> Evaluated:
        """What a call of ``type F = (...) => T`` gives back."""
        arrow = self._header(place).rpartition("=>")[2].strip(" ;")
        found = self.typed(Typed(arrow, place.path, place.number, "returned"), depth + 1) if arrow else None
        return replace(found, rule="returned") if isinstance(found, Value) else None

    def _given_back(self, function: Value, depth: int) -> Evaluated:
        """What a function gives back, as its signature says."""
        sheet = self.names.scopes(function.place.path)
        symbol = sheet.symbol(function.place.number)
        text = expressions.returned(self._header(function.place), symbol.name)
        if not text or depth > _NESTED_MOST:
            return None
        found = self.typed(Typed(text, function.place.path, function.place.number, "returned"), depth)
        return replace(found, rule="returned") if isinstance(found, Value) else found

    def _header(self, place: Place) -> str:
        """The whole text of a function up to its body."""
        symbol = self.names.scopes(place.path).symbol(place.number)
        if len(symbol.signature) < _SIGNATURE_MOST:
            return symbol.signature
        text = self.names.atlas.text(place.path)[symbol.start : symbol.body_start or symbol.end]
        return " ".join(text.decode("utf-8", "replace").split())

    def _field(self, place: Place, name: str, depth: int) -> Evaluated:
        """The type of a field, of the type or of one that it inherits from."""
        for each in self.ancestry(place):
            if each is None:
                continue
            rows = self.names.scopes(each.path).fields.get((each.number, name), ())
            if rows:
                values = [self.typed(Typed(row.type, each.path, row.owner, "field"), depth + 1) for row in rows[-3:]]
                known = [value for value in values if isinstance(value, Value)]
                if known and all(value.place == known[0].place for value in known):
                    return replace(known[0], rule="field")
                return values[0] if values and isinstance(values[0], Outside) else None
        return None

    def member(self, value: Value, name: str, arity: int = -1) -> Member | None:
        """The member of that name, of the type itself or of the nearest that it inherits from."""
        is_sure = True
        for number, each in enumerate(self.ancestry(value.place)):
            if each is None:
                is_sure = False
                continue
            if value.kind == ABOVE and number == 0:
                continue
            places = self._own(each, name)
            if places:
                return Member(places, number > 0, is_sure)
        return None if is_sure else Member((), is_sure=False)

    def _own(self, place: Place, name: str) -> tuple[Place, ...]:
        sheet = self.names.scopes(place.path)
        found = [Place(place.path, number) for number in sheet.members.get((place.number, name), ())]
        type_name = sheet.symbol(place.number).name
        found = found or [Place(place.path, number) for number in sheet.outside.get((type_name, name), ())]
        if found or not sheet.dialect.is_spread:
            return tuple(found)
        for other in self.names.atlas.defined(name):
            near = self.names.scopes(other.path)
            if near.symbol(other.number).outer == type_name and self._is_of(other.path, place):
                found.append(other)
        return tuple(found)

    def _is_of(self, path: str, place: Place) -> bool:
        """Whether a method that stands outside, in this file, may belong to the type: in its folder, or by import."""
        if path == place.path or path.rpartition("/")[0] == place.path.rpartition("/")[0]:
            return True
        found = self.names.meaning(path, -1, self.names.symbol_name(place))
        return isinstance(found, Found) and place in found.places

    def ancestry(self, place: Place) -> Iterator[Place | None]:
        """The type and those that it inherits from, in the order in which a member is looked for: what several inherit
        from comes after all of them. None stands for one that was not found."""
        order: list[Place | None] = []
        left: list[Place | None] = [place]
        while left and len(order) < _ANCESTORS_MOST:
            one = left.pop()
            order.append(one)
            left += reversed(self.bases(one)) if one else ()
        last = {one: number for number, one in enumerate(order)}
        yield place
        yield from (one for at, one in enumerate(order) if one != place and (one is None or last[one] == at))

    def bases(self, place: Place) -> tuple[Place | None, ...]:
        found = self._bases.get(place)
        if found is None:
            self._bases[place] = ()
            sheet = self.names.scopes(place.path)
            symbol = sheet.symbol(place.number)
            written = (*symbol.extends, *symbol.implements)
            found = tuple(self._base(place, symbol.owner, name) for name in written)
            self._bases[place] = found = tuple(each for each in found if each != place)
        return found

    def _base(self, place: Place, owner: int, name: str) -> Place | None:
        return self.type_named(place.path, owner, name)
