"""The tools as the table of operations describes them, as plain JSON. Refuses unions, references and null."""

import types
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Union, get_args, get_origin, get_type_hints

from gitmem.lazy import load
from gitmem.mcp import results
from gitmem.mcp.coerce import offered
from gitmem.model.plain import Plain
from gitmem.operations import every
from gitmem.operations.table import FLAG, INTEGER, NUMBER, TEXTS, Operation, Param

Schema = dict[str, Plain]
MINIMAL = frozenset({"compile_context", "get_context", "expand_fold", "search", "propose", "feedback"})
_TYPES = {INTEGER: "integer", NUMBER: "number", FLAG: "boolean"}
_ATOMS = {str: "string", bool: "boolean", int: "integer", float: "number"}
# Below two levels a schema says only what kind of thing is there: clients pay for every byte of it.
_LEVELS = 2
_ERROR: Schema = {"type": "object", "description": "instead of all else: code, message, place, hint"}
_OMITTED: Schema = {"type": "object", "description": "rows left out to keep the answer short, by their place in it"}


def tools(surface: str, profile: str) -> dict[str, Operation]:
    """The operations that this surface offers as tools, by tool name. standard and full are the same so far."""
    rows = [row for row in every() if row.tool and surface in row.surfaces]
    return {row.tool: row for row in rows if profile != "minimal" or row.tool in MINIMAL}


def tool(operation: Operation) -> Schema:
    """One entry of ``tools/list``: the same bytes in every repository."""
    return {
        "name": operation.tool,
        "description": f"{_sentence(operation.help)} {operation.about}".rstrip(),
        "inputSchema": request_schema(operation),
        "outputSchema": result_schema(operation),
        "annotations": {
            "title": operation.tool.replace("_", " ").capitalize(),
            "readOnlyHint": not operation.writes,
            "destructiveHint": operation.decides,
            "idempotentHint": not operation.writes,
            "openWorldHint": operation.reaches_out,
        },
    }


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def request_schema(operation: Operation) -> Schema:
    """A flat object: every property has one type and a description."""
    known = offered(operation)
    required: list[Plain] = [name for name, param in known.items() if param.is_required]
    found: Schema = {"type": "object", "properties": {name: _property(param) for name, param in known.items()}}
    return found | ({"required": required} if required else {}) | {"additionalProperties": False}


def _property(param: Param) -> Schema:
    choices: Schema = {"enum": list(param.choices)} if param.choices else {}
    if param.kind == TEXTS:
        text: Schema = {"type": "string"}
        return {"type": "array", "items": text | choices, "description": param.help}
    found: Schema = {"type": _TYPES.get(param.kind, "string"), "description": param.help}
    return found | choices


def result_schema(operation: Operation) -> Schema:
    """From the type that the operation returns, or the error in its place: some clients check errors by it too."""
    named = _schema(_returned(load(operation.target)), _LEVELS)["properties"]
    assert isinstance(named, dict)
    properties: Schema = named | {"environment": {"type": "object"}, "omitted": _OMITTED, "error": _ERROR}
    return {"type": "object", "properties": properties}


def _returned(target: Callable[..., object]) -> object:
    """The type behind the arrow, also where it is kept as text; those of the parameters may be absent at run time."""
    named = target.__annotations__["return"]
    return target.__globals__[named] if isinstance(named, str) else named


def _schema(kind: object, levels: int) -> Schema:
    if isinstance(kind, type) and "__match_args__" in vars(kind):
        return _object(kind, levels)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {"type": "string", "enum": [each.value for each in kind]}
    if kind in _ATOMS:
        return {"type": _ATOMS[kind]}
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        (present,) = (part for part in parts if part is not type(None))
        return _schema(present, levels)
    if origin is tuple:
        return {"type": "array"} | ({"items": _schema(parts[0], levels)} if levels and parts[1:] == (...,) else {})
    assert isinstance(origin, type)
    assert issubclass(origin, Mapping)
    return {"type": "object"}


def _object(kind: type, levels: int) -> Schema:
    if not levels:
        return {"type": "object"}
    hidden = vars(kind).get("HIDDEN", ())
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name not in hidden}
    properties: Schema = {name: _schema(hint, levels - 1) for name, hint in _named(hints)}
    required: list[Plain] = [name for name, hint in _named(hints) if type(None) not in get_args(hint)]
    return {"type": "object", "properties": properties, "required": required}


def _named(hints: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Fields by the name that they have in JSON, without the bodies, which only the text part of an answer has."""
    for name, hint in hints.items():
        if not any(owner in hints for owner in results.BODIES.get(name, ())):
            yield name.rstrip("_"), hint
