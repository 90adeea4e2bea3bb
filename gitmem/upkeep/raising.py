"""Turns the drafts of a stage into proposals of one bundle, once each. Refuses to flood whoever decides about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from gitmem.answers import machine
from gitmem.answers.ground import Ground, ground, missing_ground
from gitmem.answers.machine import DISMISSED, PROPOSED, WAITS, Cause, machine_id
from gitmem.answers.session import Session
from gitmem.answers.standing import Board, Standing, board
from gitmem.errors import GitmemError
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.model.moments import rfc3339
from gitmem.model.proposal import PENDING, Status
from gitmem.record import field, record, replace, state
from gitmem.store import lock
from gitmem.store.commits import commits
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.report import Line, StageReport

LEFT = "left"
# So many proposals by one rule of one stage wait at most; further ones are opened as these are decided.
WAITING_MOST = 25
_BUNDLES_MOST = 1000
_TIMES_MOST = 1000
# What a text is like is known to whoever proposes to merge or to freeze it.
_OF_TEXTS = frozenset({"contradicts", "duplicate", "near-duplicate", "update", "likeness-cold", "likeness-cut"})
_DECLINED = frozenset({Status.REJECTED, Status.REVERTED})


@record
class Earlier:
    """What became of a draft before: its proposal and whether that waits or was dismissed; '' and '' where it was never
    made, or landed."""

    proposal: str = ""
    outcome: str = ""


@state
class _Run:
    """``taken`` are the paths that proposals of the same stages change, so that no two of them are at odds; ``waiting``
    counts those that are still asked for, by stage and rule."""

    session: Session
    under: Ground
    known: Board
    earlier: Mapping[Draft, Earlier]
    bundle: str
    taken: set[str]
    waiting: Counter[tuple[str, str]]
    findings: list[Finding] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)


def raise_all(session: Session, stage: str, drafts: Sequence[Draft], *, is_dry: bool) -> StageReport:
    """Proposes each draft that neither waits nor was declined, the first ones first; a dry run says what it would."""
    missing = missing_ground(session)
    if missing:
        return StageReport(stage, dry_run=is_dry, warnings=missing)
    if not drafts:
        return StageReport(stage, dry_run=is_dry)
    under, known = ground(session), board(session)
    waiting = _waiting(known, {draft.stage for draft in drafts})
    earlier = _earlier(known, drafts)
    run = _Run(
        session=session,
        under=under,
        known=known,
        earlier=earlier,
        bundle=_bundle(stage, under, known),
        taken={change.path for each in waiting for change in each.proposal.entry.changes},
        waiting=Counter(_rule(draft) for draft in drafts if earlier[draft].outcome == WAITS),
    )
    lines = tuple(_dry(run, draft) if is_dry else _raised(run, draft) for draft in drafts)
    return StageReport(
        stage=stage,
        lines=lines,
        findings=tuple(run.findings),
        left=sum(line.outcome == LEFT for line in lines),
        bundle=run.bundle if any(line.outcome == PROPOSED for line in lines) else "",
        dry_run=is_dry,
        warnings=tuple(dict.fromkeys(run.warnings)),
    )


def close_needless(session: Session, stages: Collection[str], drafts: Sequence[Draft]) -> tuple[str, ...]:
    """Closes what these stages proposed before and, having looked at everything, ask for no more. A clock that is
    behind the knowledge itself makes everything young, and is no reason."""
    if missing_ground(session) or _is_behind(session):
        return ()
    known = board(session)
    asked = {each.proposal for each in _earlier(known, drafts).values()}
    old = [each for each in _waiting(known, stages) if each.proposal.id not in asked]
    for each in old:
        with lock.held(session.place.repo):
            machine.needless(session, each)
    return tuple(each.proposal.id for each in old)


def _is_behind(session: Session) -> bool:
    under = ground(session)
    return session.now.timestamp() < commits(under.repo, [under.base])[under.base].time


def _waiting(known: Board, stages: Collection[str]) -> Iterator[Standing]:
    """What waits of these stages as they made it: what a person has taken up is theirs."""
    for each in known.standings:
        agent = each.proposal.entry.proposed_by.agent
        if each.status in PENDING and not each.proposal.writer and agent and agent.name in stages:
            yield each


def _bundle(stage: str, under: Ground, known: Board) -> str:
    """The same for all that a stage proposes on one ground, until any of it was decided."""
    made = datetime.fromtimestamp(commits(under.repo, [under.base])[under.base].time, UTC)
    cause = Cause(stage, "bundle", (under.base, f"{machine.AT}{rfc3339(made)}"))
    decided = {each.proposal.entry.bundle for each in known.standings if each.status not in PENDING}
    return next(id_ for time in range(_BUNDLES_MOST) if (id_ := machine_id(cause, time)) not in decided)


def before(known: Board) -> Callable[[Draft], Earlier]:
    """What became of drafts before."""
    by_id = {each.proposal.id: each for each in known.standings}
    return lambda draft: _before(by_id, draft)


def _earlier(known: Board, drafts: Iterable[Draft]) -> dict[Draft, Earlier]:
    became = before(known)
    return {draft: became(draft) for draft in drafts}


def _before(by_id: Mapping[str, Standing], draft: Draft) -> Earlier:
    """What landed and is asked for again is proposed again."""
    cause = draft.cause()
    for time in range(_TIMES_MOST):
        standing = by_id.get(machine_id(cause, time))
        if standing is None:
            return Earlier()
        if standing.status in PENDING:
            return Earlier(standing.proposal.id, WAITS)
        if standing.status in _DECLINED:
            return Earlier(standing.proposal.id, DISMISSED)
    return Earlier()


def _rule(draft: Draft) -> tuple[str, str]:
    return draft.stage, draft.rule


def _line(draft: Draft, outcome: str = "", proposal: str = "") -> Line:
    return Line(draft.stage, draft.rule, draft.title, draft.items, draft.measured or draft.rationale, outcome, proposal)


def _dry(run: _Run, draft: Draft) -> Line:
    before = run.earlier[draft]
    if not before.outcome:
        run.waiting[_rule(draft)] += 1
    is_left = not before.outcome and run.waiting[_rule(draft)] > WAITING_MOST
    return _line(draft, LEFT if is_left else before.outcome, before.proposal)


def _raised(run: _Run, draft: Draft) -> Line:
    before = run.earlier[draft]
    if before.outcome:
        return _line(draft, before.outcome, before.proposal)
    if run.waiting[_rule(draft)] >= WAITING_MOST:
        return _line(draft, LEFT)
    try:
        return _opened(run, draft)
    except GitmemError as err:
        run.findings.append(
            Finding(err.code, Severity.WARNING, err.place, 0, f"{draft.title}: {err.message}", err.hint)
        )
        return _line(draft, LEFT)


def _opened(run: _Run, draft: Draft) -> Line:
    plan = replace(draft.plan(run.under), title=draft.title)
    if run.taken & set(plan.changes):
        return _line(draft, LEFT)
    with lock.held(run.session.place.repo):
        raised = machine.raise_once(run.session, run.under, plan, draft.cause(run.bundle), run.known)
    run.warnings += (notice for notice in raised.warnings if notice.code not in _OF_TEXTS)
    if raised.state == PROPOSED:
        run.waiting[_rule(draft)] += 1
        run.taken.update(plan.changes)
    return _line(draft, raised.state, raised.proposal)
