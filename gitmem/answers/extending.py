"""Further patch sets of a proposal: its own changes brought up to date, and more on top. Refuses anybody else's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gitmem.answers.alike import DUPLICATE
from gitmem.answers.ground import SCAFFOLD, Ground, at_commit, ground, in_root, merged, without_entry
from gitmem.answers.needs import named, needed
from gitmem.answers.opening import Draft as Made
from gitmem.answers.opening import Plan, Proposed, draft, new_id, publish
from gitmem.answers.session import Session
from gitmem.answers.sources import moves
from gitmem.answers.standing import Standing
from gitmem.answers.terms import Terms, one_line, proposer
from gitmem.errors import GitmemError
from gitmem.index.parse import card_of
from gitmem.model.ledger import Entry, Proposer
from gitmem.model.moments import rfc3339
from gitmem.model.proposal import PATCHSET_DIGITS, PENDING, Changes, Event, EventKind, Proposal
from gitmem.record import replace
from gitmem.review.identity import id_of
from gitmem.review.outcome import Side
from gitmem.review.signature import signature
from gitmem.store import events
from gitmem.store.gitrefs import swap_ref
from gitmem.store.gitwrite import Draft, write_commit
from gitmem.store.layout import Place, place_of
from gitmem.store.lock import held
from gitmem.store.objects import Entry as Object
from gitmem.store.refs import PROPOSALS, under
from gitmem.store.writer import writer_of


def extend(session: Session, text: str, plan: Callable[[Ground], Plan] | None, terms: Terms) -> Proposed:
    """A new patch set on the trusted revision of now. Where both changed the same field the proposal has its way: what
    it comes to is what will be reviewed. ``plan`` is asked with the proposal's own changes made already."""
    repo = session.place.repo
    with held(repo):
        _, standing = named(session, text)
        old = standing.proposal
        _refuse_others(session, standing)
        made = renewed(session, old, plan, terms)
        if made.verdict == DUPLICATE:
            return publish(session, made)
        replace_tip(session, old, made.tip, proposer(session, terms))
    return Proposed(
        proposal=old.id,
        patchset=made.tip[:PATCHSET_DIGITS],
        ref=under(PROPOSALS, old.id),
        verdict=made.verdict,
        overlaps=made.overlaps,
        items=tuple(change.item for change in made.entry.changes),
        bundle=made.entry.bundle,
        warnings=made.warnings,
    )


def _refuse_others(session: Session, standing: Standing) -> None:
    old = standing.proposal
    if standing.status not in PENDING:
        raise GitmemError(f"proposal {old.id} is closed", hint="propose anew", place=old.id, code="proposal-closed")
    if old.writer != writer_of(session.place.repo):
        raise GitmemError(
            f"proposal {old.id} was opened by {old.entry.proposed_by.name} in another clone",
            hint=f"propose on top of it: --needs {old.id}; or in its place: gitmem proposals supersede {old.id} BY",
            place=old.id,
            code="not-yours",
        )
    if session.surface == "agent" and old.entry.proposed_by.agent is None:
        message = f"proposal {old.id} was opened by a person, {old.entry.proposed_by.name}"
        raise GitmemError(message, hint=f"propose on top of it: needs {old.id}", place=old.id, code="not-yours")


def replace_tip(session: Session, old: Proposal, tip: str, by: Proposer) -> None:
    """Gives a proposal its next patch set; the one before is kept by the meta ref."""
    repo = session.place.repo
    events.append(repo, old.id, patchset_event(session, old, by), keep=[old.tip])
    ref = under(PROPOSALS, old.id)
    if not swap_ref(repo, ref, old.tip, tip, reason="gitmem: patch set"):
        raise GitmemError(f"proposal {old.id} moved meanwhile", hint="try again", place=ref, code="ref-moved")


def patchset_event(session: Session, old: Proposal, by: Proposer) -> Event:
    """Tells which patch set was replaced, and by whom."""
    return Event(
        id=new_id(session),
        kind=EventKind.PATCHSET,
        at=rfc3339(session.now),
        by=by,
        patchset=old.patchset,
        commit=old.tip,
        change=signature(old.entry.changes),
    )


def renewed(
    session: Session, old: Proposal, plan: Callable[[Ground], Plan] | None, terms: Terms, onto: str = ""
) -> Made:
    """A proposal's changes on the trusted revision of now, and those of ``plan``; written, and on no ref.

    ``onto``: on this commit instead, which has what it needs.
    """
    repo = session.place.repo
    below = needed(session, (*old.entry.needs, *terms.needs))
    under_it = at_commit(ground(session), onto) if onto else ground(session, below.open)
    joined = merged(repo, under_it.base, old, Side.THEIRS)
    own = without_entry(joined.changes, old.id)
    midway = write_commit(repo, under_it.base, Draft(in_root(own), "patch set", SCAFFOLD, session.now))
    created = created_by(old.entry)
    above = replace(at_commit(under_it, midway), created=created)
    more = plan(above) if plan else Plan(old.entry.kind, "", {})
    changes = {**own, **more.changes}
    is_same = more.kind == old.entry.kind or (old.entry.kind == "new" and _is_about(more.changes, own, created))
    whole = Plan(
        kind=old.entry.kind if is_same else "update",
        title=_title(old.entry, own, changes),
        changes=changes,
        moved=moves(changes, under_it.data_at(sorted(changes))),
        reverts=old.entry.reverts,
        warnings=(*joined.notes, *more.warnings),
    )
    united = replace(_united(session, old.entry, terms, below.ids), writer=old.writer)
    return draft(session, under_it, whole, united, old.id)


def created_by(entry: Entry) -> tuple[str, ...]:
    """The ids of the engrams that an entry brings."""
    rows = (row for row in entry.changes if place_of(row.path) is Place.ENGRAM and not row.moved_from)
    return tuple(row.item for row in rows if all(key.before is None for key in row.keys.values()))


def _is_about(more: Changes, own: Changes, created: Sequence[str]) -> bool:
    """Whether a further change is about nothing but what the proposal creates."""
    return all(rel in own if data is None else id_of(data) in created for rel, data in more.items())


def _title(entry: Entry, own: Changes, changes: Changes) -> str:
    """That of the one engram which the proposal creates, if it was called so before."""
    created = created_by(entry)
    was, now = (_titles(files).get(created[0], "") if len(created) == 1 else "" for files in (own, changes))
    return now if now and one_line(was) == entry.title else entry.title


def _titles(files: Changes) -> dict[str, str]:
    """By the id of the engram."""
    found = {rel: data for rel, data in files.items() if data is not None and place_of(rel) is Place.ENGRAM}
    cards = [card_of(Object(rel, "100644", "", len(data)), data) for rel, data in found.items()]
    return {card.id: card.title for card in cards}


def _united(session: Session, entry: Entry, terms: Terms, needs: tuple[str, ...]) -> Terms:
    """What was said before and what is said now; an agent that adds to it is named from then on."""
    by = entry.proposed_by
    if terms.agent and by.agent is None:
        by = replace(by, agent=proposer(session, terms).agent)
    return replace(
        terms,
        rationale=terms.rationale or entry.rationale,
        evidence=tuple(dict.fromkeys((*entry.evidence, *terms.evidence))),
        needs=tuple(dict.fromkeys(needs)),
        bundle=entry.bundle or terms.bundle,
        supersedes=entry.supersedes,
        by=by,
    )
