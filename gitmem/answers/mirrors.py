"""Whether what an engram mirrors is still what it says, judged at one commit. Refuses to change anything.

A source is a whole file, a section by its anchor, or lines; the hash that the engram keeps is that of the region.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gitmem.checks.spotted import Spotted
from gitmem.errors import GitmemError, UsageError
from gitmem.index.card import Card
from gitmem.model.finding import Finding, Severity
from gitmem.model.vocabulary import FILE_MAX_BYTES
from gitmem.record import record
from gitmem.store import objects, renames
from gitmem.store.objects import REGULAR
from gitmem.store.paths import target_path
from gitmem.store.repo import Repo
from gitmem.text import regions
from gitmem.text.nearest import nearest
from gitmem.text.regions import Region
from gitmem.text.spans import digest, is_digest

# ``unpinned``: the engram names a source and keeps no hash of it, so nothing is known about it.
HOLDS, DRIFTED, MOVED, GONE, UNPINNED = "holds", "drifted", "moved", "gone", "unpinned"
_LIVE = ("active", "draft")
_MISSING = {
    "file": "is not there any more",
    "anchor": "has no such heading any more",
    "lines": "has fewer lines than that",
    "text": "is empty",
}


@record
class Source:
    """``anchor`` and ``lines`` are '' for a whole file; ``hash`` is ''  where none is kept."""

    path: str
    anchor: str = ""
    lines: str = ""
    hash: str = ""

    def __str__(self) -> str:
        return self.path + (f"#{self.anchor}" if self.anchor else f":{self.lines}" if self.lines else "")


@record
class Mirror:
    """``now`` is the source as it should be said, ``text`` its region, '' where it is gone; ``why`` says of one that
    is gone what is missing: file, anchor, lines or text, and ``near`` which anchor is spelled much like it."""

    card: Card
    source: Source
    state: str
    now: Source
    text: str = ""
    why: str = ""
    near: str = ""


@record
class Unjudged:
    """A source that nobody can judge as it stands."""

    card: Card
    code: str
    message: str
    hint: str


Judged = Mirror | Unjudged


def is_tended(card: Card) -> bool:
    """Whether it mirrors something and is kept up to date at all."""
    return bool(card.source) and card.status in _LIVE


def judge(repo: Repo, commit: str, cards: Iterable[Card]) -> list[Judged]:
    """In the order of the cards; each file is read once."""
    asked = [(card, Source(*card.source)) for card in cards if card.source]
    faults = {card.path: fault for card, source in asked if (fault := _fault(card, source))}
    sound = [(card, source) for card, source in asked if card.path not in faults]
    files = _Files(repo, commit, [source.path for _, source in sound])
    judged = {card.path: _judged(card, source, files) for card, source in sound}
    return [faults.get(card.path) or judged[card.path] for card, _ in asked]


def _fault(card: Card, source: Source) -> Unjudged | None:
    try:
        is_plain = target_path(source.path) == source.path
        regions.range_of(source.lines or "1")
    except (UsageError, GitmemError) as err:
        return Unjudged(card, "bad-source", err.message, err.hint)
    if not is_plain:
        return Unjudged(card, "bad-source", f"a source at {source.path!r}", "name the file from the repository's root")
    if source.hash and not is_digest(source.hash):
        message = f"the hash {source.hash[:60]!r} of its source is none that gitmem makes"
        return Unjudged(card, "bad-source", message, f"take it anew: gitmem edit {card.slug} source.hash --unset")
    if source.anchor and source.lines:
        return Unjudged(card, "bad-source", "its source has an anchor and lines", "keep one of the two")
    return None


class _Files:
    """The texts of files at a commit, and where those went that are not there any more."""

    def __init__(self, repo: Repo, commit: str, paths: Sequence[str]) -> None:
        there = _texts(repo, commit, paths)
        self.moved = renames.whereabouts(repo, commit, sorted(set(paths) - set(there))) if commit else {}
        self.texts = there | _texts(repo, commit, list(self.moved.values()))


def _texts(repo: Repo, commit: str, paths: Sequence[str]) -> dict[str, str | None]:
    """By path; None for what is there and is no text that an engram could hold."""
    entries = objects.entries_at(repo, commit, sorted(set(paths))) if commit else {}
    files = {rel: e.oid for rel, e in entries.items() if e.mode in REGULAR and 0 <= e.size_bytes <= FILE_MAX_BYTES}
    blobs = dict(objects.read_blobs(repo, sorted(set(files.values()))))
    return {rel: _decoded(blobs[files[rel]]) if rel in files else None for rel in entries}


def _decoded(data: bytes) -> str | None:
    try:
        return None if b"\0" in data else data.decode()
    except UnicodeDecodeError:
        return None


def _judged(card: Card, source: Source, files: _Files) -> Judged:
    path = files.moved.get(source.path, source.path)
    if path not in files.texts:
        return Mirror(card, source, GONE, source, why="file")
    text = files.texts[path]
    if text is None:
        message = f"{path} is no text that an engram can hold"
        return Unjudged(card, "unreadable-source", message, "mirror a text file of at most 1 MiB, in UTF-8")
    return _in_text(card, source, Source(path, source.anchor, source.lines, source.hash), text)


def _in_text(card: Card, source: Source, here: Source, text: str) -> Mirror:
    found = regions.region(text, here.anchor, here.lines)
    if found is None or (here.lines and digest(found.text) != here.hash):
        again = _elsewhere(here, text)
        found, here = again if again else (found, here)
    if found is None:
        near = nearest(here.anchor, (each.anchor for each in regions.sections_of(text))) if here.anchor else None
        return Mirror(card, source, GONE, here, why="anchor" if here.anchor else "lines", near=near or "")
    if not found.text.strip():
        return Mirror(card, source, GONE, here, why="text")
    mark = digest(found.text)
    now = Source(here.path, here.anchor, here.lines, mark)
    if not source.hash:
        return Mirror(card, source, UNPINNED, now, found.text)
    state = DRIFTED if mark != source.hash else MOVED if now != source else HOLDS
    return Mirror(card, source, state, now, found.text)


def _elsewhere(source: Source, text: str) -> tuple[Region, Source] | None:
    """The same text under another heading's anchor, or at other lines of the file."""
    if source.anchor:
        same = [each for each in regions.sections_of(text) if digest(each.text) == source.hash]
        return (same[0], Source(source.path, same[0].anchor, "", source.hash)) if len(same) == 1 else None
    span = regions.range_of(source.lines)
    lines = regions.lines_with(text, source.hash, span.end - span.start + 1) if source.hash else ""
    found = regions.region(text, lines=lines) if lines else None
    return (found, Source(source.path, "", lines, source.hash)) if found else None


