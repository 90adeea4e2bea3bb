"""What is to be said of an item whose claims hold no more, wherever it is read. Refuses to hide or to judge it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gitmem.answers.claims import states
from gitmem.answers.reading import Reading
from gitmem.index.card import Card
from gitmem.model.claimed import DRIFTED, GONE, MOVED, ClaimState
from gitmem.model.finding import Notice
from gitmem.store.repo import FOLDER

_WORST_FIRST = (GONE, DRIFTED, MOVED)
_NAMED = 5


def notices(reading: Reading, cards: Iterable[Card]) -> tuple[Notice, ...]:
    """One for each item some claim of which is gone, has drifted or has moved, by the worst of them."""
    by_id = {card.id: card for card in cards if card.claims}
    found = states(reading, by_id.values()) if by_id else {}
    return tuple(notice for id_, rows in found.items() for notice in _notices(by_id[id_], rows))


def _notices(card: Card, rows: Sequence[ClaimState]) -> Iterator[Notice]:
    changed = sorted((row for row in rows if row.state in _WORST_FIRST), key=lambda row: _WORST_FIRST.index(row.state))
    if not changed:
        return
    more = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
    named = ", ".join(said(row) for row in changed[:_NAMED])
    hint = f"what it rests on, claim by claim: gitmem claims list {card.slug}"
    message = f"{len(changed)} of {len(card.claims)} claims of {card.slug} hold no more as they were: {named}{more}"
    yield Notice(f"claim-{changed[0].state}", message, f"{FOLDER}/{card.path}", hint)


def said(row: ClaimState) -> str:
    """The place and the state, and of what has moved where it is now."""
    place = f"{row.path}:{row.lines}" if row.lines else f"{row.path}#{row.symbol}" if row.symbol else row.path
    return f"{place} {row.state}" + (f" to {row.now}" if row.now else "")
