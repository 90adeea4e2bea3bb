"""What is read of one source file, and of a whole tree of them, as plain values. Refuses to read any."""

from __future__ import annotations

from gitmem.record import record

METHOD_OWNERS = frozenset({"class", "interface", "struct", "enum", "trait"})
# What the definitions of a language are called here; overlays add kinds of their own.
DEFINITIONS = (
    *("class", "interface", "struct", "enum", "trait", "module", "function", "method", "constructor"),
    *("constant", "field", "type", "macro", "component", "style", "element", "table", "view", "config"),
)
OVERLAID = ("route", "api", "component", "db_model", "config", "job", "template", "hook", "command")
THROWN, CAUGHT, TYPE, USES = "throw", "catch", "type", "uses"


@record
class Symbol:
    """A definition. ``owner`` is the number of the symbol around it, -1 for none.

    ``start``, ``end`` and the body are byte offsets in the blob, the body 0 and 0 where there is none; lines count
    from 1. ``signature`` is the text up to the body on one line; ``arity`` the number of parameters, -1 where the kind
    has none; ``ordinal`` counts from 1 those of the same qualified name and arity. ``outer`` is the type that it
    belongs to where that is defined in another file.
    """

    name: str
    kind: str
    owner: int
    start: int
    end: int
    line: int
    end_line: int
    body_start: int = 0
    body_end: int = 0
    signature: str = ""
    arity: int = -1
    ordinal: int = 1
    extends: tuple[str, ...] = ()
    implements: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    outer: str = ""


@record
class Imported:
    """One name that a file takes: ``name`` '' is the module itself, ``*`` everything in it, ``default`` its default
    export; ``alias`` the name it has here when that differs, else ''."""

    module: str
    name: str
    alias: str
    line: int


@record
class Call:
    """A call of ``name``; ``receiver`` is the expression before it, '' for none, ``?`` for a long one. ``owner`` is the
    number of the symbol that calls, -1 for the file."""

    name: str
    receiver: str
    arity: int
    line: int
    owner: int
    is_new: bool = False


@record
class Binding:
    """A variable, field or parameter whose type is written or constructed: ``name`` is ``x`` or ``self.x``."""

    name: str
    type: str
    owner: int
    line: int


@record
class Reference:
    """A name that is used without a call; ``kind`` is throw, catch, type or uses."""

    name: str
    kind: str
    owner: int
    line: int


@record
class Hint:
    """What an overlay looks at: ``kind`` is decorator, with its text, call, with the text of its arguments, or entry, a
    value written in place, with its text. ``before`` is what stands before a call on its line, ``end_line`` where the
    whole of it ends, with a function that it is given."""

    kind: str
    name: str
    text: str
    owner: int
    line: int
    before: str = ""
    end_line: int = 0


@record
class Facts:
    """What one blob says. ``engine`` is grammar, regex, or '' where nothing was read; ``skipped`` says why. Symbols are
    in the order of their start; ``comments`` are byte spans."""

    language: str = ""
    engine: str = ""
    skipped: str = ""
    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Imported, ...] = ()
    calls: tuple[Call, ...] = ()
    bindings: tuple[Binding, ...] = ()
    references: tuple[Reference, ...] = ()
    hints: tuple[Hint, ...] = ()
    comments: tuple[tuple[int, int], ...] = ()


@record
class Overlaid:
    """What an overlay sees in a file. A route has the name ``METHOD /path``. ``target`` is the number of the symbol
    that answers it, or that it is; -1 where ``handler`` names one of another file, or nothing does."""

    kind: str
    name: str
    line: int
    target: int
    handler: str
    overlay: str
    detail: str = ""


@record
class Place:
    """The symbol with this number in the facts of the file at ``path``."""

    path: str
    number: int


NO_FACTS = Facts()


def qualified(symbols: tuple[Symbol, ...], number: int) -> str:
    """The names of the symbols around it and its own, with dots."""
    names: list[str] = []
    while 0 <= number < len(symbols) and len(names) <= len(symbols):
        symbol = symbols[number]
        names += [symbol.name, symbol.outer] if symbol.outer else [symbol.name]
        number = symbol.owner
    return ".".join(reversed(names))


def tail(symbols: tuple[Symbol, ...], number: int) -> str:
    """``Outer.name(arity)``, with ``#2`` for the second of that name and arity."""
    symbol = symbols[number]
    arity = f"({symbol.arity})" if symbol.arity >= 0 else ""
    ordinal = f"#{symbol.ordinal}" if symbol.ordinal > 1 else ""
    return f"{qualified(symbols, number)}{arity}{ordinal}"


def symbol_id(path: str, symbols: tuple[Symbol, ...], number: int) -> str:
    """The path and ``tail``, with two colons between."""
    return f"{path}::{tail(symbols, number)}"
