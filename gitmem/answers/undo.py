"""Takes a decision back by another one, and brings back what was taken back. Refuses to rewrite the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.answers import landed
from gitmem.answers.alike import DUPLICATE
from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.assembly import version_of
from gitmem.answers.closing import reopen
from gitmem.answers.ground import Ground, ground
from gitmem.answers.landing import decider
from gitmem.answers.needs import NoProposalError, full_id, named
from gitmem.answers.opening import Draft, Plan, Proposed, draft, publish
from gitmem.answers.session import Session
from gitmem.answers.terms import Terms, spoken
from gitmem.errors import GitmemError
from gitmem.model.finding import Notice
from gitmem.model.ids import canonical_id
from gitmem.model.ledger import Entry
from gitmem.model.proposal import PENDING, Status
from gitmem.record import record
from gitmem.review.merge import merge_file
from gitmem.review.outcome import Merged, Side
from gitmem.store import ledger, objects
from gitmem.store.commits import commits
from gitmem.store.lock import held
from gitmem.store.repo import FOLDER


@record
class RevertCall:
    """``decision`` is a proposal or a ledger entry. ``propose``: only proposes it."""

    decision: str
    reason: str = ""
    propose: bool = False
    sign: bool = False


@record
class Undone:
    """``commit`` is '' while it only waits as a proposal; ``reverts`` is the ledger entry that it takes back, and
    ``reinstates`` the decision that comes again by that, if one does."""

    proposal: str
    commit: str
    knowledge_version: str
    patchset: str = ""
    reverts: str = ""
    warnings: tuple[Notice, ...] = ()
    reinstates: str = ""


def revert(session: Session, call: RevertCall) -> Undone:
    """Restores what a decision found, where its items still are as it left them; what changed since stays."""
    decider(session)
    with held(session.place.repo):
        under = ground(session)
        entry = landed_entry(session, under, call.decision)
        undone = landed.entries_of_kind(under.repo, under.base, "reverts")
        if landed.undone(undone, entry.id):
            raise GitmemError(
                f"{entry.id} was taken back already by {undone[entry.id][-1]}",
                hint=f"it comes again by: gitmem proposals reinstate {entry.proposal}",
                place=entry.id,
                code="already-reverted",
            )
        taken = _in_force(session, under, entry, undone)
        return _opened(session, under, _Undoing(taken, "revert", f"Revert: {entry.title}"), call)


def _in_force(session: Session, under: Ground, entry: Entry, reverts: Mapping[str, Sequence[str]]) -> Entry:
    """The decision by which an entry holds: its own, or the last one that brought it again."""
    line = [entry.id]
    while True:
        again = [by for undoing in reverts.get(line[-1], ()) for by in reverts.get(undoing, ())]
        standing = sorted(by for by in again if by not in line and not landed.undone(reverts, by))
        if not standing:
            return landed_entry(session, under, line[-1]) if len(line) > 1 else entry
        line.append(standing[-1])


@record
class ReinstateCall:
    decision: str
    reason: str = ""
    approve: bool = False
    sign: bool = False


def reinstate(session: Session, call: ReinstateCall) -> Undone:
    """A new proposal with what a revert took away: merging the old one again would change nothing, since Git has it.

    A proposal that was declined or taken back waits again, as it was.
    """
    decider(session)
    with held(session.place.repo):
        under = ground(session)
        again = _reopened(session, under, call)
        if again is not None:
            return again
        entry = landed_entry(session, under, call.decision)
        reverts = landed.entries_of_kind(under.repo, under.base, "reverts")
        standing = [by for by in reverts.get(entry.id, ()) if not landed.undone(reverts, by)]
        if not standing:
            message = f"{entry.id} is in force"
            raise GitmemError(message, hint="nothing was taken back", place=entry.id, code="not-reverted")
        taken = landed_entry(session, under, standing[-1])
        undoing = _Undoing(taken, "reinstate", f"Reinstate: {entry.title}", entry.id)
        return _opened(session, under, undoing, RevertCall(call.decision, call.reason, not call.approve, call.sign))


def _reopened(session: Session, under: Ground, call: ReinstateCall) -> Undone | None:
    try:
        _, standing = named(session, call.decision)
    except NoProposalError:
        return None
    if standing.status not in (Status.REJECTED, Status.WITHDRAWN, Status.SUPERSEDED):
        return None
    reopen(session, standing, call.reason)
    id_, patchset = standing.proposal.id, standing.proposal.patchset
    if not call.approve:
        return Undone(id_, "", version_of(under.knowledge()), patchset, reinstates=id_)
    done = approve(session, ApproveCall((f"{id_}@{patchset}",), sign=call.sign))
    return Undone(id_, done.commit, done.knowledge_version, patchset, "", done.warnings, id_)


@record
class _Undoing:
    entry: Entry
    kind: str
    title: str
    reinstates: str = ""


def landed_entry(session: Session, under: Ground, text: str) -> Entry:
    """The ledger entry of the trusted tree that a proposal, a member of a bundle or an entry's id names."""
    id_ = canonical_id(text) or full_id(session, text)
    rels = [ledger.path_of(id_)]
    try:
        _, standing = named(session, id_)
        if standing.proposal.entry.bundle:
            rels.append(ledger.path_of(standing.proposal.entry.bundle))
    except NoProposalError:
        pass
    found = under.data_at(rels)
    for rel in rels:
        entry = ledger.decode(found[rel], rel) if rel in found else None
        if isinstance(entry, Entry) and (entry.id == id_ or id_ in entry.members):
            return entry
    raise NoProposalError(
        f"no decision {id_} is in the trusted knowledge",
        hint="see: gitmem proposals list --status landed; gitmem why ITEM",
        place=id_,
    )