def stale_at_head(repo: Repo, cards: Iterable[Card]) -> list[Spotted]:
    return list(_stale(judge(repo, "HEAD", [card for card in cards if is_tended(card)])))


def _stale(found: Iterable[Judged]) -> Iterator[Spotted]:
    """What ``check`` says of those that are not as their source is, or that cannot be judged."""
    for each in found:
        if isinstance(each, Unjudged):
            row = (each.code, each.message, each.hint)
        elif each.state in (DRIFTED, MOVED, GONE):
            row = ("stale-source", worded(each), next_step(each))
        else:
            continue
        code, message, hint = row
        finding = Finding(code, Severity.WARNING, each.card.path, 0, message, hint, each.card.id)
        yield Spotted(finding, "source")


def worded(mirror: Mirror) -> str:
    source = mirror.source
    if mirror.state == GONE:
        return f"its source {source} {_MISSING[mirror.why]}"
    if mirror.state == MOVED:
        return f"its source {source} is {mirror.now} now"
    return f"its source {source} has changed since the body was taken from it"


def next_step(mirror: Mirror) -> str:
    """What a person does about it, as a command."""
    slug = mirror.card.slug
    if mirror.state != GONE:
        return f"look at the update: gitmem sync-sources {slug} --dry-run"
    if mirror.near:
        return f"if it is this one: gitmem edit {slug} source.anchor {mirror.near}"
    return f"name where it is now: gitmem edit {slug} source.path FILE; or: gitmem propose retire {slug}"
