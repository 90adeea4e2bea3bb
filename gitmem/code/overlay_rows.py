"""The overlays as they are written in ``data/overlays``, a file a framework. Refuses to look at sources.

The keys of a row stand in ``docs/languages.md``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from gitmem.record import record

CALL, DECORATOR, ENTRY, SYMBOL, BASE, PATH, IMPORT = "call", "decorator", "entry", "symbol", "base", "path", "import"
_FOLDER = Path(__file__).parent.parent / "data" / "overlays"
# Lists stand on one line, so that they are found without reading the whole.
_LIST = re.compile(r"^(\w+) = \[(.*)\]$", re.MULTILINE)
# A quotation mark, and what stands between two.
_QUOTE, _NO_QUOTES = "[\"'`]", "[^\"'`]*"
_QUOTED = re.compile(r"\"([^\"]*)\"")


@record
class Row:
    source: str
    kind: str
    name: re.Pattern[str] | None
    receiver: re.Pattern[str] | None
    text: re.Pattern[str] | None
    path: re.Pattern[str] | None
    on: frozenset[str]
    imports: tuple[str, ...]
    method: str
    methods: re.Pattern[str] | None
    handler: re.Pattern[str] | None
    pairs: re.Pattern[str] | None
    target: str
    title: str
    picks: re.Pattern[str] | None
    only: re.Pattern[str] | None
    rewrite: tuple[tuple[re.Pattern[str], str], ...]
    expand: tuple[tuple[str, str, str], ...]


@record
class Overlay:
    """``dependencies`` and ``imports`` are what asks for it, ``languages`` those of the files that it looks at;
    ``owns`` are languages of its own, so that a file in one of them asks for it."""

    name: str
    dependencies: tuple[str, ...]
    imports: tuple[str, ...]
    languages: frozenset[str]
    owns: frozenset[str]


@cache
def overlays() -> tuple[Overlay, ...]:
    return tuple(_overlay(name, text) for name, text in _texts().items())


@cache
def rows(name: str) -> tuple[Row, ...]:
    """What an overlay looks at; most of them are never asked for."""
    written = tomllib.loads(_texts()[name])
    sources = (CALL, DECORATOR, ENTRY, SYMBOL, BASE, PATH, IMPORT)
    return tuple(_row(source, row) for source in sources for row in written.get(source, ()))


@cache
def hint_names(language: str) -> frozenset[str]:
    """The last names of the calls that some overlay looks at in files of the language; with ``()`` behind where it does
    whatever the arguments begin with."""
    texts = (text for name, text in _texts().items() if language in _overlay(name, text).languages)
    return frozenset(name for text in texts for key, names in _listed(text) if key == "calls" for name in names)


@cache
def _texts() -> dict[str, str]:
    return {path.stem: path.read_text("utf-8") for path in sorted(_FOLDER.glob("*.toml"))}


def _listed(text: str) -> list[tuple[str, list[str]]]:
    return [(key, _QUOTED.findall(names)) for key, names in _LIST.findall(text)]


def _overlay(name: str, text: str) -> Overlay:
    head = dict(_listed(text.partition("\n[[")[0]))
    return Overlay(
        name,
        tuple(head.get("dependencies", ())),
        tuple(head.get("imports", ())),
        frozenset(head.get("languages", ())),
        frozenset(head.get("owns", ())),
    )


def _strings(written: Mapping[str, object], key: str) -> tuple[str, ...]:
    found = written.get(key, ())
    assert isinstance(found, list | tuple)
    return tuple(str(text) for text in found)


def _row(source: str, written: Mapping[str, object]) -> Row:
    def pattern(key: str) -> re.Pattern[str] | None:
        text = str(written.get(key, "")).replace("{q}", _QUOTE).replace("{s}", _NO_QUOTES)
        return re.compile(text, re.DOTALL) if key in written else None

    calls = [name.removesuffix("()") for name in _strings(written, "calls")]
    name = re.compile("|".join(map(re.escape, calls))) if calls else None
    rewrite, expand = _lists(written, "rewrite"), _lists(written, "expand")
    return Row(
        source=source,
        kind=str(written["kind"]),
        name=pattern("name") or name,
        receiver=pattern("receiver"),
        text=pattern("text"),
        path=pattern("path"),
        on=frozenset(_strings(written, "on")),
        imports=_strings(written, "imports"),
        method=str(written.get("method", "")),
        methods=pattern("methods"),
        handler=pattern("handler"),
        pairs=pattern("pairs"),
        target=str(written.get("target", "")),
        title=str(written.get("title", "")),
        picks=pattern("picks"),
        only=pattern("only"),
        rewrite=tuple((re.compile(row[0]), row[1]) for row in rewrite),
        expand=tuple((row[0], row[1], row[2]) for row in expand),
    )


def _lists(written: Mapping[str, object], key: str) -> Sequence[Sequence[str]]:
    found = written.get(key, ())
    assert isinstance(found, list | tuple)
    return [[str(text) for text in row] for row in found]
