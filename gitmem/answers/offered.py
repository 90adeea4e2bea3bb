"""What is proposed and waits, as documents that a search finds beside what is approved. Refuses to hand out texts."""

from __future__ import annotations

from functools import lru_cache

from gitmem.answers import pending
from gitmem.answers.reading import Reading, Session
from gitmem.errors import GitmemError
from gitmem.index.card import Card
from gitmem.index.postings import Document
from gitmem.index.wording import Wording, wording
from gitmem.index.words import document_of
from gitmem.memory.filters import PROPOSAL, is_shown
from gitmem.memory.ranking import code_of
from gitmem.model.finding import Notice
from gitmem.record import replace
from gitmem.store import objects
from gitmem.store.refs import PROPOSALS

OPEN = "open"
_KEPT = 2000


def documents(session: Session, reading: Reading) -> tuple[list[tuple[Card, Document]], list[Notice]]:
    """The card and the document of each engram of each proposal; the card has the id of the proposal.

    What keeps the proposals from being read is said and keeps nobody from searching what is approved.
    """
    if not objects.may_have_refs(reading.place.repo, PROPOSALS):
        return [], []
    try:
        waiting = pending.snapshot(session, reading, is_fresh=True).waiting
    except GitmemError as err:
        return [], [Notice("proposals-unknown", f"open proposals were not searched: {err.message}", err.place)]
    rows = [(each.id, card) for each in waiting for card in each.cards if is_shown(card)]
    texts = reading.place.bodies.read({at: card for at, (_, card) in enumerate(rows)})
    return [_offered(id_, card, texts[at]) for at, (id_, card) in enumerate(rows)], []


def _offered(proposal: str, card: Card, text: str) -> tuple[Card, Document]:
    shown = replace(card, id=proposal, kind=PROPOSAL, status=OPEN)
    return shown, document_of(shown, _wording(card, text), code_of(shown))


@lru_cache(maxsize=_KEPT)
def _wording(card: Card, text: str) -> Wording:
    return wording(card, text)
