"""What is amiss in a clone rather than in its knowledge, and how to mend it. Refuses to mend what a person may want so.

Each check is a row: where it looks, and what mends it, both as text, so that one may lie in any room.
"""

from collections.abc import Iterable

from gitmem.answers.reading import check_ours, not_initialised
from gitmem.answers.session import Session, decides
from gitmem.errors import GitmemError
from gitmem.lazy import load
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.record import record
from gitmem.store import objects
from gitmem.store.repo import FOLDER, Repo


@record
class Check:
    """``look`` names a function from the session to findings; ``mend`` one to what it did, '' where nothing is safe."""

    look: str
    mend: str = ""
    is_of_driver: bool = False


CHECKS = (
    Check("gitmem.answers.ailments:landing", "gitmem.answers.remedies:landing"),
    Check("gitmem.answers.ailments:locks", "gitmem.answers.remedies:locks"),
    Check("gitmem.answers.ailments:leftovers", "gitmem.answers.remedies:leftovers"),
    Check("gitmem.answers.ailments:cache"),
    Check("gitmem.answers.soundness:ailments", "gitmem.answers.soundness:mend"),
    Check("gitmem.answers.ailments:trusted"),
    Check("gitmem.answers.ailments:refspecs"),
    Check("gitmem.answers.ailments:attributes", "gitmem.answers.remedies:attributes"),
    Check("gitmem.answers.ailments:driver", "gitmem.answers.remedies:driver", is_of_driver=True),
    Check("gitmem.hooks.ailments:hooks", "gitmem.hooks.ailments:mend"),
)


@record
class DoctorCall:
    fix: bool = False
    without_driver: bool = False


@record
class Examined:
    """``findings`` are what is left to mend, ``fixed`` what ``--fix`` did."""

    findings: tuple[Finding, ...] = ()
    fixed: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 1 if any(finding.severity is Severity.ERROR for finding in self.findings) else 0


def doctor(session: Session, call: DoctorCall) -> Examined:
    """Every check; with ``fix`` what it found is mended where that is safe, and looked at again."""
    if call.fix:
        decides(session)
    repo = session.place.repo
    check_ours(repo)
    if not _is_started(repo):
        return Examined(warnings=(not_initialised(),))
    findings: list[Finding] = []
    fixed: list[str] = []
    for check in CHECKS:
        if check.is_of_driver and call.without_driver:
            continue
        found = _looked(session, check)
        if found and call.fix and check.mend:
            refusal = _mended(session, check, fixed)
            found = refusal or _looked(session, check)
        findings += found
    return Examined(tuple(findings), tuple(fixed))


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
