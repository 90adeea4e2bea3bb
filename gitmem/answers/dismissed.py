"""Texts that were proposed and declined, beside one that is proposed now. Refuses to stop it."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.answers.likeness import Candidate, Draft
from gitmem.answers.session import Session
from gitmem.checks import likeness
from gitmem.checks.likeness import Kind, Known
from gitmem.index.card import Card
from gitmem.index.parse import card_of
from gitmem.model.finding import Notice
from gitmem.model.ledger import Entry
from gitmem.model.proposal import Event, EventKind, Proposal
from gitmem.record import record
from gitmem.review.status import closing_of
from gitmem.store import objects, proposals
from gitmem.store.canonical import body_of
from gitmem.store.layout import Place, place_of
from gitmem.store.objects import Entry as Object
from gitmem.store.refs import ARCHIVE, META, PROPOSALS, is_placed, listed
from gitmem.store.repo import FOLDER

# The newest; what was declined longer ago is remembered by the change that it was.
_MOST = 200


@record
class _Text:
    proposal: str
    closing: Event
    card: Card
    body: str


def near(session: Session, entry: Entry, draft: Draft) -> tuple[tuple[Candidate, ...], tuple[Notice, ...]]:
    """Declined texts that are like a draft, and a word on those that say the same or reword it; evidence that was not
    there when they were declined opens the question again."""
    texts = {each.proposal: each for each in _texts(session, entry)}
    known = [Known(id_, each.card.title, each.body) for id_, each in texts.items()]
    found = likeness.verdict(draft.title, draft.body, known) if known else None
    rows = found.candidates if found else ()
    candidates = tuple(
        Candidate(e.item, texts[e.item].card.slug, f"{FOLDER}/{texts[e.item].card.path}", e.title, e.percent)
        for e in rows
    )
    return candidates, tuple(_said(texts[e.item], e.percent) for e in rows if e.kind is not Kind.NEW)


def _said(text: _Text, percent: int) -> Notice:
    why = text.closing.text or "no reason given"
    message = f"{percent} % like {text.card.title!r}, which was declined by {text.closing.by.name}: {why}"
    return Notice("dismissed-like", message, text.proposal, f"see: gitmem proposals show {text.proposal}")


def _texts(session: Session, entry: Entry) -> Iterator[_Text]:
    """The engrams that declined proposals would have made."""
    repo = session.place.repo
    closings = _closings(session, entry)
    refs = [ref for ref in listed(repo, PROPOSALS, ARCHIVE) if ref.id in closings]
    loaded = proposals.load(repo, refs, session.place.shelf).proposals if refs else ()
    declined = {each.id: each for each in loaded if each.entry.kind == "new" and each.entry.reverts == ""}
    rows = [(each, *_engram(each)) for each in declined.values() if _engram(each)[1]]
    data = dict(objects.read_blobs(repo, sorted({blob for _, _, blob in rows})))
    for each, rel, blob in rows:
        card = card_of(Object(rel, "100644", blob, len(data[blob])), data[blob])
        if card.id:
            yield _Text(each.id, closings[each.id], card, body_of(data[blob]))


def _engram(proposal: Proposal) -> tuple[str, str]:
    """Path and blob of the one engram of a proposal, ('', '') where it has not exactly one."""
    found = [(rel, blob) for rel, blob in proposal.blobs.items() if place_of(rel) is Place.ENGRAM]
    return found[0] if len(found) == 1 else ("", "")


def _closings(session: Session, entry: Entry) -> dict[str, Event]:
    """How proposals were declined that still are, by id, the newest ones."""
    repo = session.place.repo
    metas = {ref.id: ref.oid for ref in listed(repo, META) if is_placed(ref) and ref.id != entry.proposal}
    said = session.place.shelf.said(repo, sorted(set(metas.values())))
    found: dict[str, Event] = {}
    for id_ in sorted(metas, reverse=True):
        closing = closing_of(said[metas[id_]], session.now)
        is_declined = closing is not None and closing.kind is EventKind.REJECTED
        if closing is not None and is_declined and not set(entry.evidence) - set(closing.evidence):
            found[id_] = closing
        if len(found) == _MOST:
            break
    return found
