"""How far an engram is borne out, in five measured dimensions. Refuses calendar age and counts of tags as reasons.

Each dimension is from 0 to 1, and .5 where nothing was measured, but for cross-context: knowledge that nobody has used
with success has none of it.
"""

from collections.abc import Iterable, Sequence
from math import fsum
from types import MappingProxyType

from gitmem.model.truth import Part, Truth
from gitmem.model.verification import REFUTED, VERIFIED, above
from gitmem.model.vocabulary import CONFIDENCE_BY_SOURCE
from gitmem.record import record

CROSS_CONTEXT, TIME_STABLE, MUTUAL_SUPPORT = "cross-context", "time-stable", "mutual-support"
SOURCE_RELIABILITY, EXECUTABLE = "source-reliability", "executable"
WEIGHTS = MappingProxyType(
    {CROSS_CONTEXT: 0.25, TIME_STABLE: 0.20, MUTUAL_SUPPORT: 0.20, SOURCE_RELIABILITY: 0.15, EXECUTABLE: 0.20}
)
UNMEASURED = 0.5
# Of each facet of use, so many are as good as more.
_CONTEXTS_ENOUGH = 3
# The half of what is still open is gone after so many survived commits.
_COMMITS_HALF = 3
_DIGITS = 6
SAMPLES_LEAST = 3
UNRELIABLE = 0.4
VERIFY_LEAST, VERIFY_AGE_DAYS, STEP_LEAST, REFUTE_BELOW = 0.85, 7, 0.70, 0.30


@record
class Used:
    """In how many different contexts it was used with success."""

    domains: int = 0
    authors: int = 0
    areas: int = 0


@record
class Held:
    """One claim: whether it ``holds``, and how many commits to its file it has survived, or how many there were since
    it last held."""

    holds: bool
    commits: int


@record
class Record:
    """What became of an author's knowledge: it proved ``effective``, or ``failed``."""

    effective: int = 0
    failed: int = 0

    @property
    def reliability(self) -> float:
        """effective / (effective + failed); .5 under 3 samples."""
        count = self.effective + self.failed
        return self.effective / count if count >= SAMPLES_LEAST else UNMEASURED

    @property
    def is_unreliable(self) -> bool:
        return self.reliability < UNRELIABLE


def cross_context(used: Used) -> float:
    """The mean over domains, authors and code areas of min(n, 3) / 3."""
    return _mean([min(n, _CONTEXTS_ENOUGH) / _CONTEXTS_ENOUGH for n in (used.domains, used.authors, used.areas)])


def time_stable(claims: Sequence[Held]) -> float:
    """The mean over claims: 1 - .5 * 2^(-n/3) for one that holds after n commits, .5 * 2^-n for one that has not held
    for n."""
    if not claims:
        return UNMEASURED
    return _mean([_stability(claim) for claim in claims])


def _stability(claim: Held) -> float:
    return 1 - 0.5 * 2 ** (-claim.commits / _COMMITS_HALF) if claim.holds else 0.5 * 2.0**-claim.commits


def mutual_support(support: float, contradiction: float) -> float:
    """(s + .5) / (s + c + 1), where s and c are sums over edges of weight times the neighbour's own truth."""
    return (support + 0.5) / (support + contradiction + 1)


def source_reliability(reliability: float, source_type: str) -> float:
    """The author's reliability, less for what is second hand (.65 / .85) or inferred (.5 / .85)."""
    return reliability * CONFIDENCE_BY_SOURCE[source_type] / CONFIDENCE_BY_SOURCE["firsthand"]


def executable(claims: Sequence[Held], checks: Iterable[bool]) -> float:
    """The mean of the share of claims that hold and of each check (verify block, test) that ran last."""
    parts = [float(passed) for passed in checks]
    parts += [_mean([float(claim.holds) for claim in claims])] if claims else []
    return _mean(parts) if parts else UNMEASURED


def own(scores: Sequence[float]) -> float:
    """Truth without its neighbours: what weighs it as a neighbour of others, so that nothing goes round in circles.

    ``scores`` are in the order of ``WEIGHTS``, that of mutual support aside.
    """
    weights = [weight for name, weight in WEIGHTS.items() if name != MUTUAL_SUPPORT]
    return fsum(score * weight for score, weight in zip(scores, weights, strict=True)) / fsum(weights)


def truth(rows: Iterable[tuple[str, float, str]], doubts: tuple[str, ...] = ()) -> Truth:
    """``rows`` are (dimension, score, what was counted)."""
    parts = tuple(Part(name, score, WEIGHTS[name], why) for name, score, why in rows)
    return Truth(round(fsum(part.score * part.weight for part in parts), _DIGITS), parts, doubts)


@record
class Measured:
    """What a recommendation rests on; ``age_days`` None: not known."""

    score: float
    status: str
    age_days: float | None
    is_contradicted: bool


def recommended(found: Measured) -> str:
    """The status to propose, one step from the one there is, or ''.

    At .85 and after 7 days the steps go on up to verified, at .70 up to probable; below .30 and contradicted: refuted.
    """
    if found.score < REFUTE_BELOW and found.is_contradicted and found.status != REFUTED:
        return REFUTED
    step = above(found.status) if found.status != REFUTED else ""
    is_old_enough = found.age_days is not None and found.age_days >= VERIFY_AGE_DAYS
    least = VERIFY_LEAST if step == VERIFIED else STEP_LEAST
    return step if found.score >= least and (step != VERIFIED or is_old_enough) else ""


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)
