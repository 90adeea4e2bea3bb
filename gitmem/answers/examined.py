"""What the doctor found, and the last full report as it is kept beside the caches. Refuses to look for anything."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from gitmem.answers.reading import Place, Session
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.model.health import IndexHealth
from gitmem.model.moments import rfc3339
from gitmem.record import record
from gitmem.store import cache as caches

_KEPT = "doctor-1.json"
# Of one kind; further ones are counted.
_LISTED_MOST = 20


@record
class Examined:
    """``findings`` are what is left to mend, the first of each kind, and ``fixed`` what ``--fix`` did; ``at`` is when a
    report that was kept was made, RFC 3339. ``index`` tells where this runs and how the index of the code stands."""

    findings: tuple[Finding, ...] = ()
    fixed: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()
    at: str | None = None
    index: IndexHealth | None = None

    @property
    def exit_code(self) -> int:
        return 1 if any(finding.severity is Severity.ERROR for finding in self.findings) else 0


@record
class _Kept:
    at: str
    findings: tuple[Finding, ...]


def keep(session: Session, findings: Iterable[Finding]) -> None:
    """Where nothing can be kept the next full report is made in full."""
    rows = [[f.code, f.severity.value, f.path, f.line, f.message, f.hint, f.item] for f in findings]
    kept = [rfc3339(session.now), rows]
    caches.save(session.place.cache, _KEPT, json.dumps(kept).encode("utf-8", "surrogatepass"))


def _load(place: Place) -> _Kept | None:
    data = caches.load(place.cache, _KEPT)
    if data is None:
        return None
    at, rows = json.loads(data)
    findings = (Finding(c, Severity(s), path, line, m, h, item) for c, s, path, line, m, h, item in rows)
    return _Kept(at, tuple(findings))


def listed(findings: Sequence[Finding]) -> tuple[list[Finding], tuple[Notice, ...]]:
    """The first of each kind, errors first, and how many there are besides."""
    seen: Counter[str] = Counter()
    kept = []
    for finding in sorted(findings, key=lambda each: each.severity is not Severity.ERROR):
        seen[finding.code] += 1
        kept += [finding] if seen[finding.code] <= _LISTED_MOST else []
    more = {code: count - _LISTED_MOST for code, count in seen.items() if count > _LISTED_MOST}
    rows = (Notice("more-findings", f"{count} more of {code}", hint="mend these first") for code, count in more.items())
    return kept, tuple(rows)


def last(place: Place) -> Examined:
    kept = _load(place)
    if kept is None:
        return Examined(warnings=(Notice("no-report", "no full report is kept here", hint="gitmem doctor --full"),))
    found, more = listed(kept.findings)
    return Examined(tuple(found), warnings=more, at=kept.at)


def fresh(place: Place, findings: Sequence[Finding]) -> tuple[list[Finding], tuple[Notice, ...]]:
    """Those that the last full report does not have, and how many it has; all where none is kept."""
    kept = _load(place)
    known = frozenset(kept.findings) if kept else frozenset()
    found = [each for each in findings if each not in known]
    if len(found) == len(findings):
        return found, ()
    message = f"{len(findings) - len(found)} finding(s) are in the report of {kept.at if kept else ''} already"
    return found, (Notice("known-findings", message, hint="gitmem doctor --last"),)
