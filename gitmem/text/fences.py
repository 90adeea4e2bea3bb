"""Where a Markdown text is code: fenced blocks, also those in lists and quotes, and code spans.

Refuses indented code blocks: what an editor indents by accident must still be looked at.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

from gitmem.record import record

_DEEPEST = 20


@record
class _Fence:
    """An open fence: its marks, how many quotes it stands in, and the column where its list item begins."""

    mark: str
    quotes: int
    base: int

    def holds(self, quotes: int, rest: str) -> bool:
        return quotes >= self.quotes and (not rest.strip() or _indent(rest) >= self.base)

    def is_closed_by(self, rest: str) -> bool:
        marks = rest.strip()
        is_near = _indent(rest) - self.base <= 3
        return is_near and len(marks) >= len(self.mark) and not marks.strip(self.mark[0])


def code_lines(lines: list[str]) -> list[bool]:
    """For each line whether it is fenced or a fence. A fence ends with the list item or the quote that holds it."""
    marks: list[bool] = []
    fence: _Fence | None = None
    offsets: list[int] = []
    depth = 0
    for line in lines:
        expanded = line.rstrip("\r\n").expandtabs(4)
        if fence:
            quotes, rest = _unquoted(expanded, fence.quotes)
            if fence.holds(quotes, rest):
                marks.append(True)
                fence = None if fence.is_closed_by(rest) else fence
                continue
        quotes, rest = _unquoted(expanded, _DEEPEST)
        offsets = _list_offsets(rest, offsets if quotes == depth else [])
        depth = quotes
        base = offsets[-1] if offsets else 0
        opening = _fence_pattern().match(rest, base)
        fence = _Fence(opening[1], quotes, base) if opening else None
        marks.append(fence is not None)
    return marks


def without_code(text: str) -> str:
    """``text`` with a blank for every character of code; lines and offsets stay as they are."""
    if "`" not in text and "~~~" not in text:
        return text
    lines = _line_pattern().findall(text)
    return "".join(_blanked(lines, code_lines(lines)))


@cache
def _fence_pattern() -> re.Pattern[str]:
    return re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")


@cache
def _item_pattern() -> re.Pattern[str]:
    return re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)|(?= *$))")


@cache
def _quote_pattern() -> re.Pattern[str]:
    return re.compile(r" {0,3}> ?")


@cache
def _line_pattern() -> re.Pattern[str]:
    return re.compile(r"[^\n]*\n|[^\n]+")


@cache
def _visible_pattern() -> re.Pattern[str]:
    return re.compile(r"[^\n]")


@cache
def _block_pattern() -> re.Pattern[str]:
    """Lines at which a paragraph, and so a code span, cannot go on; headings and rules are in group 1."""
    return re.compile(r"[ \t]*(?:$|[-*+][ \t]|\d{1,9}[.)][ \t]|(#{1,6}(?:[ \t]|$)|[-*_=][-*_= \t]*$))")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _unquoted(line: str, most: int) -> tuple[int, str]:
    quotes = end = 0
    while quotes < most and (mark := _quote_pattern().match(line, end)):
        quotes, end = quotes + 1, mark.end()
    return quotes, line[end:]


def _list_offsets(line: str, offsets: list[int]) -> list[int]:
    """The columns at which the contents of the list items begin that ``line`` stands in, outermost first."""
    if not line.strip():
        return offsets
    indent = _indent(line)
    kept = [offset for offset in offsets if offset <= indent]
    while len(kept) < _DEEPEST and (item := _item_pattern().match(line, kept[-1] if kept else 0)):
        kept.append(item.end() + (line[item.end() :].strip() == ""))
    return kept


def _blanked(lines: list[str], is_code: list[bool]) -> Iterator[str]:
    paragraph: list[str] = []
    for line, code in zip(lines, is_code, strict=True):
        block = _block_pattern().match(line)
        quoted = line.lstrip().startswith(">")
        is_new_quote = quoted and not (paragraph and paragraph[-1].lstrip().startswith(">"))
        if code or block or is_new_quote:
            yield _without_spans("".join(paragraph))
            paragraph = []
        if code:
            yield _blank(line)
        elif block and block[1]:
            yield _without_spans(line)
        else:
            paragraph.append(line)
    yield _without_spans("".join(paragraph))


def _blank(text: str) -> str:
    return _visible_pattern().sub(" ", text)


def _without_spans(paragraph: str) -> str:
    if paragraph.count("`") < 2:
        return paragraph
    runs = [match.span() for match in re.finditer("`+", paragraph)]
    ends: dict[int, list[int]] = {}
    for number, (start, end) in enumerate(runs):
        ends.setdefault(end - start, []).append(number)
    parts: list[str] = []
    done = number = 0
    while number < len(runs):
        start, end = runs[number]
        start += _is_escaped(paragraph, start)
        same = ends.get(end - start, [])
        place = bisect_right(same, number)
        if end > start and place < len(same):
            number = same[place]
            parts += [paragraph[done:start], _blank(paragraph[start : runs[number][1]])]
            done = runs[number][1]
        number += 1
    return "".join([*parts, paragraph[done:]])


def _is_escaped(text: str, position: int) -> bool:
    before = text[max(position - _DEEPEST, 0) : position]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1
