"""A YAML mapping as blocks: each key or list item with its lines and the comments above it. Refuses to merge them."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gitmem.model.vocabulary import Text
from gitmem.record import record, replace
from gitmem.store.form import DECIMAL, Typed
from gitmem.store.written import Bare, entry
from gitmem.store.written import block as block_lines

# A key without a value; no typed text holds NUL.
NULL = "\0"
_OPENS = re.compile(r".*:[ \t]*(?:#.*)?")
Span = tuple[int, int, int]
_BLOCK_SCALAR = re.compile(r"[|>][0-9+-]*[ \t]*(?:#.*)?$", re.MULTILINE)
_COMMENT = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"\\]|\\.)*\"|(?:^|(?<=[ \t]))(#.*)")


@record
class Block:
    """One key or one list item.

    ``above`` are the blank and comment lines over it, ``own`` its lines: all of them, or with ``is_split`` only those
    before the first of ``children``, whose last is followed by ``tail``. Without ``is_split`` the children, if there
    are any, are written anew from the value.
    """

    name: str
    value: Text
    above: str
    own: str
    column: int = 0
    children: tuple["Block", ...] = ()
    tail: str = ""
    is_split: bool = False

    @property
    def entry(self) -> str:
        """Its text without what stands above."""
        return f"{self.own}{''.join(child.text for child in self.children)}{self.tail}" if self.is_split else self.own

    @property
    def text(self) -> str:
        return self.above + self.entry


def blocks_of(typed: Typed, text: str) -> Block | None:
    """The whole mapping as one block without a name, whose own lines are those over the first key.

    ``text`` has LF line ends, one at its end, and is what ``typed`` was read from, with line numbers from 1. None when
    its keys do not each begin a line.
    """
    lines = [line + "\n" for line in text.split("\n")[:-1]]
    return _Cutting(typed, lines).root()


def values_of(typed: Typed) -> dict[str, Text]:
    """What was read, with `NULL` for keys without a value."""
    return _with_nulls(typed, typed.values, "")


def shifted(block: Block, delta: int) -> Block:
    """The block with all its lines moved ``delta`` columns to the right."""
    if not delta:
        return block
    return replace(
        block,
        above=_indented(block.above, delta),
        own=_indented(block.own, delta),
        tail=_indented(block.tail, delta),
        column=block.column + delta,
        children=tuple(shifted(child, delta) if block.is_split else child for child in block.children),
    )


def comments_of(text: str) -> list[str]:
    """The comments in the text of a block, each from its ``#`` on."""
    if "#" not in text:
        return []
    return [found[1].rstrip() for line in text.split("\n") for found in _COMMENT.finditer(line) if found[1]]


def written_key(name: str, value: Text, column: int) -> Block:
    """A key as gitmem writes it."""
    own = "".join(f"{line}\n" for line in entry(name, value, " " * column))
    return Block(name, value, "", own, column)


def written_item(value: Text, column: int) -> Block:
    """A list item as gitmem writes it."""
    own = "".join(f"{line}\n" for line in block_lines([value], " " * column))
    return Block("", value, "", own, column)


