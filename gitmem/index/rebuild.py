"""Builds the index of a tree from its blobs, whole or by tree diff. Refuses to answer questions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.index import facts as tree_facts
from gitmem.index import survey, tables, views
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.index.parse import card_of, refusal_of
from gitmem.index.segments import keep
from gitmem.index.tables import Base
from gitmem.store import cache as caches
from gitmem.store import objects
from gitmem.store.cache import Cache
from gitmem.store.git import GitError
from gitmem.store.layout import CONFIG, LAYERS, TAGS, Place, is_leftover, place_of
from gitmem.store.objects import Change, Entry
from gitmem.store.repo import Repo
from gitmem.store.uncollected import uncollected

# The index, and why it could not be kept in the cache ('' when it was).
Made = tuple[Knowledge, str]
# Cards by path and blob: what a file says about itself depends on where it lies.
Known = Mapping[tuple[str, str], Card]
# Git unpacks what lies on the way to an object each time it is asked, so few large batches cost less than many.
_BATCH_BYTES = 16 << 20
# Each call reads what differs from the base; what is more than this costs it more than ten milliseconds.
_DELTA_MAX = 256
_SETTINGS = (CONFIG, LAYERS, TAGS)
_KEPT_VIEWS = 64
_KEPT_BASES = 4


def refresh(repo: Repo, cache: Cache, tree: str, bases: Sequence[Base] = ()) -> Made:
    """Starts from the newest base and applies what differs; too much of it means a new base.

    ``bases`` are open already.
    """
    newest = _newest_base(cache, bases)
    if newest is None:
        return rebuild(repo, cache, tree)
    base_tree, base = newest
    try:
        changes = objects.diff_trees(repo, base_tree, tree)
    except GitError:  # the tree of the base is gone from this clone
        return rebuild(repo, cache, tree)
    if len(changes) > _DELTA_MAX:
        return rebuild(repo, cache, tree, base)
    view = _apply(repo, base_tree, base, tree, changes)
    note = caches.save(cache, views.view_name(tree), views.dump(view))
    _sweep(cache)
    return views.knowledge(view, base), note


def _newest_base(cache: Cache, bases: Sequence[Base]) -> tuple[str, Base] | None:
    for name in caches.by_age(cache, views.BASE_PREFIX, ".seg"):
        tree = name.removeprefix(views.BASE_PREFIX).removesuffix(".seg")
        base = views.load_base(cache, tree, bases)
        if base is not None:
            return tree, base
    return None


def _apply(repo: Repo, base_tree: str, base: Base, tree: str, changes: Sequence[Change]) -> views.View:
    """The view of ``tree`` as the base tree and these changes."""
    plain = views.knowledge(views.View(base_tree, (), (), tree_facts.empty()), base)
    removed = tuple(sorted(n for change in changes if change.old_oid for n in _numbers_at(plain, change.rel)))
    entries = _sized(repo, [Entry(c.rel, c.new_mode, c.new_oid) for c in changes if c.new_oid])
    added = tuple(cards_of(repo, entries))
    settings = _settings(repo, tree) if any(change.rel in _SETTINGS for change in changes) else None
    facts = survey.of_changed(survey.Difference(plain, tree, removed, added), settings)
    return views.View(base_tree, removed, added, facts)


def _numbers_at(knowledge: Knowledge, rel: str) -> list[int]:
    return [n for n in knowledge.numbers(f"path:{rel.casefold()}") if knowledge.card(n).path == rel]


def _sized(repo: Repo, entries: Sequence[Entry]) -> list[Entry]:
    found = objects.look_up(repo, [entry.oid for entry in entries])
    return [Entry(e.rel, e.mode, e.oid, known[2] if known else -1) for e, known in zip(entries, found, strict=True)]


def rebuild(repo: Repo, cache: Cache, tree: str, old: Base | None = None) -> Made:
    """Builds the base of ``tree`` from its blobs; files that ``old`` has unchanged are not parsed again."""
    with uncollected():
        return _rebuilt(repo, cache, tree, old)


def _rebuilt(repo: Repo, cache: Cache, tree: str, old: Base | None) -> Made:
    known = {(card.path, card.blob): card for card in old.cards() if card.id} if old else {}
    entries = sorted((e for e in objects.list_tree(repo, tree)), key=lambda e: e.rel)
    cards = list(cards_of(repo, entries, known))
    manifest = sorted(survey.manifest_lines(cards))
    facts = survey.of_whole(tree, cards, manifest, _settings(repo, tree))
    parts, note = keep(cache, views.base_name(tree), tables.parts_of(cards, manifest, tree_facts.dump(facts)))
    base = tables.open_base(parts)
    assert base is not None
    view = views.View(tree, (), (), facts)
    note = note or caches.save(cache, views.view_name(tree), views.dump(view))
    _sweep(cache)
    return views.knowledge(view, base), note


def cards_of(repo: Repo, entries: Iterable[Entry], known: Known | None = None) -> Iterator[Card]:
    """The cards of these files, in their order; editors' leftovers and the cache are no files of ours."""
    batch: list[Entry] = []
    size = 0
    for entry in entries:
        if not is_leftover(entry.rel) and place_of(entry.rel) is not Place.CACHE:
            batch.append(entry)
            size += entry.size_bytes
        if size > _BATCH_BYTES:
            yield from _cards_of_batch(repo, batch, known or {})
            batch, size = [], 0
    yield from _cards_of_batch(repo, batch, known or {})


def _cards_of_batch(repo: Repo, entries: Sequence[Entry], known: Known) -> Iterator[Card]:
    refused = {entry.rel: refusal_of(entry) for entry in entries}
    wanted = {e.oid for e in entries if refused[e.rel] is None and (e.rel, e.oid) not in known}
    blobs = dict(objects.read_blobs(repo, sorted(wanted)))
    for entry in entries:
        yield refused[entry.rel] or known.get((entry.rel, entry.oid)) or card_of(entry, blobs[entry.oid])


def _settings(repo: Repo, tree: str) -> survey.Settings:
    """The three settings files of the tree, as bytes; one that is refused, as a link is, counts as absent."""
    found = {e.rel: e for e in objects.list_tree(repo, tree, _SETTINGS) if refusal_of(e) is None}
    blobs = dict(objects.read_blobs(repo, sorted({entry.oid for entry in found.values()})))
    return survey.Settings(*(blobs[found[name].oid] if name in found else None for name in _SETTINGS))


def _sweep(cache: Cache) -> None:
    """Drops the oldest views and the bases beyond the newest few; a reader that has one open keeps it."""
    caches.drop_oldest(cache, "view-", ".json", _KEPT_VIEWS)
    caches.drop_oldest(cache, "base-", ".seg", _KEPT_BASES)
