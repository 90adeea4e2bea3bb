"""Lets proposals in: merged into the trusted branch as it is now, judged whole, landed in one step. Refuses agents."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import voting
from gitmem.answers.assembly import version_of
from gitmem.answers.closing import Refusal, close, event_about
from gitmem.answers.freshening import freshened, put_up
from gitmem.answers.landing import Target, decider, followed, land_commit, refuse_broken, signed, target_of
from gitmem.answers.merging import Grounds, merge_in_turn
from gitmem.answers.modifying import modified
from gitmem.answers.needs import full_id, named
from gitmem.answers.opening import validated
from gitmem.answers.reading import knowledge_at
from gitmem.answers.rejudging import rejudged
from gitmem.answers.removal import refuse_many
from gitmem.answers.session import Session
from gitmem.answers.standing import Board, Standing, board
from gitmem.answers.terms import spoken
from gitmem.errors import GitmemError, UsageError
from gitmem.model.finding import Notice
from gitmem.model.ledger import Entry
from gitmem.model.proposal import IN_FORCE, PATCHSET_DIGITS, PENDING, EventKind, Proposal, Status
from gitmem.record import record, replace
from gitmem.review.joining import trees_of
from gitmem.store import ledger, objects
from gitmem.store.lock import held
from gitmem.store.repo import FOLDER

_MOST = 500
# What `show` prints. A shorter one could be met on purpose, by a patch set that nobody has looked at.
_PATCHSET_LEAST = PATCHSET_DIGITS


@record
class ApproveCall:
    """``proposals`` are ID@PATCHSET; with ``bundle`` or ``with_needs`` also those that land along.

    ``modify`` are FIELD=VALUE, laid over the one engram that a proposal changes; ``text`` replaces it whole. ``edit``
    and ``yes`` are for a terminal.
    """

    proposals: tuple[str, ...]
    bundle: bool = False
    with_needs: bool = False
    modify: tuple[str, ...] = ()
    edit: bool = False
    text: str | None = None
    sign: bool = False
    yes: bool = False
    comment: str = ""
    remove_many: bool = False


@record
class Approved:
    """``commit`` is '' while further approvals are missing: ``waiting_for`` so many people.

    ``branch`` is where it landed; ``proposals`` and ``failed`` are those of a batch.
    """

    commit: str
    knowledge_version: str
    snapshot_id: str
    branch: str = ""
    proposals: tuple[str, ...] = ()
    failed: tuple[Refusal, ...] = ()
    waiting_for: int = 0
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 1 if self.failed else 0


def approve(session: Session, call: ApproveCall) -> Approved:
    """One proposal, its whole bundle, or a batch in which each fails alone."""
    decider(session)
    if not 0 < len(call.proposals) <= _MOST:
        raise UsageError(f"name 1 to {_MOST} proposals, each as ID@PATCHSET", hint="see: gitmem proposals list")
    if call.edit:
        raise UsageError("--edit opens an editor, and there is none here", hint="--text FILE, or --modify FIELD=VALUE")
    spoken("comment", call.comment)
    for text in call.proposals:
        patchset_of(session, text)
    if len(call.proposals) == 1:
        return _approve(session, call.proposals[0], call)
    if call.modify or call.text is not None:
        raise UsageError("--modify, --text and --edit go with one proposal")
    return _batch(session, call)


def _batch(session: Session, call: ApproveCall) -> Approved:
    last = Approved("", "", "")
    done: list[str] = []
    failed: list[Refusal] = []
    for text in call.proposals:
        id_ = text.partition("@")[0]
        if (call.bundle or call.with_needs) and full_id(session, id_) in done:
            continue
        try:
            last = _approve(session, text, call)
        except GitmemError as err:
            failed.append(Refusal(id_, err.code, err.message, err.hint))
            continue
        done += last.proposals
    return replace(last, proposals=tuple(done), failed=tuple(failed))


def patchset_of(session: Session, text: str) -> str:
    """What was looked at: the part behind @, which whoever decides must give."""
    _, at, patchset = text.partition("@")
    wanted = patchset.strip().lower()
    if not at or len(wanted) < _PATCHSET_LEAST or wanted.strip("0123456789abcdef"):
        raise UsageError(
            f"say which patch set was looked at: {text.partition('@')[0]}@PATCHSET",
            hint=session.word(
                "gitmem proposals show prints it; on a terminal leave it out and you are asked",
                "show_proposal gives it: look at what is decided first",
            ),
        )
    return wanted


def _approve(session: Session, text: str, call: ApproveCall) -> Approved:
    with held(session.place.repo):
        found, standing = named(session, text.partition("@")[0])
        _refuse_unseen(standing.proposal, patchset_of(session, text))
        _refuse_closed(standing)
        if call.modify or call.text is not None:
            standing = modified(session, standing, call.modify, call.text)
        members, bundle = _members(session, found, standing, call)
        _refuse_others_unseen(session, standing.proposal, members, call)
        refuse_broken(found.reading)
        target = target_of(session.place, found.reading)
        _refuse_landed(session, target, members, bundle)
        doubts = rejudged(session, target.start, members)
        fresh = freshened(session, members, target.start)
        votes, missing = voting.votes(session, found, fresh.members)
        if bundle and (votes or missing):
            _refuse_votes(bundle)
        if missing:
            put_up(session, fresh)
            return _waiting(session, found, fresh.members, missing, call.comment)
        made = merge_in_turn(session, target, fresh.members, Grounds(bundle, votes, call.comment))
        if not call.remove_many:
            refuse_many(session.place, target.start, made.entries)
        warnings = validated(session, target.start, made.commit, what="the approval")
        commit = signed(session, made.commit) if call.sign or target.is_signed else made.commit
        warnings = (*doubts, *fresh.notes, *made.notes, *warnings, *followed(session, target, commit))
        land_commit(session, target, commit)
        put_up(session, fresh)
        return _landed(session, target, commit, fresh.members, tuple(dict.fromkeys(warnings)))


def _refuse_landed(session: Session, target: Target, members: Sequence[Proposal], bundle: str) -> None:
    """What the local branch has already waits for nothing but a push; a bundle is one decision and lands once."""
    there = _decided_at(session, target.start, members)
    waiting = next((member.id for member in members if member.id in there), "")
    if waiting and not target.is_trusted:
        raise GitmemError(
            f"{waiting} is on the local {target.name} already and waits to be pushed",
            hint="push it: git push, or gitmem sync",
            place=waiting,
            code="already-landed",
        )
    if bundle and bundle in there:
        raise GitmemError(
            f"{bundle} is on {target.name} already",
            hint="what was added to it later is approved one by one",
            place=bundle,
            code="already-landed",
        )


def _decided_at(session: Session, commit: str, members: Sequence[Proposal]) -> set[str]:
    """Ids of proposals and bundles that a commit has on record."""
    repo = session.place.repo
    ids = sorted({id_ for member in members for id_ in (member.id, member.entry.bundle) if id_})
    found = objects.look_up(repo, [f"{commit}:{FOLDER}/{ledger.path_of(id_)}" for id_ in ids])
    there = {id_: known[0] for id_, known in zip(ids, found, strict=True) if known}
    blobs = dict(objects.read_blobs(repo, sorted(set(there.values()))))
    entries = [ledger.decode(blobs[oid], ledger.path_of(id_)) for id_, oid in there.items()]
    return set(there) | {id_ for entry in entries if isinstance(entry, Entry) for id_ in entry.members}


def _refuse_votes(bundle: str) -> None:
    raise GitmemError(
        "the policy asks for several people, and each of them approves a proposal, not a bundle",
        hint="approve its proposals one by one: gitmem proposals approve ID@PATCHSET",
        place=bundle,
        code="votes-by-member",
    )


def _refuse_unseen(proposal: Proposal, patchset: str) -> None:
    if not proposal.tip.startswith(patchset):
        raise GitmemError(
            f"proposal {proposal.id} is at patch set {proposal.patchset}, not at {patchset}",
            hint=f"look at it again: gitmem proposals diff {proposal.id}",
            place=proposal.id,
            code="patchset-moved",
        )


def _refuse_others_unseen(session: Session, proposal: Proposal, members: Sequence[Proposal], call: ApproveCall) -> None:
    """What lands along was there when the one that was looked at was made, or is named with its own patch set."""
    seen = {full_id(session, text.partition("@")[0]): patchset_of(session, text) for text in call.proposals}
    flags = " --bundle" * call.bundle + " --with-needs" * call.with_needs
    for member in (each for each in members if each.id != proposal.id):
        if member.id in seen:
            _refuse_unseen(member, seen[member.id])
        elif member.opened > proposal.opened and not objects.is_ancestor(session.place.repo, member.tip, proposal.tip):
            names = " ".join(f"{each.id}@{each.patchset}" for each in members)
            raise GitmemError(
                f"proposal {member.id} lands along and is newer than {proposal.id}",
                hint=f"look at each, then name each: gitmem proposals approve {names}{flags}",
                place=member.id,
                code="patchset-moved",
            )


def _refuse_closed(standing: Standing) -> None:
    proposal = standing.proposal
    if standing.status in (*IN_FORCE, Status.REVERTED):
        raise GitmemError(
            f"proposal {proposal.id} has landed already ({standing.status})",
            hint=f"if it was taken back: gitmem proposals reinstate {proposal.id}",
            place=proposal.id,
            code="already-landed",
        )
    if standing.blocked_by:
        needs = ", ".join(standing.blocked_by)
        raise GitmemError(
            f"proposal {proposal.id} is {standing.status} by {needs}, which it needs and which was declined",
            hint=f"open that again: gitmem proposals reinstate {standing.blocked_by[0]}; or propose without it",
            place=proposal.id,
            code="proposal-closed",
        )
    if standing.closed and standing.status not in PENDING:
        by = f" by {standing.closed.other}" if standing.closed.other else ""
        said = f": {standing.closed.text}" if standing.closed.text else ""
        raise GitmemError(
            f"proposal {proposal.id} is {standing.status}{by}{said}",
            hint=f"open it again: gitmem proposals reinstate {proposal.id}",
            place=proposal.id,
            code="proposal-closed",
        )


def along(session: Session, call: ApproveCall) -> list[str]:
    """The ids of all that would land with the one proposal that a call names, in their order."""
    found, standing = named(session, call.proposals[0].partition("@")[0])
    return [member.id for member in _members(session, found, standing, call)[0]]


def _members(session: Session, found: Board, standing: Standing, call: ApproveCall) -> tuple[list[Proposal], str]:
    """What lands together, in order, and the id of the bundle if that is what lands: after what it needs."""
    proposal = standing.proposal
    own, bundle = [standing], ""
    if call.bundle:
        if not proposal.entry.bundle:
            raise UsageError(f"proposal {proposal.id} is in no bundle", hint="leave --bundle out")
        # With those that were declined: a bundle goes in whole, so that one of them keeps out the others.
        found, bundle = board(session, wanted=PENDING | {Status.REJECTED}), proposal.entry.bundle
        own = [s for s in found.standings if s.proposal.entry.bundle == bundle and s.status not in IN_FORCE]
    below = _below(found, own)
    if below and not call.with_needs:
        _refuse_needs(own, below)
    for each in (*(own if bundle else ()), *below):
        _refuse_closed(each)
    first, then = ([each.proposal for each in some] for some in (below, own))
    ids = {member.id for member in then}
    if bundle and any(ids & set(member.entry.needs) for member in first):
        _refuse_knot(proposal)
    return in_order(first) + in_order(then), bundle


def _below(found: Board, own: Sequence[Standing]) -> list[Standing]:
    """The others that wait and that these need, and what those need."""
    known = {each.proposal.id: each for each in found.standings}
    kept = {each.proposal.id: each for each in own}
    waiting = list(own)
    while waiting:
        for need in waiting.pop().proposal.entry.needs:
            if need in known and need not in kept and known[need].status in PENDING:
                kept[need] = known[need]
                waiting.append(known[need])
    return list(kept.values())[len(own) :]


def _refuse_needs(own: Sequence[Standing], below: Sequence[Standing]) -> None:
    direct = {need for each in own for need in each.proposal.entry.needs}
    needs = [each.proposal for each in below if each.proposal.id in direct]
    which = next(each.proposal.id for each in own if needs[0].id in each.proposal.entry.needs)
    raise GitmemError(
        f"proposal {which} builds on {', '.join(f'{need.id} ({need.entry.title})' for need in needs)}",
        hint="approve that first, or take all: --with-needs",
        place=needs[0].id,
        code="needs-open",
    )


def _refuse_knot(proposal: Proposal) -> None:
    raise GitmemError(
        f"bundle {proposal.entry.bundle} and what it needs build on each other, so that it cannot land as one",
        hint="approve its proposals one by one, without --bundle",
        place=proposal.id,
        code="needs-open",
    )


def in_order(members: Sequence[Proposal]) -> list[Proposal]:
    """Each after what it needs; else by id, which is by age."""
    known = {member.id: member for member in members}
    placed: dict[str, Proposal] = {}

    def place(member: Proposal, above: frozenset[str]) -> None:
        for need in member.entry.needs:
            if need in known and need not in placed and need not in above:
                place(known[need], above | {member.id})
        placed[member.id] = member

    for id_ in sorted(known):
        if id_ not in placed:
            place(known[id_], frozenset())
    return list(placed.values())


def _waiting(session: Session, found: Board, members: Sequence[Proposal], missing: int, comment: str) -> Approved:
    """Keeps the vote: a commit of this person's own, which the landing will have among its parents."""
    for member in members:
        voting.vote(session, member, comment)
    knowledge = knowledge_at(session.place, found.reading.tree).knowledge
    ids = tuple(member.id for member in members)
    return Approved("", version_of(knowledge), knowledge.facts.snapshot_id, "", ids, (), missing)


def _landed(
    session: Session, target: Target, commit: str, members: Sequence[Proposal], warnings: tuple[Notice, ...]
) -> Approved:
    """What has landed on the trusted branch is closed; on the local copy of a remote's it waits to be pushed."""
    if target.is_trusted:
        for member in members:
            close(session, member, event_about(session, member, EventKind.LANDED, commit))
    (tree,) = trees_of(session.place.repo, [commit])
    knowledge = knowledge_at(session.place, tree).knowledge
    ids = tuple(member.id for member in members)
    if not target.is_trusted:
        hint = "push it: git push, or gitmem sync; preview with: gitmem compile FILE --trust head"
        notice = Notice("not-pushed", f"it landed on the local {target.name} and counts once that is pushed", hint=hint)
        warnings = (*warnings, notice)
    return Approved(commit, version_of(knowledge), knowledge.facts.snapshot_id, target.name, ids, (), 0, warnings)
