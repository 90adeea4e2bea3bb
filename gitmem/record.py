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

    class _Field:
        __slots__ = ("default", "is_compared", "make")

        def __init__(self, default, make, *, is_compared):
            self.default = default
            self.make = make
            self.is_compared = is_compared

    def field(*, default: object = _Missing, default_factory: Callable[[], object] | None = None, compare: bool = True):
        """A default, or one that is made anew for each instance; what is not compared counts in no equality or hash."""
        return _Field(default, default_factory, is_compared=compare)

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
        defaults = {name: _as_field(cls.__dict__[name]) for name in names if name in cls.__dict__}
        compared = tuple(name for name in names if name not in defaults or defaults[name].is_compared)
        body |= methods | {"__slots__": names, "__match_args__": names}
        body["__compared__"] = compared
        body.setdefault("__repr__", _repr)
        made = type(cls)(cls.__name__, cls.__bases__, body)
        made.__qualname__ = cls.__qualname__
        made.__init__ = _init(made, names, defaults)
        return made

    def _as_field(value):
        return value if isinstance(value, _Field) else _Field(value, None, is_compared=True)

    def _init(made, names, defaults):
        # The setters of the slots do not ask __setattr__, which refuses, and are faster than object's own.
        scope = {"_missing": _Missing} | {f"_s_{name}": made.__dict__[name].__set__ for name in names}
        params, lines = [], []
        for name in names:
            value = name
            given = defaults.get(name)
            if given is None:
                params.append(name)
            elif given.make is None:
                scope[f"_d_{name}"] = given.default
                params.append(f"{name}=_d_{name}")
            else:
                scope[f"_d_{name}"] = given.make
                params.append(f"{name}=_missing")
                value = f"_d_{name}() if {name} is _missing else {name}"
            lines.append(f" _s_{name}(self, {value})")
        exec(f"def __init__(self, {', '.join(params)}):\n" + ("\n".join(lines) or " pass"), scope)
        return scope["__init__"]

    def _values(value):
        return tuple([getattr(value, name) for name in value.__compared__])

    def _eq(self, other):
        return _values(self) == _values(other) if type(other) is type(self) else NotImplemented

    def _hash(self):
        return hash(_values(self))

    def _repr(self):
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__qualname__}({shown})"

    def _refuse(self, name, *_value):
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be changed")
