"""The items of a merge that Git has not settled, each with what the rules make of it. Refuses Git and files."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.review.identity import Located, id_of, located
from gitmem.review.merge import merge_file
from gitmem.review.outcome import Conflict, Conflicted, Side, pick
from gitmem.review.trees import Tree, merge_trees


@record
class Trees:
    """Every file that is not the same in all three, by path below ``.gitmem``."""

    base: Tree
    ours: Tree
    theirs: Tree


@record
class Group:
    """Items that share a path, on one side or another; Git left at least one of their paths unmerged."""

    items: tuple[Located, ...]
    paths: frozenset[str]


@record
class Marked:
    """A file with markers at the lines of its conflicts, where it is to lie, and the versions that it comes from."""

    rel: str
    data: bytes
    base: bytes | None
    ours: bytes
    theirs: bytes


@record
class Settlement:
    """``files`` are what each path of a group comes to hold, None for nothing; empty with conflicts."""

    files: Mapping[str, bytes | None]
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[Notice, ...] = ()
    marked: Marked | None = None


def groups_of(trees: Trees, unmerged: Mapping[str, Sequence[bytes]]) -> list[Group]:
    """The groups with an unmerged path, in the order of their first path; ``unmerged`` gives the versions there."""
    items = located(trees.base, trees.ours, trees.theirs)
    invented = _invented(trees, items, unmerged)
    owner: dict[str, int] = {}
    members: dict[int, Group] = {}
    for number, item in enumerate(items):
        paths = {rel for rel in (item.base, item.ours, item.theirs) if rel is not None}
        paths |= {rel for rel, key in invented.items() if key == item.key}
        joined = [members.pop(other) for other in sorted({owner[rel] for rel in paths if rel in owner})]
        paths = paths.union(*(group.paths for group in joined))
        members[number] = Group((*(each for group in joined for each in group.items), item), frozenset(paths))
        owner |= dict.fromkeys(paths, number)
    found = [group for group in members.values() if not group.paths.isdisjoint(unmerged)]
    return sorted(found, key=lambda each: min(each.paths))


def _invented(trees: Trees, items: Sequence[Located], unmerged: Mapping[str, Sequence[bytes]]) -> dict[str, str]:
    """Paths that no side has, by the key of the item that Git put there: it moves files along with their folder."""
    keys = {item.key for item in items}
    by_data = {tree[rel]: item.key for item in items for tree, rel in _sides(trees, item)}
    found: dict[str, str] = {}
    for rel in unmerged.keys() - trees.base.keys() - trees.ours.keys() - trees.theirs.keys():
        named = (by_data.get(data) or id_of(data) for data in unmerged[rel])
        key = next((name for name in named if name in keys), None)
        found |= {rel: key} if key else {}
    return found


def _sides(trees: Trees, item: Located) -> Iterator[tuple[Tree, str]]:
    for tree, rel in ((trees.ours, item.ours), (trees.theirs, item.theirs)):
        if rel is not None:
            yield tree, rel


def settle(group: Group, trees: Trees, others: Collection[str], favour: Side | None) -> Settlement:
    """Merges one group by the rules; ``others`` are the paths that everything else has."""
    base, ours, theirs = (
        {rel: tree[rel] for rel in group.paths if rel in tree} for tree in (trees.base, trees.ours, trees.theirs)
    )
    merged = merge_trees(base, ours, theirs, others, favour)
    if merged.conflicts:
        return Settlement({}, merged.conflicts, merged.notes, _marked(group, trees))
    held = {**ours, **merged.changes}
    return Settlement({rel: held.get(rel) for rel in sorted({*group.paths, *held})}, (), merged.notes)


def _marked(group: Group, trees: Trees) -> Marked | None:
    """None where the conflict is not in the text of one file."""
    item = group.items[0]
    if len(group.items) > 1 or item.ours is None or item.theirs is None:
        return None
    rel = pick(item.base, item.ours, item.theirs, lambda _ours, _theirs: None)
    base = None if item.base is None else trees.base[item.base]
    ours, theirs = trees.ours[item.ours], trees.theirs[item.theirs]
    outcome = merge_file(base, ours, theirs, rel) if rel else None
    return Marked(rel, outcome.data, base, ours, theirs) if rel and isinstance(outcome, Conflicted) else None
