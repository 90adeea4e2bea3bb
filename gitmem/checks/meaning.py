"""What each side of a merge may have meant well and both together do not mean. Refuses to look anything up."""

from collections.abc import Sequence

from gitmem.checks.references import Named
from gitmem.checks.spotted import Spotted
from gitmem.model.finding import Finding, Severity

_SHOWN = 5


def still_active(item: Named, by: Named) -> Spotted:
    """``by`` supersedes ``item``, and both are served."""
    message = f"superseded by {by.slug} ({by.id}), and still active: readers get both"
    hint = f"gitmem edit {item.id} status superseded, or take the edge out"
    return Spotted(Finding("superseded-active", Severity.WARNING, item.path, 0, message, hint, item.id), "status")


def refuted(item: Named, others: Sequence[Named]) -> Spotted:
    """``others`` are live engrams that an edge joins to one that was refuted."""
    named = ", ".join(each.slug for each in others[:_SHOWN]) + (", ..." if len(others) > _SHOWN else "")
    message = f"refuted, and edges still join it to {named}"
    hint = "say what replaces it, or take these edges out: gitmem unlink"
    found = Finding("refuted-in-use", Severity.WARNING, item.path, 0, message, hint, item.id)
    return Spotted(found, "verification", "refuted")


def skipped(item: Named, before: str, after: str, decided: int) -> Spotted:
    """More steps of verification than somebody decided."""
    message = f"from {before} to {after} is more than one step, and {decided or 'no'} decision(s) made it so"
    hint = f"put back verification.status: {before}; then: gitmem verification set {item.slug} STATUS, step by step"
    found = Finding("verification-step", Severity.ERROR, item.path, 0, message, hint, item.id)
    return Spotted(found, "verification", after)


def without_tags(item: Named) -> Spotted:
    """It had tags before."""
    message = "no tags are left: each side may have removed another one"
    hint = f"gitmem edit {item.id} tags --add TAG"
    return Spotted(Finding("empty-tags", Severity.WARNING, item.path, 0, message, hint, item.id), "tags")
