"""The knowledge of the sides of an unfinished merge, as a merge of trees wants it. Refuses to merge more than bases."""

from collections.abc import Sequence

from gitmem.review import joining
from gitmem.review.joining import Joined
from gitmem.review.trees import Tree, merge_trees, recorded_twice
from gitmem.review.unsettled import Trees
from gitmem.store import objects, unfinished, worktree
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.unfinished import Index, Sides


def trees_of(repo: Repo, sides: Sides | None, index: Index) -> Trees:
    """Read from the commits; where they do not tell, what the index still holds of each side."""
    if sides is None:
        return Trees(*(_stage(repo, index, number) for number in (unfinished.BASE, unfinished.OURS, unfinished.THEIRS)))
    empty = worktree.empty_tree(repo)
    commits = [*sorted(sides.bases), sides.ours, sides.theirs]
    found = objects.look_up(repo, [f"{commit}:{FOLDER}" for commit in commits])
    *bases, ours, theirs = (known[0] if known and known[1] == "tree" else empty for known in found)
    if len(bases) < 2:
        return Trees(*_versions(repo, [*bases, ours, theirs] if bases else [empty, ours, theirs]))
    return _crossed(repo, sides, [*bases, ours, theirs])


def as_published(repo: Repo, trees: Trees, published: str) -> Trees:
    """A decision that landed on both sides is one: as the tree ``published`` has it, else the smaller by its bytes."""
    twice = sorted(recorded_twice(trees.base, trees.ours, trees.theirs))
    if not twice:
        return trees
    found = objects.look_up(repo, [f"{published}:{rel}" for rel in twice]) if published else [None] * len(twice)
    blobs = dict(objects.read_blobs(repo, sorted({known[0] for known in found if known and known[1] == "blob"})))
    known = {rel: blobs.get(each[0]) for rel, each in zip(twice, found, strict=True) if each}
    kept: dict[str, bytes] = {}
    for rel in twice:
        sides = {trees.ours[rel], trees.theirs[rel]}
        there = known.get(rel)
        kept[rel] = there if there is not None and there in sides else min(sides)
    return Trees(trees.base, {**trees.ours, **kept}, {**trees.theirs, **kept})


def crossed(repo: Repo, sides: Sides) -> Joined:
    """What turns ours, which is published, into the merge with theirs, where their histories had crossed before."""
    met = trees_of(repo, sides, {})
    known = {**met.theirs, **{rel: met.ours[rel] for rel in recorded_twice(met.base, met.ours, met.theirs)}}
    differing = met.base.keys() | met.ours.keys() | met.theirs.keys()
    (tree,) = joining.trees_of(repo, [sides.ours])
    others = {entry.rel for entry in objects.list_tree(repo, tree)} - differing if tree else set()
    merged = merge_trees(met.base, met.ours, known, others)
    return Joined(merged.changes, merged.conflicts, merged.notes)


def _stage(repo: Repo, index: Index, number: int) -> Tree:
    oids = {rel: slots[number].oid for rel, slots in index.items() if number in slots}
    blobs = dict(objects.read_blobs(repo, sorted(set(oids.values()))))
    return {rel: blobs[oid] for rel, oid in oids.items()}


def _versions(repo: Repo, trees: Sequence[str]) -> list[dict[str, bytes]]:
    """For each tree its files, by path, that are not the same in all of them."""
    first, *others = trees
    changes = [objects.diff_trees(repo, first, other) for other in others]
    before = {change.rel: change.old_oid for each in changes for change in each}
    oids = [before, *(before | {change.rel: change.new_oid for change in each} for each in changes)]
    blobs = dict(objects.read_blobs(repo, sorted({oid for each in oids for oid in each.values() if oid})))
    return [{rel: blobs[oid] for rel, oid in each.items() if oid} for each in oids]


def _crossed(repo: Repo, sides: Sides, trees: list[str]) -> Trees:
    """Where the histories had crossed, the base is the merge of all bases, and what was before where these disagree:
    any of them alone would let one side win without a word."""
    before = objects.look_up(repo, [f"{objects.common_ancestor(repo, sides.bases) or '0'}:{FOLDER}"])[0]
    oldest = before[0] if before and before[1] == "tree" else worktree.empty_tree(repo)
    first, *others, ours, theirs, old = _versions(repo, [*trees, oldest])
    for other in others:
        first = _united(old, first, other)
    return Trees(first, ours, theirs)


def _united(old: Tree, first: Tree, second: Tree) -> dict[str, bytes]:
    merged = merge_trees(old, first, second)
    held: dict[str, bytes | None] = {**first, **merged.changes}
    for conflict in merged.conflicts:
        named = {conflict.path}
        if conflict.field == "path":
            named |= {rel for rel in (conflict.base, conflict.ours, conflict.theirs) if rel}
        held |= {rel: old.get(rel) for rel in named}
    return {rel: data for rel, data in held.items() if data is not None}
