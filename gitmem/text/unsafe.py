"""What in a text could harm who reads or shows it: hidden characters, active HTML, wording aimed at tools, conflicts.

Refuses to change or to block anything; it says what is there, and ``escape_hidden`` shows it.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

from gitmem.model.finding import Severity
from gitmem.record import record
from gitmem.text.fences import code_lines, without_code
from gitmem.text.steering import signs


@record
class Unsafe:
    """One unsafe place; ``line`` and ``column`` are 1-based, columns count code points.

    ``code`` is bidi-character, tag-character, hidden-character, unsafe-html or aimed-at-tools.
    """

    code: str
    line: int
    column: int
    message: str
    severity: Severity


def scan(text: str) -> list[Unsafe]:
    """What is unsafe in ``text`` in reading order, each code at most once a line."""
    shown = without_code(text)
    places = [
        *((start, code, "") for start, code in _hidden(text, _pattern(_SUSPECT))),
        *((start, "unsafe-html", message) for start, message in _html(shown)),
        *((sign.start, "aimed-at-tools", sign.message) for sign in signs(text, shown)),
    ]
    if not places:
        return []
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    first: dict[tuple[int, str], tuple[int, str]] = {}
    for start, code, message in sorted(places):
        first.setdefault((bisect_right(starts, start), code), (start, message))
    return [
        Unsafe(code, line, start - starts[line - 1] + 1, message or _about(text[start]), _severity(code))
        for (line, code), (start, message) in first.items()
    ]


def hidden(text: str) -> list[Unsafe]:
    """Of what is unsafe the characters that do not show, in reading order: what ``scan`` finds first and at least."""
    found = list(_hidden(text, _pattern(_SUSPECT)))
    starts = [0, *(match.end() for match in re.finditer("\n", text))] if found else []
    rows = [(bisect_right(starts, start), start, code) for start, code in found]
    return [
        Unsafe(code, line, start - starts[line - 1] + 1, _about(text[start]), _severity(code))
        for line, start, code in rows
    ]


def conflict_markers(text: str) -> list[int]:
    """The 1-based lines that hold marks of an unsolved merge; a line of ``=`` alone underlines a heading."""
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return []
    lines = text.split("\n")
    marked: list[int] = []
    is_open = False
    middle = 0
    for number, (line, is_code) in enumerate(zip(lines, code_lines(lines), strict=True), 1):
        mark = "" if is_code else _conflict_mark(line)
        if mark == "<":
            marked.append(number)
            is_open, middle = True, 0
        elif mark == ">":
            marked += [middle, number] if middle and not is_open else [number]
            is_open, middle = False, 0
        elif mark and is_open:
            marked.append(number)
        elif mark == "=":
            middle = number
    return marked


def escape_hidden(text: str) -> str:
    r"""``text`` for a terminal: hidden, direction and control characters and lone surrogates as ``\u`` escapes."""
    parts: list[str] = []
    done = 0
    for start, _ in _hidden(text, _pattern(_SHOWN_ESCAPED)):
        char = text[start]
        parts += [text[done:start], f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"]
        done = start + 1
    return "".join([*parts, text[done:]])


def _severity(code: str) -> Severity:
    return Severity.ERROR if code in ("bidi-character", "tag-character") else Severity.WARNING


def _about(char: str) -> str:
    name = unicodedata.name(char, "control character").lower()
    return f"U+{ord(char):04X} ({name}) does not show and can hide text"


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _conflict_mark(line: str) -> str:
    match = _pattern(r"(?:(<)<{6}|(>)>{6}|(\|)\|{6})(?:[ \t][^\n]*)?\r?$|(=)={6}\r?$").match(line)
    return match[match.lastindex or 0] if match else ""


_BIDI = "\u202a-\u202e\u2066-\u2069"
_TAGS = "\U000e0000-\U000e007f"
_CONTROLS = "\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028\u2029\u2060-\u2065\u206a-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0080-\U000e0fff"
)
_SUSPECT = f"[{_BIDI}{_TAGS}{_CONTROLS}{_INVISIBLE}]|\r(?!\n)"
_SHOWN_ESCAPED = f"[{_BIDI}{_TAGS}{_CONTROLS}{_INVISIBLE}\ud800-\udfff]|\r(?!\n)"


def _hidden(text: str, suspects: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Characters that do not show, but for those that their writing system or an emoji needs."""
    for match in suspects.finditer(text):
        char, start = match[0], match.start()
        if "\u202a" <= char <= "\u202e" or "\u2066" <= char <= "\u2069":
            yield start, "bidi-character"
        elif "\U000e0000" <= char <= "\U000e007f":
            if not _is_in_flag(text, start):
                yield start, "tag-character"
        elif not _is_needed(text, start):
            yield start, "hidden-character"


