"""What an approval would come to, without making one: order, conflicts, findings, outcome. Refuses to move a ref."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import checking
from gitmem.answers.approve import in_order
from gitmem.answers.assembly import version_of
from gitmem.answers.freshening import freshened
from gitmem.answers.landing import target_of
from gitmem.answers.merging import ConflictError, Grounds, merge_commit
from gitmem.answers.needs import NoProposalError, full_id, named
from gitmem.answers.reading import Reading, knowledge_at
from gitmem.answers.session import Session
from gitmem.answers.standing import Standing, board
from gitmem.errors import UsageError
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.model.proposal import PENDING, Proposal, Status
from gitmem.record import record
from gitmem.review.joining import trees_of
from gitmem.review.outcome import Conflict


@record
class PreflightCall:
    """``proposals`` are ids of proposals, or one of a bundle."""

    proposals: tuple[str, ...]


@record
class Obstacle:
    proposal: str
    reason: str


@record
class Preflight:
    """``order`` is that of the landing; ``knowledge_version`` and ``snapshot_id`` are what would be, '' with conflicts.

    ``needs`` are proposals that would have to come along.
    """

    ok: bool
    order: tuple[str, ...]
    needs: tuple[str, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    findings: tuple[Finding, ...] = ()
    knowledge_version: str = ""
    snapshot_id: str = ""
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 0 if self.ok else 1


def preflight(session: Session, call: PreflightCall) -> Preflight:
    if not call.proposals:
        raise UsageError("name a proposal or a bundle", hint="see: gitmem proposals list")
    found = board(session, PENDING | {Status.REJECTED})
    waiting = {s.proposal.id: s for s in found.standings if s.status in PENDING}
    chosen, bundle = _chosen(session, waiting, call.proposals)
    needs = tuple(
        dict.fromkeys(n for s in chosen for n in s.proposal.entry.needs if n in waiting and waiting[n] not in chosen)
    )
    declined = [s for s in found.standings if bundle and s.proposal.entry.bundle == bundle and s.closed]
    obstacles = tuple(_obstacles([*chosen, *declined], needs))
    members = in_order([standing.proposal for standing in chosen])
    order = tuple(member.id for member in members)
    if obstacles:
        return Preflight(ok=False, order=order, needs=needs, obstacles=obstacles)
    return _simulated(session, found.reading, members, bundle, order)


def _chosen(session: Session, waiting: dict[str, Standing], texts: Sequence[str]) -> tuple[list[Standing], str]:
    wanted = texts[0].strip().upper()
    of_bundle = [s for s in waiting.values() if s.proposal.entry.bundle == wanted] if len(texts) == 1 else []
    if of_bundle:
        return of_bundle, wanted
    ids = dict.fromkeys(full_id(session, text.partition("@")[0]) for text in texts)
    missing = [id_ for id_ in ids if id_ not in waiting]
    if missing:
        id_, status = missing[0], named(session, missing[0])[1].status
        raise NoProposalError(f"{id_} is {status} and waits for nobody", hint=f"gitmem proposals show {id_}", place=id_)
    return [waiting[id_] for id_ in ids], ""


def _obstacles(chosen: Sequence[Standing], needs: Sequence[str]) -> list[Obstacle]:
    found = [
        Obstacle(s.proposal.id, f"blocked by {', '.join(s.blocked_by)}") for s in chosen if s.status is Status.BLOCKED
    ]
    found += [Obstacle(s.proposal.id, f"is {s.status}") for s in chosen if s.status not in PENDING]
    return found + [Obstacle(need, "is needed and not among them") for need in needs]


def _simulated(
    session: Session, reading: Reading, members: Sequence[Proposal], bundle: str, order: tuple[str, ...]
) -> Preflight:
    """The very commit that an approval would land, on no ref."""
    target = target_of(session.place, reading)
    try:
        fresh = freshened(session, members, target.start)
        made = merge_commit(session, target, fresh.members, Grounds(bundle))
    except ConflictError as err:
        return Preflight(ok=False, order=order, conflicts=err.conflicts)
    found = checking.check(session, checking.CheckCall(range=f"{target.start}..{made.commit}")).findings
    (tree,) = trees_of(session.place.repo, [made.commit])
    knowledge = knowledge_at(session.place, tree).knowledge
    ok = all(finding.severity is not Severity.ERROR for finding in found)
    return Preflight(
        ok,
        order,
        findings=tuple(found),
        knowledge_version=version_of(knowledge),
        snapshot_id=knowledge.facts.snapshot_id,
        warnings=tuple(dict.fromkeys((*fresh.notes, *made.notes))),
    )
