"""Whether what is about to land repeats what came in since it was proposed. Refuses to let one text in twice unseen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitmem.answers.alike import DUPLICATE, NEW, scope_of
from gitmem.answers.likeness import Against, Alike, draft_of, likeness_of, notices_of
from gitmem.answers.reading import ask_at
from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from gitmem.index.card import Card
from gitmem.index.parse import card_of
from gitmem.model.finding import Notice
from gitmem.model.proposal import Proposal
from gitmem.review.joining import trees_of
from gitmem.store import objects
from gitmem.store.canonical import body_of
from gitmem.store.layout import Place, place_of
from gitmem.store.objects import Entry

_TEXTS_MOST = 20


def rejudged(session: Session, start: str, members: Sequence[Proposal]) -> tuple[Notice, ...]:
    """What new texts of proposals reword in the knowledge at ``start``, and refused where they repeat it. What was
    there when one was opened was told then."""
    late = [each for each in members if each.entry.kind == "new" and each.base != start]
    if not late:
        return ()
    bases = trees_of(session.place.repo, [start, *(each.base for each in late)])
    said: list[Notice] = []
    for proposal, base in zip(late, bases[1:], strict=True):
        for card, body in _texts(session, proposal):
            found = likeness_of(Against(session.place, bases[0]), draft_of(card, body))
            if found.verdict != NEW and not _was_there(session, base, found.target):
                _refuse(session, bases[0], proposal, (card, found))
                said += notices_of(found)
    return tuple(said)


def _texts(session: Session, proposal: Proposal) -> Iterator[tuple[Card, str]]:
    rels = [(rel, blob) for rel, blob in proposal.blobs.items() if place_of(rel) is Place.ENGRAM][:_TEXTS_MOST]
    data = dict(objects.read_blobs(session.place.repo, sorted({blob for _, blob in rels})))
    for rel, blob in rels:
        card = card_of(Entry(rel, "100644", blob, len(data[blob])), data[blob])
        if card.id:
            yield card, body_of(data[blob])


def _was_there(session: Session, base: str, item: str) -> bool:
    return bool(base) and ask_at(session.place, base, lambda knowledge: bool(knowledge.under(f"id:{item}")))[0]


def _refuse(session: Session, tree: str, proposal: Proposal, what: tuple[Card, Alike]) -> None:
    card, found = what
    known = ask_at(session.place, tree, lambda knowledge: knowledge.under(f"id:{found.target}"))[0]
    if found.verdict != DUPLICATE or (card.has_scope and all(scope_of(each) != scope_of(card) for each in known)):
        return
    raise GitmemError(
        f"proposal {proposal.id} {found.reason}, which came in since it was opened",
        hint=f"decline it: gitmem proposals reject {proposal.id}; or open it anew as an engram of its own: "
        f"gitmem propose --extend {proposal.id} --no-dedup",
        place=found.candidates[0].path,
        code=DUPLICATE,
    )
