"""The ladder of verification: which step is one, and what it takes. Refuses clocks, files and measured figures.

unverified -> plausible -> probable -> verified, one step a decision; refuted from any of them, and from there back to
unverified. A condition may be overruled, a step never.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from types import MappingProxyType

from gitmem.model.evidence import AGAINST, REFUTATION, Evidence
from gitmem.model.moments import instant
from gitmem.model.vocabulary import VERIFICATIONS
from gitmem.record import record

UNVERIFIED, PLAUSIBLE, PROBABLE, VERIFIED, REFUTED = VERIFICATIONS
LADDER = VERIFICATIONS[:-1]
_NEVER = datetime.min.replace(tzinfo=UTC)


@record
class Condition:
    """Pieces of evidence, from so many domains, and days since it was recorded or last refuted."""

    evidence: int
    domains: int = 1
    age_days: int = 0


CONDITIONS = MappingProxyType({PLAUSIBLE: Condition(1), PROBABLE: Condition(2, 2), VERIFIED: Condition(3, 2, 7)})


@record
class Case:
    """What is known of one engram: ``domain`` is its own, ``created_at`` RFC 3339 or ''."""

    status: str
    evidence: tuple[Evidence, ...] = ()
    domain: str = ""
    created_at: str = ""


def above(status: str) -> str:
    """The next step up, '' from the top; a refuted one starts again at the bottom."""
    if status == REFUTED:
        return UNVERIFIED
    at = LADDER.index(status) + 1
    return LADDER[at] if at < len(LADDER) else ""


def steps(start: str, end: str) -> int:
    """How many decisions lead there at the least: up or down the ladder, at once to refuted, back over the bottom."""
    if REFUTED in (start, end):
        return int(start != end) if end == REFUTED else 1 + LADDER.index(end)
    return abs(LADDER.index(start) - LADDER.index(end))


def is_step(start: str, end: str) -> bool:
    """Whether one decision may lead there: a step up or down, a refutation, or the way back from one."""
    return steps(start, end) == 1


def support(case: Case) -> tuple[Evidence, ...]:
    """What speaks for it and is newer than the last refutation; the same words of the same person once."""
    refuted, behind = _last_refutation(case.evidence)
    found: dict[tuple[str, str], Evidence] = {}
    for at, each in enumerate(case.evidence):
        # Within one second the order of the list decides.
        if each.kind not in AGAINST and (_moment(each.at), at) > (refuted, behind):
            found.setdefault(each.identity, each)
    return tuple(found.values())


def opposing(case: Case) -> tuple[Evidence, ...]:
    """What speaks against it, but for what a refutation has used up that was answered since."""
    when = [((_moment(each.at), at), each) for at, each in enumerate(case.evidence)]
    last = max((moment for moment, each in when if each.kind not in AGAINST), default=(_NEVER, -1))
    answered = max((moment for moment, each in when if each.kind == REFUTATION and moment < last), default=(_NEVER, -1))
    return tuple(each for moment, each in when if each.kind in AGAINST and moment > answered)


def domains(case: Case) -> tuple[str, ...]:
    """Where what supports it was seen, sorted."""
    return tuple(sorted({each.domain or case.domain for each in support(case)}))


def age_days(case: Case, now: datetime) -> float | None:
    """Days since it was recorded, or since the last refutation; without either, since its first support."""
    refuted, _ = _last_refutation(case.evidence)
    known = [moment for moment in (_moment(case.created_at), refuted) if moment != _NEVER]
    if not known:
        known = sorted(_moment(each.at) for each in support(case) if _moment(each.at) != _NEVER)[:1]
    return (now - max(known)).total_seconds() / 86_400 if known else None


def missing(case: Case, end: str, now: datetime) -> tuple[str, ...]:
    """What still lacks for a step to ``end``, each in words; () when nothing does."""
    if end == REFUTED:
        return () if opposing(case) else ("evidence against it",)
    if case.status == REFUTED:
        return () if support(case) else ("evidence for it that is newer than the refutation",)
    if end not in CONDITIONS or LADDER.index(end) < LADDER.index(case.status):
        return ()
    wanted = CONDITIONS[end]
    return tuple(_lacking(case, wanted, now))


def _lacking(case: Case, wanted: Condition, now: datetime) -> Sequence[str]:
    count, seen, age = len(support(case)), domains(case), age_days(case, now)
    found = []
    if count < wanted.evidence:
        pieces = "piece" if wanted.evidence == 1 else "pieces"
        found.append(f"{wanted.evidence} {pieces} of evidence (it has {count})")
    if len(seen) < wanted.domains and wanted.domains > 1:
        found.append(f"evidence from {wanted.domains} domains (it has {', '.join(filter(None, seen)) or 'none'})")
    if wanted.age_days and (age is None or age < wanted.age_days):
        known = "its age is not known" if age is None else f"it has {max(0, int(age))}"
        found.append(f"{wanted.age_days} days since it was recorded or refuted ({known})")
    return found


def _last_refutation(evidence: Sequence[Evidence]) -> tuple[datetime, int]:
    """When, and at which place of the list."""
    found = [(_moment(each.at), at) for at, each in enumerate(evidence) if each.kind == REFUTATION]
    return max(found, default=(_NEVER, -1))


def _moment(text: str) -> datetime:
    return (instant(text) if text else None) or _NEVER
