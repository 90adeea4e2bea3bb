"""Imports as proposals: one for each source, all under one bundle, all of them or none. Refuses to decide.

A source that a proposal still waits with gets the next patch set of that one, so that its change is reviewed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gitmem.answers.bundling import Stack, add, publish_all
from gitmem.answers.extending import patchset_event, renewed
from gitmem.answers.ground import Ground, at_commit, ground
from gitmem.answers.opening import Draft as Opened
from gitmem.answers.opening import Plan, new_id
from gitmem.answers.session import Session
from gitmem.answers.standing import board
from gitmem.answers.terms import Terms, checked, proposer
from gitmem.errors import GitmemError, UsageError
from gitmem.exchange import advice, placing
from gitmem.exchange.arrival import Arrived, ImportCall, Imported, answer, distinct, refusal
from gitmem.exchange.draft import Draft, Skipped
from gitmem.exchange.intake import Intake
from gitmem.exchange.placing import Desk, Placed
from gitmem.index.card import Card
from gitmem.index.parse import card_of
from gitmem.model.finding import Notice
from gitmem.model.proposal import PENDING, Proposal
from gitmem.record import field, record, replace, state
from gitmem.store.events import append
from gitmem.store.layout import Place, place_of
from gitmem.store.objects import Entry, read_blobs
from gitmem.store.repo import FOLDER
from gitmem.store.writer import writer_of

_MOST = 200
# What the advice about a source says already, of the file that it becomes.
_ADVISED = ("no-scope", "long-body", "several-topics")


@record
class Waits:
    """An open proposal and the engram that it brings."""

    proposal: Proposal
    card: Card


def waiting(session: Session) -> list[Waits]:
    """The engrams of open proposals, the newest proposal last."""
    repo = session.place.repo
    opened = [each.proposal for each in board(session, PENDING).standings if each.status in PENDING]
    rows = [(p, rel, blob) for p in opened for rel, blob in p.blobs.items() if place_of(rel) is Place.ENGRAM]
    datas = dict(read_blobs(repo, sorted({blob for _, _, blob in rows})))
    found = [Waits(p, card_of(Entry(rel, "100644", blob, len(datas[blob])), datas[blob])) for p, rel, blob in rows]
    return sorted((each for each in found if each.card.id), key=lambda each: each.proposal.id)


def reader(under: Ground) -> Callable[[str], bytes | None]:
    """The bytes of a path below ``.gitmem`` on the ground of a proposal."""
    return lambda rel: under.data_at([rel]).get(rel)


@state
class _Offer:
    """The state of one import: what is stacked up, what waits already, and what is to be told."""

    session: Session
    call: ImportCall
    desk: Desk
    stack: Stack
    waits: Mapping[str, Waits]
    further: dict[str, dict[str, bytes]] = field(default_factory=dict)
    rows: list[Arrived] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)


def offer(session: Session, call: ImportCall, found: Intake) -> Imported:
    if len(found.drafts) > _MOST:
        message = f"{len(found.drafts)} sources at once; a person reviews at most {_MOST} proposals of one import"
        raise UsageError(message, hint="name some of them: gitmem import FILE ... --propose")
    terms = checked(session, Terms(rationale=call.rationale, allow_secret=call.allow_secret))
    under = ground(session)
    waits = {each.card.origin: each for each in waiting(session) if each.card.origin}
    ids = {source: each.card.id for source, each in waits.items()}
    desk = Desk(session, under.knowledge(), reader(under), call.allow_secret, ids)
    kept, repeated = distinct(desk, found.drafts)
    bundle = new_id(session) if sum(draft.source not in waits for draft in kept) > 1 else ""
    stack = Stack(session, under, replace(terms, bundle=bundle), under)
    made = _Offer(session, call, desk, stack, waits, skipped=[*found.skipped, *repeated])
    for draft in _in_order(kept):
        _offer(made, draft)
    if not call.dry_run:
        renewals = [_renewed(made, id_, changes, terms) for id_, changes in made.further.items()]
        _publish(made, renewals, terms)
    done = answer(call, made.rows, made.skipped, made.warnings)
    return replace(done, proposed=True, bundle=bundle if len(stack.steps) > 1 else "")


def _in_order(drafts: Sequence[Draft]) -> Iterable[Draft]:
    """Each after those that it requires."""
    by_source = {draft.source: draft for draft in drafts}
    placed: dict[str, Draft] = {}

    def put(draft: Draft, above: frozenset[str]) -> None:
        for source in draft.requires:
            if source in by_source and source not in placed and source not in above:
                put(by_source[source], above | {draft.source})
        placed.setdefault(draft.source, draft)

    for draft in drafts:
        put(draft, frozenset({draft.source}))
    return placed.values()


def _offer(made: _Offer, draft: Draft) -> None:
    waits = made.waits.get(draft.source)
    above = at_commit(made.stack.start, waits.proposal.tip) if waits else made.stack.above
    made.desk.knowledge, made.desk.read = above.knowledge(), reader(above)
    try:
        placed = placing.place(made.desk, draft)
        told = placed if isinstance(placed, Skipped) else _put(made, draft, placed, waits)
    except GitmemError as err:
        told = refusal(draft, err)
    if isinstance(told, Arrived):
        made.rows.append(told)
        made.warnings += advice.warnings(draft) if draft.kind != "skill" else []
    else:
        made.skipped.append(_with_waiting(told, waits))


def _with_waiting(skipped: Skipped, waits: Waits | None) -> Skipped:
    if waits is None:
        return skipped
    return Skipped(skipped.source, f"{skipped.reason} (proposal {waits.proposal.id} waits)")


def _put(made: _Offer, draft: Draft, placed: Placed, waits: Waits | None) -> Arrived | Skipped:
    path = f"{FOLDER}/{placed.rel}"
    row = Arrived(draft.source, draft.format, placed.id, placed.slug, path, draft.losses)
    if waits is not None:
        if waits.proposal.writer != writer_of(made.session.place.repo):
            reason = "a proposal of another clone waits with an earlier text of it; let it be decided first"
            return Skipped(draft.source, reason)
        made.further.setdefault(waits.proposal.id, {})[placed.rel] = placed.data
        return replace(row, proposal=waits.proposal.id)
    if made.call.dry_run:
        return row
    again = "" if placed.old is None else " again"
    plan = Plan("update" if again else "new", f"Import {draft.source}{again}", {placed.rel: placed.data})
    made.stack.terms = replace(made.stack.terms, rationale=_grounds(made, draft))
    opened = add(made.stack, plan, new_id(made.session))
    if not opened.tip:
        return Skipped(draft.source, opened.warnings[-1].message)
    made.warnings += _beside_advice(opened)
    return replace(row, proposal=opened.entry.proposal)


def _grounds(made: _Offer, draft: Draft) -> str:
    return made.call.rationale or f"It is the text of {draft.source}, read as {draft.format}."


def _renewed(made: _Offer, id_: str, changes: Mapping[str, bytes], terms: Terms) -> tuple[Proposal, Opened]:
    old = next(each.proposal for each in made.waits.values() if each.proposal.id == id_)
    fresh = renewed(made.session, old, lambda _: Plan(old.entry.kind, "", dict(changes)), terms)
    if not fresh.tip:
        notice = fresh.warnings[-1]
        raise GitmemError(notice.message, hint=notice.hint, place=id_, code=notice.code)
    made.warnings += _beside_advice(fresh)
    return old, fresh


def _beside_advice(opened: Opened) -> Iterator[Notice]:
    return (notice for notice in opened.warnings if notice.code not in _ADVISED)


def _publish(made: _Offer, renewals: Sequence[tuple[Proposal, Opened]], terms: Terms) -> None:
    by = proposer(made.session, terms)
    for old, _ in renewals:
        append(made.session.place.repo, old.id, patchset_event(made.session, old, by), keep=[old.tip])
    fresh = [opened for opened, _ in made.stack.steps]
    if fresh or renewals:
        publish_all(made.session, fresh, renewals)
