"""A YAML mapping as it was typed, read field by field. Refuses to know which fields there are.

A field that is wrong becomes a finding with its name, what was found, the line and how to mend it.
"""

import re
from collections.abc import Iterable, Mapping

from gitmem.model.finding import Finding, Severity
from gitmem.model.moments import utc
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.text.nearest import nearest

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
INTEGER = re.compile(r"[+-]?[0-9]{1,40}")
DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?")


@record
class Typed:
    """A YAML mapping as it was typed.

    ``lines`` gives the 1-based line of each key (``scope.paths``) and list item (``scope.paths[0]``); ``plain`` names
    the keys whose value is a scalar without quotes.
    """

    values: dict[str, Text]
    lines: dict[str, int]
    plain: frozenset[str] = frozenset()

    def is_null(self, path: str, value: Text) -> bool:
        """Whether a key has no value: nothing behind the colon, ``~`` or ``null``, without quotes."""
        return isinstance(value, str) and value in NULLS and path in self.plain


class Form:
    """A mapping while it is read: what was typed, and what was found wrong. Keys are dotted paths of one or two."""

    def __init__(self, typed: Typed, rel: str) -> None:
        self.typed = typed
        self.rel = rel
        self.item = ""
        self.findings: list[Finding] = []
        self._stated = _stated(typed)

    def fault(self, path: str, message: str, hint: str = "", severity: Severity = Severity.ERROR) -> None:
        lines = self.typed.lines
        line = lines.get(path) or lines.get(path.partition(".")[0]) or 1
        self.findings.append(Finding("schema", severity, self.rel, line, message, hint, self.item))

    def value(self, path: str) -> Text | None:
        """What was typed for a key or a part of one; None when it is absent or null."""
        return self._stated.get(path)

    def scalar(self, path: str) -> str | None:
        """The text of a key; None when it is absent, null or, with a fault, something else than text."""
        value = self.value(path)
        if value is None or isinstance(value, str):
            return value
        self.fault(path, f"{path} is {type_of(value)}, not text", "write one value on the line of the key")
        return None

    def text(self, path: str) -> str:
        return self.scalar(path) or ""

    def texts(self, path: str) -> tuple[str, ...]:
        """A list of texts; a lone text is a list of one."""
        value = self.value(path)
        if value is None:
            return ()
        if isinstance(value, dict):
            self.fault(path, f"{path} is a mapping, not a list", "write one item a line, each behind '- '")
            return ()
        items = [value] if isinstance(value, str) else value
        return tuple(self._item(f"{path}[{i}]", each) for i, each in enumerate(items))

    def _item(self, path: str, value: Text) -> str:
        if isinstance(value, str) and value.strip():
            return value
        found = "empty" if isinstance(value, str) else f"{type_of(value)}, not text"
        self.fault(path, f"{path} is {found}", "write one text for each item, in quotes if it holds ': ' or braces")
        return ""

    def choice(self, path: str, options: Iterable[str], default: str) -> str:
        word = self.scalar(path)
        if word is None or word in options:
            return word or default
        self.not_a_choice(path, word, options)
        return default

    def not_a_choice(self, path: str, word: str, options: Iterable[str]) -> None:
        hint = f"{did_you_mean(word, options)}use one of {', '.join(options)}"
        self.fault(path, f"unknown {path} {shown(word)}", hint)

    def share(self, path: str, default: float) -> float:
        """A number from 0 to 1."""
        typed = self.scalar(path)
        if typed is None:
            return default
        number = float(typed) if DECIMAL.fullmatch(typed) else -1.0
        if 0 <= number <= 1:
            return number
        mended = typed.replace(",", ".")
        hint = f"write {mended}" if mended != typed and DECIMAL.fullmatch(mended) else "for example 0.5"
        self.fault(path, f"{path} is {shown(typed)}, not a number from 0 to 1", hint)
        return default

    def whole(self, path: str, limit: int) -> int:
        """A whole number of either sign, 0 when absent."""
        typed = self.scalar(path)
        if typed is None:
            return 0
        number = int(typed) if INTEGER.fullmatch(typed) else limit + 1
        if abs(number) <= limit:
            return number
        self.fault(path, f"{path} is {shown(typed)}, not a whole number from -{limit} to {limit}", "for example 10")
        return 0

    def moment(self, path: str) -> str:
        """A date or a time in UTC, "" when absent."""
        typed = self.scalar(path)
        if typed is None:
            return ""
        moment = utc(typed)
        if moment is None:
            hint = "write 2026-01-31, or 2026-01-31T10:00:00Z; a time without a zone is UTC"
            self.fault(path, f"{path} is {shown(typed)}, not a date", hint)
        return moment or ""

    def mapping(self, key: str, parts: tuple[str, ...]) -> bool:
        """Whether ``key`` holds a mapping; a part that is not known is a fault."""
        value = self.value(key)
        if isinstance(value, dict):
            self.known_parts(key, value, parts)
        elif value is not None:
            self.fault(key, f"{key} is {type_of(value)}, not a mapping", f"its keys are {', '.join(parts)}")
        return isinstance(value, dict)

    def known_parts(self, path: str, value: Mapping[str, Text], parts: tuple[str, ...]) -> None:
        for part in value:
            if part not in parts:
                hint = f"{did_you_mean(part, parts)}its keys are {', '.join(parts)}"
                self.fault(f"{path}.{part}", f"unknown key {shown(part)} in {path}", hint)


def _stated(typed: Typed) -> dict[str, Text]:
    """What has a value, by path, one level of parts included. A dot in a key of the file makes no path of it."""
    stated = {key: value for key, value in typed.values.items() if "." not in key}
    for key, value in typed.values.items():
        if isinstance(value, dict):
            for part, inner in value.items():
                stated[f"{key}.{part}"] = inner
    for path in typed.plain:
        if stated.get(path) in NULLS:
            del stated[path]
    return stated


def type_of(value: Text) -> str:
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "a mapping"


def shown(text: str) -> str:
    """Text from a file as a message may show it: short, on one line, with nothing that moves a cursor."""
    short = text if len(text) <= 40 else text[:37] + "..."
    return f'"{short}"' if short.isprintable() else ascii(short)


def did_you_mean(word: str, options: Iterable[str]) -> str:
    meant = nearest(word, options)
    return f'did you mean "{meant}"? ' if meant else ""
