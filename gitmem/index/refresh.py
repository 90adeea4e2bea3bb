"""The index of a tree, from the cache when it is of that very tree. Refuses to answer from one that is not."""

from collections.abc import Sequence

from gitmem import lazy
from gitmem.index import facts, views
from gitmem.index.knowledge import Knowledge
from gitmem.index.segments import DamagedError
from gitmem.index.tables import Base
from gitmem.record import record
from gitmem.store.cache import Cache
from gitmem.store.repo import Repo


@record
class Opened:
    """The index of one tree, and what this machine has to say about how it came to be."""

    knowledge: Knowledge
    notes: tuple[str, ...] = ()


def open_tree(repo: Repo, cache: Cache, tree: str, bases: Sequence[Base] = ()) -> Opened:
    """The index of the tree object ``tree`` ('' for no knowledge at all); ``bases`` are open already."""
    if not tree:
        return Opened(views.knowledge(views.View("", (), (), facts.empty()), None))
    view = views.load(cache, tree)
    base = views.load_base(cache, view.base, bases) if view else None
    if view is not None and base is not None:
        return Opened(views.knowledge(view, base))
    name = views.damaged(cache, tree, view)
    try:
        fresh = _made("gitmem.index.rebuild:refresh", repo, cache, tree, bases)
    except DamagedError as damage:
        return again(repo, cache, tree, damage)
    return Opened(fresh.knowledge, (_rebuilt(name), *fresh.notes)) if name else fresh


def again(repo: Repo, cache: Cache, tree: str, damage: DamagedError) -> Opened:
    """Builds the index anew where a cache file turned out to be damaged."""
    fresh = _made("gitmem.index.rebuild:rebuild", repo, cache, tree)
    return Opened(fresh.knowledge, (_rebuilt(str(damage)), *fresh.notes))


def _rebuilt(name: str) -> str:
    return f"cache file {name} was damaged and has been rebuilt"


def _made(target: str, *given: object) -> Opened:
    """Parsing YAML is loaded only when the cache has no answer."""
    knowledge, note = lazy.load(target)(*given)
    return Opened(knowledge, (note,) if note else ())
