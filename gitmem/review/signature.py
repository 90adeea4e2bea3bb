"""What a change comes to, as one hash: by it a change that was declined is known again. Refuses ids and dates."""

from collections.abc import Iterable
from hashlib import sha256

from gitmem.model.ids import canonical_id
from gitmem.model.ledger import ItemChange
from gitmem.model.plain import Plain, canonical

# What differs each time the same thing is proposed.
_PASSING = frozenset({"id", "created"})


def signature(changes: Iterable[ItemChange]) -> str:
    """32 hex digits. Two changes have the same one when they leave the same items with the same values.

    A new item is known by its content, whatever its id and path; any other by its id.
    """
    rows: list[Plain] = [*sorted(_row(change) for change in changes)]
    return sha256(canonical(rows)).hexdigest()[:32]


def _row(change: ItemChange) -> str:
    is_new = not change.moved_from and all(key.before is None for key in change.keys.values())
    # What only adds keys to an engram that is there, as a first status does, has no id among them.
    is_new = is_new and ("id" in change.keys or canonical_id(change.item) is None)
    kept = ((name, key.after or "") for name, key in change.keys.items() if name not in _PASSING)
    values = [f"{name}={after}" for name, after in sorted(kept)]
    where = [] if is_new else [change.item, change.path if change.moved_from else ""]
    return "\0".join(["new" if is_new else "old", *where, *values])
