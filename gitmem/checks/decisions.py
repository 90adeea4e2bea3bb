"""What may not happen to the record of decisions: ledger and approvals only grow. Refuses to read their content."""

from collections.abc import Iterable

from gitmem.model.finding import Finding, Severity
from gitmem.store.layout import Place, place_of
from gitmem.store.objects import Change

_KEPT = {Place.LEDGER: "ledger entry", Place.ROLL: "ledger entry", Place.APPROVAL: "approval"}


def findings(changes: Iterable[Change]) -> list[Finding]:
    """Deleted and edited entries among ``changes``, whose paths are below ``.gitmem``."""
    found = []
    for change in changes:
        what = _KEPT.get(place_of(change.rel))
        if what is not None and change.old_oid:
            found.append(_deleted(change.rel, what) if not change.new_oid else _edited(change.rel, what))
    return found


def _deleted(rel: str, what: str) -> Finding:
    code = f"{what.split()[0]}-deleted"
    message = f"the {what} is deleted; what was decided stays on record"
    hint = f"bring it back: git checkout HEAD -- .gitmem/{rel}; a decision is undone by another one"
    return Finding(code, Severity.ERROR, rel, 0, message, hint)


def _edited(rel: str, what: str) -> Finding:
    code = f"{what.split()[0]}-edited"
    message = f"the {what} is changed; what was decided stays as it was decided"
    hint = f"bring it back: git checkout HEAD -- .gitmem/{rel}; a decision is undone by another one"
    return Finding(code, Severity.ERROR, rel, 0, message, hint)
