"""The table of operations as plain data. Refuses to import any room or third-party module."""

from collections.abc import Iterator

from gitmem.lazy import load
from gitmem.operations.table import Operation

# Verb -> the module of its noun, so that one verb loads one module.
VERBS = {
    "compile": "rules",
    "why-not": "rules",
    "layers": "rules",
    "get": "knowledge",
    "show": "knowledge",
    "list": "knowledge",
    "overview": "knowledge",
    "why": "knowledge",
    "status": "knowledge",
    "explain": "rules",
    "init": "files",
    "new": "files",
    "edit": "files",
    "mv": "files",
    "rm": "files",
    "fmt": "files",
    "import": "files",
    "check": "gates",
    "hooks": "gates",
    "config": "gates",
    "mcp": "serving",
}


def find(verb: str) -> Operation | None:
    """The operation of a verb, None when there is no such verb."""
    module = VERBS.get(verb)
    return operations_of(module)[verb] if module else None


def operations_of(module: str) -> dict[str, Operation]:
    """The operations of one noun by verb, in the order of the module."""
    rows: tuple[Operation, ...] = load(f"gitmem.operations.{module}:operations")()
    return {row.verb: row for row in rows}


def every() -> Iterator[Operation]:
    """All operations, noun by noun."""
    for module in dict.fromkeys(VERBS.values()):
        yield from operations_of(module).values()
