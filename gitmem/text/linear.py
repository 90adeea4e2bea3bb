"""The one door to RE2: patterns that match in time linear in the text. Refuses look-around and references back."""

import re
from collections.abc import Callable

import re2

from gitmem.errors import GitmemError

PATTERN_MAX_CHARS = 2000
# What one pattern may take: RE2 refuses a program that is larger, and matches on with less when its tables are full.
_MEMORY_BYTES = 1 << 20
_HINT = "write it without look-around and references back, which no engine matches in linear time: see docs/verify.md"


class PatternError(GitmemError):
    """RE2 does not take it: it could not match in linear time, or it is no pattern."""

    code = "bad-pattern"


class Pattern:
    """A pattern over UTF-8 bytes: ``^`` and ``$`` are the ends of a line, and no dot is a line feed."""

    __slots__ = ("_find", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._find = _compiled(text)

    def search(self, data: bytes) -> tuple[int, int] | None:
        """Where the first match begins and ends; bytes that are no UTF-8 are matched by nothing, not even by a dot."""
        match = self._find(data)
        return None if match is None else (match.start(), match.end())


def compile(pattern: str) -> Pattern:  # noqa: A001  # reason: the field's own word, read as linear.compile
    """Raises :class:`PatternError` with what RE2 says."""
    return Pattern(pattern)


def _compiled(text: str) -> Callable[[bytes], re.Match[bytes] | None]:
    """What searches; what RE2 finds has the methods of what Python's own module finds."""
    if len(text) > PATTERN_MAX_CHARS:
        raise PatternError(f"a pattern of {len(text)} characters, the most is {PATTERN_MAX_CHARS}", hint="split it")
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = _MEMORY_BYTES
    try:
        search: Callable[[bytes], re.Match[bytes] | None] = re2.compile(f"(?m){text}".encode(), options).search
    except UnicodeEncodeError as err:
        raise PatternError("the pattern holds half a character", hint="save the file as UTF-8") from err
    except re2.error as err:
        reason = err.args[0].decode("utf-8", "replace").replace("(?m)", "", 1)
        raise PatternError(f"cannot be linear, or is no pattern: {reason}", hint=_HINT) from err
    return search
