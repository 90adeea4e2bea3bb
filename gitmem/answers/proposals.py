"""What is proposed, by any mix of filters. Refuses to decide."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gitmem.answers.naming import NotFoundError, find
from gitmem.answers.reading import ask
from gitmem.answers.session import Session
from gitmem.answers.standing import Board, Standing, board
from gitmem.errors import UsageError
from gitmem.globs.dialect import matches
from gitmem.globs.overlap import overlap
from gitmem.index.parse import card_of
from gitmem.model.finding import Notice
from gitmem.model.ids import canonical_id
from gitmem.model.ledger import Proposer
from gitmem.model.proposal import PENDING, Status
from gitmem.record import record, replace
from gitmem.review.signature import signature
from gitmem.review.status import votes_for
from gitmem.store import objects
from gitmem.store.layout import Place, place_of
from gitmem.store.objects import Entry
from gitmem.store.repo import FOLDER, Repo
from gitmem.text.nearest import nearest

_LIMIT, _LIMIT_MOST = 50, 1000


@record
class Row:
    """One proposal in short. ``author`` is who proposed it, with the agent if one did; ``items`` are ids.

    ``approvals`` were given so far to what is proposed now, by others than its proposer.
    """

    id: str
    status: Status
    title: str
    kind: str
    author: str
    items: tuple[str, ...]
    opened: str
    patchset: str
    needs: tuple[str, ...]
    bundle: str
    paths: tuple[str, ...]
    approvals: int = 0


@record
class Listed:
    """The oldest first. ``next`` continues the list: it is the cursor of the next call, '' at the end.

    ``approvals_needed``: how many people the policy asks for, 0 for none.
    """

    proposals: tuple[Row, ...]
    total: int
    next: str
    warnings: tuple[Notice, ...] = ()
    approvals_needed: int = 0


@record
class ListCall:
    """All filters must hold; ``touches`` is a glob over the repository's files and those of the knowledge."""

    status: tuple[str, ...] = ()
    author: str = ""
    touches: str = ""
    engram: str = ""
    bundle: str = ""
    source: str = ""
    limit: int = _LIMIT
    cursor: str = ""


def list_proposals(session: Session, call: ListCall) -> Listed:
    wanted = statuses(call.status)
    if not 1 <= call.limit <= _LIMIT_MOST:
        raise UsageError(f"--limit takes 1 to {_LIMIT_MOST}")
    if call.cursor and canonical_id(call.cursor) is None:
        raise UsageError(f"not a cursor of this list: {call.cursor[:80]!r}", hint="start again without --cursor")
    found = board(session, wanted)
    meant = _meant(session, found, call, wanted)
    rows = sorted((row_of(standing) for standing in meant), key=lambda row: row.id)
    start = next((at for at, row in enumerate(rows) if row.id > call.cursor), len(rows)) if call.cursor else 0
    page = rows[start : start + call.limit]
    more = page[-1].id if start + call.limit < len(rows) else ""
    needed, _ = ask(found.reading, lambda knowledge: knowledge.settings.min_approvals)
    counted = tuple(_with_approvals(found, row) for row in page) if needed else tuple(page)
    return Listed(counted, len(rows), more, found.broken, needed)


def _with_approvals(found: Board, row: Row) -> Row:
    """By what was said alone: whether each counts is looked up when the proposal is shown."""
    standing = found.of(row.id)
    said = found.events.get(row.id, ())
    if standing is None or standing.status not in PENDING or not said:
        return row
    by = standing.proposal.entry.proposed_by
    votes = votes_for(said, signature(standing.proposal.entry.changes))
    return replace(row, approvals=len(votes.keys() - {(by.email or by.name).casefold()}))


def meeting(session: Session, call: ListCall) -> tuple[str, ...]:
    """The ids of all proposals that meet every filter, the oldest first."""
    wanted = statuses(call.status)
    return tuple(sorted(each.proposal.id for each in _meant(session, board(session, wanted), call, wanted)))


def _meant(session: Session, found: Board, call: ListCall, wanted: Collection[Status]) -> list[Standing]:
    item = _item(found, call.engram) if call.engram else ""
    meant = [s for s in found.standings if s.status in wanted and _is_meant(s, call, item)]
    if not meant and (call.engram or call.bundle):
        _refuse_unknown(session, found, call)
    return _touching(session.place.repo, meant, call.touches) if call.touches else meant


