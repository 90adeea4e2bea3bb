"""What upkeep did, as a reader sees it: one line a proposal. Refuses to leave out that a list is cut."""

from __future__ import annotations

from gitmem.render.checked import in_a_line, readable
from gitmem.render.notices import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.model.finding import Finding
    from gitmem.upkeep.maintain import Maintained
    from gitmem.upkeep.report import Line, StageReport
    from gitmem.upkeep.watch import Watched

_SHOWN = 30


def maintained(result: Maintained) -> str:
    lines = [line for each in result.stages for line in _stage(each)] + notes("warning", result.warnings)
    return readable("\n".join(lines or ["nothing is due"]))


def _stage(report: StageReport) -> list[str]:
    rows: list[str] = []
    for name, found in _groups(report).items():
        rows += [f"  {name}: {len(found)}", *_cut([f"    {_row(line)}" for line in found])]
    closed = [f"  withdrawn, since nothing asks for it any more: {id_}" for id_ in report.closed[:_SHOWN]]
    left = [f"  {report.left} more wait until some of these are decided"] if report.left else []
    bundle = [f"  all of them: gitmem proposals list --bundle {report.bundle}"] if report.bundle else []
    seen = _findings(report)
    done = ["  nothing to propose"] if not (rows or closed or seen) else []
    head = f"{report.stage}{' (nothing was written)' if report.dry_run else ''}"
    return [head, *rows, *left, *bundle, *closed, *seen, *done, *notes("warning", report.warnings)]


def _groups(report: StageReport) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for line in report.lines:
        found.setdefault(f"{line.stage} {line.rule}", []).append(line)
    return found


def _row(line: Line) -> str:
    outcome = {"proposed": line.proposal, "": "would be proposed"}.get(line.outcome, f"{line.outcome} {line.proposal}")
    return in_a_line(f"{line.title} [{outcome.strip()}]{': ' + line.why if line.why else ''}")


def _findings(report: StageReport) -> list[str]:
    """How many there are of each kind, and the first one with what to do about it."""
    kinds: dict[str, list[Finding]] = {}
    for finding in report.findings:
        kinds.setdefault(finding.code, []).append(finding)
    rows = [
        row for code, found in sorted(kinds.items()) for row in (f"  found {code}: {len(found)}", *_first(found[0]))
    ]
    return [*rows, "  all that the doctor found: gitmem doctor --last"] if rows and report.is_examined else rows


def _first(finding: Finding) -> list[str]:
    place = f"{finding.place}: " if finding.place else ""
    hint = [f"      hint: {in_a_line(finding.hint)}"] if finding.hint else []
    return [f"    {in_a_line(place + finding.message)}", *hint]


def _cut(rows: list[str]) -> list[str]:
    return [*rows[:_SHOWN], *([f"    and {len(rows) - _SHOWN} more"] if len(rows) > _SHOWN else [])]


def watched(result: Watched) -> str:
    return readable("\n".join([f"ran {result.runs} time(s)", *notes("warning", result.warnings)]))
