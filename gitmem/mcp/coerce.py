"""From a tool call's arguments to the values of one operation, in the forms that clients send. Refuses to guess."""

import json
import math
from collections.abc import Mapping

from gitmem.errors import UsageError
from gitmem.operations.table import FLAG, INTEGER, NUMBER, TEXTS, Operation, Param
from gitmem.text.nearest import nearest

_DIGITS_MAX = 18
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_SHOWN = 40


def offered(operation: Operation) -> dict[str, Param]:
    """The parameters that MCP offers, by the name that they have there."""
    return {param.tool_name or param.name: param for param in operation.params if param.in_tool}


def values(operation: Operation, arguments: Mapping[str, object]) -> dict[str, object]:
    """Values by field name. What is null or empty counts as not given, so that the default of the request holds."""
    known = offered(operation)
    for name in arguments:
        if name not in known:
            raise _unknown(operation, name, known)
    given = {name: value for name, value in arguments.items() if value is not None and value != ""}
    missing = [name for name, param in known.items() if param.is_required and name not in given]
    if missing:
        raise UsageError(f"{operation.tool} needs: {', '.join(missing)}", hint=known[missing[0]].help)
    return {known[name].name: _value(name, known[name], value) for name, value in given.items()}


def _unknown(operation: Operation, name: str, known: Mapping[str, Param]) -> UsageError:
    near = nearest(name, known)
    meant = f"did you mean {near!r}? " if near else ""
    return UsageError(f"{operation.tool} has no argument {name[:_SHOWN]!r}", hint=f"{meant}known: {', '.join(known)}")


def _value(name: str, param: Param, value: object) -> object:
    if param.kind == TEXTS:
        return texts(name, value)
    if param.kind == FLAG:
        return _flag(name, value)
    if param.kind in (INTEGER, NUMBER):
        return _number(name, value, is_whole=param.kind == INTEGER)
    return _text(name, value)


def texts(name: str, value: object) -> tuple[str, ...]:
    """A list; also as JSON text, as lines, or as words between commas."""
    if isinstance(value, str):
        value = _list_in(value)
    if not isinstance(value, list):
        raise _wrong(name, value, "a list of texts")
    return tuple(_text(name, each) for each in value)


def _list_in(text: str) -> list[object]:
    if text.lstrip().startswith("["):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, list):
            return found
    parts = text.splitlines() if "\n" in text.strip() else text.split(",")
    return [part.strip() for part in parts if part.strip()]


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise _wrong(name, value, "a text")


def _flag(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    found = _FLAGS.get(str(value).strip().lower()) if isinstance(value, str | int) else None
    if found is None:
        raise _wrong(name, value, "true or false")
    return found


def _number(name: str, value: object, *, is_whole: bool) -> int | float:
    wanted = "a whole number" if is_whole else "a number"
    if isinstance(value, bool) or not isinstance(value, str | int | float) or len(str(value)) > _DIGITS_MAX:
        raise _wrong(name, value, wanted)
    found = _read_number(str(value))
    if not math.isfinite(found) or (is_whole and not float(found).is_integer()):
        raise _wrong(name, value, wanted)
    return int(found) if is_whole else float(found)


def _read_number(text: str) -> int | float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return math.nan


def _wrong(name: str, value: object, wanted: str) -> UsageError:
    return UsageError(f"{name} must be {wanted}, not {_shown(value)}")


def _shown(value: object) -> str:
    """As JSON; a list or an object by its kind alone, since it may be of any size and depth."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
