"""The headers that nearly every knowledge file has, read without a YAML library: loading one costs more than a check.

Refuses whatever can be read in a second way, by answering None; then the YAML library decides.
"""

import re

from gitmem.model.vocabulary import Text
from gitmem.record import field, state
from gitmem.store.form import Typed

_LONGEST = 16_384
_DEPTH_MAX = 3
# Indentation, the dash of an item or a key, and what follows on the line.
_LINE = re.compile(r"( *)(?:(-) |([A-Za-z_][A-Za-z0-9_-]{0,99}):(?: |\Z)) *(.*)")
_QUOTED = re.compile(r"(?:\"([^\"\\]*)\"|'([^']*)')(?: +#.*)?")
_PLAIN_START = re.compile(r"[\w./$(]|-[0-9]|~\Z")
_FLOW = re.compile(r"(?:\[([^\[\]{}\"'#]*)\]|\{([^\[\]{}\"'#]*)\})(?: +#.*)?")
_FLOW_SCALAR = re.compile(r"[A-Za-z0-9_](?:[\w./@<>+() -]|:(?=\w))*")
_FLOW_PAIR = re.compile(r"([A-Za-z_][A-Za-z0-9_-]{0,99}): +(.+)")


class _OddError(Exception):
    """A line that has more than one reading, or none."""


# Line number, indentation, whether it is an item of a list, its key, its value: plain tuples, since there are so many.
_Line = tuple[int, int, bool, str, str]


@state
class _Reading:
    """``lines`` and ``plain`` grow along the way, as those of ``Typed``."""

    rows: list[_Line]
    at: int = 0
    lines: dict[str, int] = field(default_factory=dict)
    plain: set[str] = field(default_factory=set)


def read(text: str, first_line: int) -> Typed | None:
    """What the YAML library would read, for keys with values of one line, lists and mappings of those."""
    if len(text) > _LONGEST or not text.replace("\n", "").isprintable():
        return None
    try:
        reading = _Reading(_rows(text, first_line))
        values = _mapping(reading, 0, "", 1)
    except _OddError:
        return None
    is_whole = reading.at == len(reading.rows)
    return Typed(values, reading.lines, frozenset(reading.plain)) if is_whole else None


def _rows(text: str, first_line: int) -> list[_Line]:
    rows = []
    for number, line in enumerate(text.split("\n"), first_line):
        bare = line.strip(" ")
        if bare and bare[0] != "#":
            found = _LINE.fullmatch(line)
            if found is None:
                raise _OddError
            indent, dash, key, rest = found.groups()
            rest = "" if rest.startswith("#") else rest.rstrip(" ")
            rows.append((number, len(indent), dash is not None, key or "", rest))
    return rows


def _mapping(reading: _Reading, indent: int, prefix: str, depth: int) -> dict[str, Text]:
    values: dict[str, Text] = {}
    while reading.at < len(reading.rows):
        row = number, indented, _, key, rest = reading.rows[reading.at]
        if indented != indent or not key:
            break
        if key in values or depth > _DEPTH_MAX:
            raise _OddError
        path = prefix + key
        reading.lines[path] = number
        reading.at += 1
        values[key] = _value(reading, row, path, depth) if rest else _below(reading, row, path, depth)
    return values


def _below(reading: _Reading, row: _Line, path: str, depth: int) -> Text:
    """The lines that are indented more than their key; without any the key has no value."""
    following = reading.rows[reading.at] if reading.at < len(reading.rows) else None
    if following is None or following[1] <= row[1]:
        reading.plain.add(path)
        return ""
    _, indent, is_item, _, _ = following
    return _items(reading, indent, path) if is_item else _mapping(reading, indent, f"{path}.", depth + 1)


def _items(reading: _Reading, indent: int, path: str) -> list[Text]:
    items: list[Text] = []
    while reading.at < len(reading.rows):
        number, indented, is_item, _, rest = reading.rows[reading.at]
        if indented != indent or not is_item:
            break
        reading.lines[f"{path}[{len(items)}]"] = number
        reading.at += 1
        items.append(_scalar(rest)[0])
    return items


def _value(reading: _Reading, row: _Line, path: str, depth: int) -> Text:
    rest = row[-1]
    if rest[0] in "[{":
        return _flow(reading, row, path, depth)
    text, is_plain = _scalar(rest)
    if is_plain:
        reading.plain.add(path)
    return text


def _scalar(rest: str) -> tuple[str, bool]:
    """The text of a value of one line, and whether it stands without quotes."""
    quoted = _QUOTED.fullmatch(rest)
    if quoted is not None:
        return quoted[1] if quoted[1] is not None else quoted[2], False
    text = rest.partition(" #")[0].rstrip(" ")
    if not _PLAIN_START.match(text) or ": " in text or text.endswith(":"):
        raise _OddError
    return text, True


def _flow(reading: _Reading, row: _Line, path: str, depth: int) -> Text:
    """A list or a mapping in brackets on one line, of plain words."""
    number, *_, rest = row
    found = _FLOW.fullmatch(rest)
    if found is None or depth >= _DEPTH_MAX:
        raise _OddError
    inner = (found[1] if found[1] is not None else found[2]).strip(" ")
    parts = [part.strip(" ") for part in inner.split(",")] if inner else []
    if found[1] is not None:
        reading.lines.update((f"{path}[{n}]", number) for n in range(len(parts)))
        return [_word(part) for part in parts]
    values: dict[str, Text] = {}
    for part in parts:
        pair = _FLOW_PAIR.fullmatch(part)
        if pair is None or pair[1] in values:
            raise _OddError
        reading.lines[f"{path}.{pair[1]}"] = number
        reading.plain.add(f"{path}.{pair[1]}")
        values[pair[1]] = _word(pair[2])
    return values


def _word(text: str) -> str:
    if not _FLOW_SCALAR.fullmatch(text):
        raise _OddError
    return text
