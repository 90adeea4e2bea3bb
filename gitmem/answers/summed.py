"""Notices about many items in few words, where a budget counts. Refuses to drop one without a name or a count."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.model.finding import Notice

# So many of a kind are told one by one; of more so many items are named.
_APART, _NAMED = 3, 20


def summed(said: Sequence[tuple[str, Notice]]) -> tuple[Notice, ...]:
    """``said`` are notices with the slug of the item that each is about; of a kind with many there is one."""
    kinds: dict[str, list[tuple[str, Notice]]] = {}
    for slug, notice in said:
        kinds.setdefault(notice.code, []).append((slug, notice))
    found: list[Notice] = []
    for code, rows in kinds.items():
        found += [notice for _, notice in rows] if len(rows) <= _APART else [_one(code, rows)]
    return tuple(found)


def _one(code: str, rows: Sequence[tuple[str, Notice]]) -> Notice:
    slugs = list(dict.fromkeys(slug for slug, _ in rows))
    more = f" and {len(slugs) - _NAMED} more" if len(slugs) > _NAMED else ""
    message = f"{code}: {len(slugs)} of these items: {', '.join(slugs[:_NAMED])}{more}"
    return Notice(code, message, hint="in full: gitmem get ITEM, one at a time")
