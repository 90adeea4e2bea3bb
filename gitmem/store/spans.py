"""Which characters of a YAML header to replace so that its values become others. Refuses to parse and to write files.

Only the lines of a changed key are touched: comments, order, quoting and line ends of everything else stay.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gitmem.model.vocabulary import Text
from gitmem.store.written import block, flow, in_style, key, literal

FLOW_LIST, FLOW_MAPPING, BLOCK_LIST, BLOCK_MAPPING = "[", "{", "-", ":"
BLOCK_SCALARS = ("|", ">")
_COMMA = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*,")
_COMMA_ALONE = re.compile(r",(?:[ \t]*(?![ \t#]))?")
_BLANKS = re.compile(r"(?:[ \t]*(?![ \t#]))?")
_INDICATOR = re.compile(r"[|>][0-9+-]*")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a value stands: ``text[start:end]``, without trailing blank lines or comments.

    ``style`` is "" for plain text, the opening character of any other text, or one of the four above.
    """

    start: int
    end: int
    style: str
    entries: tuple["Entry", ...] = ()

    @property
    def is_flow(self) -> bool:
        return self.style in (FLOW_LIST, FLOW_MAPPING)


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value, or a list item without a name.

    ``start`` is the key, the dash, or the item in brackets; ``colon`` is behind the colon or dash, 0 without one.
    """

    name: str
    start: int
    colon: int
    value: Spot

    @property
    def end(self) -> int:
        return max(self.value.end, self.colon)


class Changes:
    """The replacements that a change of values takes, collected while both are compared."""

    def __init__(self, text: str, newline: str) -> None:
        self.text = text
        self.newline = newline
        self.cuts: list[tuple[int, int, str]] = []

    def applied(self) -> str:
        """The text with all replacements; of two insertions at one place the first asked for comes first."""
        pieces: list[str] = []
        at = 0
        for start, end, new in sorted(self.cuts, key=lambda cut: cut[:2]):
            pieces += (self.text[at:start], new)
            at = max(at, end)
        return "".join((*pieces, self.text[at:]))

    def mapping(self, spot: Spot, top: int, now: Mapping[str, Text], wanted: Mapping[str, Text]) -> None:
        """Turns the keys of ``now`` into those of ``wanted``; they share one at least, or ``spot`` is the whole header.

        ``wanted`` has its new keys where they belong; one without a neighbour before it goes to ``top``.
        """
        kept = {each.name: each for each in spot.entries if each.name in wanted}
        if spot.is_flow and not kept:
            self.cuts.append((spot.start, spot.end, flow(dict(wanted))))
            return
        for each in spot.entries:
            if each.name not in wanted:
                self.drop(spot, each, [*kept.values()])
            elif wanted[each.name] != now[each.name]:
                self.value(spot, each, now[each.name], wanted[each.name])
        before: Entry | None = None
        for name, value in wanted.items():
            before = kept.get(name, before)
            if name not in kept and spot.is_flow:
                self.append_flow(before or next(iter(kept.values())), [f"{key(name)}: {flow(value)}"])
            elif name not in kept:
                indent = self.indent(spot.entries[0].start) if spot.entries else ""
                self.put_lines(self.line_after(before.end) if before else top, {name: value}, indent)

    def value(self, parent: Spot, each: Entry, now: Text, wanted: Text) -> None:
        spot = each.value
        if isinstance(now, dict) and isinstance(wanted, dict) and _share_keys(now, wanted):
            self.mapping(spot, self.line_after(each.colon), now, wanted)
        elif isinstance(now, list) and isinstance(wanted, list) and _kept(now, wanted):
            self.items(spot, now, wanted)
        elif isinstance(wanted, str) or not wanted or parent.is_flow or (spot.is_flow and spot.entries):
            self.write_inline(parent, each, wanted)
        else:
            self.write_lines(each, wanted)

    def items(self, spot: Spot, now: Sequence[Text], wanted: Sequence[Text]) -> None:
        if len(now) == len(wanted):
            for each, old, new in zip(spot.entries, now, wanted, strict=True):
                if old != new:
                    self.item(spot, each, old, new)
            return
        kept = _kept(now, wanted)
        survivors = [spot.entries[i] for i in kept]
        for i, each in enumerate(spot.entries):
            if i not in kept:
                self.drop(spot, each, survivors)
        self.append(spot, survivors[-1], wanted[len(kept) :])

    def item(self, parent: Spot, each: Entry, now: Text, wanted: Text) -> None:
        spot = each.value
        if _share_keys(now, wanted):
            self.value(parent, each, now, wanted)
        elif spot.style in (BLOCK_LIST, BLOCK_MAPPING):
            # Its first line is that of the dash.
            self.cuts.append((spot.start, spot.end, flow(wanted)))
        else:
            self.write_inline(parent, each, wanted)

    def append(self, spot: Spot, last: Entry, added: Sequence[Text]) -> None:
        if spot.is_flow:
            self.append_flow(last, [flow(each) for each in added])
        elif added:
            self.put_lines(self.line_after(last.end), list(added), self.indent(spot.start))

    def append_flow(self, last: Entry, added: Sequence[str]) -> None:
        gap = " " if last.value.start == last.value.end else ""
        self.put(last.end, "".join(f"{gap}, {each}" for each in added))

    def drop(self, spot: Spot, each: Entry, survivors: Sequence[Entry]) -> None:
        if not spot.is_flow:
            self.cuts.append((self.line_start(each.start), self.line_after(each.end), ""))
        elif comma := _COMMA.match(self.text, each.end):
            self.cut(each.start, _end(_BLANKS, self.text, comma.end()))
        else:
            # The last item has no comma of its own: the one before it goes.
            self.cut(each.start, each.end)
            ahead = [other for other in survivors if other.start < each.start]
            found = _COMMA.match(self.text, ahead[-1].end) if ahead else None
            if found:
                self.cuts.append((found.end() - 1, _end(_COMMA_ALONE, self.text, found.end() - 1), ""))

    def write_inline(self, parent: Spot, each: Entry, wanted: Text) -> None:
        """Puts a value on the line of its key; the comment there stays."""
        spot = each.value
        if spot.style in BLOCK_SCALARS:
            self.write_over_block_scalar(each, wanted)
            return
        new = in_style(wanted, spot.style, is_flow=parent.is_flow) if isinstance(wanted, str) else flow(wanted)
        if spot.style in (BLOCK_LIST, BLOCK_MAPPING):
            self.put(each.colon, f" {new}")
            self.cuts.append((self.line_after(each.colon), self.line_after(spot.end), ""))
        elif spot.start == spot.end:
            self.put(each.colon, f" {new}")
        else:
            self.cuts.append((spot.start, spot.end, new))

    def write_over_block_scalar(self, each: Entry, wanted: Text) -> None:
        spot = each.value
        indent = self.indent(each.start) + "  "
        lines = literal(wanted, indent) if isinstance(wanted, str) and spot.style == "|" else []
        first = (
            lines[0] if lines else (in_style(wanted, "", is_flow=False) if isinstance(wanted, str) else flow(wanted))
        )
        self.cuts.append((spot.start, _end(_INDICATOR, self.text, spot.start), first))
        content = "".join(line + self.newline for line in lines[1:])
        self.cuts.append(
            (self.line_after(spot.start), max(self.line_after(spot.start), self.line_after(spot.end)), content)
        )

    def write_lines(self, each: Entry, wanted: Text) -> None:
        """Puts a list or mapping on lines of its own below its key."""
        spot = each.value
        indent = self.indent(each.start) + "  "
        if spot.style in (BLOCK_LIST, BLOCK_MAPPING):
            start = self.line_after(each.colon)
            if (spot.style == BLOCK_LIST) == isinstance(wanted, list):
                indent = self.indent(spot.start)
        elif spot.style in BLOCK_SCALARS:
            self.cuts.append((each.colon, _end(_INDICATOR, self.text, spot.start), ""))
            start = self.line_after(spot.start)
        else:
            self.cut(each.colon if not self.text[each.colon : spot.start].strip(" \t") else spot.start, spot.end)
            start = self.line_after(each.end)
        self.cuts.append((start, max(start, self.line_after(each.end)), ""))
        self.put_lines(start, wanted, indent)

    def put(self, at: int, new: str) -> None:
        self.cuts.append((at, at, new))

    def put_lines(self, at: int, value: Text, indent: str) -> None:
        self.put(at, "".join(line + self.newline for line in block(value, indent)))

    def cut(self, start: int, end: int) -> None:
        """Takes characters out, and their line when nothing else stood there."""
        line, after = self.line_start(start), self.line_after(end)
        if not self.text[line:start].strip(" \t") and not self.text[end:after].strip():
            start, end = line, after
        self.cuts.append((start, end, ""))

    def line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def line_after(self, at: int) -> int:
        return self.text.find("\n", at) + 1 or len(self.text)

    def indent(self, at: int) -> str:
        """Blanks up to the column of a place, so that a new line stands beneath it."""
        return " " * (at - self.line_start(at))


def _kept(now: Sequence[Text], wanted: Sequence[Text]) -> list[int]:
    """Places in ``now`` of the items that ``wanted`` begins with, in order; all where items only changed inside."""
    if len(now) == len(wanted) and all(
        (isinstance(a, str) and isinstance(b, str)) or _share_keys(a, b) for a, b in zip(now, wanted, strict=True)
    ):
        return list(range(len(now)))
    kept: list[int] = []
    for i, each in enumerate(now):
        if len(kept) < len(wanted) and each == wanted[len(kept)]:
            kept.append(i)
    return kept


def _share_keys(now: Text, wanted: Text) -> bool:
    return isinstance(now, dict) and isinstance(wanted, dict) and bool(now.keys() & wanted.keys())


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
