"""Reads unified diffs, those of Git and those of other programs, line by line. Refuses to guess and to skip.

Text stands for bytes: what is no UTF-8 is kept as ``surrogateescape`` keeps it, and only a line feed ends a line.
"""

import re
from functools import cache

from gitmem.errors import GitmemError
from gitmem.record import field, record, state

_HUNK = r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@"
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_SIGNS = {value: f"\\{sign}" for sign, value in _ESCAPES.items()}
_PREFIXES = "abciow12"
_NOWHERE = "/dev/null"
_GIT = "diff --git "
_COMBINED = ("diff --cc ", "diff --combined ")
_FIELDS = (
    "old mode",
    "new mode",
    "deleted file mode",
    "new file mode",
    "copy from",
    "copy to",
    "rename from",
    "rename to",
    "similarity index",
    "dissimilarity index",
    "index",
)
# What other programs print between files.
_SEPARATORS = ("diff -", "Only in ", "Index: ", "====")
_BINARY = "Binary files "
_GIT_BINARY = "GIT binary patch"
_TRAILER = "-- "


class NotADiffError(GitmemError):
    """``line`` is the 1-based line of the diff at which it stops being one."""

    code = "not-a-diff"

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message, hint="give what git diff prints, whole", place=f"diff:{line}")
        self.line = line


