"""Items in full by name, and lists of them by filter. Refuses to serve what the revision does not hold."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import naming, notices
from gitmem.answers.notices import Look
from gitmem.answers.reading import Reading, Revision, Session, read
from gitmem.index.card import Card
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import objects, private
from gitmem.store.repo import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.private import Own

_LIMIT, _LIMIT_MAX = 50, 500
# How the names of what is no engram begin.
REFERRED = ("skill:", "intention:")


def found(reading: Reading, reference: str) -> Card:
    """The card of an item by any name, that of an edge by its id, of a skill as skill:NAME, or of an intention."""
    if reference.strip().lower().startswith("syn-"):
        card: Card = load("gitmem.answers.neighbours:find")(reading, reference)
        return card
    if reference.strip().startswith(REFERRED):
        named: Card = load("gitmem.answers.procedures:find")(reading, reference)
        return named
    return naming.find(reading, reference)


def own_of(reading: Reading, references: Sequence[str], at: str) -> dict[int, Own]:
    """The private items among those named, by number; at a revision there are none."""
    if at or not private.is_used(reading.place.repo):
        return {}
    named: dict[int, Own] = load("gitmem.answers.private:found")(reading, references)
    return named


def place_of(card: Card) -> str:
    """How answers call the file of an item."""
    return f"private/{card.path}" if is_own(card) else f"{FOLDER}/{card.path}"


def is_own(card: Card) -> bool:
    """Whether it is of this clone alone: then its blob is no object of Git."""
    return card.blob.startswith("private-")


@record
class ShowCall:
    item: str
    at: str = ""


@record
class Shown:
    """``text`` is the whole file as it is at ``commit``, which is '' for a private item."""

    id: str
    slug: str
    source_path: str
    commit: str
    text: str
    warnings: tuple[Notice, ...] = ()
    notices: tuple[Notice, ...] = ()


def show(session: Session, call: ShowCall) -> Shown:
    reading = read(session.place, Revision(at=call.at))
    notes = (*reading.notices, *notices.waiting(Look(session, reading)))
    own = own_of(reading, (call.item,), call.at).get(0)
    if own is not None:
        said = own.data.decode("utf-8", "replace")
        return Shown(own.card.id, own.card.slug, own.path, "", said, reading.warnings, notes)
    card = found(reading, call.item)
    data = dict(objects.read_blobs(reading.place.repo, [card.blob]))[card.blob]
    text = data.decode("utf-8", "replace")
    slug = card.id if card.edge else card.slug
    return Shown(card.ref, slug, f"{FOLDER}/{card.path}", reading.commit, text, reading.warnings, notes)
