"""How text is written as YAML, so that any parser reads it back as that text. Refuses to parse.

Text is plain where YAML 1.1 and 1.2 both take it for a string, else in double quotes with only control characters
escaped. `Bare` text is written as it is: a number stays a number for every reader.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from gitmem.errors import GitmemError
from gitmem.model.vocabulary import Text

_ESCAPED = '[\x00-\x1f"\\\\\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]'
_SURROGATE = "[\ud800-\udfff]"
_CONTROL = "[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
_FIRST = r"[\w./$(\\]|[^\x00-\x7f]"
_NUMERIC = r"(?=.*[0-9])[0-9_.,:eExXoObBa-fA-FtTzZ+\- ]*|[._]+"
_NOT_PLAIN = r": | #|:\Z| \Z"
_FLOW_PLAIN = r"(?a)[A-Za-z_/][\w./@+-]*(?: [\w./@+-]+)*"
_KEY = r"(?a)[A-Za-z_][\w.-]*"
_WORDS = frozenset({"null", "none", "true", "false", "yes", "no", "on", "off", "y", "n", "inf", "nan"})
_SHOWN_CHARS, _AROUND_CHARS = 40, 15
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0", '"': '\\"', "\\": "\\\\"}


class Bare(str):
    """Text that is written without quotes whatever it looks like: numbers."""

    __slots__ = ()


def scalar(text: str) -> str:
    """One line of YAML that reads back as ``text`` in a block."""
    if isinstance(text, Bare):
        return str(text)
    return text if _is_plain(text) else quoted(text)


def flow_scalar(text: str) -> str:
    """As `scalar`, between brackets or braces."""
    if isinstance(text, Bare):
        return str(text)
    return text if _pattern(_FLOW_PLAIN).fullmatch(text) and _is_plain(text) else quoted(text)


def in_style(text: str, style: str, *, is_flow: bool) -> str:
    """As `scalar` or `flow_scalar`, with the quotes that stood there before where they can hold the text."""
    if style == "'" and not isinstance(text, Bare) and not _pattern(_CONTROL).search(text):
        return "'" + text.replace("'", "''") + "'"
    if style == '"' and not isinstance(text, Bare):
        return quoted(text)
    return flow_scalar(text) if is_flow else scalar(text)


def literal(text: str, indent: str) -> list[str]:
    """The lines of a literal block, ``|`` first; none where text has one line, or would not read back as it is."""
    lines = text.removesuffix("\n").split("\n")
    is_safe = (
        lines[0].strip() and lines[0][0] != " " and lines[-1].strip() and not _pattern(_CONTROL).search("".join(lines))
    )
    if len(lines) < 2 or not is_safe or any(line and not line.strip() for line in lines):
        return []
    return ["|" if text.endswith("\n") else "|-", *(indent + line if line else "" for line in lines)]


def encoded(text: str) -> bytes:
    """A whole file as UTF-8."""
    try:
        return text.encode()
    except UnicodeEncodeError as err:
        raise _not_unicode(text[max(0, err.start - _AROUND_CHARS) : err.end + _AROUND_CHARS]) from err


def _not_unicode(text: str) -> GitmemError:
    message = f"text that is not Unicode cannot be written: {text[:_SHOWN_CHARS]!r}"
    return GitmemError(message, hint="half of a character stands there: take it out", code="not-unicode")


def quoted(text: str) -> str:
    if _pattern(_SURROGATE).search(text):
        raise _not_unicode(text)
    return f'"{_pattern(_ESCAPED).sub(_escape, text)}"'


def flow(value: Text) -> str:
    """The value on one line, in brackets and braces."""
    if isinstance(value, str):
        return flow_scalar(value)
    if isinstance(value, list):
        return f"[{', '.join(flow(each) for each in value)}]"
    return "{" + ", ".join(f"{key(name)}: {flow(each)}" for name, each in value.items()) + "}"


def entry(name: str, value: Text, indent: str = "") -> Iterator[str]:
    """The lines of one key of a block mapping, without line ends; lists and mappings one item a line."""
    if isinstance(value, str):
        yield f"{indent}{key(name)}: {scalar(value)}"
    elif not value:
        yield f"{indent}{key(name)}: {flow(value)}"
    else:
        yield f"{indent}{key(name)}:"
        yield from block(value, indent + "  ")


def block(value: Text, indent: str) -> Iterator[str]:
    """The lines of a list or mapping that is not empty."""
    if isinstance(value, list):
        for each in value:
            yield from _item(each, indent)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from entry(name, each, indent)


def key(name: str) -> str:
    return name if _pattern(_KEY).fullmatch(name) and _is_plain(name) else quoted(name)


def _item(value: Text, indent: str) -> Iterator[str]:
    if isinstance(value, str) or not value:
        yield f"{indent}- {scalar(value) if isinstance(value, str) else flow(value)}"
        return
    lines = block(value, indent + "  ")
    yield f"{indent}- {next(lines).lstrip(' ')}"
    yield from lines


@cache
def _pattern(source: str) -> re.Pattern[str]:
    """Compiled when first needed: reading a file needs none of these, and they cost more than it does."""
    return re.compile(source)


def _is_plain(text: str) -> bool:
    return bool(
        _pattern(_FIRST).match(text)
        and not _pattern(_CONTROL).search(text)
        and not _pattern(_NOT_PLAIN).search(text)
        and not _pattern(_NUMERIC).fullmatch(text)
        and text.lower().lstrip(".") not in _WORDS
    )


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if char in _SHORT:
        return _SHORT[char]
    return f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}"
