"""What is wrong with the knowledge, for people, hooks and continuous integration. Refuses to change knowledge."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.answers.delta import Delta, staged
from gitmem.answers.verdict import Verdict
from gitmem.errors import UsageError
from gitmem.index import refresh
from gitmem.index.segments import DamagedError
from gitmem.lazy import load
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.session import Session
    from gitmem.config import Config
    from gitmem.index.knowledge import Knowledge
    from gitmem.model.effect import Effect

TEXT, JSON, SARIF, MARKDOWN, PATCH = "text", "json", "sarif", "markdown", "patch"
FORMATS = (TEXT, JSON, SARIF, MARKDOWN, PATCH)
# What must be mended first: a double id makes references ambiguous, and a missing reference hides a circle.
_LISTED_MAX = 1000
# Of more files contradictions are looked for only when somebody asks: sketching them takes a second.
_SMALL_FILES = 500
_ORDER = {
    "duplicate-id": 1,
    "path-case": 1,
    "requires-missing": 2,
    "requires-ambiguous": 2,
    "synapse-end-missing": 2,
    "requires-cycle": 3,
}


@record
class CheckCall:
    staged: bool = False
    range: str = ""
    fix: bool = False
    strict: bool = False
    alike: bool = False
    format: str = TEXT


@record
class Owner:
    """A changed rule, its file, and who owns the paths that it is about, by which patterns of the owner file."""

    item: str
    path: str
    owners: tuple[str, ...]
    patterns: tuple[str, ...]


@record
class Fixed:
    path: str
    what: str


@record
class Checked:
    """``findings`` come in the order in which they are best mended, the first thousand of ``total``.

    ``counts`` has errors, warnings, files judged. Of a range: ``owners`` must approve what it changes, ``effect`` is
    what it means (only in the formats that show it), ``patch`` what --fix would do. ``format`` is None where the
    surface chooses it.
    """

    findings: tuple[Finding, ...]
    total: int
    counts: Mapping[str, int]
    strict: bool = False
    fixed: tuple[Fixed, ...] = ()
    warnings: tuple[Notice, ...] = ()
    owners: tuple[Owner, ...] | None = None
    effect: Effect | None = None
    patch: str | None = None
    format: str | None = None

    @property
    def is_idle(self) -> bool:
        """Whether there was nothing to look at and there is nothing to say."""
        return not (self.counts["files"] or self.findings or self.warnings or self.fixed or self.owners or self.format)

    @property
    def exit_code(self) -> int:
        return 1 if self.counts["errors"] or (self.strict and self.counts["warnings"]) else 0


def check(session: Session, call: CheckCall) -> Checked:
    """The whole tree with what is uncommitted; or only what a staged change or a range causes or touches."""
    _check_call(call)
    if call.range:
        of_range: Checked = load("gitmem.answers.ranged:ranged")(session, call)
        return of_range
    if call.staged:
        change = staged(session)
        return answered(call, compared(session, call, judged(change), change))
    fixed = load("gitmem.answers.mending:mend")(session) if call.fix else ()
    verdict = compared(session, call, load("gitmem.answers.whole:whole")(session))
    return replace(answered(call, verdict), fixed=fixed)


def _check_call(call: CheckCall) -> None:
    if call.staged and call.range:
        raise UsageError("--staged and --range exclude each other", hint="the index against HEAD, or B against A")
    if call.fix and call.staged:
        raise UsageError("--fix mends files of the work tree, not what is staged", hint="run it bare")
    if call.format not in FORMATS:
        raise UsageError(f"unknown format {call.format!r}", hint=f"one of: {', '.join(FORMATS)}")
    if call.format == PATCH and not (call.fix and call.range):
        raise UsageError("a patch is what --fix would do about a range", hint="add --range A..B --fix")


def judged(delta: Delta | None, settings: Config | None = None) -> Verdict:
    """What a change causes or touches; ``settings`` count in place of those that it starts from."""
    if delta is None:
        return Verdict()
    change, judge = delta, load("gitmem.answers.caused:caused")

    def verdict(before: Knowledge) -> Verdict:
        found: Verdict = judge(change, replace(before, settings=settings) if settings else before)
        return found

    opened = refresh.open_tree(change.repo, change.cache, change.tree)
    try:
        return verdict(opened.knowledge)
    except DamagedError as damage:
        return verdict(refresh.again(change.repo, change.cache, change.tree, damage).knowledge)


def compared(session: Session, call: CheckCall, verdict: Verdict, change: Delta | None = None) -> Verdict:
    """With what contradicts another engram, where that costs little or is asked for; and then with what repeats one."""
    is_whole = not (call.staged or call.range)
    if not call.alike and is_whole and verdict.files <= _SMALL_FILES:
        against: tuple[Finding, ...] = load("gitmem.answers.repeats:opposed")(session)
        return replace(verdict, findings=(*verdict.findings, *against))
    if not call.alike:
        return verdict
    given = (session,) if is_whole else (session, change)
    found = load(f"gitmem.answers.repeats:{'of_tree' if is_whole else 'of_change'}")(*given)
    return Verdict((*verdict.findings, *found.findings), verdict.files, (*verdict.warnings, *found.warnings))


def answered(call: CheckCall, verdict: Verdict) -> Checked:
    """The findings in their order, counted, and in the format that the call names."""
    findings = tuple(sorted(set(verdict.findings), key=_rank))
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    counts = {"errors": errors, "warnings": len(findings) - errors, "files": verdict.files}
    shown = call.format if call.format in (SARIF, MARKDOWN, PATCH) else None
    listed = findings[:_LISTED_MAX]
    return Checked(listed, len(findings), counts, call.strict, warnings=verdict.warnings, format=shown)


def _rank(finding: Finding) -> tuple[bool, int, str, int, str]:
    is_warning = finding.severity is Severity.WARNING
    return is_warning, _ORDER.get(finding.code, 0), finding.path, finding.line, finding.code + finding.message
