"""What the matches of a query say of definitions, put together. Refuses to know which language it is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence

from gitmem.code import expressions
from gitmem.code.languages import Language
from gitmem.record import field, record, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.code.extract import Node

    Captured = Mapping[str, Sequence[Node]]

NAME_MOST = 200
QUOTES = "\"'`"
AROUND_NAMES = f"{QUOTES}<>"
# Of two patterns that name the same thing, the one that says more of it goes before the other.
WEAK = frozenset({"constant", "field", "element", "config"})
_PLAIN = frozenset({"class", "function", "type", "module"})
# Kinds of nodes, by their last word, that stand among parameters and are none; the type of C#'s last one is a sibling.
_NO_PARAMETERS = ("comment", "separator", "attribute_list", "array_type")
# Ruby and Rust write a name with colons; operators are names too.
_AROUND_DEFINED = f"{QUOTES}:"


@state
class Draft:
    """A definition while its matches come in. ``given`` are the offsets of parameters that are matched one by one."""

    kind: str
    start: int
    end: int
    name: str = ""
    name_at: int = -1
    body: tuple[int, int] = (0, 0)
    arity: int = -1
    given: set[int] = field(default_factory=set)
    outer: str = ""
    decorated: int = 0
    decorators: list[str] = field(default_factory=list)
    extends: list[str] = field(default_factory=list)
    implements: list[str] = field(default_factory=list)


@state
class Sheet:
    """One file while it is read. ``ends`` are the offsets of its line ends."""

    row: Language
    content: bytes
    ends: list[int]
    hinting: frozenset[str]
    drafts: dict[tuple[int, int, str], Draft] = field(default_factory=dict)
    found: dict[str, list[Captured]] = field(default_factory=dict)

    def text(self, node: Node) -> str:
        return self.content[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def span(self, node: Node) -> tuple[int, int]:
        """Without the blanks that some grammars leave at the end of a definition."""
        start, end = node.start_byte, node.end_byte
        while end > start and self.content[end - 1] in b" \t\r\n":
            end -= 1
        return start, end

    def line(self, at: int) -> int:
        return bisect_left(self.ends, at) + 1


def first(captured: Captured, name: str) -> Node | None:
    found = captured.get(name)
    return found[0] if found else None


def define(sheet: Sheet, kind: str, captured: Captured) -> None:
    """Matches on the same node are one definition."""
    root, name, body = captured[kind][0], captured.get("name"), captured.get("body")
    key = (root.start_byte, root.end_byte, kind)
    draft = sheet.drafts.get(key)
    if draft is None:
        draft = sheet.drafts[key] = Draft(kind, *sheet.span(root))
    if name and draft.name_at < 0:
        draft.name, draft.name_at = _named(sheet, name[0]), name[0].start_byte
    elif name and draft.name_at != name[0].start_byte:
        # One statement that defines several names: each is a definition of its own.
        draft = sheet.drafts.setdefault((name[0].start_byte, root.end_byte, kind), Draft(kind, *sheet.span(root)))
        draft.name, draft.name_at = _named(sheet, name[0]), name[0].start_byte
    if body:
        draft.body = sheet.span(body[0])
        # In some grammars a body stands beside what it belongs to.
        draft.end = max(draft.end, draft.body[1])
    parameters = captured.get("parameters")
    if parameters:
        draft.arity = _arity(sheet, parameters[0])
    draft.given.update(node.start_byte for node in captured.get("parameter", ()))
    owner = captured.get("owner")
    if owner:
        draft.outer = bare(sheet.text(owner[0]))
    for list_, capture in ((draft.extends, "extends"), (draft.implements, "implements")):
        for node in captured.get(capture, ()):
            text = bare(sheet.text(node))
            if text and text not in list_:
                list_.append(text)


def _named(sheet: Sheet, node: Node) -> str:
    text = sheet.text(node)
    return (text.strip(_AROUND_DEFINED) or text)[:NAME_MOST]


def span(node: Node) -> tuple[int, int]:
    return node.start_byte, node.end_byte


def bare(text: str) -> str:
    """A type without its arguments, pointers and blanks."""
    return "".join(text.partition("<")[0].partition("[")[0].split()).lstrip("*&:").rstrip("?!")[:NAME_MOST]


def _arity(sheet: Sheet, parameters: Node) -> int:
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
    if own and (sheet.text(children[0]).partition(":")[0].split() or [""])[-1].lstrip("&") in own:
        count -= 1
    return count


def kept(drafts: Iterable[Draft]) -> list[Draft]:
    """In the order of their start, outer ones first; one for each name. A name over lines is a text that is broken."""
    by_name: dict[int, Draft] = {}
    for draft in drafts:
        if draft.name_at < 0 or not draft.name or "\n" in draft.name:
            continue
        other = by_name.get(draft.name_at)
        if other is None:
            by_name[draft.name_at] = draft
        else:
            by_name[draft.name_at] = _joined(other, draft)
    return sorted(by_name.values(), key=lambda draft: (draft.start, -draft.end, draft.name_at))


def _joined(one: Draft, other: Draft) -> Draft:
    """The stronger of two readings of one name, with what the other knows besides."""
    strong, weak = (other, one) if _strength(other.kind) > _strength(one.kind) else (one, other)
    strong.body = strong.body if strong.body[1] else weak.body
    strong.arity = max(strong.arity, weak.arity)
    strong.given |= weak.given
    strong.outer = strong.outer or weak.outer
    strong.extends += [name for name in weak.extends if name not in strong.extends]
    strong.implements += [name for name in weak.implements if name not in strong.implements]
    if weak.kind == strong.kind or (weak.start <= strong.start and weak.end >= strong.end):
        strong.start, strong.end = min(strong.start, weak.start), max(strong.end, weak.end)
    return strong


def _strength(kind: str) -> int:
    return 0 if kind in WEAK else 1 if kind in _PLAIN else 2


@record
class Scope:
    """The definitions of a file by their spans. ``around`` is the number of the one around each, -1 for none."""

    starts: list[int]
    ends: list[int]
    around: list[int]

    @staticmethod
    def of(drafts: Sequence[Draft]) -> Scope:
        spans = [(draft.start, draft.end) for draft in drafts]
        starts, ends, around = [start for start, _ in spans], [end for _, end in spans], []
        open_: list[int] = []
        for number, draft in enumerate(drafts):
            # Two of the same span are names of one statement: neither is in the other.
            while open_ and (ends[open_[-1]] <= draft.start or spans[open_[-1]] == spans[number]):
                open_.pop()
            around.append(open_[-1] if open_ else -1)
            open_.append(number)
        return Scope(starts, ends, around)

    def at(self, offset: int) -> int:
        """The innermost definition around an offset, -1 for none."""
        number = bisect_right(self.starts, offset) - 1
        while number >= 0 and self.ends[number] <= offset:
            number = self.around[number]
        return number


def receiver_of(sheet: Sheet, captured: Captured) -> str:
    """From the first node to the last where a grammar has no node for the whole of it; ``?`` where it begins before."""
    nodes = captured.get("receiver", ())
    if not nodes:
        return "?" if "receiver.rest" in captured else ""
    start, end = nodes[0].start_byte, nodes[-1].end_byte
    # Each call of a long chain has all of it before its name: reading them is the square of the chain.
    is_long = end - start > expressions.RECEIVER_MOST
    return "?" if is_long else expressions.short(sheet.content[start:end].decode("utf-8", "replace"))