_FLAG = "\U0001f3f4\U000e0067\U000e0062(?:{}|{}|{})\U000e007f".format(
    "\U000e0065\U000e006e\U000e0067", "\U000e0073\U000e0063\U000e0074", "\U000e0077\U000e006c\U000e0073"
)
_FLAG_LENGTH = 7


def _is_in_flag(text: str, start: int) -> bool:
    """Whether the tag letter belongs to the flag of England, Scotland or Wales, the only ones there are."""
    base = text.rfind("\U0001f3f4", max(start - _FLAG_LENGTH + 1, 0), start)
    return base >= 0 and _pattern(_FLAG).match(text, base) is not None


_JOINING = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_EMOJI = "\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_HAN = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# For each range of characters, what must stand around one of them (``.``) for it to be in its place.
_NEEDED = (
    ("\u200c", "\u200d", f"(?<=[{_JOINING}]).(?![{_BIDI}{_INVISIBLE}a-zA-Z])"),
    ("\u200d", "\u200d", f"(?<=[{_EMOJI}\ufe0f]).(?=[{_EMOJI}])"),
    ("\u200b", "\u200b", f"(?<=[{_UNSPACED}]).(?=[{_UNSPACED}])"),
    ("\ufe00", "\ufe0f", f"(?<=[{_EMOJI}{_HAN}#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139]).(?![\ufe00-\ufe0f])"),
    ("\U000e0100", "\U000e01ef", f"(?<=[{_HAN}]).(?![\U000e0100-\U000e01ef])"),
    ("\u180b", "\u180f", "(?<=[\u1820-\u18aa])."),
    ("\u115f", "\u1160", "(?<=[\u1100-\u115f]).|.(?=[\u1160-\u11ff])"),
)
_REACH = 80


def _is_needed(text: str, start: int) -> bool:
    char = text[start]
    if char == "\ufeff":
        return start == 0
    if char in "\u200e\u200f\u061c":
        around = text[max(start - _REACH, 0) : start + _REACH]
        return _pattern(f"[{_RIGHT_TO_LEFT}]").search(around.replace("\u061c", "")) is not None
    return any(_pattern(around).match(text, start) for low, high, around in _NEEDED if low <= char <= high)


_TAG = r"<(?:/?[a-zA-Z])(?:[^<>\"']|\"[^\"]{0,1000}\"|'[^']{0,1000}'){0,2000}"
_ACTIVE_TAG = r"(?i)<(script|iframe|object|embed)\b"
_EVENT = r"(?i)[\s\"'/](on[a-z]{3,30})\s*="
_TARGET = (
    r"\]\(\s*<?([^)]{1,80})|^ {0,3}\[[^\]\n]{1,200}\]:\s*<?([^\n]{1,80})|<([a-zA-Z&][^\s<>]{1,80})>"
    r"|(?i:\b(?:href|src|action|formaction|data|poster|background|srcdoc))\s*=\s*[\"']?([^>]{1,80})"
)
_SCHEMES = ("javascript:", "vbscript:", "data:text/html", "data:image/svg", "data:application/xhtml", "data:text/xml")


def _html(shown: str) -> Iterator[tuple[int, str]]:
    """What runs or loads when the text is shown as a page."""
    if "<" in shown:
        for match in _pattern(_ACTIVE_TAG).finditer(shown):
            if not (match.start() and (shown[match.start() - 1].isalnum() or shown[match.start() - 1] in "_.")):
                yield match.start(), f"<{match[1].lower()}> runs or loads code when the text is shown as a page"
        for tag in _pattern(_TAG).finditer(shown):
            event = _pattern(_EVENT).search(tag[0])
            if event:
                yield tag.start(), f"{event[1].lower()}= runs code when the text is shown as a page"
    if ":" in shown or "&" in shown:
        for match in _pattern(f"(?m){_TARGET}").finditer(shown):
            scheme = _scheme_of(match[match.lastindex or 0])
            if scheme:
                yield match.start(), f"a link to {scheme} runs code when it is followed"


def _scheme_of(target: str) -> str:
    """The dangerous scheme of a link, whatever entities, blanks and control characters are in it."""
    plain = _pattern(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(colon|tab|newline));?").sub(_entity, target)
    bare = _pattern(r"[\s\0-\x20]+").sub("", plain).lower()
    return next((scheme for scheme in _SCHEMES if bare.startswith(scheme)), "")


def _entity(match: re.Match[str]) -> str:
    if match[3]:
        return ":" if match[3].lower() == "colon" else ""
    number = int(match[1]) if match[1] else int(match[2], 16)
    return chr(number) if number < 0x80 else "?"
