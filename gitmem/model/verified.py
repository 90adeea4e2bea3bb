"""What a change was found to break, as values. Refuses to judge."""

from collections.abc import Mapping
from types import MappingProxyType

from gitmem.model.claimed import Drift
from gitmem.model.finding import Notice
from gitmem.model.impact import Affected
from gitmem.record import record

PASS, FAIL, NOTHING = "pass", "fail", "nothing-to-check"
# Where no rule could be read that is trusted, silence would pass for a verdict.
_UNTRUSTED = frozenset({"trusted-ref-missing", "trust-unknown", "cannot-verify", "signers-root-missing"})


@record
class Violation:
    """``rule`` is the id of the engram whose block asks for it; ``line`` is of the new content, 1-based."""

    rule: str
    slug: str
    check: str
    path: str
    line: int
    evidence: str
    hint: str

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


@record
class Unjudged:
    """What no check could look at, and why; ``rule`` is '' where that goes for all rules."""

    path: str
    reason: str
    rule: str = ""
    check: str = ""


@record
class Last:
    """A verdict that was given before: about what, when, and whether it ``holds``; ``why`` says why it does not."""

    source: str
    when: str
    holds: bool
    why: str = ""


@record
class Verified:
    """``violations`` are the first of ``total``, ``skipped`` the first of ``skipped_total``; ``counts`` has the files
    of the change, and how many rules with how many checks judged them.

    ``drifted`` are claims that held before the change; ``affected_tests`` are to be run first, not alone. ``last`` is
    there when an earlier verdict was asked for, ``pruned`` when old ones were removed. ``format`` is None where the
    surface chooses it.
    """

    verdict: str
    violations: tuple[Violation, ...] = ()
    total: int = 0
    drifted: tuple[Drift, ...] = ()
    affected_tests: tuple[Affected, ...] = ()
    cached: bool = False
    counts: Mapping[str, int] = MappingProxyType({})
    skipped: tuple[Unjudged, ...] = ()
    skipped_total: int = 0
    warnings: tuple[Notice, ...] = ()
    last: Last | None = None
    pruned: int | None = None
    format: str | None = None

    @property
    def exit_code(self) -> int:
        return 1 if self.verdict == FAIL else 0

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing that a hook should say."""
        return not (self.violations or self.drifted or any(each.code in _UNTRUSTED for each in self.warnings))
