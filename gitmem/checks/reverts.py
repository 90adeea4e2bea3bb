"""Decisions that a raw revert undid and took off the record, known by their hashes. Refuses to mend them."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from gitmem.model.finding import Finding, Severity
from gitmem.model.ledger import Entry
from gitmem.record import record

Hashes = Mapping[str, str]
# The hashes of a file's keys at one end of the change, {} where there is no file.
HashesAt = Callable[[str], Hashes]


@record
class Gone:
    """An entry that was deleted, and its file below ``.gitmem``; ``is_merged``: a merge lost it somewhere between."""

    rel: str
    entry: Entry
    is_merged: bool = False


def raw(gone: Sequence[Gone], before: HashesAt, after: HashesAt) -> list[Gone]:
    """Those of the deleted entries whose items have again exactly what they had before the decision.

    Of several decisions on one key the older one leads back further: it accounts for the newer ones.
    """
    waiting = [each for each in gone if each.is_merged or _touches(each.entry, before, after)]
    found: list[Gone] = []
    while True:
        more = [each for each in waiting if _is_undone(each.entry, after, [known.entry for known in found])]
        if not more:
            return sorted(found, key=lambda each: each.rel)
        found += more
        waiting = [each for each in waiting if each not in more]


def _touches(entry: Entry, before: HashesAt, after: HashesAt) -> bool:
    """Whether anything that the decision changed has changed at all: else the entry alone was deleted."""
    return any(
        before(rel).get(key) != after(rel).get(key)
        for change in entry.changes
        for rel in {change.path, change.moved_from or change.path}
        for key in change.keys
    ) or any(change.moved_from and before(change.path) and not after(change.path) for change in entry.changes)


def _is_undone(entry: Entry, after: HashesAt, undone: Iterable[Entry]) -> bool:
    led = {
        (change.item, key, hashes.after)
        for other in undone
        for change in other.changes
        for key, hashes in change.keys.items()
    }
    for change in entry.changes:
        found = after(change.moved_from or change.path)
        if change.moved_from and (not found or after(change.path)):
            return False
        for key, hashes in change.keys.items():
            if found.get(key) != hashes.before and (change.item, key, hashes.before) not in led:
                return False
    return True


def finding(gone: Gone, hint: str) -> Finding:
    message = f"the decision {gone.entry.title!r} was undone by a revert of Git, which took it off the record"
    return Finding("raw-revert", Severity.WARNING, gone.rel, 0, message, hint, gone.entry.id)
