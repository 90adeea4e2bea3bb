"""Regions of a Markdown text that something else mirrors: all of it, a section, lines. Refuses to render.

A section is named by the anchor that GitHub gives to its heading, and ends before the next heading of the same or a
higher level.
"""

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache

from gitmem.errors import GitmemError
from gitmem.record import record
from gitmem.text import sections
from gitmem.text.spans import Span, folded, places, span_of

_SEARCHED_LINES = 50_000
_TITLE_CHARS = 1_000
_KEPT = frozenset({"Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc"})
_INLINE = (
    r"`+(?P<code>[^`]*)`+|\\(?P<escaped>[!-/:-@\[-`{-~])|!\[[^\]]*\]\([^)]*\)|\[(?P<link>[^\]]*)\](?:\([^)]*\)|\[[^\]]*\])"
    r"|</?[A-Za-z][^>]*>|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)"
)


@record
class Region:
    """``start`` and ``end`` are 1-based line numbers, both included; ``anchor`` is '' for what is no section."""

    text: str
    start: int
    end: int
    anchor: str = ""


def region(text: str, anchor: str = "", lines: str = "") -> Region | None:
    """The region of a text, None where it is not there any more; raises for ``lines`` that are no range."""
    rows = _rows(text)
    if anchor:
        wanted = anchor.removeprefix("#").lower()
        return next((each for each in sections_of(text) if each.anchor == wanted), None)
    if lines:
        span = range_of(lines)
        return _cut(rows, span.start - 1, span.end) if span.start <= len(rows) else None
    return _cut(rows, _front_matter(rows), len(rows))


def range_of(lines: str) -> Span:
    found = span_of(lines.strip())
    if found is None:
        raise GitmemError(f"not a range of lines: {lines[:40]!r}", hint="for example lines: 10-24", code="bad-lines")
    return found


def sections_of(text: str) -> Iterator[Region]:
    """Every section with its anchor, in the order of the headings."""
    rows = _rows(text)
    found = sections.headings(_without_comments(rows))
    taken: dict[str, int] = {}
    for heading, end in zip(found, _ends(found, len(rows)), strict=True):
        yield _cut(rows, heading.line, end, _numbered(slug(heading.title), taken))


def _ends(found: Sequence[sections.Heading], last: int) -> list[int]:
    """The line that the section of each heading ends before."""
    ends, open_ = [last] * len(found), list[int]()
    for at, heading in enumerate(found):
        while open_ and found[open_[-1]].level >= heading.level:
            ends[open_.pop()] = heading.line
        open_.append(at)
    return ends


def lines_with(text: str, mark: str, most: int) -> str:
    """The only lines, ``most`` of them or fewer, whose digest is ``mark``, as ``a-b``; '' for none or several."""
    found = list(places(folded(text.encode("utf-8", "surrogatepass")), mark, most, _SEARCHED_LINES))
    return str(found[0]) if len(found) == 1 and found[0] is not None else ""


def slug(title: str) -> str:
    """What GitHub makes of the words of a heading; two headings of the same words get the same."""
    shown = html.unescape(_pattern(_INLINE).sub(_shown, title[:_TITLE_CHARS])).strip()
    kept = (c for c in shown.lower() if c in " -" or c.isalpha() or unicodedata.category(c) in _KEPT)
    return "".join(kept).replace(" ", "-")


def _shown(found: re.Match[str]) -> str:
    return next((part for part in found.group("code", "escaped", "link") if part is not None), "")


def _numbered(words: str, taken: dict[str, int]) -> str:
    """The anchor of a heading: the second one of the same words ends in -1."""
    anchor = words
    while anchor in taken:
        taken[words] += 1
        anchor = f"{words}-{taken[words]}"
    taken[anchor] = 0
    return anchor


def _rows(text: str) -> list[str]:
    """Lines as Git counts them, each with a line feed alone for its end."""
    return re.findall(r"[^\n]*\n|[^\n]+", text.removeprefix("\ufeff").replace("\r\n", "\n"))


def _cut(rows: Sequence[str], start: int, end: int, anchor: str = "") -> Region:
    return Region("".join(rows[start:end]).strip("\n"), start + 1, min(end, len(rows)), anchor)


def _front_matter(rows: Sequence[str]) -> int:
    """How many lines a header of YAML takes at the top."""
    if not rows or rows[0].rstrip() != "---":
        return 0
    return next((n + 1 for n, row in enumerate(rows) if n and row.rstrip() in ("---", "...")), 0)


def _without_comments(rows: Sequence[str]) -> list[str]:
    """The same number of lines, those of a header and of comments empty: no heading stands there."""
    kept, head = list(rows), _front_matter(rows)
    kept[:head] = ["\n"] * head
    is_comment = False
    for number, line in sections.unfenced(kept):
        is_comment = is_comment or line.lstrip().startswith("<!--")
        if is_comment:
            kept[number] = "\n"
        is_comment = is_comment and "-->" not in line
    return kept


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)
