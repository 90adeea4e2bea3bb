"""From the matches of a language's query to facts. Refuses to know any language: a row and its query say it all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise

from gitmem.code import expressions
from gitmem.code.drafts import AROUND_NAMES, NAME_MOST, QUOTES, Draft, Sheet, bare, define, first, kept, span
from gitmem.code.languages import Language
from gitmem.model.code import (
    CAUGHT,
    DEFINITIONS,
    METHOD_OWNERS,
    THROWN,
    TYPE,
    USES,
    Binding,
    Call,
    Facts,
    Hint,
    Imported,
    Reference,
    Symbol,
)
from gitmem.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.code.extract import Node

    Captured = Mapping[str, Sequence[Node]]
    Matches = Sequence[tuple[int, Captured]]

# What is used by a name with dashes is defined with capitals.
_DASHED = "uses.dashed"
_REFERENCES = {"throw": THROWN, "catch": CAUGHT, "type.reference": TYPE, "uses": USES, _DASHED: USES}
_DEFINED = frozenset(DEFINITIONS)
# An import has a module and a binding a type, which are kinds of definitions too.
_OTHERS = ("call", "new", "decorator", "entry", "comment", "embed", "addition")
_ROOTS = ("import", "binding", *DEFINITIONS, *_OTHERS, *_REFERENCES)
_SIGNATURE_MOST = 200
_HINT_MOST_BYTES = 300
_BEFORE_MOST_BYTES = 80
# After the name of a call that overlays want to see whatever it begins with; the others have to begin with a text.
ANYHOW = "()"
_TAKEN = ("name", "default", "namespace", "everything")
_OWNERS = METHOD_OWNERS | {"type"}
_GIVEN = ("alias", "name", "default", "namespace")
_FUNCTIONS = ("function", "method", "constructor")


@record
class Embed:
    """A part that is written in another language; ``language`` is '' where the row says which."""

    start: int
    end: int
    language: str


@record
class Read:
    facts: Facts
    embeds: tuple[Embed, ...]


def read(row: Language, matches: Matches, content: bytes, hinting: frozenset[str] = frozenset()) -> Read:
    """``hinting`` are the names of calls whose texts overlays want to see."""
    sheet = Sheet(row, content, _line_ends(content), hinting)
    roles: dict[int, str] = {}
    for pattern, captured in matches:
        role = roles.get(pattern) or roles.setdefault(pattern, _role(captured))
        if role in _DEFINED:
            define(sheet, role, captured)
        else:
            sheet.found.setdefault(role, []).append(captured)
    imported = _imported_at(sheet)
    drafts = [
        draft for draft in kept(sheet.drafts.values()) if draft.kind != "constant" or draft.name_at not in imported
    ]
    _add(sheet, drafts)
    scope = _Scope.of(drafts)
    decorators = _decorators(sheet, drafts, scope)
    symbols = _symbols(sheet, drafts, scope)
    facts = Facts(
        row.name,
        "grammar",
        symbols=symbols,
        imports=_imports(sheet),
        calls=_calls(sheet, scope),
        bindings=_bindings(sheet, drafts, scope, imported),
        references=_references(sheet, drafts, scope),
        hints=_hints(sheet, decorators, scope),
        comments=_comments(sheet),
    )
    return Read(facts, _embeds(sheet))


def _line_ends(content: bytes) -> list[int]:
    ends, at = [], -1
    for part in content.split(b"\n"):
        at += len(part) + 1
        ends.append(at)
    return ends


def _role(captured: Captured) -> str:
    return next((root for root in _ROOTS if root in captured), "")


def _imported_at(sheet: Sheet) -> frozenset[int]:
    """Where the names stand that imports give: a variable that a module is loaded into is no constant of this file."""
    rows = sheet.found.get("import", ())
    return frozenset(node.start_byte for each in rows for name in _GIVEN for node in each.get(name, ()))


def _add(sheet: Sheet, drafts: Sequence[Draft]) -> None:
    """What is said of a type elsewhere in the file than where it is defined."""
    types = _types(drafts)
    for captured in sheet.found.get("addition", ()):
        owner = first(captured, "owner")
        number = types.get(bare(sheet.text(owner)), -1) if owner is not None else -1
        if number >= 0:
            bases = [bare(sheet.text(node)) for node in captured.get("implements", ())]
            drafts[number].implements += [base for base in bases if base not in drafts[number].implements]


def _types(drafts: Sequence[Draft]) -> dict[str, int]:
    return {draft.name: number for number, draft in reversed([*enumerate(drafts)]) if draft.kind in _OWNERS}


@record
class _Scope:
    """The definitions of a file by their spans. ``around`` is the number of the one around each, -1 for none."""

    starts: list[int]
    ends: list[int]
    around: list[int]

    @staticmethod
    def of(drafts: Sequence[Draft]) -> _Scope:
        spans = [(draft.start, draft.end) for draft in drafts]
        starts, ends, around = [start for start, _ in spans], [end for _, end in spans], []
        open_: list[int] = []
        for number, draft in enumerate(drafts):
            # Two of the same span are names of one statement: neither is in the other.
            while open_ and (ends[open_[-1]] <= draft.start or spans[open_[-1]] == spans[number]):
                open_.pop()
            around.append(open_[-1] if open_ else -1)
            open_.append(number)
        return _Scope(starts, ends, around)

    def at(self, offset: int) -> int:
        """The innermost definition around an offset, -1 for none."""
        number = bisect_right(self.starts, offset) - 1
        while number >= 0 and self.ends[number] <= offset:
            number = self.around[number]
        return number


def _symbols(sheet: Sheet, drafts: Sequence[Draft], scope: _Scope) -> tuple[Symbol, ...]:
    types = _types(drafts)
    seen: dict[tuple[object, ...], int] = {}
    rows = []
    for number, draft in enumerate(drafts):
        inside = _holder(drafts, scope, number)
        owner = types.get(draft.outer, inside) if draft.outer else inside
        is_inside = bool(draft.outer) or (owner >= 0 and drafts[owner].kind in METHOD_OWNERS)
        kind = "method" if draft.kind == "function" and is_inside else draft.kind
        outer = draft.outer if draft.outer not in types else ""
        arity = _arity(draft)
        key = (owner, outer, draft.name, arity)
        seen[key] = ordinal = seen.get(key, 0) + 1
        rows.append(
            Symbol(
                name=draft.name,
                kind=kind,
                owner=owner,
                start=draft.start,
                end=draft.end,
                line=sheet.line(draft.name_at),
                end_line=sheet.line(max(draft.start, draft.end - 1)),
                body_start=draft.body[0],
                body_end=draft.body[1],
                signature=_signature(sheet, draft),
                arity=arity,
                ordinal=ordinal,
                extends=tuple(draft.extends),
                implements=tuple(draft.implements),
                decorators=tuple(draft.decorators),
                outer=outer,
            )
        )
    return tuple(rows)


def _holder(drafts: Sequence[Draft], scope: _Scope, number: int) -> int:
    """The definition around one; a field that a constructor declares among its parameters is one of the type."""
    around = scope.around[number]
    is_promoted = around >= 0 and drafts[number].kind == "field" and drafts[around].kind == "constructor"
    return scope.around[around] if is_promoted else around


def _arity(draft: Draft) -> int:
    """Of a function that has no list of parameters, 0; -1 of what takes none."""
    return len(draft.given) or (max(0, draft.arity) if draft.kind in _FUNCTIONS else draft.arity)


def _signature(sheet: Sheet, draft: Draft) -> str:
    """What stands before the body, without the decorators."""
    end = draft.body[0] if draft.body[1] else draft.end
    start = max(draft.start, draft.decorated)
    text = sheet.content[start : min(end, start + 2 * _SIGNATURE_MOST)].lstrip(b"], \t\r\n")
    if not draft.body[1]:
        text = text.partition(b"\n")[0]
    return " ".join(text.decode("utf-8", "replace").split())[:_SIGNATURE_MOST]


def _imports(sheet: Sheet) -> tuple[Imported, ...]:
    captured = sheet.found.get("import", ())
    prefixes = [
        (scope.start_byte, scope.end_byte, sheet.text(prefix))
        for each in captured
        if (prefix := first(each, "prefix")) and (scope := first(each, "scope"))
    ]
    rows = (row for each in captured if (row := _imported(sheet, each, prefixes)))
    return tuple(row for _, row in sorted(rows, key=lambda pair: (pair[0], pair[1].name, pair[1].module)))


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


def _calls(sheet: Sheet, scope: _Scope) -> tuple[Call, ...]:
    """Two patterns may name one call: the one that has what it is called on says more."""
    rows: dict[int, Call] = {}
    for role in ("call", "new"):
        for captured in sheet.found.get(role, ()):
            name = first(captured, "call.name")
            # A parser puts in what it misses, without a byte.
            if name is None or name.start_byte == name.end_byte:
                continue
            at = name.start_byte
            arguments, receiver = first(captured, "arguments"), _receiver(sheet, captured)
            if at in rows and rows[at].receiver.strip("?"):
                continue
            rows[at] = Call(
                name=sheet.text(name)[:NAME_MOST],
                receiver=receiver or (rows[at].receiver if at in rows else ""),
                arity=arguments.named_child_count if arguments is not None else -1,
                line=sheet.line(at),
                owner=scope.at(captured[role][0].start_byte),
                is_new=role == "new",
            )
    return tuple(rows[at] for at in sorted(rows))


def _receiver(sheet: Sheet, captured: Captured) -> str:
    """From the first node to the last where a grammar has no node for the whole of it; ``?`` where it begins before."""
    nodes = captured.get("receiver", ())
    if not nodes:
        return "?" if "receiver.rest" in captured else ""
    text = sheet.content[nodes[0].start_byte : nodes[-1].end_byte].decode("utf-8", "replace")
    return expressions.short(text)


def _bindings(sheet: Sheet, drafts: Sequence[Draft], scope: _Scope, imported: frozenset[int]) -> tuple[Binding, ...]:
    """A field that is a definition too is bound in the type around it."""
    rows, numbers = {}, {draft.name_at: number for number, draft in enumerate(drafts)}
    for captured in sheet.found.get("binding", ()):
        name, type_ = first(captured, "name"), first(captured, "type")
        if name is not None and type_ is not None and name.start_byte not in imported:
            at = name.start_byte
            if at == name.end_byte:
                continue
            text = " ".join(sheet.text(type_).split()).strip(QUOTES)[:NAME_MOST]
            owner = _holder(drafts, scope, numbers[at]) if at in numbers else scope.at(at)
            rows[at] = Binding(sheet.text(name)[:NAME_MOST], text, owner, sheet.line(at))
    return tuple(rows[at] for at in sorted(rows))


def _references(sheet: Sheet, drafts: Sequence[Draft], scope: _Scope) -> tuple[Reference, ...]:
    """Where a name is defined, nothing is said of another."""
    rows, defined = set(), {draft.name_at for draft in drafts}
    for role, kind in _REFERENCES.items():
        for captured in sheet.found.get(role, ()):
            for node in captured[role]:
                at, name = node.start_byte, bare(sheet.text(node).strip(AROUND_NAMES))
                name = name.rpartition("#")[2] if kind == USES else name
                name = "".join(word[:1].upper() + word[1:] for word in name.split("-")) if role == _DASHED else name
                if name and at not in defined:
                    rows.add((at, Reference(name, kind, scope.at(at), sheet.line(at))))
    return tuple(row for _, row in sorted(rows, key=lambda row: (row[0], row[1].kind, row[1].name)))


def _hints(sheet: Sheet, decorators: Sequence[tuple[int, Hint]], scope: _Scope) -> tuple[Hint, ...]:
    rows = [*decorators]
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


def _hint(sheet: Sheet, captured: Captured, role: str, scope: _Scope) -> tuple[int, Hint]:
    name, receiver, root = captured["call.name"][0], _receiver(sheet, captured), captured[role][0]
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


def _decorators(sheet: Sheet, drafts: Sequence[Draft], scope: _Scope) -> list[tuple[int, Hint]]:
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


def _comments(sheet: Sheet) -> tuple[tuple[int, int], ...]:
    spans = sorted({span(each["comment"][0]) for each in sheet.found.get("comment", ())})
    return tuple(span for before, span in pairwise([(-1, -1), *spans]) if span[1] > before[1])


def _embeds(sheet: Sheet) -> tuple[Embed, ...]:
    rows = []
    for captured in sheet.found.get("embed", ()):
        node, language = captured["embed"][0], first(captured, "embed.language")
        name = sheet.text(language).strip(AROUND_NAMES).lower() if language is not None else ""
        rows.append(Embed(node.start_byte, node.end_byte, name))
    return tuple(sorted(rows, key=lambda row: (row.start, not row.language)))
