"""The shape of a Markdown body: what is fenced, its first paragraph, its sections. Refuses to render.

Headings are ATX (``## Title``) or underlined; neither counts inside a code fence.
"""

import re
from collections.abc import Iterator
from functools import cache

from gitmem.errors import GitmemError
from gitmem.record import record

_FENCE = r" {0,3}(`{3,}(?=[^`]*$)|~{3,})"
_ATX = r" {0,3}(#{1,6})(?:[ \t]+(.*))?$"
_UNDERLINE = r" {0,3}(=+|-+)[ \t]*$"
_LINE = r"[^\n]*\n|[^\n]+"
_NO_PARAGRAPH = r" {0,3}(?:[-+*>|#]|[0-9]{1,9}[.)]|<|$)| {4}|\t"


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


@record
class Heading:
    """``line`` is the 0-based line of the title, ``end`` the first line after the heading."""

    level: int
    title: str
    line: int
    end: int


def unfenced(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yields (0-based number, line without its end) for each line outside code fences; fence lines are left out."""
    fence = ""
    for number, raw in enumerate(lines):
        line = raw.rstrip("\r\n")
        match = _pattern(_FENCE).match(line)
        if fence:
            if match and _closes(fence, match[1], line):
                fence = ""
        elif match:
            fence = match[1]
        else:
            yield number, line


@record
class Fenced:
    """``line`` is the 0-based line of the opening fence; ``text`` is what lies behind it."""

    line: int
    text: str


def blocks(text: str, info: str) -> list[Fenced]:
    """The fenced blocks whose first word behind the fence is ``info``; one that is never closed ends with the text."""
    found: list[Fenced] = []
    opening: re.Match[str] | None = None
    start = 0
    lines = text.split("\n")
    for number, line in enumerate([*lines, ""]):
        match = _pattern(_FENCE).match(line)
        if opening is None:
            opening, start = match, number
        elif number == len(lines) or (match and _closes(opening[1], match[1], line)):
            words = lines[start].strip().lstrip("`~").split()
            if words[:1] == [info]:
                found.append(Fenced(start, "".join(f"{each}\n" for each in lines[start + 1 : number])))
            opening = None
    return found


def _closes(fence: str, marks: str, line: str) -> bool:
    return marks.startswith(fence) and not line.strip().strip(fence[0])


def headings(lines: list[str]) -> list[Heading]:
    """The headings outside fences, in their order."""
    found: list[Heading] = []
    paragraph: list[str] = []
    before = -1
    for number, line in unfenced(lines):
        if number != before + 1:
            paragraph = []
        before = number
        atx = _pattern(_ATX).match(line)
        if atx:
            found.append(Heading(len(atx[1]), _title(atx[2] or ""), number, number + 1))
        elif paragraph and _pattern(_UNDERLINE).match(line):
            title = " ".join(each.strip() for each in paragraph)
            found.append(Heading(1 if "=" in line else 2, title, number - len(paragraph), number + 1))
        elif not _pattern(_NO_PARAGRAPH).match(line):
            paragraph.append(line)
            continue
        paragraph = []
    return found


def _title(text: str) -> str:
    """What a heading says, without the closing ``#`` signs that stand apart from it."""
    text = text.strip()
    bare = text.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else text


def first_paragraph(body: str) -> str:
    """The first run of text lines that is neither heading nor fence, on one line; else the first line of any kind."""
    lines = body[:8192].split("\n")
    words: list[str] = []
    before = -1
    for number, line in unfenced(lines):
        is_text = bool(line.strip()) and not _pattern(_ATX).match(line) and not line.startswith("<!--")
        if words and (not is_text or number != before + 1):
            break
        if is_text and not (not words and _pattern(_UNDERLINE).match(line)):
            words += line.split()
            before = number
    if words:
        return " ".join(words)
    return next((" ".join(line.strip("# \t").split()) for line in lines if line.strip("#`~ \t")), "")


def replace_section(body: str, heading: str, text: str) -> str:
    """Puts ``text`` below ``heading``, up to the next heading of the same or a higher level.

    ``heading`` is a title, or a title with its ``#`` signs when the level matters. The heading line stays as it is, is
    not doubled when ``text`` begins with it, and running twice changes nothing.
    """
    newline = "\r\n" if "\r\n" in body else "\n"
    lines = _pattern(_LINE).findall(body)
    here, following = _section(lines, heading)
    wanted = text.replace("\r\n", "\n").strip("\n").split("\n")
    opening = headings(wanted)
    if opening and opening[0].line == 0 and (opening[0].level, opening[0].title) == (here.level, here.title):
        wanted = wanted[opening[0].end :]
    if any(each.level <= here.level for each in headings(wanted)):
        raise GitmemError(f"the text for {here.title!r} holds a heading of the same or a higher level")
    content = newline.join(wanted).strip("\r\n")
    head = "".join(lines[: here.end]).rstrip("\r\n") + newline
    rest = "".join(lines[following:])
    middle = f"{newline}{content}{newline}" if content else ""
    return head + middle + (newline + rest if rest else "")


def _section(lines: list[str], heading: str) -> tuple[Heading, int]:
    asked = _pattern(_ATX).match(heading)
    level, title = (len(asked[1]), _title(asked[2] or "")) if asked else (0, heading)
    every = headings(lines)
    places = [i for i, each in enumerate(every) if each.title == title.strip() and level in (0, each.level)]
    if not places:
        known = ", ".join(each.title for each in every[:12])
        raise GitmemError(f"no section {heading!r}", hint=f"sections are: {known}" if known else "the body has none")
    if len(places) > 1:
        numbers = " and ".join(str(every[i].line + 1) for i in places)
        raise GitmemError(f"section {heading!r} stands more than once, at body lines {numbers}")
    here = every[places[0]]
    below = (each.line for each in every[places[0] + 1 :] if each.level <= here.level)
    return here, next(below, len(lines))
