"""Writes the engrams in force as notes of an Obsidian vault, each with its edges as a section of links.

Refuses to write a link into a knowledge file, and to write over a note that somebody has changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from gitmem.answers import targets
from gitmem.answers.reading import ask, not_initialised, read
from gitmem.answers.session import Session
from gitmem.errors import GitmemError, UsageError
from gitmem.exchange.standing_page import ExportCall, Exported, Written
from gitmem.index.card import DELIVERED, NEVER_BY_SCOPE, Card
from gitmem.index.edges import Edge, edges
from gitmem.index.knowledge import Knowledge
from gitmem.model.synapse import SYMMETRIC
from gitmem.model.verification import REFUTED
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.store.files import read_file, write_file
from gitmem.store.lock import held
from gitmem.store.repo import FOLDER
from gitmem.store.written import entry

FORMAT = "obsidian"
_FOLDER = "obsidian"
_MARK = r"<!-- gitmem:note ([0-7][0-9A-HJKMNP-TV-Z]{25}) ([0-9a-f]{12}) -->\n\Z"
_NOT_IN_LINKS = r"[\[\]|#^\n]+"
_DIGITS = 12


@record
class _Note:
    """One engram with its edges, each with the other end."""

    card: Card
    links: tuple[tuple[Edge, Card], ...]


def export(session: Session, call: ExportCall) -> Exported:
    """``losses`` are notes that were changed by hand and stay as they are, ``orphans`` those whose engram is gone."""
    folder = _folder(session, call.output)
    reading = read(session.place)
    if not reading.tree:
        why = reading.warnings[0] if reading.warnings else not_initialised()
        raise GitmemError(why.message, hint=why.hint, place=why.place, code=why.code)
    notes, _ = ask(reading, _notes)
    bodies = reading.place.bodies.read(dict(enumerate(note.card for note in notes)))
    wanted = {f"{folder}/{note.card.name}.md": _rendered(note, bodies[at]) for at, note in enumerate(notes)}
    root = session.place.repo.knowledge_dir.parent
    with held(session.place.repo):
        found = {rel: read_file(root, rel) for rel in wanted}
        losses = tuple(f"{rel}: changed by hand, and left as it is" for rel, old in found.items() if _is_changed(old))
        stale = [rel for rel, old in found.items() if not _is_changed(old) and old != wanted[rel]]
        if not call.check:
            for rel in stale:
                write_file(root, rel, wanted[rel], expected=found[rel])
    orphans = tuple(rel for rel in _there(session, folder) if rel not in wanted)
    written = () if call.check else tuple(Written(rel, FORMAT, 1) for rel in stale)
    return Exported(written, losses, orphans, differs=bool(call.check and (stale or losses)), path=f"{folder}/")


def _folder(session: Session, output: str) -> str:
    rel = targets.one(session.place, output).rstrip("/") if output else _FOLDER
    if rel.partition("/")[0].casefold() in (FOLDER, ".git"):
        raise UsageError(f"a vault does not belong below {rel.partition('/')[0]}", hint=f"for example: {_FOLDER}")
    return rel


def _notes(knowledge: Knowledge) -> list[_Note]:
    """By path; edges to what is in no note are left out."""
    cards = sorted((card for card in knowledge.cards() if _is_told(card)), key=lambda card: card.path)
    by_id = {card.id: card for card in cards}
    return [_Note(card, tuple(_links(knowledge, card, by_id))) for card in cards]


def _is_told(card: Card) -> bool:
    is_in_force = bool(card.id) and card.status in DELIVERED and card.verification != REFUTED
    return is_in_force and card.visibility not in NEVER_BY_SCOPE


def _links(knowledge: Knowledge, card: Card, by_id: Mapping[str, Card]) -> Iterator[tuple[Edge, Card]]:
    for edge in edges(knowledge, card.id):
        other = by_id.get(edge.beyond(card.id))
        if other is not None:
            yield edge, other


def _rendered(note: _Note, body: str) -> bytes:
    card = note.card
    header: dict[str, Text] = {
        "id": card.id,
        "aliases": [card.title, *card.aliases],
        "tags": [re.sub(r"\s+", "-", tag) for tag in card.tags],
        "kind": card.kind,
        "status": card.status,
        "summary": card.summary,
    }
    lines = [line for name, value in header.items() for line in entry(name, value)]
    parts = ["---\n", *(f"{line}\n" for line in lines), f"---\n\n# {card.title}\n\n{body.strip()}\n"]
    parts += ["\n## Links\n\n", *(_link(card, edge, other) for edge, other in note.links)] if note.links else []
    text = "".join(parts) + "\n"
    return f"{text}<!-- gitmem:note {card.id} {_digest(text)} -->\n".encode("utf-8", "backslashreplace")


def _link(card: Card, edge: Edge, other: Card) -> str:
    """In the words of the edge, whichever end of it the note is."""
    title = " ".join(_pattern(_NOT_IN_LINKS).sub(" ", other.title).split())
    target = f"[[{other.name}|{title}]]"
    is_along = edge.from_ == card.id or edge.kind in SYMMETRIC
    return f"- {edge.kind} {target}\n" if is_along else f"- {target} {edge.kind} this\n"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:_DIGITS]


def _is_changed(data: bytes | None) -> bool:
    """Whether a file is there that an export did not leave so."""
    if data is None:
        return False
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    mark = _pattern(_MARK).search(text)
    return mark is None or _digest(text[: mark.start()]) != mark[2]


def _there(session: Session, folder: str) -> Iterable[str]:
    """The notes of an earlier export, by path."""
    root = session.place.repo.knowledge_dir.parent
    paths = sorted((root / folder).rglob("*.md")) if (root / folder).is_dir() else []
    for path in paths:
        rel = path.relative_to(root).as_posix()
        data = read_file(root, rel) if not path.is_symlink() else None
        if data is not None and _pattern(_MARK).search(data.decode("utf-8", "replace").replace("\r\n", "\n")):
            yield rel


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)
