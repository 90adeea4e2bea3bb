"""What is amiss in a clone and in its knowledge, and how to mend it. Refuses to mend what a person may want so.

Each check is a row: where it looks, and what mends it, both as text, so that one may lie in any room.
"""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.answers import examined
from gitmem.answers.examined import Examined
from gitmem.answers.reading import check_ours, not_initialised
from gitmem.answers.session import Session, decides
from gitmem.errors import GitmemError, UsageError
from gitmem.lazy import load
from gitmem.model.finding import Finding, Severity
from gitmem.model.health import IndexHealth
from gitmem.record import record
from gitmem.store import objects
from gitmem.store.repo import FOLDER, Repo

# Looks at the clone, at the knowledge, at what takes seconds, and at what people ask for and do not find.
CLONE, KNOWLEDGE, SLOW, GAPS = "clone", "knowledge", "slow", "gaps"


@record
class Check:
    """``look`` names a function from the session to findings; ``mend`` one to what it did, '' where nothing is safe."""

    look: str
    mend: str = ""
    of: str = CLONE
    is_of_driver: bool = False


CHECKS = (
    Check("gitmem.answers.ailments:landing", "gitmem.answers.remedies:landing"),
    Check("gitmem.answers.ailments:locks", "gitmem.answers.remedies:locks"),
    Check("gitmem.answers.ailments:leftovers", "gitmem.answers.remedies:leftovers"),
    Check("gitmem.answers.ailments:cache"),
    Check("gitmem.answers.ailments:derived", "gitmem.answers.remedies:derived"),
    Check("gitmem.answers.soundness:ailments", "gitmem.answers.soundness:mend"),
    Check("gitmem.answers.ailments:trusted"),
    Check("gitmem.answers.ailments:refspecs"),
    Check("gitmem.answers.ailments:attributes", "gitmem.answers.remedies:attributes"),
    Check("gitmem.answers.ailments:driver", "gitmem.answers.remedies:driver", is_of_driver=True),
    Check("gitmem.hooks.ailments:hooks", "gitmem.hooks.ailments:mend"),
    Check("gitmem.upkeep.ailments:runs"),
    Check("gitmem.answers.private:ailments"),
    Check("gitmem.answers.index_health:ailments"),
    Check("gitmem.answers.ailments:knowledge", of=KNOWLEDGE),
    Check("gitmem.upkeep.ailments:edges", of=KNOWLEDGE),
    Check("gitmem.answers.contradictions:overdue", of=KNOWLEDGE),
    Check("gitmem.upkeep.skills:ailments", of=KNOWLEDGE),
    Check("gitmem.upkeep.ailments:twins", of=SLOW),
    Check("gitmem.upkeep.ailments:claims", of=SLOW),
    Check("gitmem.upkeep.ailments:rules", of=SLOW),
    Check("gitmem.upkeep.ailments:items", of=SLOW),
    Check("gitmem.upkeep.ailments:together", of=SLOW),
    Check("gitmem.answers.gaps:gaps", of=GAPS),
)


@record
class DoctorCall:
    """``full``: with all that takes seconds; ``incremental``: the same, less what the last full report says already;
    ``last``: that report, and nothing is looked at. ``gaps``: with what people ask for and do not find."""

    fix: bool = False
    without_driver: bool = False
    full: bool = False
    incremental: bool = False
    gaps: bool = False
    last: bool = False


def doctor(session: Session, call: DoctorCall) -> Examined:
    """Every check; with ``fix`` what it found is mended where that is safe, and looked at again."""
    _check_call(session, call)
    if call.fix:
        decides(session)
    repo = session.place.repo
    check_ours(repo)
    if not _is_started(repo):
        return Examined(warnings=(not_initialised(),))
    if call.last:
        return examined.last(session.place)
    fixed: list[str] = []
    findings: list[Finding] = []
    for check in CHECKS:
        if not _is_left_out(check, call):
            findings += _of_check(session, check, call, fixed)
    findings = list(dict.fromkeys(findings))
    if call.full:
        examined.keep(session, findings)
    findings, known = examined.fresh(session.place, findings) if call.incremental else (findings, ())
    listed, more = examined.listed(findings)
    index: IndexHealth | None = load("gitmem.answers.index_health:health")(session)
    return Examined(tuple(listed), tuple(fixed), (*known, *more), index=index)


def _check_call(session: Session, call: DoctorCall) -> None:
    kinds = [name for name in ("full", "incremental", "last") if getattr(call, name)]
    if len(kinds) > 1 or (call.last and call.fix):
        names = [session.word(f"--{name}", name) for name in (*kinds, *(["fix"] if call.last and call.fix else []))]
        raise UsageError(f"{' and '.join(names)} exclude each other", hint="one of them")


def _is_left_out(check: Check, call: DoctorCall) -> bool:
    if check.is_of_driver and call.without_driver:
        return True
    return (check.of == SLOW and not (call.full or call.incremental)) or (check.of == GAPS and not call.gaps)


def _of_check(session: Session, check: Check, call: DoctorCall, fixed: list[str]) -> list[Finding]:
    found = _looked(session, check)
    if found and call.fix and check.mend:
        return _mended(session, check, fixed) or _looked(session, check)
    return found


def _is_started(repo: Repo) -> bool:
    is_on_disk = repo.root is not None and (repo.root / FOLDER).is_dir()
    return is_on_disk or objects.look_up(repo, [f"HEAD:{FOLDER}"])[0] is not None


def _looked(session: Session, check: Check) -> list[Finding]:
    try:
        found: Iterable[Finding] = load(check.look)(session)
        return list(found)
    except GitmemError as err:
        return [_as_finding(err)]


def _mended(session: Session, check: Check, fixed: list[str]) -> list[Finding]:
    """Why it could not be mended."""
    try:
        fixed += load(check.mend)(session)
    except GitmemError as err:
        return [_as_finding(err)]
    return []


def _as_finding(err: GitmemError) -> Finding:
    return Finding(err.code, Severity.ERROR, err.place, 0, err.message, err.hint)
