"""The file of one tree: which base it builds on and what differs. Refuses files that another version wrote."""

import json
from collections.abc import Iterable

from gitmem import config
from gitmem.index import facts as tree_facts
from gitmem.index.card import Card
from gitmem.index.facts import Facts
from gitmem.index.knowledge import Knowledge, added_keys
from gitmem.index.segments import DamagedError, open_file
from gitmem.index.tables import VERSION, Base, open_base
from gitmem.record import record
from gitmem.store import cache as caches
from gitmem.store.cache import Cache

# The version is part of each name, so that two versions side by side neither read nor replace each other's files.
BASE_PREFIX = f"base-{VERSION}-"


@record
class View:
    """``base`` is the tree that the base file was built from, '' when there is none."""

    base: str
    removed: tuple[int, ...]
    added: tuple[Card, ...]
    facts: Facts


def base_name(tree: str) -> str:
    return f"{BASE_PREFIX}{tree}.seg"


def view_name(tree: str) -> str:
    return f"view-{VERSION}-{tree}.json"


def dump(view: View) -> bytes:
    head = {"base": view.base, "removed": view.removed}
    return b"\n".join((json.dumps(head).encode(), tree_facts.dump(view.facts), *(card.dump() for card in view.added)))


def load(cache: Cache, tree: str) -> View | None:
    """The view of a tree from the cache; None when there is none that can be trusted."""
    data = caches.load(cache, view_name(tree))
    if data is None:
        return None
    first, facts, *lines = data.split(b"\n")
    head = json.loads(first)
    return View(head["base"], tuple(head["removed"]), tuple(Card.load(line) for line in lines), tree_facts.load(facts))


def load_base(cache: Cache, tree: str, bases: Iterable[Base] = ()) -> Base | None:
    """The base of a tree, from ``bases`` when it is open already."""
    name = base_name(tree)
    for base in bases:
        if base.parts.name == name:
            return base
    parts = open_file(cache, name) if tree else None
    if parts is None:
        return None
    try:
        return open_base(parts)
    except DamagedError:
        return None


def damaged(cache: Cache, tree: str, view: View | None) -> str:
    """The file of ``tree``, or of the base of its ``view``, that is here and is not what was written; '' for none."""
    if cache.folder is None:
        return ""
    name = view_name(tree) if view is None else base_name(view.base)
    is_intact = view is not None and load_base(cache, view.base) is not None
    return name if not is_intact and (cache.folder / name).exists() else ""


def knowledge(view: View, base: Base | None) -> Knowledge:
    """A view made ready for questions."""
    settings, _ = config.from_text(view.facts.config)
    first = base.count if base else 0
    return Knowledge(view.facts, settings, base, frozenset(view.removed), view.added, added_keys(first, view.added))
