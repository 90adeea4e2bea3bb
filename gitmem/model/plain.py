"""From values to what JSON can hold, and its canonical bytes. Refuses to drop a field silently, save None."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]


def plain(value: object) -> Plain:
    """A frozen value as JSON data: fields by name, without those that are None."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        rows = ((f.name.rstrip("_"), getattr(value, f.name)) for f in fields(value))
        return {name: plain(item) for name, item in rows if item is not None}
    raise TypeError(f"no JSON form: {type(value).__name__}")


def canonical(value: Plain) -> bytes:
    """The one serialisation that hashes are taken of: sorted keys, no blanks, UTF-8."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogatepass")
