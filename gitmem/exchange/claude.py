"""Claude Code's path rules, and the @path imports of CLAUDE.md and GEMINI.md. Refuses to leave the repository."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gitmem.exchange.draft import Document, Read, Shape
from gitmem.exchange.headings import prose
from gitmem.exchange.scope import as_written, of_globs, whole

MAX_HOPS = 5
_IMPORT = re.compile(r"(?:^|(?<=\s))@((?:[^\s\\]|\\ )+)")
_TICKS = re.compile("`+")
_TEXT_NAME = re.compile(r"\.(md|mdx|mdc|markdown|txt|rst|adoc)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Imported:
    """One file of an import tree: what it names, in order, and what was not followed."""

    rel: str
    requires: tuple[str, ...]
    losses: tuple[str, ...]


def rule(document: Document) -> Shape:
    """``paths`` narrow a rule; a glob without a slash is for the root folder, as in gitmem."""
    header = document.header
    globs = header.words("paths")
    scope = of_globs(globs, document.folder, as_written) if globs else whole(document.folder)
    return Shape(
        title=header.text("name") or header.text("title"),
        summary=header.text("description"),
        scope=scope,
        keys=("name", "title", "description", "paths"),
    )


def imported(document: Document) -> Shape:
    """A file that is there because another one imports it: it comes along and has no scope of its own."""
    return Shape(kind="reference", summary=document.header.text("description"), keys=("description",))


def import_tree(rel: str, body: str, read: Read) -> list[Imported]:
    """Every file that ``rel`` imports, over at most five hops, each once; the first entry is ``rel`` itself.

    An import that leads back to a file on the way to it is dropped, so ``requires`` never goes in a circle.
    """
    found: dict[str, Imported] = {}
    _walk(rel, body, (), read, found)
    return [found[rel], *(each for name, each in found.items() if name != rel)]


def _walk(rel: str, body: str, way: tuple[str, ...], read: Read, found: dict[str, Imported]) -> None:
    requires, losses = list[str](), list[str]()
    for name in _names(body):
        target = _target(rel, name)
        if target is None:
            losses.append(f"@{name} is outside of the repository: not taken in")
            continue
        if target in (rel, *way, *requires):
            continue
        if len(way) == MAX_HOPS:
            losses.append(f"@{name} is more than {MAX_HOPS} imports away: not taken in")
            continue
        data = read(target)
        if data is None:
            if _TEXT_NAME.search(target):
                losses.append(f"@{name} is not there: not taken in")
            continue
        requires.append(target)
        if target not in found:
            found[target] = Imported(target, (), ())
            _walk(target, data.decode("utf-8", "replace"), (*way, rel), read, found)
    found[rel] = Imported(rel, tuple(requires), tuple(losses))


def _names(body: str) -> Iterator[str]:
    for line in prose(body):
        if "@" in line:
            for name in _IMPORT.findall(_without_code(line)):
                if cleaned := name.replace("\\ ", " ").partition("#")[0].rstrip(".,;:!?)]}>*_\"'"):
                    yield cleaned


def _without_code(line: str) -> str:
    """The line with its code spans blanked: a span ends at the next run of as many backticks."""
    runs = [(found.start(), found.end()) for found in _TICKS.finditer(line)]
    closing: dict[int, int] = {}
    partner: dict[int, int] = {}
    for number in range(len(runs) - 1, -1, -1):
        length = runs[number][1] - runs[number][0]
        if length in closing:
            partner[number] = closing[length]
        closing[length] = number
    kept, at, number = list[str](), 0, 0
    while number < len(runs):
        if number in partner:
            kept.append(line[at : runs[number][0]])
            number = partner[number]
            at = runs[number][1]
        number += 1
    return "".join([*kept, line[at:]])


def _target(rel: str, name: str) -> str | None:
    """The repo-relative path that an import names, or None where it leaves the repository."""
    if name.startswith(("/", "~")) or "\\" in name or "\0" in name:
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(rel), name))
    is_outside = path == ".." or path.startswith("../") or path.partition("/")[0].lower() in (".git", ".gitmem")
    return None if is_outside else path