class _Cutting:
    """One text while it is cut. Lines are counted from 0 here."""

    def __init__(self, typed: Typed, lines: Sequence[str]) -> None:
        self.typed = typed
        self.lines = lines

    def root(self) -> Block | None:
        values = values_of(self.typed)
        first = min((self.typed.lines[name] - 1 for name in values), default=len(self.lines))
        if any(line.strip() not in ("", "---") and line.lstrip(" ")[0] != "#" for line in self.lines[:first]):
            return None
        spans = self.spans(first, len(self.lines), [self.typed.lines[name] - 1 for name in values])
        if spans is None or not self.are_entries(values, spans):
            return None
        return self.above_children(Block("", values, "", self.joined(0, first)), "", spans, len(self.lines))

    def key(self, name: str, path: str, value: Text, span: Span) -> Block:
        above, start, end = span
        leaf = Block(name, value, self.joined(above, start), self.joined(start, end), _column(self.lines[start]))
        if isinstance(value, str):
            return leaf
        spans = None
        if value and _OPENS.fullmatch(self.lines[start].rstrip("\n")):
            spans = self.spans(start + 1, end, [self.typed.lines.get(each, 0) - 1 for each in _paths(path, value)])
        if spans is None or not self.are_entries(value, spans):
            return replace(leaf, children=tuple(self.written(path, value)))
        return self.above_children(replace(leaf, own=self.lines[start]), path, spans, end)

    def above_children(self, parent: Block, path: str, spans: Sequence[Span], end: int) -> Block:
        """``parent`` with the blocks that ``spans`` give, and the rest of its lines behind them."""
        if isinstance(parent.value, dict):
            prefix = f"{path}." if path else ""
            rows = zip(parent.value.items(), spans, strict=True)
            children = [self.key(name, prefix + name, value, span) for (name, value), span in rows]
        else:
            children = [self.item(value, span) for value, span in zip(parent.value, spans, strict=True)]
        tail = self.joined(spans[-1][2], end) if spans else ""
        return replace(parent, children=tuple(children), tail=tail, is_split=True)

    def item(self, value: Text, span: Span) -> Block:
        above, start, end = span
        return Block("", value, self.joined(above, start), self.joined(start, end), _column(self.lines[start]))

    def written(self, path: str, value: Text) -> Iterator[Block]:
        """Children that share lines, as gitmem writes them; plain words stay plain."""
        if isinstance(value, dict):
            for name, each in value.items():
                inner = f"{path}.{name}"
                own = written_key(name, self.as_typed(inner, each), 0).own
                yield Block(name, each, "", own, children=tuple(self.written(inner, each)))
        elif isinstance(value, list):
            for each in value:
                yield written_item(each, 0)

    def as_typed(self, path: str, value: Text) -> Text:
        if isinstance(value, dict):
            return {name: self.as_typed(f"{path}.{name}", each) for name, each in value.items()}
        if isinstance(value, list) or path not in self.typed.plain:
            return value
        if value == NULL:
            return Bare("null")
        return Bare(value) if DECIMAL.fullmatch(value) or value.lower() in ("true", "false") else value

    def spans(self, start: int, end: int, firsts: Sequence[int]) -> list[Span] | None:
        """Of each child the first line above it, its own first line, and its end; None when they share lines or are
        not in order. What stands between ``start`` and the first child is above that."""
        bounds = [*firsts, end]
        if bounds[0] < start or any(one >= other for one, other in pairwise(bounds)):
            return None
        column = _column(self.lines[firsts[0]]) if firsts else 0
        if any(_column(self.lines[at]) != column for at in firsts):
            return None
        above = [self.above(before, at, column) for before, at in zip(firsts, bounds[1:], strict=True)]
        return list(zip([start, *above], firsts, above, strict=False))

    def above(self, before: int, at: int, column: int) -> int:
        """Where the comments begin that belong to line ``at`` and not to the block that begins at ``before``."""
        first = at
        while first - 1 > before and _is_aside(self.lines[first - 1], column):
            first -= 1
        # Blank lines at the end of a block scalar may be part of its text.
        if _BLOCK_SCALAR.search(self.joined(before, first)):
            while first < at and not self.lines[first].strip():
                first += 1
        return first

    def are_entries(self, value: Text, spans: Sequence[Span]) -> bool:
        """Whether each child begins with its key or its dash, and not within braces."""
        begun = [self.lines[start].strip() for _, start, _ in spans]
        if isinstance(value, list):
            return all(line.startswith("- ") for line in begun)
        return all(line[0] not in "{}[]?," for line in begun)

    def joined(self, start: int, end: int) -> str:
        return "".join(self.lines[start:end])


def _with_nulls(typed: Typed, values: dict[str, Text], prefix: str) -> dict[str, Text]:
    marked: dict[str, Text] = {}
    for name, value in values.items():
        path = prefix + name
        if isinstance(value, dict):
            marked[name] = _with_nulls(typed, value, f"{path}.")
        else:
            marked[name] = NULL if typed.is_null(path, value) else value
    return marked


def _paths(path: str, value: Text) -> list[str]:
    """How the lines of the children are named in what was read."""
    return [f"{path}[{at}]" for at in range(len(value))] if isinstance(value, list) else [f"{path}.{n}" for n in value]


def _is_aside(line: str, column: int) -> bool:
    bare = line.strip()
    return not bare or (bare[0] == "#" and _column(line) <= column)


def _column(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _indented(text: str, delta: int) -> str:
    lines = text.split("\n")
    if delta > 0:
        return "\n".join(" " * delta + line if line.strip() else line for line in lines)
    return "\n".join(line[min(-delta, _column(line)) :] for line in lines)
