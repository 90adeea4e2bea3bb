"""From the matches of a language's query to facts. Refuses to know any language: a row and its query say it all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from gitmem.code import expressions
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
from gitmem.record import field, record, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.code.extract import Node

    Captured = Mapping[str, Sequence[Node]]
    Matches = Sequence[tuple[int, Captured]]

_REFERENCES = {"throw": THROWN, "catch": CAUGHT, "type.reference": TYPE, "uses": USES}
_DEFINED = frozenset(DEFINITIONS)
# Of two patterns that name the same thing, the one that says what it is for goes before the one that says it is kept.
_WEAK = frozenset({"constant", "field", "element", "config"})
# An import has a module and a binding a type, which are kinds of definitions too.
_ROOTS = ("import", "binding", *DEFINITIONS, "call", "new", "decorator", "entry", "comment", "embed", *_REFERENCES)
_SIGNATURE_MOST = 200
_HINT_MOST_BYTES = 300
_BEFORE_MOST_BYTES = 80
# After the name of a call that overlays want to see whatever it begins with; the others have to begin with a text.
ANYHOW = "()"
_NAME_MOST = 200
_TAKEN = ("name", "default", "namespace", "everything")
_QUOTES = "\"'`"
_AROUND_NAMES = f"{_QUOTES}<>"
# Kinds of nodes, by their last word, that stand among parameters and are none; the type of C#'s last one is a sibling.
_NO_PARAMETERS = ("comment", "separator", "attribute_list", "array_type")


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


@state
class _Draft:
    kind: str
    start: int
    end: int
    name: str = ""
    name_at: int = -1
    body: tuple[int, int] = (0, 0)
    arity: int = -1
    outer: str = ""
    decorated: int = 0
    decorators: list[str] = field(default_factory=list)
    extends: list[str] = field(default_factory=list)
    implements: list[str] = field(default_factory=list)


@state
class _Sheet:
    """One file while it is read. ``ends`` are the offsets of its line ends."""

    row: Language
    content: bytes
    ends: list[int]
    hinting: frozenset[str]
    drafts: dict[tuple[int, int, str], _Draft] = field(default_factory=dict)
    found: dict[str, list[Captured]] = field(default_factory=dict)

    def text(self, node: Node) -> str:
        return self.content[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def line(self, at: int) -> int:
        return bisect_left(self.ends, at) + 1


def read(row: Language, matches: Matches, content: bytes, hinting: frozenset[str] = frozenset()) -> Read:
    """``hinting`` are the names of calls whose texts overlays want to see."""
    sheet = _Sheet(row, content, _line_ends(content), hinting)
    roles: dict[int, str] = {}
    for pattern, captured in matches:
        role = roles.get(pattern) or roles.setdefault(pattern, _role(captured))
        if role in _DEFINED:
            _define(sheet, role, captured)
        else:
            sheet.found.setdefault(role, []).append(captured)
    drafts = _kept(sheet.drafts.values())
    scope = _Scope.of(drafts)
    decorators = _decorators(sheet, drafts, scope)
    symbols = _symbols(sheet, drafts, scope)
    facts = Facts(
        row.name,
        "grammar",
        symbols=symbols,
        imports=_imports(sheet),
        calls=_calls(sheet, scope),
        bindings=_bindings(sheet, drafts, scope),
        references=_references(sheet, scope),
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


def _first(captured: Captured, name: str) -> Node | None:
    found = captured.get(name)
    return found[0] if found else None


def _define(sheet: _Sheet, kind: str, captured: Captured) -> None:
    """Matches on the same node are one definition."""
    root, name, body = captured[kind][0], captured.get("name"), captured.get("body")
    key = (root.start_byte, root.end_byte, kind)
    draft = sheet.drafts.get(key)
    if draft is None:
        draft = sheet.drafts[key] = _Draft(kind, root.start_byte, root.end_byte)
    if name and draft.name_at < 0:
        draft.name, draft.name_at = sheet.text(name[0]).strip(_AROUND_NAMES)[:_NAME_MOST], name[0].start_byte
    elif name and draft.name_at != name[0].start_byte:
        # One statement that defines several names: each is a definition of its own.
        draft = sheet.drafts.setdefault((name[0].start_byte, root.end_byte, kind), _Draft(kind, *_span(root)))
        draft.name, draft.name_at = sheet.text(name[0]).strip(_AROUND_NAMES)[:_NAME_MOST], name[0].start_byte
    if body:
        draft.body = _span(body[0])
    parameters = captured.get("parameters")
    if parameters:
        draft.arity = _arity(sheet, parameters[0])
    owner = captured.get("owner")
    if owner:
        draft.outer = _bare(sheet.text(owner[0]))
    for list_, capture in ((draft.extends, "extends"), (draft.implements, "implements")):
        for node in captured.get(capture, ()):
            text = _bare(sheet.text(node))
            if text and text not in list_:
                list_.append(text)


def _span(node: Node) -> tuple[int, int]:
    return node.start_byte, node.end_byte


def _bare(text: str) -> str:
    """A type without its arguments, pointers and blanks."""
    return "".join(text.partition("<")[0].partition("[")[0].split()).lstrip("*&").rstrip("?!")[:_NAME_MOST]


def _arity(sheet: _Sheet, parameters: Node) -> int:
    """How many parameters a caller gives, as far as they are written; one for a bare name."""
    children = parameters.named_children
    if not children:
        text = sheet.text(parameters).strip("()| \t\r\n")
        return 1 if text else 0
    count = sum(
        max(1, len(child.children_by_field_name("name")))
        for child in children
        if not child.type.endswith(_NO_PARAMETERS)
    )
    own = sheet.row.own
    if own and any(sheet.text(children[0]).partition(":")[0].strip() == word for word in own):
        count -= 1
    return count


def _kept(drafts: Iterable[_Draft]) -> list[_Draft]:
    """In the order of their start, outer ones first; one for each name."""
    by_name: dict[int, _Draft] = {}
    for draft in drafts:
        if draft.name_at < 0 or not draft.name:
            continue
        other = by_name.get(draft.name_at)
        if other is None:
            by_name[draft.name_at] = draft
        else:
            by_name[draft.name_at] = _joined(other, draft)
    return sorted(by_name.values(), key=lambda draft: (draft.start, -draft.end, draft.name_at))


def _joined(one: _Draft, other: _Draft) -> _Draft:
    """The stronger of two readings of one name, with what the other knows besides."""
    strong, weak = (other, one) if one.kind in _WEAK and other.kind not in _WEAK else (one, other)
    strong.body = strong.body if strong.body[1] else weak.body
    strong.arity = max(strong.arity, weak.arity)
    strong.outer = strong.outer or weak.outer
    strong.extends += [name for name in weak.extends if name not in strong.extends]
    strong.implements += [name for name in weak.implements if name not in strong.implements]
    if weak.kind == strong.kind or (weak.start <= strong.start and weak.end >= strong.end):
        strong.start, strong.end = min(strong.start, weak.start), max(strong.end, weak.end)
    return strong


@record
class _Scope:
    """The definitions of a file by their spans. ``around`` is the number of the one around each, -1 for none."""

    starts: list[int]
    ends: list[int]
    around: list[int]

    @staticmethod
    def of(drafts: Sequence[_Draft]) -> _Scope:
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


def _symbols(sheet: _Sheet, drafts: Sequence[_Draft], scope: _Scope) -> tuple[Symbol, ...]:
    types = {draft.name: number for number, draft in reversed([*enumerate(drafts)]) if draft.kind in METHOD_OWNERS}
    seen: dict[tuple[object, ...], int] = {}
    rows = []
    for number, draft in enumerate(drafts):
        owner = types.get(draft.outer, -1) if draft.outer else scope.around[number]
        is_inside = bool(draft.outer) or (owner >= 0 and drafts[owner].kind in METHOD_OWNERS)
        kind = "method" if draft.kind == "function" and is_inside else draft.kind
        outer = draft.outer if owner < 0 else ""
        key = (owner, outer, draft.name, draft.arity)
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
                arity=draft.arity,
                ordinal=ordinal,
                extends=tuple(draft.extends),
                implements=tuple(draft.implements),
                decorators=tuple(draft.decorators),
                outer=outer,
            )
        )
    return tuple(rows)


def _signature(sheet: _Sheet, draft: _Draft) -> str:
    """What stands before the body, without the decorators."""
    end = draft.body[0] if draft.body[1] else draft.end
    start = max(draft.start, draft.decorated)
    text = sheet.content[start : min(end, start + 2 * _SIGNATURE_MOST)].lstrip(b"], \t\r\n")
    if not draft.body[1]:
        text = text.partition(b"\n")[0]
    return " ".join(text.decode("utf-8", "replace").split())[:_SIGNATURE_MOST]


def _imports(sheet: _Sheet) -> tuple[Imported, ...]:
    captured = sheet.found.get("import", ())
    prefixes = [
        (scope.start_byte, scope.end_byte, sheet.text(prefix))
        for each in captured
        if (prefix := _first(each, "prefix")) and (scope := _first(each, "scope"))
    ]
    rows = (row for each in captured if (row := _imported(sheet, each, prefixes)))
    return tuple(row for _, row in sorted(rows, key=lambda pair: (pair[0], pair[1].name, pair[1].module)))


def _imported(
    sheet: _Sheet, captured: Captured, prefixes: Sequence[tuple[int, int, str]]
) -> tuple[int, Imported] | None:
    module = _first(captured, "module")
    taken = next((each for each in _TAKEN if captured.get(each)), "")
    node = captured[taken][0] if taken else module
    if node is None:
        return None
    inside = [text for start, end, text in prefixes if start <= node.start_byte < end]
    parts = [*inside, *([sheet.text(module)] if module is not None else [])]
    path = sheet.row.separator.join(_path(part) for part in parts)
    text, alias = _path(sheet.text(node)), _first(captured, "alias")
    name, here = {
        "": ("", ""),
        "name": (text, ""),
        "default": ("default", text),
        "namespace": ("*", text),
        "everything": ("*", ""),
    }[taken]
    if alias is not None:
        here = _path(sheet.text(alias))
    return node.start_byte, Imported(path, name, here if here != name else "", sheet.line(node.start_byte))


def _path(text: str) -> str:
    return "".join(text.strip(_AROUND_NAMES).split())[:_NAME_MOST]


def _calls(sheet: _Sheet, scope: _Scope) -> tuple[Call, ...]:
    rows = []
    for role in ("call", "new"):
        for captured in sheet.found.get(role, ()):
            name = _first(captured, "call.name")
            if name is None:
                continue
            at = name.start_byte
            arguments, receiver = _first(captured, "arguments"), _first(captured, "receiver")
            call = Call(
                name=sheet.text(name)[:_NAME_MOST],
                receiver=_receiver(sheet, receiver) if receiver is not None else "",
                arity=arguments.named_child_count if arguments is not None else -1,
                line=sheet.line(at),
                owner=scope.at(captured[role][0].start_byte),
                is_new=role == "new",
            )
            rows.append((at, call))
    rows.sort(key=lambda row: row[0])
    return tuple(call for _, call in rows)


def _receiver(sheet: _Sheet, node: Node) -> str:
    return expressions.short(sheet.text(node))


def _bindings(sheet: _Sheet, drafts: Sequence[_Draft], scope: _Scope) -> tuple[Binding, ...]:
    """A field that is a definition too is bound in the type around it."""
    rows = {}
    for captured in sheet.found.get("binding", ()):
        name, type_ = _first(captured, "name"), _first(captured, "type")
        if name is not None and type_ is not None:
            at = name.start_byte
            text = " ".join(sheet.text(type_).split()).strip(_QUOTES)[:_NAME_MOST]
            owner = scope.at(at)
            owner = scope.around[owner] if owner >= 0 and drafts[owner].name_at == at else owner
            rows[at] = Binding(sheet.text(name)[:_NAME_MOST], text, owner, sheet.line(at))
    return tuple(rows[at] for at in sorted(rows))


def _references(sheet: _Sheet, scope: _Scope) -> tuple[Reference, ...]:
    rows = set()
    for role, kind in _REFERENCES.items():
        for captured in sheet.found.get(role, ()):
            for node in captured[role]:
                at, name = node.start_byte, _bare(sheet.text(node).strip(_AROUND_NAMES))
                name = name.rpartition("#")[2] if kind == USES else name
                if name:
                    rows.add((at, Reference(name, kind, scope.at(at), sheet.line(at))))
    return tuple(row for _, row in sorted(rows, key=lambda row: (row[0], row[1].kind)))


def _hints(sheet: _Sheet, decorators: Sequence[tuple[int, Hint]], scope: _Scope) -> tuple[Hint, ...]:
    rows = [*decorators]
    for role in ("call", "new", "entry") if sheet.hinting else ():
        for captured in sheet.found.get(role, ()):
            name, arguments = _first(captured, "call.name"), _first(captured, "arguments")
            if name is None or arguments is None:
                continue
            called = sheet.text(name)
            is_wanted = called in sheet.hinting and _starts_with_text(sheet, arguments)
            if is_wanted or called + ANYHOW in sheet.hinting:
                rows.append(_hint(sheet, captured, role, scope))
    return tuple(hint for _, hint in sorted(rows, key=lambda row: row[0]))


def _hint(sheet: _Sheet, captured: Captured, role: str, scope: _Scope) -> tuple[int, Hint]:
    name, receiver, root = captured["call.name"][0], _first(captured, "receiver"), captured[role][0]
    called = sheet.text(name)
    full = f"{_receiver(sheet, receiver)}.{called}" if receiver is not None else called
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


def _span_text(sheet: _Sheet, node: Node) -> str:
    return sheet.content[node.start_byte : node.end_byte][:_HINT_MOST_BYTES].decode("utf-8", "replace")


def _starts_with_text(sheet: _Sheet, arguments: Node) -> bool:
    inner = sheet.content[arguments.start_byte : arguments.end_byte].lstrip(b"( \t\r\n@rRbBuUfF")
    return inner[:1] in (b'"', b"'", b"`")


def _decorators(sheet: _Sheet, drafts: Sequence[_Draft], scope: _Scope) -> list[tuple[int, Hint]]:
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


def _comments(sheet: _Sheet) -> tuple[tuple[int, int], ...]:
    spans = sorted({_span(each["comment"][0]) for each in sheet.found.get("comment", ())})
    return tuple(span for before, span in pairwise([(-1, -1), *spans]) if span[1] > before[1])


def _embeds(sheet: _Sheet) -> tuple[Embed, ...]:
    rows = []
    for captured in sheet.found.get("embed", ()):
        node, language = captured["embed"][0], _first(captured, "embed.language")
        name = sheet.text(language).strip(_AROUND_NAMES).lower() if language is not None else ""
        rows.append(Embed(node.start_byte, node.end_byte, name))
    return tuple(sorted(rows, key=lambda row: (row.start, not row.language)))
