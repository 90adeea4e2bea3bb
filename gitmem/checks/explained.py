"""Whether the decisions on record say what a range does to knowledge. Refuses to read files and history."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gitmem.model.finding import Finding, Severity
from gitmem.model.ledger import Entry, ItemChange
from gitmem.record import record
from gitmem.store.layout import Place

# What nobody changes without a decision where the policy asks for one.
KNOWLEDGE = frozenset(
    {Place.ENGRAM, Place.SYNAPSE, Place.SKILL, Place.INTENTION, Place.LAYERS, Place.TAGS, Place.CONFIG}
)
_SHOWN = 5

Hashes = Mapping[str, str]


@record
class Turned:
    """One item that a range changes: where it ``was`` and ``is_`` ('' for nowhere), the hashes of its keys there.

    ``item`` is the id, or the path where a file has none.
    """

    item: str
    was: str
    is_: str
    before: Hashes
    after: Hashes

    @property
    def path(self) -> str:
        return self.is_ or self.was

    @property
    def keys(self) -> list[str]:
        """The keys that differ, and ``body`` or ``file``."""
        return sorted(k for k in {*self.before, *self.after} if self.before.get(k) != self.after.get(k))


@record
class Recorded:
    """An entry that the range adds, and the file it is in, below ``.gitmem``."""

    rel: str
    entry: Entry


def unexplained(turned: Iterable[Turned], recorded: Sequence[Recorded]) -> list[Finding]:
    """The changes of the range that no entry of it tells with the content that they end with."""
    told = [change for each in recorded for change in each.entry.changes]
    found = []
    for item in turned:
        keys = missing_keys(item, told)
        if keys is not None:
            found.append(_unexplained(item, keys))
    return found


def missing_keys(item: Turned, told: Iterable[ItemChange]) -> list[str] | None:
    """The keys whose change is not told; None when all of it is, an empty list where only the move is not."""
    mine = [change for change in told if change.item == item.item or change.path == item.path]
    if not item.is_ and any(change.keys and not any(k.after for k in change.keys.values()) for change in mine):
        return None
    explained = {key for change in mine for key, each in change.keys.items() if each.after == item.after.get(key)}
    keys = [key for key in item.keys if key not in explained]
    is_moved = bool(item.was and item.is_ and item.was != item.is_)
    is_place_told = not is_moved or any(change.path == item.is_ for change in mine)
    return None if not keys and is_place_told and (mine or not (item.keys or is_moved)) else keys


def _unexplained(item: Turned, keys: Sequence[str]) -> Finding:
    what = f"this change of {_listed(keys)}" if keys and item.was and item.is_ else _whole(item)
    message = f"no decision of the range explains {what}; policy.require_ledger asks for one"
    hint = "record it: gitmem propose --from-commit, and let the proposal land instead"
    id_ = item.item if item.item != item.path else ""
    return Finding("no-ledger-entry", Severity.ERROR, item.path, 0, message, hint, id_)


def _whole(item: Turned) -> str:
    if not item.was:
        return "this new file"
    return f"the move from {item.was}" if item.is_ else "the removal of this file"


def mismatched(
    recorded: Sequence[Recorded],
    state_of: Callable[[ItemChange], Turned],
    seen_by: Callable[[Recorded, ItemChange], Hashes],
    severity: Severity,
) -> list[Finding]:
    """The entries that claim what the range does not do.

    ``state_of`` gives an item as it is at both ends, ``seen_by`` as it was where the entry was written: an entry that
    waited while the item changed is not forged.
    """
    told = _told(recorded)
    found = []
    for each in recorded:
        for change in each.entry.changes:
            keys = sorted(_false_keys(each, change, (state_of(change), told, seen_by)))
            if keys:
                found.append(_mismatch(each, change, keys, severity))
    return found


Told = Mapping[tuple[str, str], list[tuple[str, str | None, str | None]]]


def _told(recorded: Iterable[Recorded]) -> Told:
    """(entry, before, after) for each item and key."""
    told = defaultdict(list)
    for each in recorded:
        for change in each.entry.changes:
            for key, hashes in change.keys.items():
                told[change.item, key].append((each.entry.id, hashes.before, hashes.after))
    return told


def _false_keys(
    each: Recorded, change: ItemChange, known: tuple[Turned, Told, Callable[[Recorded, ItemChange], Hashes]]
) -> Iterator[str]:
    state, told, seen_by = known
    for key, hashes in change.keys.items():
        others = [row for row in told[change.item, key] if row[0] != each.entry.id]
        first, last = state.before.get(key), state.after.get(key)
        is_continued = any(before == hashes.after for _, before, _ in others)
        is_continuing = any(after == hashes.before for _, _, after in others)
        # What the base has already, another road has brought there.
        may_be_false = hashes.before != first != hashes.after and not is_continuing
        is_last_false = hashes.after != last and not is_continued
        if is_last_false or (may_be_false and seen_by(each, change).get(key) != hashes.before):
            yield key


def _mismatch(each: Recorded, change: ItemChange, keys: Sequence[str], severity: Severity) -> Finding:
    message = f"the entry says of {change.path} what the range does not do: {_listed(keys)}"
    hint = "an entry is written by gitmem propose, not by hand; propose the change anew"
    return Finding("ledger-mismatch", severity, each.rel, 0, message, hint, each.entry.id)


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(keys[:_SHOWN]) + (f" and {len(keys) - _SHOWN} more" if len(keys) > _SHOWN else "")
