"""What one run of a stage found and proposed, as a value. Refuses to know how it was found."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.errors import GitmemError
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.record import field, record


@record
class Line:
    """One draft. ``outcome``: proposed, waits, dismissed, left for a later run, '' in a dry run; ``items`` are ids."""

    stage: str
    rule: str
    title: str
    items: tuple[str, ...]
    why: str = ""
    outcome: str = ""
    proposal: str = ""


@record
class StageReport:
    """``closed`` are proposals of earlier runs that nothing asks for any more, ``left`` how many drafts a later run
    proposes, ``bundle`` the id that those of this run share; ``counts`` are what else was done, by name. ``is_failed``:
    it stopped half-way, and goes on where it was when it runs again. ``is_examined``: the
    doctor's findings are among these. ``until``: see ``schedule.Last``."""

    stage: str
    lines: tuple[Line, ...] = ()
    findings: tuple[Finding, ...] = ()
    closed: tuple[str, ...] = ()
    left: int = 0
    bundle: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    is_failed: bool = False
    dry_run: bool = False
    warnings: tuple[Notice, ...] = ()
    until: str = ""
    is_examined: bool = False

    @property
    def proposed(self) -> tuple[str, ...]:
        return tuple(line.proposal for line in self.lines if line.outcome == "proposed")


def failed(stage: str, err: GitmemError, *, is_dry: bool) -> StageReport:
    """What is left of a run that an error stopped."""
    finding = Finding(err.code, Severity.ERROR, err.place, 0, f"{stage} stopped: {err.message}", err.hint)
    return StageReport(stage, findings=(finding,), is_failed=True, dry_run=is_dry)
