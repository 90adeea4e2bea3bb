"""Frozen, slotted value classes that cost little at start-up. Refuses inheritance between records.

A class made by ``dataclasses`` costs 0.65 ms when its module is loaded and brings ``inspect`` along; sixty of them are
more than a whole ``gitmem compile`` may take. ``record`` gives the same to callers: the fields in order, defaults,
equality and hash by value, a readable form, ``__match_args__``. See ``docs/decisions/0002-records.md``.
"""

from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import field as field
    from dataclasses import replace as replace
    from typing import TypeVar, dataclass_transform

    T = TypeVar("T")

    @dataclass_transform(frozen_default=True, field_specifiers=(field,))
    def record(cls: type[T]) -> type[T]: ...

    @dataclass_transform(field_specifiers=(field,))
    def state(cls: type[T]) -> type[T]: ...

else:

    class _Missing:
        """The default of a parameter whose value a factory makes."""

    class _Fresh:
        __slots__ = ("make",)

        def __init__(self, make):
            self.make = make

    def field(*, default_factory: Callable[[], object]):
        """A default that is made anew for each instance."""
        return _Fresh(default_factory)

    def record(cls):
        """Makes a class with annotated fields a frozen value: equal and hashed by its fields."""
        return _slotted(cls, {"__eq__": _eq, "__hash__": _hash, "__setattr__": _refuse, "__delattr__": _refuse})

    def state(cls):
        """Makes a class with annotated fields a mutable one with slots; two are equal only when they are the same."""
        return _slotted(cls, {})

    def replace(value, **changes):
        """A copy with some fields changed; unknown names are a TypeError."""
        kept = {name: getattr(value, name) for name in value.__match_args__ if name not in changes}
        return type(value)(**kept, **changes)

    def _slotted(cls, methods):
        names = tuple(vars(cls).get("__annotations__", ()))
        body = {k: v for k, v in cls.__dict__.items() if k not in names and k not in ("__dict__", "__weakref__")}
        defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
        body |= methods | {"__slots__": names, "__match_args__": names, "__init__": _init(names, defaults)}
        body.setdefault("__repr__", _repr)
        made = type(cls)(cls.__name__, cls.__bases__, body)
        made.__qualname__ = cls.__qualname__
        return made

    def _init(names, defaults):
        scope = {"_set": object.__setattr__, "_missing": _Missing}
        params, lines = [], []
        for name in names:
            value = name
            if name in defaults:
                scope[f"_d_{name}"] = defaults[name]
                made = isinstance(defaults[name], _Fresh)
                params.append(f"{name}=_missing" if made else f"{name}=_d_{name}")
                value = f"_d_{name}.make() if {name} is _missing else {name}" if made else name
            else:
                params.append(name)
            lines.append(f" _set(self, {name!r}, {value})")
        exec(f"def __init__(self, {', '.join(params)}):\n" + ("\n".join(lines) or " pass"), scope)
        return scope["__init__"]

    def _values(value):
        return tuple([getattr(value, name) for name in value.__match_args__])

    def _eq(self, other):
        return _values(self) == _values(other) if type(other) is type(self) else NotImplemented

    def _hash(self):
        return hash(_values(self))

    def _repr(self):
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__qualname__}({shown})"

    def _refuse(self, name, *_value):
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be changed")