@record
class Hunk:
    """``rows`` have their sign; ``line`` is where the hunk begins in the diff. ``ends_bare``: the old and the new
    side end without a line feed."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    rows: tuple[str, ...]
    line: int
    ends_bare: tuple[bool, bool] = (False, False)


@record
class FilePatch:
    """One file. ``header`` is what stands behind ``diff --git``; a path is '' where the file is on one side only."""

    header: str
    old_path: str
    new_path: str
    hunks: tuple[Hunk, ...]
    line: int
    is_binary: bool = False
    old_mode: str = ""
    new_mode: str = ""
    is_copy: bool = False


@state
class _Head:
    """The header of one file while it is read; ``old`` and ``new`` are as they stand behind --- and +++."""

    header: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    old: str = ""
    new: str = ""
    is_binary: bool = False


def parse(text: str) -> tuple[FilePatch, ...]:
    """Every file of a diff, in order; what stands before the first one, as in a mail, is left out."""
    return _Reader(text).files()


class _Reader:
    """The rows of a diff and how far they were read."""

    def __init__(self, text: str) -> None:
        self.rows = text.split("\n")
        if not self.rows[-1]:
            self.rows.pop()
        self.at = 0

    def files(self) -> tuple[FilePatch, ...]:
        self.forward()
        if self.at == len(self.rows):
            raise NotADiffError("this is no diff: no file begins in it", 1)
        found = []
        while self.at < len(self.rows):
            found.append(self.file())
            self.between()
        return tuple(found)

    @property
    def row(self) -> str:
        """The row at hand, '' behind the last."""
        return self.rows[self.at] if self.at < len(self.rows) else ""

    def begins_file(self) -> bool:
        row = self.row
        if row.startswith(_COMBINED):
            raise NotADiffError(
                "this is the combined diff of a merge, which has no one side to start from", self.at + 1
            )
        if row.startswith(_GIT):
            return True
        following = self.rows[self.at + 1] if self.at + 1 < len(self.rows) else ""
        return row.startswith("--- ") and following.startswith("+++ ")

    def forward(self) -> None:
        while self.at < len(self.rows) and not self.begins_file():
            self.at += 1

    def between(self) -> None:
        """From the end of a file to the beginning of the next one."""
        while self.at < len(self.rows) and not self.begins_file():
            row = self.row
            if row.rstrip("\r") == _TRAILER.rstrip() or row.startswith(_TRAILER):
                self.forward()
            elif not row.strip() or row.startswith(_SEPARATORS):
                self.at += 1
            else:
                raise NotADiffError("this is no line of a diff", self.at + 1)

    def file(self) -> FilePatch:
        line = self.at + 1
        head = self.head()
        hunks = []
        while self.row.startswith("@@ "):
            hunks.append(self.hunk())
        if head.new and not hunks:
            raise NotADiffError("a file without a hunk", self.at + 1)
        old, new = _paths(head, line)
        fields = head.fields
        kept = fields.get("index", "").partition(" ")[2]
        return FilePatch(
            header=head.header,
            old_path=old,
            new_path=new,
            hunks=tuple(hunks),
            line=line,
            is_binary=head.is_binary,
            old_mode=fields.get("old mode") or fields.get("deleted file mode", kept),
            new_mode=fields.get("new mode") or fields.get("new file mode", kept),
            is_copy="copy from" in fields,
        )

    def head(self) -> _Head:
        head = _Head()
        if self.row.startswith(_GIT):
            head.header = self.row.removeprefix(_GIT).rstrip("\r")
            self.at += 1
            self.fields(head)
        if self.row.startswith("--- ") and self.at + 1 < len(self.rows):
            head.old, head.new = (_named(self.rows[self.at + n]) for n in (0, 1))
            self.at += 2
        return head

    def fields(self, head: _Head) -> None:
        while self.at < len(self.rows):
            row = self.row.rstrip("\r")
            name = next((name for name in _FIELDS if row.startswith(f"{name} ")), "")
            if name:
                head.fields[name] = row[len(name) + 1 :]
                self.at += 1
            elif row == _GIT_BINARY:
                head.is_binary = True
                self.at += 1
                while self.at < len(self.rows) and not self.row.startswith((_GIT, _TRAILER)):
                    self.at += 1
            elif row.startswith(_BINARY):
                head.is_binary = True
                self.at += 1
            else:
                return

    def hunk(self) -> Hunk:
        line = self.at + 1
        found = _hunk_pattern().match(self.row)
        if found is None:
            raise NotADiffError("this is no head of a hunk", line)
        old_start, old_count, new_start, new_count = (1 if each is None else int(each) for each in found.groups())
        self.at += 1
        rows, ends = self.body(old_count, new_count)
        return Hunk(old_start, old_count, new_start, new_count, rows, line, ends)

    def body(self, old: int, new: int) -> tuple[tuple[str, ...], tuple[bool, bool]]:
        """The rows of a hunk with so many lines on its two sides, and which side ends without a line feed."""
        rows: list[str] = []
        bare = {"-": False, "+": False}
        while old > 0 or new > 0 or self.row.startswith("\\"):
            row = self.row or " "
            sign = row[0]
            if self.at == len(self.rows) or sign not in " +-\\" or (sign == "\\" and not rows):
                raise NotADiffError("the hunk ends before it has the lines that its head promises", self.at + 1)
            self.at += 1
            if sign == "\\":
                bare.update(dict.fromkeys("-+" if rows[-1][0] == " " else rows[-1][0], True))
                continue
            old -= sign != "+"
            new -= sign != "-"
            if old < 0 or new < 0:
                raise NotADiffError("the hunk has more lines than its head promises", self.at)
            rows.append(row)
        return tuple(rows), (bare["-"], bare["+"])


@cache
def _hunk_pattern() -> re.Pattern[str]:
    return re.compile(_HUNK)


@cache
def _octal_pattern() -> re.Pattern[str]:
    return re.compile("[0-3][0-7]{2}")


def _named(row: str) -> str:
    """The name behind --- or +++, without the time that other programs put behind a tab."""
    name = row[4:].rstrip("\r")
    return unquoted(name)[0] if name.startswith('"') else name.partition("\t")[0]


def _paths(head: _Head, line: int) -> tuple[str, str]:
    """The path before and after, without the letters that Git puts before them."""
    moved = [f"{how} {end}" for how in ("rename", "copy") for end in ("from", "to") if f"{how} from" in head.fields]
    if moved:
        old, new = (_bare_name(head.fields.get(name, "")) for name in moved[:2])
    elif head.new:
        old, new = _without_prefixes(head.old, head.new)
    else:
        old, new = _of_header(head.header)
    old, new = ("" if name == _NOWHERE else name for name in (old, new))
    if "new file mode" in head.fields:
        old = ""
    if "deleted file mode" in head.fields:
        new = ""
    if not old and not new:
        raise NotADiffError("the names in the head of this file cannot be read", line)
    return old, new


def _bare_name(text: str) -> str:
    return unquoted(text)[0] if text.startswith('"') else text


def _without_prefixes(old: str, new: str) -> tuple[str, str]:
    """Git puts different letters before the two names; a folder with such a name stands before both."""
    named = [name for name in (old, new) if name != _NOWHERE]
    has_prefixes = all(name[1:2] == "/" and name[0] in _PREFIXES for name in named)
    if not has_prefixes or (len(named) == 2 and old[0] == new[0]):
        return old, new
    return (old if old == _NOWHERE else old[2:]), (new if new == _NOWHERE else new[2:])


def _of_header(text: str) -> tuple[str, str]:
    """Two names in one line: where they are not in quotes they are the same but for their letters."""
    if text.startswith('"'):
        old, rest = unquoted(text)
        return _without_prefixes(old, _bare_name(rest.lstrip(" ")))
    half = (len(text) - 1) // 2
    old, new = text[:half], text[half + 1 :]
    if text[half : half + 1] == " " and (old == new or old[2:] == new[2:]):
        return _without_prefixes(old, new)
    return "", ""


def unquoted(text: str) -> tuple[str, str]:
    """The name at the beginning of ``text``, which opens with a quote, and what follows its end."""
    raw = bytearray()
    at = 1
    while at < len(text) and text[at] != '"':
        sign = text[at]
        if sign != "\\":
            raw += sign.encode("utf-8", "surrogateescape")
            at += 1
        elif _octal_pattern().match(text, at + 1):
            raw.append(int(text[at + 1 : at + 4], 8))
            at += 4
        else:
            raw.append(_ESCAPES.get(text[at + 1 : at + 2], 63))
            at += 2
    return raw.decode("utf-8", "surrogateescape"), text[at + 1 :]


def quoted(name: str) -> str:
    """A name as Git prints it with ``core.quotePath`` off."""
    if not any(ord(sign) < 32 or sign in '"\\\x7f' for sign in name):
        return name
    return f'"{"".join(_quoted_sign(sign) for sign in name)}"'


def _quoted_sign(sign: str) -> str:
    value = ord(sign)
    return _SIGNS.get(value) or (f"\\{value:03o}" if value < 32 or value == 127 else sign)
