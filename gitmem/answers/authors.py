"""What became of the knowledge of each author: it proved, or failed. Refuses to judge a person by anything else."""

from __future__ import annotations

import json

from gitmem.answers.reading import Reading, ask
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.memory.contexts import Contexts
from gitmem.memory.truth import Record
from gitmem.model.verification import PROBABLE, REFUTED, VERIFIED
from gitmem.store import cache as caches

_CACHED = "authors-1-"
_KEPT_FILES = 4
_PROVED = (PROBABLE, VERIFIED)


def author_name(by: str) -> str:
    """One spelling for one person: the address, else the name."""
    name, _, rest = by.partition("<")
    return (rest.rstrip("> ") or name.strip()).casefold()


def records(reading: Reading, used: Contexts) -> dict[str, Record]:
    """By author. Effective is what is probable or verified, or helped more often than it misled; failed is what is
    refuted or misled more often than it helped."""
    statuses = _decided(reading)
    weighed = [item for item, use in used.items.items() if use.net]
    authors, _ = ask(reading, lambda known: {card.id: card for item in weighed for card in known.under(f"id:{item}")})
    rows = statuses | {id_: [author_name(card.created_by), card.verification] for id_, card in authors.items()}
    found: dict[str, Record] = {}
    for item, (author, status) in rows.items():
        if author:
            has_failed = status == REFUTED or used.of(item).net < 0
            before = found.get(author, Record())
            found[author] = Record(before.effective + (not has_failed), before.failed + has_failed)
    return found


def _decided(reading: Reading) -> dict[str, list[str]]:
    """Author and status by id, of all about which there is a decision; a tree never changes."""
    cache = reading.place.cache
    name = f"{_CACHED}{reading.tree}.json"
    kept = caches.load(cache, name) if reading.tree else None
    if kept is not None:
        loaded: dict[str, list[str]] = json.loads(kept)
        return loaded
    found, _ = ask(reading, _statuses)
    if reading.tree and not caches.save(cache, name, json.dumps(found).encode()):
        caches.drop_oldest(cache, _CACHED, ".json", _KEPT_FILES)
    return found


def _statuses(knowledge: Knowledge) -> dict[str, list[str]]:
    return {card.id: [author_name(card.created_by), card.verification] for card in knowledge.cards() if _is_told(card)}


def _is_told(card: Card) -> bool:
    return bool(card.id) and card.verification in (*_PROVED, REFUTED)
