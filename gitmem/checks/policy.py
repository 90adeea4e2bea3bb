"""What a change does to the rules by which changes are judged. Refuses to read them from what it judges."""

from gitmem.config import TRUST_HEAD, TRUST_SIGNED, Config
from gitmem.model.finding import Finding, Severity
from gitmem.store.layout import CONFIG

SIGNERS = "allowed_signers"
_BY_REMOTE, _BRANCH, _SIGNED = 1, 2, 3


def is_guarded(config: Config) -> bool:
    """Whether a change of the rules takes more than a commit."""
    return config.require_ledger or config.min_approvals > 0 or config.trust == TRUST_SIGNED


def loosened(before: Config, after: Config, *, is_allowed: bool) -> list[Finding]:
    """One finding that names every rule which the change makes weaker."""
    rules = []
    if _is_weaker(before.trust, after.trust):
        rules.append(f"trust, from {before.trust or 'the remote'} to {after.trust or 'the remote'}")
    if before.require_ledger and not after.require_ledger:
        rules.append("policy.require_ledger, from true to false")
    if after.min_approvals < before.min_approvals:
        rules.append(f"policy.min_approvals, from {before.min_approvals} to {after.min_approvals}")
    if not rules:
        return []
    message = f"the change loosens {'; '.join(rules)}; this range is judged by what was before"
    return [_finding("policy-loosened", CONFIG, message, is_allowed=is_allowed)]


def _is_weaker(before: str, after: str) -> bool:
    """Another branch is no tighter than the one that was named."""
    rank = {TRUST_HEAD: 0, "": _BY_REMOTE, TRUST_SIGNED: _SIGNED}
    old, new = rank.get(before, _BRANCH), rank.get(after, _BRANCH)
    return new < old or (old == new == _BRANCH and before != after)


def signers_changed(*, is_removed: bool, is_allowed: bool) -> Finding:
    what = "removes the list of signers" if is_removed else "changes who may sign"
    message = f"the change {what}; this range is judged by the signers before"
    return _finding("signer-added", SIGNERS, message, is_allowed=is_allowed)


def _finding(code: str, rel: str, message: str, *, is_allowed: bool) -> Finding:
    if is_allowed:
        return Finding(code, Severity.WARNING, rel, 0, message, "whoever merges this decides on it: look at it apart")
    hint = "the policy before asks for a decision on record: propose this change, have it approved, and let it land"
    return Finding(code, Severity.ERROR, rel, 0, message, hint)
