"""How many documents of the repository nothing is made of yet. Refuses to propose anything about them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gitmem.answers.reading import Reading, ask
from gitmem.answers.session import Session
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.proposal import PENDING, Proposal
from gitmem.store import objects
from gitmem.store.layout import Place, place_of
from gitmem.store.objects import Entry
from gitmem.store.refs import PROPOSALS
from gitmem.store.repo import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.standing import Board

_SUFFIXES = (".md", ".mdx", ".markdown")
# A look-up costs as much as some cards that are read one after the other.
_CARDS_A_LOOKUP = 8


def count(session: Session, reading: Reading) -> int:
    """Tracked Markdown files that no engram is from and no open proposal mentions; 0 where the paths are another's."""
    repo = session.place.repo
    if not reading.commit or reading.place.repo.common_dir != repo.common_dir:
        return 0
    listed = objects.tracked_paths(repo, reading.commit)
    documents = {rel for rel in listed if rel.lower().endswith(_SUFFIXES) and not rel.startswith(f"{FOLDER}/")}
    left = documents - ask(reading, lambda knowledge: set(_origins(knowledge, documents)))[0] if documents else set()
    if left and objects.has_refs(repo, PROPOSALS):
        said, named = _waiting(session)
        left = {rel for rel in left - named if rel not in said}
    return len(left)


def _origins(knowledge: Knowledge, documents: Collection[str]) -> Iterator[str]:
    items = sum(knowledge.facts.counts.get("status", {}).values())
    yield from (card.source[0] for card in knowledge.under("sourced") if card.source)
    if len(documents) * _CARDS_A_LOOKUP < items:
        yield from (rel for rel in documents if knowledge.numbers(f"origin:{rel}"))
    else:
        yield from (card.origin for card in knowledge.cards() if card.origin)


def _waiting(session: Session) -> tuple[str, set[str]]:
    """What open proposals say, and the documents that their engrams are from."""
    board: Board = load("gitmem.answers.standing:board")(session, PENDING)
    opened = [each.proposal for each in board.standings if each.status in PENDING]
    said = "\n".join(text for each in opened for text in (each.entry.title, each.entry.rationale))
    return said, {rel for card in _cards(session, opened) for rel in (card.origin, *card.source[:1]) if rel}


def _cards(session: Session, opened: Collection[Proposal]) -> Iterator[Card]:
    rows = [(rel, oid) for each in opened for rel, oid in each.blobs.items() if place_of(rel) is Place.ENGRAM]
    datas = dict(objects.read_blobs(session.place.repo, sorted({oid for _, oid in rows if oid})))
    for rel, oid in rows:
        if oid in datas:
            yield load("gitmem.index.parse:card_of")(Entry(rel, "100644", oid, len(datas[oid])), datas[oid])
