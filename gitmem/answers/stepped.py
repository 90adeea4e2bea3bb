"""Steps of verification that a change takes without a decision for each. Refuses to judge one step by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gitmem.answers.delta import Delta
from gitmem.checks import meaning
from gitmem.checks.references import Named
from gitmem.checks.spotted import Spotted
from gitmem.index.card import Card
from gitmem.model.ledger import Entry
from gitmem.model.verification import steps
from gitmem.model.vocabulary import VERIFICATIONS
from gitmem.store import ledger
from gitmem.store.layout import Place, place_of

# One of these takes back or repeats all steps of what it is about.
_WHOLE = frozenset({"revert", "reinstate"})
_KEY = "verification"


def of_change(delta: Delta, gone: Iterable[Card], come: Iterable[Card]) -> Iterator[Spotted]:
    """A change by hand may take one; of more, all but those that a decision of the same change records are skipped."""
    before = {card.id: card.verification for card in gone if card.id}
    far = [card for card in come if _steps(before.get(card.id, ""), card.verification) > 1]
    entries = list(_decisions(delta)) if far else []
    for card in far:
        about = [entry for entry in entries if _is_about(entry, card.id)]
        is_whole = any(entry.kind in _WHOLE for entry in about)
        if not is_whole and len(about) < _steps(before[card.id], card.verification):
            named = Named(card.id, card.path, card.slug)
            yield meaning.skipped(named, before[card.id], card.verification, len(about))


def _steps(before: str, after: str) -> int:
    return steps(before, after) if before in VERIFICATIONS and after in VERIFICATIONS else 0


def _decisions(delta: Delta) -> Iterator[Entry]:
    for entry in delta.entries:
        if place_of(entry.rel) is Place.LEDGER:
            found = ledger.decode(delta.contents.get(entry.rel, b""), entry.rel)
            if isinstance(found, Entry):
                yield found


def _is_about(entry: Entry, item: str) -> bool:
    return any(change.item == item and _KEY in change.keys for change in entry.changes)
