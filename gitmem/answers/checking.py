"""What is wrong with the knowledge, for people, hooks and continuous integration. Refuses to change knowledge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from gitmem.answers.delta import Delta, between, staged
from gitmem.answers.verdict import Verdict
from gitmem.errors import UsageError
from gitmem.index import refresh
from gitmem.index.segments import DamagedError
from gitmem.lazy import load
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.session import Session
    from gitmem.index.knowledge import Knowledge

# What must be mended first: a double id makes references ambiguous, and a missing reference hides a circle.
_LISTED_MAX = 1000
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


@record
class Fixed:
    path: str
    what: str


@record
class Checked:
    """``findings`` come in the order in which they are best mended, the first thousand of ``total``.

    ``counts`` has errors, warnings, files judged.
    """

    findings: tuple[Finding, ...]
    total: int
    counts: Mapping[str, int]
    strict: bool = False
    fixed: tuple[Fixed, ...] = ()
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 1 if self.counts["errors"] or (self.strict and self.counts["warnings"]) else 0


def check(session: Session, call: CheckCall) -> Checked:
    """The whole tree with what is uncommitted; or only what a staged change or a range causes or touches."""
    if call.staged and call.range:
        raise UsageError("--staged and --range exclude each other", hint="the index against HEAD, or B against A")
    if call.fix and (call.staged or call.range):
        raise UsageError("--fix mends files of the work tree, not what is staged or committed", hint="run it bare")
    if call.staged:
        return _answer(call, _caused(staged(session)))
    if call.range:
        return _answer(call, _caused(between(session, call.range)))
    fixed = load("gitmem.answers.mending:mend")(session) if call.fix else ()
    return _answer(call, load("gitmem.answers.whole:whole")(session), fixed)


def _caused(delta: Delta | None) -> Verdict:
    if delta is None:
        return Verdict()
    judge: Callable[[Delta, Knowledge], Verdict] = load("gitmem.answers.caused:caused")
    opened = refresh.open_tree(delta.repo, delta.cache, delta.tree)
    try:
        return judge(delta, opened.knowledge)
    except DamagedError as damage:
        return judge(delta, refresh.again(delta.repo, delta.cache, delta.tree, damage).knowledge)


def _answer(call: CheckCall, verdict: Verdict, fixed: Iterable[Fixed] = ()) -> Checked:
    findings = tuple(sorted(set(verdict.findings), key=_rank))
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    counts = {"errors": errors, "warnings": len(findings) - errors, "files": verdict.files}
    return Checked(findings[:_LISTED_MAX], len(findings), counts, call.strict, tuple(fixed), verdict.warnings)


def _rank(finding: Finding) -> tuple[bool, int, str, int, str]:
    is_warning = finding.severity is Severity.WARNING
    return is_warning, _ORDER.get(finding.code, 0), finding.path, finding.line, finding.code + finding.message
