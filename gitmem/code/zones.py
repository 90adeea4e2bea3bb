"""The parts of a task that weigh differently: title, prose, code, backticks. Refuses what a form asked for.

Questions of an issue form, tables of versions, comments of a template, links and repeated lines tell nothing of the
code, and are left out.
"""

from __future__ import annotations

import re

from gitmem.record import record

# A longer line is neither a heading nor a row of a form.
_LONGEST_ROW = 300
_HEADING_WORDS = 12
_QUESTION_CHARS = 90
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|</?(?:details|summary)>", re.DOTALL)
_LINK = re.compile(r"\bhttps?://[^\s)>\]]+|!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)")
_TICKED = re.compile(r"`([^`\n]+)`")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_SAMPLE = re.compile(r" {4,}|\t|>>> |\.\.\. |In \[\d+\]|Out\[\d+\]|\$ ")
_SETTING = re.compile(
    r"environment|version|platform|operating system|browser|pip list|system info|checklist|os\b|how did you install"
    r"|installed|your project|screenshots|setup|additional (?:library|note)|release|specs",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"a clear and concise|describe (?:the (?:bug|solution|issue|question)|alternatives|your)|is your feature request"
    r"|additional context|add any other context|merge pull request|steps to reproduce|to reproduce|expected behaviou?r"
    r"|ex\. i'm always|please (?:fill|describe|complete)|thanks? (?:for|you)|- \[[ x]\]|(?:signed-off|co-authored)-by"
    r"|what (?:version|operating|are the steps|is the (?:actual|expected))|how did you|bug report|feature request"
    r"|issue description|desktop",
    re.IGNORECASE,
)
_ROW = re.compile(
    r"\s*[-*]?\s*\**(?:os|python|version|platform|browser|node|npm|java|go|rust|package|host|user|device|time zone"
    r"|operating system|extra tools)[\w .()/-]{0,20}\**\s?[:=]|\s*[\w.\-]+(?: ?== ?| {2,}|\t+)v?\d+(?:\.\d+)+",
    re.IGNORECASE,
)


@record
class Zones:
    """``ticked`` is what stands in backticks in the title and the prose, which have it as well."""

    title: str
    prose: str
    code: str
    ticked: str


def zones(text: str) -> Zones:
    title, _, rest = text.lstrip().partition("\n")
    reader = _Reader()
    for row in _COMMENT.sub("\n", rest).split("\n"):
        reader.read(row)
    bare = _LINK.sub(" ", title)
    ticked = _TICKED.findall(f"{bare}\n" + "\n".join(reader.prose))
    return Zones(bare, "\n".join(reader.prose), "\n".join(reader.code), "\n".join(ticked))


class _Reader:
    """Takes the rows of a text in their order; each sentence counts once."""

    def __init__(self) -> None:
        self.prose: list[str] = []
        self.code: list[str] = []
        self._seen: set[str] = set()
        self._fence = ""
        self._is_setting = False

    def read(self, row: str) -> None:
        mark = _FENCE.match(row)
        if mark and (not self._fence or row.strip().startswith(self._fence)):
            self._fence = "" if self._fence else mark[1][:3]
        elif self._fence:
            if not self._is_setting and not _is_row(row):
                self.code.append(row)
        elif not self._heads(row):
            self._say(row)

    def _heads(self, row: str) -> bool:
        heading = _heading(row)
        if not heading or len(heading.split()) > _HEADING_WORDS:
            return False
        self._is_setting = bool(_SETTING.search(heading))
        if not (self._is_setting or _QUESTION.match(heading) or len(heading.split()) <= 3):
            self.prose.append(heading)
        return True

    def _say(self, row: str) -> None:
        bare = row.strip()
        if not bare or bare in self._seen:
            return
        self._seen.add(bare)
        asks = len(bare) < _QUESTION_CHARS and _QUESTION.match(bare.lstrip("*#_> "))
        if self._is_setting or asks or _is_row(row):
            return
        text = _LINK.sub(" ", row)
        (self.code if _SAMPLE.match(text) else self.prose).append(text.strip())


def _heading(row: str) -> str:
    """The text of a row that is a heading, or wholly bold; '' for every other."""
    bare = row.strip()
    if len(bare) > _LONGEST_ROW:
        return ""
    if bare.startswith("#"):
        marks = len(bare) - len(bare.lstrip("#"))
        return bare.strip("# \t") if marks <= 6 and bare[marks : marks + 1].isspace() else ""
    inner = bare.removesuffix(":")
    is_bold = len(inner) > 4 and inner[:2] in ("**", "__") and inner.endswith(inner[:2])
    return inner[2:-2].strip() if is_bold and inner[0] not in inner[2:-2] else ""


def _is_row(row: str) -> bool:
    return len(row) <= _LONGEST_ROW and bool(_ROW.match(row))
