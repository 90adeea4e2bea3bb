"""Builds the commit by which proposals land: their changes on the branch as it is now. Refuses what does not merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from gitmem.answers.ground import in_root, merged, without_entry
from gitmem.answers.landing import Target, signed
from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from gitmem.model.approval import Approval, Approver
from gitmem.model.finding import Notice
from gitmem.model.ledger import Entry, ItemChange
from gitmem.model.moments import rfc3339
from gitmem.model.proposal import Proposal
from gitmem.record import record, replace
from gitmem.review.outcome import Conflict
from gitmem.store import approvals, ledger, objects
from gitmem.store.commits import commits
from gitmem.store.gitwrite import Draft, write_commit
from gitmem.store.repo import FOLDER, Repo


class ConflictError(GitmemError):
    """``conflicts`` are what the trusted branch and a proposal disagree about."""

    code = "conflict"

    def __init__(self, proposal: Proposal, conflicts: Sequence[Conflict]) -> None:
        # Where a new title moves the file too, the title is what people disagree about.
        first = next((each for each in conflicts if each.field != "path"), conflicts[0])
        is_removal = first.field == "file" and first.theirs is None
        values = f"{first.field} of {first.path}: {shown(first.ours)} is trusted, {shown(first.theirs)} is proposed"
        values = f"it removes {first.path}, which was changed since" if is_removal else values
        more = f", and {len(conflicts) - 1} more" if len(conflicts) > 1 else ""
        hint = f"its author brings it up to date: gitmem propose --extend {proposal.id}"
        super().__init__(
            f"proposal {proposal.id} no longer applies: {values}{more}",
            hint=hint + (", which keeps the removal" if is_removal else "; or land it with --edit"),
            place=f"{FOLDER}/{first.path}",
        )
        self.conflicts = tuple(conflicts)


def shown(value: str | None) -> str:
    """One side of a disagreement, in a line."""
    return "nothing" if value is None else repr(value if len(value) <= 60 else value[:57] + "...")


@record
class Landable:
    """A commit on top of the target, on no ref yet. ``notes`` are what the merge settled and a person may look at."""

    commit: str
    entries: tuple[Entry, ...]
    notes: tuple[Notice, ...]


@record
class Vote:
    """An approval that somebody gave before, with the commit of theirs that adds its file."""

    approval: Approval
    commit: str


@record
class Grounds:
    """On what a landing rests: the bundle that it is, approvals of others, a word of whoever lands it."""

    bundle: str = ""
    votes: Sequence[Vote] = ()
    comment: str = ""


def merge_commit(session: Session, target: Target, members: Sequence[Proposal], grounds: Grounds) -> Landable:
    """``members`` in the order in which they build on each other. A bundle is one decision: one entry for all."""
    repo = session.place.repo
    changes, entries, notes = combined(session, target.start, members, grounds.bundle)
    files = {**in_root(changes), **_approvals(session, members, entries, grounds)}
    also = _parents(session, target.start, members, grounds, changes)
    draft = Draft(files, message_of(members, grounds.bundle), session.place.author, session.now, also)
    return Landable(write_commit(repo, target.start or None, draft), entries, notes)


def merge_in_turn(session: Session, target: Target, members: Sequence[Proposal], grounds: Grounds) -> Landable:
    """Each of ``members`` on top of the one before, those of the bundle as one and last, so that each decision can be
    taken back alone. All but the last commit are signed where the target asks for that."""
    of_bundle = [member for member in members if grounds.bundle and member.entry.bundle == grounds.bundle]
    groups = [[member] for member in members if member not in of_bundle] + ([of_bundle] if of_bundle else [])
    at = target
    done: list[Landable] = []
    for group in groups:
        if done:
            commit = done[-1].commit
            at = replace(at, start=signed(session, commit) if target.is_signed else commit)
        ids = {member.id for member in group}
        votes = tuple(vote for vote in grounds.votes if vote.approval.proposal in ids)
        bundle = grounds.bundle if group is of_bundle else ""
        done.append(merge_commit(session, at, group, Grounds(bundle, votes, grounds.comment)))
    entries = tuple(entry for each in done for entry in each.entries)
    return Landable(done[-1].commit, entries, tuple(note for each in done for note in each.notes))


def _parents(
    session: Session, start: str, members: Sequence[Proposal], grounds: Grounds, changes: Mapping[str, bytes | None]
) -> tuple[str, ...]:
    """The parents after the first: what was proposed, by whom it was proposed, with the votes on it.

    A tip whose ground is no part of the branch is none: Git would take code that the branch does not have for merged.
    It is laid on the branch first, and so is a bundle, whose one entry no tip has.
    """
    repo = session.place.repo
    tips = _on_top(members)
    has_grounds = _has_grounds(repo, start, members)
    if has_grounds and not grounds.bundle:
        return tuple(vote.commit for vote in grounds.votes) or tips
    if not start:
        return ()
    author = commits(repo, [members[0].tip])[members[0].tip].author
    by = session.place.author
    said = message_of(members, grounds.bundle, verb="")
    laid = Draft(in_root(changes), said, author, session.now, tips if has_grounds else (), by)
    side = write_commit(repo, start, laid)
    return tuple(_laid(session, side, vote) for vote in grounds.votes) or (side,)


def _laid(session: Session, side: str, vote: Vote) -> str:
    """A vote on what was proposed, on top of where that is now; it stays the commit of whoever voted."""
    repo = session.place.repo
    known = commits(repo, [vote.commit])[vote.commit]
    files = {approval_path(vote.approval): approvals.encode(vote.approval)}
    return write_commit(repo, side, Draft(files, known.message, known.author, session.now, (), session.place.author))


def _on_top(members: Sequence[Proposal]) -> tuple[str, ...]:
    """The tips that no other one stands on."""
    below = {member.base for member in members}
    return tuple(dict.fromkeys(member.tip for member in members if member.tip not in below))


def _has_grounds(repo: Repo, start: str, members: Sequence[Proposal]) -> bool:
    """Whether the branch has all that the members stand on, but each other."""
    grounds = {member.base for member in members} - {member.tip for member in members}
    return all(base == start or (base and objects.is_ancestor(repo, base, start)) for base in grounds)


def combined(
    session: Session, start: str, members: Sequence[Proposal], bundle: str
) -> tuple[dict[str, bytes | None], tuple[Entry, ...], tuple[Notice, ...]]:
    """What all members together make of ``start``, each merged into what those before it have made."""
    repo = session.place.repo
    changes: dict[str, bytes | None] = {}
    notes: list[Notice] = []
    at = start
    for number, member in enumerate(members, 1):
        joined = merged(repo, at, member)
        if joined.conflicts:
            raise ConflictError(member, joined.conflicts)
        changes |= joined.changes
        notes += joined.notes
        if number < len(members):
            at = write_commit(repo, at, Draft(in_root(joined.changes), "member", session.place.author, session.now))
    entries = tuple(member.entry for member in members)
    if bundle:
        for member in members:
            changes = dict(without_entry(changes, member.id))
        entries = (bundle_entry(repo, start, members, (bundle, changes)),)
        changes[ledger.path_of(bundle)] = ledger.encode(entries[0])
    return changes, entries, tuple(notes)


def bundle_entry(
    repo: Repo, start: str, members: Sequence[Proposal], what: tuple[str, Mapping[str, bytes | None]]
) -> Entry:
    """One entry for all members, of what they change together; ``what`` is the id of the bundle and the changes."""
    bundle, changes = what
    first = members[0].entry
    return Entry(
        id=bundle,
        kind="bundle",
        proposal=bundle,
        title=f"{first.title}" + (f" and {len(members) - 1} more" if len(members) > 1 else ""),
        rationale="\n".join(dict.fromkeys(m.entry.rationale for m in members if m.entry.rationale)),
        proposed_by=first.proposed_by,
        changes=_rows(repo, start, members, changes),
        evidence=tuple(dict.fromkeys(each for member in members for each in member.entry.evidence)),
        members=tuple(member.id for member in members),
        bundle=bundle,
    )


def _rows(
    repo: Repo, start: str, members: Sequence[Proposal], changes: Mapping[str, bytes | None]
) -> tuple[ItemChange, ...]:
    """Each item from what it is on ``start`` to what it becomes; one that ends where it was is none."""
    was: dict[str, str] = {}
    rows: dict[str, ItemChange] = {}
    for change in (change for member in members for change in member.entry.changes):
        was.setdefault(change.item, change.moved_from or change.path)
        rows[change.item] = change
    found = objects.look_up(repo, [f"{start}:{FOLDER}/{was[item]}" for item in rows]) if start else [None] * len(rows)
    blobs = dict(objects.read_blobs(repo, sorted({row[0] for row in found if row and row[1] == "blob"})))
    made = []
    for (item, last), row in zip(rows.items(), found, strict=True):
        before = blobs.get(row[0]) if row else None
        change = ledger.change_of(item, last.path, before, changes.get(last.path, before))
        moved = was[item] if before is not None and was[item] != last.path else ""
        if change.keys or moved:
            made.append(replace(change, moved_from=moved))
    return tuple(sorted(made, key=lambda change: (change.path, change.item)))


def _approvals(
    session: Session, members: Sequence[Proposal], entries: Sequence[Entry], grounds: Grounds
) -> Mapping[str, bytes]:
    """One file for whoever lands it and for each who voted before, by path of the repository."""
    name, _, email = session.place.author.partition(" <")
    by = Approver(name, email.rstrip(">"))
    files = {}
    for member in members:
        entry = next((each for each in entries if each.proposal == member.id), entries[0])
        own = Approval(member.id, entry.id, member.patchset, by, rfc3339(session.now), grounds.comment)
        for each in (own, *(vote.approval for vote in grounds.votes if vote.approval.proposal == member.id)):
            files[approval_path(each)] = approvals.encode(each)
    return files


def approval_path(approval: Approval) -> str:
    """Where its file lies in the repository."""
    return f"{FOLDER}/{approvals.path_of(approval, datetime.fromisoformat(approval.at))}"


def message_of(members: Sequence[Proposal], bundle: str, verb: str = "Approve: ") -> str:
    """Titles and patch sets of what lands together."""
    first = members[0].entry
    more = f" and {len(members) - 1} more" if len(members) > 1 else ""
    trailers = [f"Gitmem-Proposal: {member.id}@{member.patchset}" for member in members]
    rationale = [first.rationale, ""] if first.rationale and len(members) == 1 else []
    trailers = [f"Gitmem-Bundle: {bundle}", *trailers] if bundle else trailers
    return "\n".join([f"{verb}{first.title}{more}", "", *rationale, *trailers])
