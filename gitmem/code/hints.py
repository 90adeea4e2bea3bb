"""What overlays look at in a file: decorators, and the calls and values that one of them knows by name.

Refuses to know what they mean.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from gitmem.code.drafts import Draft, Scope, Sheet, first, receiver_of
from gitmem.model.code import Hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.code.extract import Node

    Captured = Mapping[str, Sequence[Node]]

_HINT_MOST_BYTES = 300
_BEFORE_MOST_BYTES = 80
# After the name of a call that overlays want to see whatever it begins with; the others have to begin with a text.
ANYHOW = "()"


def hints(sheet: Sheet, known: Sequence[tuple[int, Hint]], scope: Scope) -> tuple[Hint, ...]:
    rows = [*known]
    for role in ("call", "new", "entry") if sheet.hinting else ():
        for captured in sheet.found.get(role, ()):
            name, arguments = first(captured, "call.name"), first(captured, "arguments")
            if name is None or arguments is None:
                continue
            called = sheet.text(name)
            is_wanted = called in sheet.hinting and _starts_with_text(sheet, arguments)
            if is_wanted or called + ANYHOW in sheet.hinting:
                rows.append(_hint(sheet, captured, role, scope))
    return tuple(hint for _, hint in sorted(rows, key=lambda row: row[0]))


def _hint(sheet: Sheet, captured: Captured, role: str, scope: Scope) -> tuple[int, Hint]:
    name, receiver, root = captured["call.name"][0], receiver_of(sheet, captured), captured[role][0]
    called = sheet.text(name)
    full = f"{receiver}.{called}" if receiver else called
    at, from_ = name.start_byte, root.start_byte
    line = sheet.content[sheet.content.rfind(b"\n", 0, from_) + 1 : from_][-_BEFORE_MOST_BYTES:]
    hint = Hint(
        "entry" if role == "entry" else "call",
        full,
        _span_text(sheet, captured["arguments"][0]),
        scope.at(at),
        sheet.line(at),
        line.decode("utf-8", "replace").strip(),
        sheet.line(max(from_, root.end_byte - 1)),
    )
    return at, hint


def _span_text(sheet: Sheet, node: Node) -> str:
    return sheet.content[node.start_byte : node.end_byte][:_HINT_MOST_BYTES].decode("utf-8", "replace")


def _starts_with_text(sheet: Sheet, arguments: Node) -> bool:
    inner = sheet.content[arguments.start_byte : arguments.end_byte].lstrip(b"( \t\r\n@rRbBuUfF")
    return inner[:1] in (b'"', b"'", b"`")


def decorators(sheet: Sheet, drafts: Sequence[Draft], scope: Scope) -> list[tuple[int, Hint]]:
    """A decorator belongs to the definition that contains it before its name, else to the next one."""
    rows = []
    for captured in sheet.found.get("decorator", ()):
        node = captured["decorator"][0]
        around = scope.at(node.start_byte)
        if around < 0 or drafts[around].name_at < node.end_byte:
            next_one = bisect_left(scope.starts, node.end_byte)
            around = next_one if next_one < len(drafts) else -1
        text = _span_text(sheet, node)
        name = text.lstrip("@#[! ").partition("(")[0].strip("] \n")
        rows.append((node.start_byte, Hint("decorator", name, text, around, sheet.line(node.start_byte))))
        if around >= 0:
            drafts[around].decorators.append(name)
            drafts[around].decorated = max(drafts[around].decorated, node.end_byte)
    return rows
