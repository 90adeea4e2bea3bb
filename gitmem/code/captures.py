"""From the matches of a language's query to facts. Refuses to know any language: a row and its query say it all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from gitmem.code import hints, imported
from gitmem.code.drafts import (
    AROUND_NAMES,
    NAME_MOST,
    QUOTES,
    Draft,
    Scope,
    Sheet,
    bare,
    define,
    first,
    kept,
    receiver_of,
    span,
)
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
_OWNERS = METHOD_OWNERS | {"type"}
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
    given = imported.names_at(sheet)
    drafts = [draft for draft in kept(sheet.drafts.values()) if draft.kind != "constant" or draft.name_at not in given]
    _add(sheet, drafts)
    scope = Scope.of(drafts)
    decorators = hints.decorators(sheet, drafts, scope)
    symbols = _symbols(sheet, drafts, scope)
    facts = Facts(
        row.name,
        "grammar",
        symbols=symbols,
        imports=imported.rows(sheet),
        calls=_calls(sheet, scope),
        bindings=_bindings(sheet, drafts, scope, given),
        references=_references(sheet, drafts, scope),
        hints=hints.hints(sheet, decorators, scope),
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


def _symbols(sheet: Sheet, drafts: Sequence[Draft], scope: Scope) -> tuple[Symbol, ...]:
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


def _holder(drafts: Sequence[Draft], scope: Scope, number: int) -> int:
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


def _calls(sheet: Sheet, scope: Scope) -> tuple[Call, ...]:
    """Two patterns may name one call: the one that has what it is called on says more."""
    rows: dict[int, Call] = {}
    for role in ("call", "new"):
        for captured in sheet.found.get(role, ()):
            name = first(captured, "call.name")
            # A parser puts in what it misses, without a byte.
            if name is None or name.start_byte == name.end_byte:
                continue
            at = name.start_byte
            arguments, receiver = first(captured, "arguments"), receiver_of(sheet, captured)
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


def _bindings(sheet: Sheet, drafts: Sequence[Draft], scope: Scope, given: frozenset[int]) -> tuple[Binding, ...]:
    """A field that is a definition too is bound in the type around it."""
    rows, numbers = {}, {draft.name_at: number for number, draft in enumerate(drafts)}
    for captured in sheet.found.get("binding", ()):
        name, type_ = first(captured, "name"), first(captured, "type")
        if name is not None and type_ is not None and name.start_byte not in given:
            at = name.start_byte
            if at == name.end_byte:
                continue
            text = " ".join(sheet.text(type_).split()).strip(QUOTES)[:NAME_MOST]
            owner = _holder(drafts, scope, numbers[at]) if at in numbers else scope.at(at)
            rows[at] = Binding(sheet.text(name)[:NAME_MOST], text, owner, sheet.line(at))
    return tuple(rows[at] for at in sorted(rows))


def _references(sheet: Sheet, drafts: Sequence[Draft], scope: Scope) -> tuple[Reference, ...]:
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
