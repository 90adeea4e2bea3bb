"""The headers of foreign files, read leniently and as text. Refuses to change the type of a word, or to fail."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

import frontmatter
from frontmatter.default_handlers import YAMLHandler

from gitmem.exchange.globlist import split_commas, split_list, unquote
from gitmem.model.vocabulary import Text
from gitmem.store.codec import read_yaml

_FENCE = re.compile(r"^---[ \t]*$", re.MULTILINE)
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w.-]*|\"[^\"]*\"|'[^']*')[ \t]*:(?P<value>.*)")
_BLOCK = re.compile(r"[|>][-+0-9]*")
_NOTHING = ("", "~", "null")
_YES = frozenset({"true", "yes", "on", "1"})


@dataclass(frozen=True, slots=True)
class Header:
    """``is_yaml`` is false when the lines were read one by one; ``repeated`` keys kept their last value."""

    fields: Mapping[str, Text] = field(default_factory=dict)
    is_yaml: bool = True
    repeated: tuple[str, ...] = ()

    def text(self, name: str) -> str:
        """The value on one line; empty when there is none or it is not a plain text."""
        value = self.fields.get(name, "")
        return " ".join(value.split()) if isinstance(value, str) and value not in _NOTHING else ""

    def words(self, name: str) -> tuple[str, ...]:
        """The value as a list: of its items, or of a text split at commas outside brackets and quotes."""
        value = self.fields.get(name, "")
        if isinstance(value, str):
            return () if value in _NOTHING else split_list(value)
        return tuple(word for item in value if isinstance(item, str) for word in split_commas(item))

    def group(self, name: str) -> "Header":
        """The mapping under ``name`` as a header of its own; empty when it is not one."""
        value = self.fields.get(name, "")
        return Header(value) if isinstance(value, dict) else Header()

    def flag(self, name: str) -> bool | None:
        """True or false as people spell it; None when nothing was said."""
        word = self.text(name).lower()
        return word in _YES if word else None


class _AsTyped(YAMLHandler):
    """Scalars stay the characters that were typed; aliases, tags and repeated keys are not read at all."""

    def load(self, fm: str, **_: object) -> dict[str, Text]:
        typed = read_yaml(fm, "header")
        if isinstance(typed, tuple):
            raise _NotPlain
        return typed.values


class _NotPlain(Exception):
    """The header is not YAML, or YAML that gitmem does not read."""


def read_header(text: str) -> Header:
    """Reads what lies between the fences: as YAML where it is, else line by line. Never raises."""
    try:
        fields, _ = frontmatter.parse(f"---\n{text}---\n", handler=_AsTyped(_FENCE))
    except _NotPlain:
        return Header(dict(_by_line(text.split("\n"))), is_yaml=False, repeated=_repeated(text))
    return Header(cast(dict[str, Text], fields))  # parse says object; _AsTyped.load gives Text


def _repeated(text: str) -> tuple[str, ...]:
    keys = (found["key"] for line in text.split("\n") if (found := _KEY.match(line)))
    return tuple(key for key, count in Counter(keys).items() if count > 1)


def _by_line(lines: list[str]) -> Iterator[tuple[str, Text]]:
    """``key: value`` at the margin; what is indented below, or listed with dashes, belongs to the key."""
    key, first, below = "", "", list[str]()
    for line in lines:
        found = _KEY.match(line)
        if found:
            if key:
                yield key, _value(first, below)
            key, first, below = unquote(found["key"]), found["value"].strip(), []
        elif key:
            below.append(line)
    if key:
        yield key, _value(first, below)


def _value(first: str, below: list[str]) -> Text:
    kept = [line.strip() for line in below if line.strip() and not line.lstrip().startswith("#")]
    first = _without_comment(first)
    if _BLOCK.fullmatch(first):
        return "\n".join(line.strip() for line in below).strip("\n")
    if not first and kept and all(line == "-" or line.startswith("- ") for line in kept):
        return [unquote(_without_comment(line[1:].strip())) for line in kept]
    whole = " ".join([first, *kept]).strip()
    if whole.startswith("[") and whole.endswith("]"):
        return list(split_list(whole))
    return unquote(whole)


def _without_comment(text: str) -> str:
    """Drops what follows a blank and ``# ``, unless the value is quoted."""
    if text.startswith("#"):
        return ""
    return text if text[:1] in ("'", '"') else text.split(" # ", 1)[0].rstrip()
