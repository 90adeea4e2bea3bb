"""Calls as an indexer of others resolves them: from an index in SCIP to JSON lines. Refuses to resolve any itself.

`scip-python index` and `scip-typescript index` write `index.scip`; then
`python -m benchmarks.scip REPOSITORY index.scip NAME.jsonl` writes one row for each call in a file of the index.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.code import extract

if TYPE_CHECKING:
    from gitmem.code.extract import Node

# What a row says of a call: what it calls stands in the repository and is called by its definition, is a variable or
# a parameter there, stands elsewhere, or is not known to the indexer.
DEFINITION, VARIABLE, OUTSIDE, UNKNOWN = "definition", "variable", "outside", "unknown"
_GRAMMARS = {".py": "python", ".ts": "typescript", ".mts": "typescript", ".tsx": "tsx", ".js": "javascript"}
_CALLED = {"call": "function", "call_expression": "function", "new_expression": "constructor"}
_MEMBERS = {"attribute": "attribute", "member_expression": "property"}
_NAMES = ("identifier", "property_identifier", "private_property_identifier")
_AROUND = ("non_null_expression", "parenthesized_expression", "instantiation_expression")
_DEFINING = (
    *("function_definition", "class_definition", "function_declaration", "generator_function_declaration"),
    *("class_declaration", "abstract_class_declaration", "method_definition", "method_signature"),
    *("abstract_method_signature", "function_signature", "interface_declaration", "enum_declaration"),
)
_VALUED = ("public_field_definition", "variable_declarator")
_FUNCTIONS = ("arrow_function", "function_expression", "class", "generator_function")
_IS_DEFINITION = 1


@dataclass(frozen=True, slots=True)
class Occurrence:
    line: int
    column: int
    symbol: str
    is_definition: bool


@dataclass(slots=True)
class Source:
    """A file of the index: its lines, the names that are called in it, and where its definitions have theirs."""

    lines: list[bytes]
    calls: list[tuple[int, int, str, bool]] = field(default_factory=list)
    definitions: set[tuple[int, int]] = field(default_factory=set)

    def column(self, line: int, units: int) -> int:
        """The byte of a column that is counted in UTF-16."""
        text = self.lines[line] if line < len(self.lines) else b""
        return units if text.isascii() else len(text.decode("utf-8", "replace")[:units].encode())


def documents(index: bytes) -> Iterator[tuple[str, list[Occurrence]]]:
    """Path and occurrences of each file, straight from the wire form of protobuf."""
    for number, value in _fields(memoryview(index)):
        if number == 2 and isinstance(value, memoryview):
            path, found = "", list[Occurrence]()
            for inner, part in _fields(value):
                if inner == 1 and isinstance(part, memoryview):
                    path = bytes(part).decode()
                elif inner == 2 and isinstance(part, memoryview):
                    found.append(_occurrence(part))
            yield path, found


def _occurrence(data: memoryview) -> Occurrence:
    place, symbol, roles = [0, 0], "", 0
    for number, value in _fields(data):
        if number == 1 and isinstance(value, memoryview):
            place = list(_packed(value))
        elif number == 2 and isinstance(value, memoryview):
            # A package below `src` is named with and without it.
            symbol = bytes(value).decode().replace("`src.", "`")
        elif number == 3 and isinstance(value, int):
            roles = value
    return Occurrence(place[0], place[1], symbol, bool(roles & _IS_DEFINITION))


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        if key & 7 == 0:
            value, at = _varint(data, at)
            yield key >> 3, value
        else:
            size, at = _varint(data, at) if key & 7 == 2 else (8 if key & 7 == 1 else 4, at)
            yield key >> 3, data[at : at + size]
            at += size


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value, at


def _packed(data: memoryview) -> Iterator[int]:
    at = 0
    while at < len(data):
        value, at = _varint(data, at)
        yield value


def _source(path: str, content: bytes) -> Source:
    made = Source(content.split(b"\n"))
    grammar = _GRAMMARS[Path(path).suffix]
    root = extract.parse(grammar, content)
    for node in extract.nodes(root, extract.kinds(grammar, (*_CALLED, *_DEFINING, *_VALUED))) if root else ():
        if node.type in _CALLED:
            name = _name_of(node)
            if name is not None:
                is_member = name.parent is not None and name.parent.type in _MEMBERS
                made.calls.append((*name.start_point, content[name.start_byte : name.end_byte].decode(), is_member))
        else:
            defined, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            is_kept = node.type in _DEFINING or (value is not None and value.type in _FUNCTIONS) or _is_top(node)
            if defined is not None and is_kept:
                made.definitions.add((defined.start_point[0], defined.start_point[1]))
    return made


def _name_of(call: "Node") -> "Node | None":
    node = call.child_by_field_name(_CALLED[call.type])
    while node is not None and node.type in _AROUND:
        node = node.named_children[0] if node.named_children else None
    if node is not None and node.type in _MEMBERS:
        node = node.child_by_field_name(_MEMBERS[node.type])
    return node if node is not None and node.type in _NAMES else None


def _is_top(node: "Node") -> bool:
    around = node.parent.parent if node.parent is not None else None
    return node.type == "variable_declarator" and around is not None and around.type in ("program", "export_statement")


def rows(repository: Path, index: bytes, own: str) -> Iterator[dict[str, object]]:
    """``own`` is a word of each symbol of the repository, such as its name between blanks."""
    found = {
        path: each
        for path, each in documents(index)
        if Path(path).suffix in _GRAMMARS and (repository / path).is_file()
    }
    sources = {path: _source(path, (repository / path).read_bytes()) for path in found}
    defined: dict[tuple[str, str], list[tuple[str, int, bool]]] = {}
    for path, each in found.items():
        for one in each:
            if one.is_definition:
                at = one.line, sources[path].column(one.line, one.column)
                is_definition = at in sources[path].definitions
                defined.setdefault(_key(path, one.symbol), []).append((path, one.line + 1, is_definition))
    for path in sorted(found):
        symbols: dict[tuple[int, int], list[str]] = {}
        for one in found[path]:
            symbols.setdefault((one.line, sources[path].column(one.line, one.column)), []).append(one.symbol)
        for line, column, name, is_member in sources[path].calls:
            meant = symbols.get((line, column), [])
            places = sorted({place for symbol in meant for place in defined.get(_key(path, symbol), ())})
            state = _state(meant, places, own)
            if is_member and path.endswith(".py") and any(_is_mistaken(name, symbol) for symbol in meant):
                state = UNKNOWN
            yield {"path": path, "line": line + 1, "name": name, "state": state, "places": [row[:2] for row in places]}


def _is_mistaken(name: str, symbol: str) -> bool:
    """What scip-python says of a member wrongly: that it is the type of the language of that name, or, of a package
    whose front takes everything from its modules, that it is another name of the module."""
    is_other = not symbol.startswith("local ") and not re.search(rf"\b{re.escape(name)}\b", symbol)
    return f"builtins/{name}#" in symbol or is_other


def _key(path: str, symbol: str) -> tuple[str, str]:
    return (path if symbol.startswith("local ") else "", symbol)


def _state(meant: Sequence[str], places: Sequence[tuple[str, int, bool]], own: str) -> str:
    if places:
        return DEFINITION if any(is_definition for _, _, is_definition in places) else VARIABLE
    is_unknown = all(symbol.startswith("local ") or own in symbol for symbol in meant)
    return UNKNOWN if is_unknown else OUTSIDE


def main(repository: str, index: str, to: str) -> None:
    name = Path(to).stem
    own = {"core": "@vue/"}.get(name, f" {name} ")
    with Path(to).open("w", encoding="utf-8") as file:
        for row in rows(Path(repository), Path(index).read_bytes(), own):
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:4])
