"""Whether a decision empties the knowledge: more than a fifth at once is asked about twice. Refuses to decide."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.reading import Place, knowledge_at
from gitmem.errors import GitmemError
from gitmem.model.ledger import Entry
from gitmem.review.joining import trees_of
from gitmem.store.layout import Place as Kind
from gitmem.store.layout import place_of

# So few are looked at one by one, whatever their share is.
_FEW = 3
_SHARE = 5


def refuse_many(place: Place, start: str, entries: Sequence[Entry]) -> None:
    """Stops a decision on ``start`` that removes more than a fifth of its engrams."""
    gone = {
        change.item
        for entry in entries
        for change in entry.changes
        if place_of(change.path) is Kind.ENGRAM and all(key.after is None for key in change.keys.values())
    }
    if len(gone) < _FEW:
        return
    (tree,) = trees_of(place.repo, [start])
    total = knowledge_at(place, tree).knowledge.facts.counts.get("place", {}).get(Kind.ENGRAM.value, 0)
    if len(gone) * _SHARE > total:
        raise GitmemError(
            f"this removes {len(gone)} of {total} engrams",
            hint="if that is what you want: --remove-many",
            place=entries[0].id,
            code="removes-many",
        )
