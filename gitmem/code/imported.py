"""What the matches of a query say of imports. Refuses to say which file a module is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.code.drafts import AROUND_NAMES, NAME_MOST, Sheet, first
from gitmem.model.code import Imported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.code.extract import Node

    Captured = Mapping[str, Sequence[Node]]

_TAKEN = ("name", "default", "namespace", "everything")
_GIVEN = ("alias", "name", "default", "namespace")


def names_at(sheet: Sheet) -> frozenset[int]:
    """Where the names stand that imports give: a variable that a module is loaded into is no constant of this file."""
    found = sheet.found.get("import", ())
    return frozenset(node.start_byte for each in found for name in _GIVEN for node in each.get(name, ()))


def rows(sheet: Sheet) -> tuple[Imported, ...]:
    captured = sheet.found.get("import", ())
    prefixes = [
        (scope.start_byte, scope.end_byte, sheet.text(prefix))
        for each in captured
        if (prefix := first(each, "prefix")) and (scope := first(each, "scope"))
    ]
    found = (row for each in captured if (row := _imported(sheet, each, prefixes)))
    return tuple(row for _, row in sorted(found, key=lambda pair: (pair[0], pair[1].name, pair[1].module)))


def _imported(
    sheet: Sheet, captured: Captured, prefixes: Sequence[tuple[int, int, str]]
) -> tuple[int, Imported] | None:
    module = first(captured, "module")
    taken = next((each for each in _TAKEN if captured.get(each)), "")
    node = captured[taken][0] if taken else module
    if node is None:
        return None
    inside = [text for start, end, text in prefixes if start <= node.start_byte < end]
    parts = [*inside, *([_module(sheet, module, node)] if module is not None else [])]
    path = sheet.row.separator.join(_path(part) for part in parts)
    text, alias = _path(sheet.text(node)), first(captured, "alias")
    name, here = {
        "": ("", ""),
        "name": (text, ""),
        "default": ("default", text),
        "namespace": ("*", text),
        "everything": ("*", ""),
    }[taken]
    if alias is not None:
        here = _path(sheet.text(alias))
    if not path and taken == "name":
        path, name = name, ""
    return node.start_byte, Imported(path, name, here if here != name else "", sheet.line(node.start_byte))


def _module(sheet: Sheet, module: Node, taken: Node) -> str:
    """Where what is taken is the last part of the path, the module is what stands before it."""
    is_part = module.start_byte < taken.start_byte and taken.end_byte == module.end_byte
    text = sheet.content[module.start_byte : taken.start_byte if is_part else module.end_byte].decode(
        "utf-8", "replace"
    )
    return text.strip().removesuffix(sheet.row.separator) if is_part else text


def _path(text: str) -> str:
    return "".join(text.strip(f"{AROUND_NAMES}:").split())[:NAME_MOST]
