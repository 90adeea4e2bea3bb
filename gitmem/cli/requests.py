"""Builds the request of an operation from parsed values. Refuses to check what the operation itself checks."""

import os
from pathlib import Path

from gitmem.cli.arguments import Parsed
from gitmem.lazy import load
from gitmem.operations.table import CONTENT, TEXTS, Operation, Param

# Whoever sets it wants no merge driver in the settings of a clone.
_NO_DRIVER = "GITMEM_NO_MERGE_DRIVER"
# What begins so is a receipt itself and no file that holds one.
_RECEIPT = "gitmem1:"
# Verbs that need a text, and what an editor begins with.
_WITH_BODY = dict.fromkeys(("new", "propose new", "create"), "title") | {"skills new": "description"}
# Verbs that open an editor when no option says what to change.
_WITH_EDITOR = {"edit": "gitmem.cli.content:edited", "propose edit": "gitmem.cli.content:edited_trusted"}
_CHANGING = ("field", "value", "add", "remove", "unset", "extend", "needs")


def build(operation: Operation, parsed: Parsed, start: Path) -> object:
    """The request; lists become tuples, files become their text, and what was not given keeps its default."""
    lists = {param.name for param in operation.params if param.kind == TEXTS}
    values = {name: _tuple(value) if name in lists else value for name, value in parsed.values.items()}
    for param in operation.params:
        if param.from_stdin and values.get(param.name) == ("-",):
            values[param.name] = load("gitmem.cli.content:listed")()
        if param.kind == CONTENT and param.name in values:
            values[param.name] = _content(param, str(values[param.name]), start)
    if any(param.name == "without_driver" for param in operation.params) and _is_set(_NO_DRIVER):
        values["without_driver"] = True
    if parsed.as_json and any(param.name == "format" and "json" in param.choices for param in operation.params):
        values["format"] = "json"
    if operation.verb in _WITH_BODY and "body" not in values:
        values["body"] = load("gitmem.cli.content:from_pipe_or_editor")(str(values[_WITH_BODY[operation.verb]]))
    if operation.verb in _WITH_EDITOR and not any(values.get(name) for name in _CHANGING) and "file" not in values:
        values["file"] = load(_WITH_EDITOR[operation.verb])(start, str(values["item"]))
    if operation.verb == "journal verify" and not str(values["receipt"]).lstrip().startswith(_RECEIPT):
        values["receipt"] = load("gitmem.cli.content:of_source")(str(values["receipt"]), start)
    if operation.verb == "resolve" and "edit" in values:
        load("gitmem.cli.content:edited_conflicts")(start, values.get("items", ()))
    return load(operation.request)(**values)


def _content(param: Param, name: str, start: Path) -> object:
    """The text of a file: of one engram, or of as much as the parameter takes."""
    if param.most_bytes:
        return load("gitmem.cli.content:of_large")(name, start, param)
    return load("gitmem.cli.content:of_source")(name, start)


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "") not in ("", "0")


def _tuple(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list) else (value,)
