"""From values to what JSON can hold, and its canonical bytes. Refuses to drop a field silently, save None."""

import json
from collections.abc import Mapping
from functools import cache

Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]


def plain(value: object) -> Plain:
    """A frozen value as JSON data: fields by name, without those that are None unless the class lists them as NULLS,
    and without those that it lists as HIDDEN."""
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    names = _names(type(value))  # type: ignore[arg-type]  # reason: every class is hashable
    if names is not None:
        return _fields(value, names)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    raise TypeError(f"no JSON form: {type(value).__name__}")


def _fields(value: object, names: tuple[tuple[str, str, bool], ...]) -> dict[str, Plain]:
    row: dict[str, Plain] = {}
    for field, name, is_kept in names:
        item = getattr(value, field)
        if type(item) is str:
            row[name] = item
        elif item is not None or is_kept:
            row[name] = plain(item)
    return row


@cache
def _names(kind: type) -> tuple[tuple[str, str, bool], ...] | None:
    """(field, its name in JSON, whether None is told) of a record; a trailing underscore is not part of a name."""
    found: tuple[str, ...] | None = kind.__dict__.get("__match_args__")
    told: tuple[str, ...] = kind.__dict__.get("NULLS", ())
    hidden: tuple[str, ...] = kind.__dict__.get("HIDDEN", ())
    if found is None:
        return None
    return tuple((name, name.rstrip("_"), name in told) for name in found if name not in hidden)


def canonical(value: Plain) -> bytes:
    """The one serialisation that hashes are taken of: sorted keys, no blanks, UTF-8."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogatepass")
