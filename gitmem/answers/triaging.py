"""Works through what was reported: each report to its analyzer, drafts to proposals, the rest with its reason.

Refuses to decide about knowledge, to stop at one that fails, and to propose the same twice.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from datetime import timedelta

from gitmem.answers import weighing
from gitmem.answers.machine import PROPOSED, WAITS, Cause, machine_id, raise_once, terms_of
from gitmem.answers.observe import require_journal, written
from gitmem.answers.observed import named, triaged
from gitmem.answers.opening import Plan, compared
from gitmem.answers.session import Session, decides
from gitmem.answers.standing import board
from gitmem.answers.terms import spoken
from gitmem.answers.weighing import Desk, Take, cause_of, citing, plan_of, weighed
from gitmem.errors import GitmemError, UsageError
from gitmem.model import observation as forms
from gitmem.model.event import TRIAGE, Event
from gitmem.model.moments import moved, rfc3339
from gitmem.model.plain import Plain, plain
from gitmem.model.proposal import PENDING
from gitmem.record import field, record, state
from gitmem.review.analyzers import Change, Leave
from gitmem.review.triage import ANALYSED, ARCHIVED, REQUEUED, Triaged

_DAYS_MOST = 3650
# What waits for a person or fails is looked at again by every run, and keeps none from what came after it.
_MOST, _LOOKED_MOST = 1000, 10_000
DUPLICATE, UPDATE = "duplicate", "update"


@record
class ProcessCall:
    """Those named, else all that are open, of one ``type`` if it is given. ``reclaim``: first what ``stale_after_days``
    have passed over since it was analysed, and no proposal rests on, is queued again."""

    observations: tuple[str, ...] = ()
    type: str = ""
    preview: bool = False
    reclaim: bool = False
    stale_after_days: int = 1
    allow_secret: tuple[str, ...] = ()


@record
class Drafted:
    """``verdict`` is new, or update for a change of what is there. In a preview ``proposal`` is the id it would get."""

    observation: str
    event_type: str
    proposal: str
    verdict: str
    title: str


@record
class Skipped:
    """``state`` is that of the observation from now on: analysed, or open where it waits for something."""

    observation: str
    event_type: str
    reason: str
    state: str


@record
class Failed:
    observation: str
    event_type: str
    message: str
    code: str
    hint: str = ""


@record
class Coverage:
    """What became of how many: ``proposed`` and ``waiting`` are kept, ``dropped`` were looked at and led to nothing.

    ``left`` were not looked at: one run takes a thousand, and those that stay open besides.
    """

    observations: int
    proposed: int
    waiting: int
    dropped: int
    failed: int
    left: int = 0


@record
class Processed:
    proposed: tuple[Drafted, ...]
    skipped: tuple[Skipped, ...]
    errors: tuple[Failed, ...]
    coverage: Coverage
    preview: bool = False
    requeued: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        return 1 if self.errors else 0


@state
class _Run:
    """What a run has come to so far."""

    at: Desk
    is_preview: bool
    proposed: list[Drafted] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    errors: list[Failed] = field(default_factory=list)
    dropped: int = 0


def process(session: Session, call: ProcessCall, take: Take) -> Processed:
    decides(session)
    if call.type:
        forms.check_type(call.type)
    _check_days(session, call.stale_after_days)
    require_journal(session)
    rows = triaged(session)
    at = weighing.desk(session, rows, take, call.allow_secret if session.surface == "cli" else ())
    stale = _stale(session, rows, at.citing, call.stale_after_days) if call.reclaim else []
    wanted = _wanted(rows, call, stale)
    if not call.preview:
        _requeue(session, stale)
    run = _Run(at, call.preview)
    looked = 0
    for each in wanted[:_LOOKED_MOST]:
        if len(run.proposed) + run.dropped == _MOST:
            break
        looked += 1
        try:
            _one(run, each)
        except (GitmemError, OSError, UnicodeError) as err:
            run.errors.append(_failure(each, err))
    counts = Coverage(
        observations=len(wanted),
        proposed=len(run.proposed),
        waiting=len(run.skipped) - run.dropped,
        dropped=run.dropped,
        failed=len(run.errors),
        left=len(wanted) - looked,
    )
    requeued = tuple(each.observation.id for each in stale)
    return Processed(tuple(run.proposed), tuple(run.skipped), tuple(run.errors), counts, call.preview, requeued)


def _wanted(rows: Sequence[Triaged], call: ProcessCall, stale: Sequence[Triaged]) -> list[Triaged]:
    again = {each.observation.id for each in stale}
    asked = {named(rows, text).observation.id for text in call.observations}
    for each in rows:
        if each.observation.id in asked and each.state != forms.OPEN and each.observation.id not in again:
            hint = "see: gitmem observations show; what no proposal rests on can be queued again"
            raise UsageError(f"observation {each.observation.id} is {each.state}", hint=hint)
    queued = (each for each in rows if each.state == forms.OPEN or each.observation.id in again)
    kept = (each for each in queued if not asked or each.observation.id in asked)
    return [each for each in kept if not call.type or each.observation.event_type == call.type]


def _failure(each: Triaged, err: GitmemError | OSError | UnicodeError) -> Failed:
    told = each.observation
    if isinstance(err, UnicodeError):
        # What another writer shares was checked by nobody here.
        return Failed(told.id, told.event_type, "it holds half characters, which no text has", "not-unicode")
    if isinstance(err, OSError):
        return Failed(told.id, told.event_type, (err.strerror or "cannot be read").lower(), "io")
    return Failed(told.id, told.event_type, err.message, err.code, err.hint)


def _one(run: _Run, each: Triaged) -> None:
    told = each.observation
    known = run.at.citing.get(told.id)
    if known is not None:
        reason = f"proposal {known.proposal.id} rests on it ({known.status})"
        _leave(run, each, Leave(reason), (known.proposal.id,))
        return
    outcome = weighed(run.at, each)
    if isinstance(outcome, Leave):
        _leave(run, each, outcome)
        return
    plan = plan_of(run.at, told, outcome)
    if isinstance(plan, Leave):
        _leave(run, each, plan)
        return
    verdict = UPDATE if isinstance(outcome, Change) or plan.kind == UPDATE else ""
    (_preview if run.is_preview else _propose)(run, each, plan, (cause_of(run.at, told, outcome, plan), verdict))


def _leave(run: _Run, each: Triaged, outcome: Leave, proposals: tuple[str, ...] = ()) -> None:
    told = each.observation
    state = forms.OPEN if outcome.waits else forms.ANALYSED
    run.skipped.append(Skipped(told.id, told.event_type, outcome.reason, state))
    run.dropped += not outcome.waits
    if not outcome.waits and not run.is_preview:
        act(run.at.session, ANALYSED, told.id, reason=outcome.reason, proposals=plain(proposals))


def _drafted(run: _Run, each: Triaged, made: tuple[str, str], title: str) -> None:
    """``made`` is (proposal, verdict)."""
    told = each.observation
    run.proposed.append(Drafted(told.id, told.event_type, *made, title))
    run.at.told[told.id] = (made[0],)
    if not run.is_preview:
        act(run.at.session, ANALYSED, told.id, reason="", proposals=[made[0]])


def _preview(run: _Run, each: Triaged, plan: Plan, why: tuple[Cause, str]) -> None:
    """The same judgement as that of a run, but for the check of the whole tree, which needs a commit.

    ``why`` is (cause, verdict), '' for a verdict that is still to be found.
    """
    at, (cause, verdict) = run.at, why
    id_ = machine_id(cause)
    found, _ = compared(at.session, at.under, plan, terms_of(at.under, cause), id_)
    if found.verdict == DUPLICATE:
        _leave(run, each, Leave(found.warnings[-1].message if found.warnings else f"it repeats {found.target}"))
    else:
        _drafted(run, each, (id_, verdict or found.verdict), plan.title)


def _propose(run: _Run, each: Triaged, plan: Plan, why: tuple[Cause, str]) -> None:
    at, (cause, verdict) = run.at, why
    raised = raise_once(at.session, at.under, plan, cause, at.known)
    if raised.state == PROPOSED:
        _drafted(run, each, (raised.proposal, verdict or raised.verdict), plan.title)
        return
    said = raised.warnings[-1].message if raised.warnings else ""
    waits = f"proposal {raised.proposal} waits already" if raised.state == WAITS else "the same was declined before"
    proposals = (raised.proposal,) if not said and raised.proposal else ()
    _leave(run, each, Leave(said or waits), proposals)


def act(session: Session, action: str, observation: str, **more: Plain) -> None:
    """One word about an observation; what is empty is left out."""
    data: dict[str, Plain] = {"observation": observation, "action": action}
    data |= {name: value for name, value in more.items() if value}
    written(session, Event(TRIAGE, data, agent="" if session.surface == "cli" else session.client))


def _check_days(session: Session, days: int) -> None:
    if not 0 <= days <= _DAYS_MOST:
        name = session.word("--stale-after-days", "stale_after_days")
        raise UsageError(f"{name} takes 0 to {_DAYS_MOST}", hint="usually 1")


def _stale(session: Session, rows: Sequence[Triaged], cited: Container[str], days: int) -> list[Triaged]:
    """What was analysed, and that long ago, and no proposal rests on."""
    before = rfc3339(moved(session.now, -timedelta(days=days)))
    analysed = (each for each in rows if each.state == forms.ANALYSED and each.at <= before)
    return [each for each in analysed if each.observation.id not in cited]


def _requeue(session: Session, stale: Sequence[Triaged]) -> None:
    for each in stale:
        act(session, REQUEUED, each.observation.id)


@record
class ReclaimCall:
    stale_after_days: int = 1
    preview: bool = False


@record
class Reclaimed:
    """The observations that are open again."""

    requeued: tuple[str, ...]
    preview: bool = False


def reclaim(session: Session, call: ReclaimCall) -> Reclaimed:
    decides(session)
    _check_days(session, call.stale_after_days)
    require_journal(session)
    stale = _stale(session, triaged(session), citing(board(session)), call.stale_after_days)
    if not call.preview:
        _requeue(session, stale)
    return Reclaimed(tuple(each.observation.id for each in stale), call.preview)


@record
class ArchiveCall:
    observations: tuple[str, ...] = ()
    reason: str = ""


@record
class Archived:
    archived: tuple[str, ...]


def archive(session: Session, call: ArchiveCall) -> Archived:
    """All of them or none; one that an open proposal rests on stays."""
    decides(session)
    if not call.observations:
        raise UsageError("name the observations", hint="see: gitmem observations list")
    reason = spoken("reason", call.reason)
    require_journal(session)
    rows = triaged(session)
    wanted = list(dict.fromkeys(named(rows, text).observation.id for text in call.observations))
    states = {each.observation.id: each.state for each in rows}
    known = citing(board(session))
    for id_ in wanted:
        standing = known.get(id_)
        if standing is not None and standing.status in PENDING:
            raise GitmemError(
                f"the open proposal {standing.proposal.id} rests on observation {id_}",
                hint="let it be decided first",
                place=id_,
                code="cited",
            )
    for id_ in wanted:
        if states[id_] != forms.ARCHIVED:
            act(session, ARCHIVED, id_, reason=reason)
    return Archived(tuple(wanted))
