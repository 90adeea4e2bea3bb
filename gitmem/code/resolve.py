"""From a call to the definition that it means, by the first rule with one answer. Refuses to make an edge of two."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.code.dialects import EVERYWHERE
from gitmem.code.names import Found, Module, Names, Outside, Typed
from gitmem.code.receivers import ABOVE, CLASS, FUNCTION, Receivers, Value
from gitmem.code.scopes import CALLABLE, TYPES, chosen
from gitmem.model.code import Call, Place
from gitmem.model.graph import LIKELY, PROVEN, UNRESOLVED, Resolved
from gitmem.record import replace

# More namesakes than this are no answer.
_CANDIDATES_MOST = 10
_NAMESAKES_MOST = 200
_METHODS = frozenset({"method", "constructor"})
_CALLED = CALLABLE | TYPES | {"constant", "field"}
# Rules whose single answer was wrong too often to call it proven; see docs/calls.md.
DEMOTED = frozenset({"method", "elsewhere"})


class Resolver:
    """Resolves the calls of one tree, each when it is asked for."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.receivers = Receivers(names)

    def resolve(self, path: str, call: Call) -> Resolved:
        if call.receiver:
            return self._with_receiver(path, call)
        speech = self.names.scopes(path).dialect
        if call.name in speech.above and not speech.head:
            return self._constructor_above(path, call)
        meaning = self.names.meaning(path, call.owner, call.name, call.line)
        # Methods have names of their own there: a variable does not hide one.
        inner = None if _is_local(meaning) else self._implicit(path, call)
        if inner:
            return inner
        if isinstance(meaning, Found):
            return self._picked(meaning.places, meaning.rule, call)
        if isinstance(meaning, Module):
            places = tuple(place for file in meaning.paths for place in self.names.exports(file, "default"))
            return self._picked(places, "import", call) if places else _unresolved("it is a module")
        if isinstance(meaning, Typed):
            return _unresolved(f"a variable of type {meaning.text}")
        if isinstance(meaning, Outside):
            return _unresolved(meaning.reason)
        return self._elsewhere(path, call)

    def _implicit(self, path: str, call: Call) -> Resolved | None:
        """A member of the type around it, where a language needs no word for the object."""
        if not self.names.scopes(path).dialect.is_implicit:
            return None
        is_sure = True
        for around in self.receivers.types_around(path, call.owner):
            member = self.receivers.member(Value(CLASS, around, "self"), call.name)
            is_sure = is_sure and (member is None or member.is_sure)
            places = member.places if member else ()
            if member and places and not (call.is_new and not {self.names.kind(place) for place in places} <= TYPES):
                found = self._picked(places, "inherited" if member.is_inherited else "self", call)
                return found if is_sure else _likely(found)
        return None

    def _constructor_above(self, path: str, call: Call) -> Resolved:
        """``super(...)`` is the constructor of what the type inherits from."""
        around = self.receivers.type_around(path, call.owner)
        bases = [base for base in self.receivers.bases(around) if base] if around else []
        return self._picked(tuple(bases[:1]), "super", call) if bases else _unresolved("its base is not of this tree")

    def _with_receiver(self, path: str, call: Call) -> Resolved:
        value = self.receivers.value(path, call.owner, call.receiver, call.line)
        if isinstance(value, Outside):
            return _unresolved(value.reason)
        if isinstance(value, Module):
            return self._of_module(value, call)
        if value is None or value.kind == FUNCTION or value.is_many:
            return self._by_name(path, call)
        member = self.receivers.member(value, call.name)
        if member is None:
            return _unresolved(f"{self.names.symbol_name(value.place)} has no {call.name}")
        if not member.places:
            return _unresolved(f"a base of {self.names.symbol_name(value.place)} is not of this tree")
        rule = "inherited" if member.is_inherited and value.kind != ABOVE else value.rule
        found = self._picked(member.places, rule, call)
        return found if member.is_sure else _likely(found)

    def _of_module(self, module: Module, call: Call) -> Resolved:
        places = tuple(dict.fromkeys(place for path in module.paths for place in self.names.exports(path, call.name)))
        if places:
            return self._picked(places, "module", call)
        return _unresolved(f"{call.name} is not defined in {module.paths[0]}")

    def _picked(self, places: Sequence[Place], rule: str, call: Call) -> Resolved:
        """One definition is an edge, several are candidates."""
        places = self._defining(places)
        files = {place.path for place in places}
        if len(files) == 1 and len(places) > 1:
            path = places[0].path
            numbers, _ = chosen(self.names.scopes(path), [place.number for place in places], call.arity)
            places = [Place(path, number) for number in numbers]
        if len(places) == 1:
            kind = self.names.kind(places[0])
            if kind not in _CALLED:
                return _unresolved(f"it is a {kind}")
            is_sure = rule not in DEMOTED and not self._is_also_imported(places[0])
            return Resolved(rule, PROVEN if is_sure else LIKELY, (places[0],))
        if len(places) > _CANDIDATES_MOST:
            return _unresolved(f"{len(places)} definitions of that name")
        reason = f"{len(places)} definitions of that name"
        return Resolved(rule, LIKELY, tuple(places), reason) if places else _unresolved("nothing of that name")

    def _defining(self, places: Sequence[Place]) -> Sequence[Place]:
        """In C a prototype gives way to the one definition of that name."""
        if not places or self.names.scopes(places[0].path).dialect.family != "c":
            return places
        if len(places) == 1 and self._has_body(places[0]):
            return places
        name = self.names.symbol_name(places[0])
        known = self.names.atlas.defined(name) if len(places) == 1 else places
        bodies = [place for place in known if self.names.is_top(place) and self._has_body(place)]
        is_function = all(self.names.kind(place) in CALLABLE - {"macro"} for place in places)
        return bodies if len(bodies) == 1 and is_function else places

    def _has_body(self, place: Place) -> bool:
        return self.names.scopes(place.path).symbol(place.number).body_end > 0

    def _is_also_imported(self, place: Place) -> bool:
        """Whether its file may hand on another of that name: one that it defines only where the import fails."""
        sheet = self.names.scopes(place.path)
        symbol = sheet.symbol(place.number)
        return sheet.dialect.head and symbol.owner < 0 and symbol.name in sheet.imported

    def _elsewhere(self, path: str, call: Call) -> Resolved:
        """The one function or class of that name in the tree, though nothing says how it comes here."""
        known = self._named(path, call.name, CALLABLE | TYPES)
        if len(known) > _NAMESAKES_MOST:
            return _unresolved(f"{len(known)} definitions of that name")
        places = [place for place in known if self.names.is_top(place)]
        speech = self.names.scopes(path).dialect
        if places and speech.is_closed:
            return _unresolved(f"nothing imports it here; {places[0].path} defines one")
        return self._picked(places, "single" if speech.reach == EVERYWHERE else "elsewhere", call)

    def _named(self, path: str, name: str, kinds: frozenset[str]) -> list[Place]:
        """The definitions of a name of these kinds in languages that the file calls; no file is read for it."""
        atlas = self.names.atlas
        rows = [row for row in atlas.rows(name) if row.kind in kinds]
        places = [Place(atlas.paths[row.file], row.number) for row in rows]
        return [place for place in places if self.names.is_kin(path, place.path)]

    def _by_name(self, path: str, call: Call) -> Resolved:
        """The one method of that name in the tree."""
        places = self._named(path, call.name, _METHODS)
        if not places:
            return _unresolved("nothing says what it is called on")
        return self._picked(places, "method", call)


def _is_local(meaning: object) -> bool:
    return isinstance(meaning, Found) and meaning.rule == "file"


def _unresolved(reason: str) -> Resolved:
    return Resolved("", UNRESOLVED, (), reason)


def _likely(found: Resolved) -> Resolved:
    return replace(found, confidence=LIKELY) if found.confidence == PROVEN else found
