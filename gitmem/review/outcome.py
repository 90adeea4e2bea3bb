"""What a merge comes to: bytes, or what the sides disagree about. Refuses to decide who is right."""

from collections.abc import Callable, Hashable, Iterable
from enum import StrEnum
from hashlib import sha256
from typing import TypeVar

from gitmem.record import record
from gitmem.store.canonical import canonical

_LABEL_DIGITS = 12
Value = TypeVar("Value", bound=Hashable)


class Side(StrEnum):
    OURS = "ours"
    THEIRS = "theirs"


@record
class Conflict:
    """What both sides changed and neither may decide. ``field`` is a dotted key (``scope.paths``), ``body``, ``header``
    or ``file``, or ``path`` for where the file lies; the three are its values as text, None where it is absent."""

    path: str
    item: str
    field: str
    base: str | None
    ours: str | None
    theirs: str | None


@record
class Merged:
    data: bytes


@record
class Conflicted:
    """``data`` has conflict markers around the lines of each conflict; text that is no UTF-8 stays as ours."""

    data: bytes
    conflicts: tuple[Conflict, ...]


Outcome = Merged | Conflicted


@record
class Clash:
    """A conflict on its place in a text: its values, and the lines that each side has there."""

    field: str
    base: str | None
    ours: str | None
    theirs: str | None
    our_lines: str
    their_lines: str


Piece = str | Clash


def pick(base: Value, ours: Value, theirs: Value, otherwise: Callable[[Value, Value], Value]) -> Value:
    """Three-way for one value; ``otherwise`` (symmetric) decides where both sides changed it differently."""
    if base == ours:
        return theirs
    return ours if theirs in (base, ours) else otherwise(ours, theirs)


def render(pieces: Iterable[Piece], ours: bytes, theirs: bytes) -> str:
    """The text with markers. The sides are named by the hash of their whole file and stand in its order, so that it is
    the same text whichever of them is ours."""
    labels = _label(ours), _label(theirs)
    return "".join(each if isinstance(each, str) else _marked(each, *labels) for each in pieces)


def render_side(pieces: Iterable[Piece], side: Side) -> str:
    """The text with one side's lines where both disagree."""
    is_ours = side is Side.OURS
    return "".join(p if isinstance(p, str) else p.our_lines if is_ours else p.their_lines for p in pieces)


def conflicts_of(pieces: Iterable[Piece], path: str, item: str) -> tuple[Conflict, ...]:
    clashes = (each for each in pieces if isinstance(each, Clash))
    return tuple(Conflict(path, item, each.field, each.base, each.ours, each.theirs) for each in clashes)


def _marked(clash: Clash, ours: str, theirs: str) -> str:
    (first, upper), (second, lower) = sorted([(ours, clash.our_lines), (theirs, clash.their_lines)])
    return f"<<<<<<< {first}\n{upper}=======\n{lower}>>>>>>> {second}\n"


def _label(data: bytes) -> str:
    return sha256(canonical(data)).hexdigest()[:_LABEL_DIGITS]