def _opened(session: Session, under: Ground, undoing: _Undoing, call: RevertCall) -> Undone:
    changes, moved, notes = _restored(under, undoing.entry)
    if not changes:
        raise GitmemError(
            f"nothing of {undoing.entry.id} is as it was left: there is nothing to restore",
            hint="change the items themselves: gitmem propose edit",
            place=undoing.entry.id,
            code="nothing-to-restore",
        )
    plan = Plan(undoing.kind, undoing.title, changes, moved, reverts=undoing.entry.id, warnings=notes)
    made = draft(session, under, plan, Terms(rationale=spoken("reason", call.reason)))
    proposed = _waiting(session, made) if made.verdict == DUPLICATE else publish(session, made)
    id_, patchset = str(proposed.proposal), proposed.patchset
    if call.propose:
        return Undone(
            id_, "", version_of(under.knowledge()), patchset, undoing.entry.id, proposed.warnings, undoing.reinstates
        )
    done = approve(session, ApproveCall((f"{id_}@{patchset}",), sign=call.sign, remove_many=True))
    warnings = tuple(dict.fromkeys((*proposed.warnings, *done.warnings)))
    return Undone(id_, done.commit, done.knowledge_version, patchset, undoing.entry.id, warnings, undoing.reinstates)


def _waiting(session: Session, made: Draft) -> Proposed:
    """The proposal that undoes the same: one that was made before and never let in."""
    _, standing = named(session, made.target or "")
    known = standing.proposal
    if standing.status not in PENDING:
        raise GitmemError(
            made.warnings[-1].message,
            hint=f"open that one again: gitmem proposals reinstate {known.id}",
            place=known.id,
            code="dismissed",
        )
    return Proposed(known.id, known.patchset, "", made.verdict, warnings=made.warnings)


def _restored(under: Ground, entry: Entry) -> tuple[dict[str, bytes | None], dict[str, str], tuple[Notice, ...]]:
    """What must change so that the items are as before the entry, key by key; a key that differs since stays."""
    parent, arrived = _ends(under, entry)
    knowledge = under.knowledge()
    changes: dict[str, bytes | None] = {}
    moved: dict[str, str] = {}
    notes: list[Notice] = []
    for row in entry.changes:
        before = _blob(under, parent, row.moved_from or row.path)
        after = _blob(under, arrived, row.path)
        cards = knowledge.under(f"id:{row.item}")
        here = cards[0].path if cards else row.path
        now = under.data_at([here]).get(here)
        wanted, kept = _undone(here, (after, now, before))
        notes += (
            Notice("kept-change", f"{what} of {here} was changed since and stays", f"{FOLDER}/{here}") for what in kept
        )
        rel = row.moved_from if row.moved_from and here == row.path and before is not None else here
        if wanted == now and rel == here:
            continue
        changes[rel] = wanted
        if rel != here:
            changes[here] = None
            moved[rel] = here
    return changes, moved, tuple(notes)


def _ends(under: Ground, entry: Entry) -> tuple[str, str]:
    """The commit that did what an entry tells, after the one before it ('' for none).

    What was recorded after the fact was done by the commit that took the record of the other decision away.
    """
    repo = under.repo
    arrived = landed.arrivals(repo, under.base).get(entry.id, "")
    known = commits(repo, [arrived]).get(arrived) if arrived else None
    if known is not None and entry.reverts and not _is_touched(under, (known.parents or ("",))[0], arrived, entry):
        done = landed.departure(repo, arrived, ledger.path_of(entry.reverts))
        arrived, known = (done, commits(repo, [done]).get(done)) if done else (arrived, known)
    if known is None or (known.parents and not commits(repo, known.parents[:1])):
        raise GitmemError(
            f"the commit that brought {entry.id} is not in this clone",
            hint="git fetch --unshallow",
            place=entry.id,
            code="missing-object",
        )
    return (known.parents[0] if known.parents else ""), arrived


def _is_touched(under: Ground, old: str, new: str, entry: Entry) -> bool:
    """Whether any file of an entry differs between two commits."""
    rels = {rel for row in entry.changes for rel in (row.path, row.moved_from) if rel}
    return any(_blob(under, old, rel) != _blob(under, new, rel) for rel in sorted(rels))


def _blob(under: Ground, commit: str, rel: str) -> bytes | None:
    found = objects.look_up(under.repo, [f"{commit}:{FOLDER}/{rel}"])[0] if commit else None
    return dict(objects.read_blobs(under.repo, [found[0]]))[found[0]] if found and found[1] == "blob" else None


def _undone(rel: str, versions: tuple[bytes | None, bytes | None, bytes | None]) -> tuple[bytes | None, list[str]]:
    """From what the decision left, what is there now and what it found: what should be there, and what stays."""
    after, now, before = versions
    if now == after:
        return before, []
    if now is None or before is None or after is None:
        return now, ["the file"]
    strict = merge_file(after, now, before, rel)
    if isinstance(strict, Merged):
        return strict.data, []
    lenient = merge_file(after, now, before, rel, Side.OURS)
    return (lenient.data if isinstance(lenient, Merged) else now), [each.field for each in strict.conflicts]
