"""All foreign files of a repository as drafts, or as skipped with a reason. Refuses to write anything."""

import posixpath
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from gitmem.errors import GitmemError
from gitmem.exchange.convert import convert
from gitmem.exchange.draft import Draft, Read, Skipped
from gitmem.exchange.formats import Format, named, recognise

_TEXT_ENDINGS = ("", ".md", ".mdc", ".mdx", ".markdown", ".txt")


@dataclass(frozen=True, slots=True)
class Intake:
    """Each source is in one of the two, in the order of the paths that were given."""

    drafts: tuple[Draft, ...]
    skipped: tuple[Skipped, ...]


def scan(paths: Iterable[str]) -> list[tuple[str, Format]]:
    """The files that some format knows, by path."""
    found = ((rel, recognise(rel)) for rel in sorted(set(paths)))
    return [(rel, fmt) for rel, fmt in found if fmt]


def take_all(paths: Iterable[str], read: Read) -> Intake:
    """A bare import: every file of the repository that some format knows."""
    tree = sorted(set(paths))
    return _take([(rel, fmt) for rel, fmt in scan(tree)], tree, read, is_named=False)


def take(rels: Iterable[str], tree: Iterable[str], read: Read, name: str = "") -> Intake:
    """The files that were asked for, as format ``name`` when one is given; ``tree`` are all files of the repository."""
    chosen = [(rel, named(name, rel) if name else recognise(rel)) for rel in dict.fromkeys(rels)]
    return _take(chosen, tree, read, is_named=bool(name))


def _take(chosen: list[tuple[str, Format | None]], tree: Iterable[str], read: Read, *, is_named: bool) -> Intake:
    beside = _beside([rel for rel, fmt in chosen if fmt and fmt.family == "skill"], tree)
    drafts: dict[str, Draft] = {}
    skipped: dict[str, Skipped] = {}
    for rel, fmt in chosen:
        if rel in drafts:
            continue
        made = _made(rel, fmt, read, beside.get(posixpath.dirname(rel), ()), is_named=is_named)
        if isinstance(made, Skipped):
            skipped[rel] = made
        else:
            for draft in made:
                drafts.setdefault(draft.source, draft)
    return Intake(tuple(drafts.values()), tuple(each for rel, each in skipped.items() if rel not in drafts))


def _made(rel: str, fmt: Format | None, read: Read, files: tuple[str, ...], *, is_named: bool) -> list[Draft] | Skipped:
    if fmt is None:
        return Skipped(rel, "no format is known by this name and place; say which it is with --format")
    if fmt.by_name_only and not is_named:
        return Skipped(rel, fmt.by_name_only)
    if is_named and fmt.folder(rel) is None and posixpath.splitext(rel)[1].lower() not in _TEXT_ENDINGS:
        return Skipped(rel, "neither Markdown nor plain text by its name")
    try:
        data = read(rel)
    except GitmemError as err:
        return Skipped(rel, err.message)
    if data is None:
        return Skipped(rel, "it cannot be read as a file of this repository")
    return convert(rel, data, fmt, _readable(read), files)


def _readable(read: Read) -> Read:
    """What a file names beside itself may be a link or unreadable, which is a loss of that file and no more."""

    def read_or_none(rel: str) -> bytes | None:
        try:
            return read(rel)
        except GitmemError:
            return None

    return read_or_none


def _beside(skills: list[str], tree: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The files below the folder of each skill; a skill inside another one keeps its own."""
    folders = {posixpath.dirname(rel) for rel in skills} - {""}
    found: dict[str, list[str]] = defaultdict(list)
    for rel in tree if folders else ():
        folder = posixpath.dirname(rel)
        while folder and folder not in folders:
            folder = posixpath.dirname(folder)
        if folder:
            found[folder].append(rel)
    return {folder: tuple(sorted(names)) for folder, names in found.items()}
