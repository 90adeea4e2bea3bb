"""Runs stages of upkeep: one that is named, or those that are due, one process at a time. Refuses to edit knowledge."""

from __future__ import annotations

from gitmem.answers.reading import ask, read
from gitmem.answers.session import Session, decides
from gitmem.errors import GitmemError, UsageError
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import lock, objects
from gitmem.store.git import GitError
from gitmem.store.layout import Place as In
from gitmem.store.layout import place_of
from gitmem.upkeep import runs
from gitmem.upkeep.report import StageReport, failed
from gitmem.upkeep.schedule import DEEP, LIGHT, REM, STAGES, Last, due

SETTING = "gitmem.upkeep"
LOCK = "upkeep"
_OFF = ("off", "false", "no", "0")
RUN = {LIGHT: "gitmem.upkeep.light:run", DEEP: "gitmem.upkeep.deep:run", REM: "gitmem.upkeep.rem:run"}


@record
class MaintainCall:
    """``stage``: this one, now; ``due``: those whose time has come."""

    stage: str = ""
    due: bool = False
    dry_run: bool = False


@record
class Maintained:
    """The reports in the order in which the stages ran; none where nothing was due."""

    stages: tuple[StageReport, ...]
    dry_run: bool = False
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 1 if any(each.is_failed for each in self.stages) else 0


def is_on(session: Session) -> bool:
    """Whether upkeep may run by itself here: ``git config gitmem.upkeep off`` says no."""
    return session.place.git_config.get(SETTING, ("on",))[-1].lower() not in _OFF


def maintain(session: Session, call: MaintainCall) -> Maintained:
    decides(session)
    _check(session, call)
    if call.due and not is_on(session):
        notice = Notice(
            "upkeep-off", f"git config {SETTING} is off here", hint="one stage by hand: gitmem maintain light"
        )
        return Maintained((), call.dry_run, (notice,))
    if call.dry_run:
        return _maintained(session, call)
    try:
        with lock.held(session.place.repo, LOCK, timeout_s=0):
            return _maintained(session, call)
    except lock.LockBusyError as err:
        if err.place != str(lock.lock_path(session.place.repo, LOCK)):
            raise
        notice = Notice("upkeep-running", "another process is at it already", err.place, "it goes on by itself")
        return Maintained((), call.dry_run, (notice,))


def _check(session: Session, call: MaintainCall) -> None:
    if call.stage and call.stage not in STAGES:
        raise UsageError(f"unknown stage {call.stage[:40]!r}", hint=f"one of: {', '.join(reversed(STAGES))}")
    if bool(call.stage) == call.due:
        example = session.word("gitmem maintain light, or gitmem maintain --due", "stage: light, or due: true")
        raise UsageError("say which stage to run, or that those which are due shall run", hint=example)


def _maintained(session: Session, call: MaintainCall) -> Maintained:
    reading = read(session.place)
    if not reading.tree:
        return Maintained((), call.dry_run, reading.warnings)
    stages = due_now(session) if call.due else (call.stage,)
    return Maintained(tuple(_ran(session, stage, is_dry=call.dry_run) for stage in stages), call.dry_run)


def due_now(session: Session) -> tuple[str, ...]:
    last = runs.last_runs(session.place)
    return due(last, session.now, _fresh_importance(session, last.get(REM)))


def _fresh_importance(session: Session, last: Last | None) -> float:
    """The sum over the engrams that are in the trusted tree since that run; 0 where it is due in any case, or where
    what it saw is gone."""
    reading = read(session.place)
    if last is None or not last.tree or last.tree == reading.tree or not reading.tree:
        return 0.0
    try:
        changes = objects.diff_trees(session.place.repo, last.tree, reading.tree)
    except GitError:
        return 0.0
    rels = [change.rel for change in changes if not change.old_oid and place_of(change.rel) is In.ENGRAM]

    def total(knowledge: Knowledge) -> float:
        cards = (knowledge.at_path(rel) for rel in rels)
        return sum(card.importance for card in cards if card is not None and card.id)

    return ask(reading, total)[0]


def _ran(session: Session, stage: str, *, is_dry: bool) -> StageReport:
    """One stage; that it failed keeps no other one from running."""
    tree = read(session.place).tree
    report = _report(session, stage, is_dry=is_dry)
    if not is_dry:
        runs.keep(session, report, tree)
    return report


def _report(session: Session, stage: str, *, is_dry: bool) -> StageReport:
    try:
        report: StageReport = load(RUN[stage])(session, is_dry=is_dry)
    except GitmemError as err:
        return failed(stage, err, is_dry=is_dry)
    return report
