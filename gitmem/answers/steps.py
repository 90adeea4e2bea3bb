"""What a proposal that is no decision on verification makes of it all the same. Refuses steps that it skips."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem.answers.admission import RefusedError
from gitmem.answers.ground import Ground
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.model.ledger import ItemChange
from gitmem.model.proposal import Changes
from gitmem.store.repo import FOLDER
from gitmem.text.words import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.model.evidence import Evidence

# These decide on it by the rules, or take back or repeat what was decided.
_BY_RULES = frozenset({"verify", "revert", "reinstate"})
_KEY = "verification"
_SHOWN, _SHOWN_CHARS = 3, 80


def undecided(ground: Ground, kind: str, items: Iterable[ItemChange], changes: Changes) -> tuple[Notice, ...]:
    """A warning for each engram that comes with a status that nobody decided; more than a step is refused."""
    if kind in _BY_RULES:
        return ()
    touched = [change for change in items if _KEY in change.keys and changes.get(change.path) is not None]
    before = ground.data_at([change.moved_from or change.path for change in touched]) if touched else {}
    found: list[Notice] = []
    for change in touched:
        found += _judged(change, before.get(change.moved_from or change.path), changes[change.path] or b"")
    return tuple(found)


def _judged(change: ItemChange, before: bytes | None, after: bytes) -> list[Notice]:
    status_of, is_step = load("gitmem.answers.proofs:status_of"), load("gitmem.model.verification:is_step")
    old, new = status_of(before), status_of(after)
    place = f"{FOLDER}/{change.path}"
    gone = load("gitmem.answers.proofs:lost")(before, after)
    found = [_lost(gone, place)] if gone else []
    if old == new:
        return found
    if before is not None and not is_step(old, new):
        hint = "leave the status as it is; then: gitmem verification set ITEM STATUS, step by step"
        raise RefusedError(f"from {old} to {new} is more than one step", hint=hint, place=place, code="skipped-step")
    message = f"it says that it is {new}, and no decision on verification made it so"
    return [*found, Notice("verification-undecided", message, place, "look at its evidence before it is approved")]


def _lost(gone: Sequence[Evidence], place: str) -> Notice:
    words = "; ".join(cut(each.description, _SHOWN_CHARS) for each in gone[:_SHOWN])
    more = f" and {len(gone) - _SHOWN} more" if len(gone) > _SHOWN else ""
    message = f"{len(gone)} piece(s) of evidence are taken out: {words}{more}"
    return Notice("evidence-lost", message, place, "what was seen stays on record, for the engram and against it")
