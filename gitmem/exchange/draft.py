"""What an importer hands on: one draft a source file, or why there is none. Refuses to know any single format."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gitmem.exchange.foreign import Header
from gitmem.model.vocabulary import Text

# Gives the bytes of a repo-relative file, or None where there is no readable one.
Read = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was found and did not become a draft; ``reason`` is for people."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Document:
    """A foreign file taken apart. ``folder`` is where its rules are rooted: empty, or a path without a final slash.

    ``files`` are the paths that lie below the folder of the file itself.
    """

    rel: str
    folder: str
    header: Header
    body: str
    origin: Mapping[str, Text]
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a foreign rule applies, in gitmem's glob dialect, and what could not be said in it."""

    paths: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """What one format says of a document; an empty title or summary is filled from the text.

    ``keys`` are the header keys that the format took into account; the others are named as losses.
    """

    kind: str = "guideline"
    title: str = ""
    summary: str = ""
    tags: tuple[str, ...] = ()
    scope: Scope = Scope()
    status: str = "active"
    losses: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """One engram to be; kind ``skill`` becomes a SKILL.md.

    ``requires`` names the sources of other drafts. ``origin`` goes under ``x-origin`` as it is: with it and the body,
    `original.give_back` writes the source again, byte for byte.
    """

    source: str
    format: str
    title: str
    kind: str
    body: str
    origin: Mapping[str, Text]
    summary: str = ""
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    priority: int = 0
    status: str = "active"
    requires: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()

    @property
    def extra(self) -> Mapping[str, Text]:
        """The keys that gitmem keeps and does not read."""
        return {"x-origin": dict(self.origin)}
