"""Builds the request of an operation from parsed values. Refuses to check what the operation itself checks."""

from gitmem.cli.arguments import Parsed
from gitmem.lazy import load
from gitmem.operations.table import TEXTS, Operation


def build(operation: Operation, parsed: Parsed) -> object:
    """The request; lists become tuples, and what was not given keeps the default of the request."""
    lists = {param.name for param in operation.params if param.kind == TEXTS}
    values = {name: _tuple(value) if name in lists else value for name, value in parsed.values.items()}
    return load(operation.request)(**values)


def _tuple(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list) else (value,)
