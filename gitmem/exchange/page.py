"""The page of all standing rules: how it is written, and what is in one that people have edited. Refuses knowledge.

A rule stands behind a comment with its id and a digest of what was written below it, so that an edit shows wherever it
comes from; the ids of all that were written stand at the end, so that what was taken out shows too.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from gitmem.errors import GitmemError
from gitmem.record import field, record, replace, state
from gitmem.text import sections

_HEAD = """\
# Standing rules

<!-- Written by: gitmem export rules.md. Edit it as you like: what differs is proposed by gitmem import rules.md. -->
"""
_WRITTEN = "<!-- Written by: gitmem export"
_RULE = r"<!-- gitmem:rule ([0-7][0-9A-HJKMNP-TV-Z]{25}) ([0-9a-f]{12}) -->"
_ENDS = "<!-- gitmem:rules"
_END = "-->"
_ID = r"[0-7][0-9A-HJKMNP-TV-Z]{25}"
_BLANK_LINES = r"(?:[ \t]*\n)+"
# What would be read as ours, or as left by a merge, in somebody's text; the sign in front is taken off again.
_OURS = r"\\*(?:<!-- gitmem:rules?\b|<<<<<<< |\|{7} |=======$|>>>>>>> )"
_DIGITS = 12


@record
class Section:
    """One rule as it stands on a page; ``id`` and ``digest`` are '' where a person added it. ``line`` counts from 1."""

    title: str
    body: str
    id: str = ""
    digest: str = ""
    line: int = 0


@record
class Page:
    """``written`` are the ids that it held when it was written; ``is_whole``: its end is there. ``stray`` is the first
    line of text that belongs to no rule, 0 for none."""

    sections: tuple[Section, ...]
    written: tuple[str, ...] = ()
    is_whole: bool = False
    stray: int = 0


def digest_of(title: str, body: str) -> str:
    """Without regard to blanks around the two, and to how lines end."""
    text = f"{' '.join(title.split())}\0{plain(body)}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def plain(body: str) -> str:
    text = body.replace("\r\n", "\n").rstrip()
    blank = _pattern(_BLANK_LINES).match(text)
    return text[blank.end() :] if blank else text


def rendered(rules: Iterable[Section]) -> str:
    """The page; the same rules give the same bytes, whatever their order. Digests are made here."""
    ordered = sorted(rules, key=lambda rule: hashlib.sha256(rule.id.encode()).digest())
    parts = [_HEAD]
    for rule in ordered:
        mark = f"<!-- gitmem:rule {rule.id} {digest_of(rule.title, rule.body)} -->"
        body = "\n".join(_escaped(line) for line in plain(rule.body).split("\n"))
        parts.append(f"\n{mark}\n{_heading(' '.join(rule.title.split()))}\n\n{body}\n")
    ids = "".join(f"{rule.id}\n" for rule in ordered)
    return "".join([*parts, f"\n{_ENDS}\n{ids}{_END}\n"])


def _heading(title: str) -> str:
    """A title that ends in signs which close a heading gets some that do."""
    line = f"## {title}"
    return line if title_of(line) == title else f"{line} ##"


def title_of(line: str) -> str:
    """The title in a line that is the heading of a rule, without the signs that close it; else ''."""
    if not line.startswith("## "):
        return ""
    text = line[2:].strip(" ")
    bare = text.rstrip("#")
    return bare.rstrip(" ") if bare.endswith(" ") else text


def _escaped(line: str) -> str:
    return f"\\{line}" if _pattern(_OURS).match(line) else line


def _unescaped(line: str) -> str:
    return line[1:] if line.startswith("\\") and _pattern(_OURS).match(line) else line


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def parsed(text: str, headings: Mapping[str, frozenset[str]]) -> Page:
    """What is on a page. ``headings`` are the lines by rule that look like a title and are part of its text."""
    reader = _Reader(headings)
    lines = text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    bare = _outside_fences(lines)
    for number, line in enumerate(lines, 1):
        reader.take(number, line, is_bare=number - 1 in bare)
    reader.close()
    return Page(tuple(reader.found), tuple(dict.fromkeys(reader.written)), reader.is_whole, reader.stray)


def _outside_fences(lines: Sequence[str]) -> set[int]:
    """The numbers of lines that are in no code block; one that is left open ends with its rule."""
    found: set[int] = set()
    start = 0
    marks = [at for at, line in enumerate(lines) if _pattern(_RULE).fullmatch(line.rstrip()) or line.rstrip() == _ENDS]
    for end in (*marks, len(lines)):
        found.update(start + at for at, _ in sections.unfenced(list(lines[start:end])))
        start = end
    return found


@state
class _Reader:
    headings: Mapping[str, frozenset[str]]
    found: list[Section] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    is_whole: bool = False
    stray: int = 0
    open: Section | None = None
    body: list[str] = field(default_factory=list)
    is_at_end: bool = False
    is_begun: bool = False

    def take(self, number: int, line: str, *, is_bare: bool) -> None:
        mark = _pattern(_RULE).fullmatch(line.rstrip())
        title = title_of(line) if is_bare else ""
        if self.is_at_end:
            self._ids(number, line)
        elif mark:
            self.close()
            self.open = Section("", "", mark[1], mark[2], number)
        elif line.rstrip() == _ENDS:
            self.close()
            self.is_at_end = True
        elif title and not self._is_own(line):
            self._begin(title, number)
        elif self.open is not None:
            self.body.append(_unescaped(line))
        elif self._is_text(line) and not self.stray:
            self.stray = number

    def _ids(self, number: int, line: str) -> None:
        if line.strip() == _END:
            self.is_at_end, self.is_whole = False, True
        elif _pattern(_ID).fullmatch(line.strip()):
            self.written.append(line.strip())
        elif line.strip():
            self.stray = self.stray or number

    def _is_own(self, line: str) -> bool:
        """Whether a heading is part of the text of the rule that it stands in."""
        return self.open is not None and bool(self.open.title) and line in self.headings.get(self.open.id, ())

    def _begin(self, title: str, number: int) -> None:
        if self.open is not None and self.open.id and not self.open.title and not any(map(str.strip, self.body)):
            self.open = replace(self.open, title=title)
            return
        self.close()
        self.open = Section(title, "", line=number)

    def _is_text(self, line: str) -> bool:
        """Outside of rules: anything but blanks, the comment that is ours, and a title at the top of the page."""
        bare = line.strip()
        is_top = not (self.is_begun or self.found)
        self.is_begun = self.is_begun or bool(bare)
        return bool(bare) and not bare.startswith(("# ", _WRITTEN) if is_top else _WRITTEN)

    def close(self) -> None:
        if self.open is not None:
            self.found.append(replace(self.open, body=plain("\n".join(self.body))))
        self.open, self.body = None, []


def sides(text: str) -> tuple[str, str] | None:
    """Both texts of a page that a merge left in conflict; None where there is none. Marks that make no sense are an
    error."""
    lines = text.replace("\r\n", "\n").split("\n")
    if not any(line.startswith("<<<<<<< ") for line in lines):
        return None
    kept: tuple[list[str], list[str]] = ([], [])
    where = ""
    for number, line in enumerate(lines, 1):
        after = _turn(where, line)
        if after is None:
            raise GitmemError(
                "a merge left marks here that do not fit together",
                hint="settle this place by hand, then: gitmem export rules.md",
                place=f"line {number}",
                code="conflict-marker",
            )
        if after == where:
            for side in {"": (0, 1), "<": (0,), ">": (1,), "|": ()}[where]:
                kept[side].append(line)
        where = after
    if where:
        raise GitmemError("a merge left a place without an end", hint="settle it by hand", code="conflict-marker")
    return "\n".join(kept[0]), "\n".join(kept[1])


def _turn(where: str, line: str) -> str | None:
    """The part of a conflict that begins behind a line: '' none, < ours, | the base, > theirs. None: out of place."""
    if line.startswith("<<<<<<< "):
        return "<" if not where else None
    if where and line.startswith("||||||| "):
        return "|" if where == "<" else None
    if where and line == "=======":
        return ">" if where in ("<", "|") else None
    if line.startswith(">>>>>>> "):
        return "" if where == ">" else None
    return where