def _refuse_unknown(session: Session, found: Board, call: ListCall) -> None:
    """Nothing about what is there is an answer; nothing about what nobody knows is a slip."""
    entries = [each.proposal.entry for each in board(session).standings]
    bundle, item = call.bundle.strip().upper(), _item(found, call.engram) if call.engram else ""
    if bundle and not any(entry.bundle == bundle for entry in entries):
        message = f"no proposal here is in a bundle {call.bundle[:80]!r}"
        raise NotFoundError(message, hint="a bundle is named by its whole id; see: gitmem proposals list --status all")
    if item and not any(change.item == item for entry in entries for change in entry.changes):
        find(found.reading, call.engram)


def statuses(texts: Sequence[str]) -> Collection[Status]:
    """Those named, ``all`` for every one, else those that wait for somebody."""
    if not texts:
        return PENDING
    known = {status.value: status for status in Status}
    found: set[Status] = set()
    for text in (part.strip() for each in texts for part in each.split(",")):
        if text == "pending":
            found |= PENDING
        elif text == "all":
            found |= set(Status)
        elif text in known:
            found.add(known[text])
        else:
            near = nearest(text, known)
            hint = (f"did you mean {near!r}? " if near else "") + f"one of: {', '.join(known)}, pending, all"
            raise UsageError(f"unknown status {text!r}", hint=hint)
    return found


def _item(found: Board, text: str) -> str:
    """The id of an engram; one that only a proposal has is named by its id."""
    named_, _ = ask(found.reading, lambda knowledge: knowledge.by_reference(text.strip().removesuffix(".md")))
    return named_[0].id if len(named_) == 1 else text.strip().upper()


def _is_meant(standing: Standing, call: ListCall, item: str) -> bool:
    entry = standing.proposal.entry
    source = entry.proposed_by.agent.name if entry.proposed_by.agent else "person"
    return (
        (not call.author or call.author.casefold() in author_of(entry.proposed_by).casefold())
        and (not item or any(change.item == item for change in entry.changes))
        and (not call.bundle or entry.bundle == call.bundle.strip().upper())
        and (not call.source or call.source.casefold() == source.casefold())
    )


def _touching(repo: Repo, found: Sequence[Standing], glob: str) -> list[Standing]:
    """Those that change a file of the knowledge, or a rule about files, that the glob names."""
    names = {
        f"{end}:{FOLDER}/{change.path}": (s.proposal.id, change.path)
        for s in found
        for change in s.proposal.entry.changes
        for end in (s.proposal.tip, s.proposal.base)
        if end and place_of(change.path) is Place.ENGRAM
    }
    there = objects.look_up(repo, list(names))
    blobs = dict(objects.read_blobs(repo, sorted({known[0] for known in there if known and known[1] == "blob"})))
    hit = {
        id_
        for (id_, rel), known in zip(names.values(), there, strict=True)
        if known and any(overlap(glob, each) for each in card_of(Entry(rel, "100644", known[0]), blobs[known[0]]).paths)
    }
    return [
        s
        for s in found
        if s.proposal.id in hit or any(matches(glob, f"{FOLDER}/{change.path}") for change in s.proposal.entry.changes)
    ]


def row_of(standing: Standing) -> Row:
    proposal, entry = standing.proposal, standing.proposal.entry
    return Row(
        id=proposal.id,
        status=standing.status,
        title=entry.title,
        kind=entry.kind,
        author=author_of(entry.proposed_by),
        items=tuple(change.item for change in entry.changes),
        opened=proposal.opened,
        patchset=proposal.patchset,
        needs=entry.needs,
        bundle=entry.bundle,
        paths=tuple(f"{FOLDER}/{change.path}" for change in entry.changes),
    )


def author_of(by: Proposer) -> str:
    """Whoever proposed it: an agent is named as what it is, in the name of the person it worked for."""
    person = f"{by.name} <{by.email}>" if by.email else by.name
    if by.agent is None:
        return person
    model = f" {by.agent.model}" if by.agent.model else ""
    return f"{by.agent.name}{model} for {person}"
