"""The knowledge of the sides of an unfinished merge, as a merge of trees wants it. Refuses to merge more than bases."""

from collections.abc import Sequence

from gitmem.review.trees import Tree, merge_trees
from gitmem.review.unsettled import Trees
from gitmem.store import objects, unfinished, worktree
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.unfinished import Index, Sides


def trees_of(repo: Repo, sides: Sides | None, index: Index) -> Trees:
    """Read from the commits; where they do not tell, what the index still holds of each side."""
    if sides is None:
        return Trees(*(_stage(repo, index, number) for number in (unfinished.BASE, unfinished.OURS, unfinished.THEIRS)))
    empty = worktree.empty_tree(repo)
    commits = [*sides.bases[:2], sides.ours, sides.theirs]
    found = objects.look_up(repo, [f"{commit}:{FOLDER}" for commit in commits])
    *bases, ours, theirs = (known[0] if known and known[1] == "tree" else empty for known in found)
    if len(bases) < 2:
        return Trees(*_versions(repo, [*bases, ours, theirs] if bases else [empty, ours, theirs]))
    return _crossed(repo, sides, [*bases, ours, theirs])


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
    """Where the histories had crossed, the base is the merge of both bases, and what was before where these disagree:
    either of them alone would let one side win without a word."""
    before = objects.look_up(repo, [f"{_before(repo, *sides.bases[:2])}:{FOLDER}"])[0]
    oldest = before[0] if before and before[1] == "tree" else worktree.empty_tree(repo)
    first, second, ours, theirs, old = _versions(repo, [*trees, oldest])
    merged = merge_trees(old, first, second)
    held: dict[str, bytes | None] = {**first, **merged.changes}
    for conflict in merged.conflicts:
        named = {conflict.path}
        if conflict.field == "path":
            named |= {rel for rel in (conflict.base, conflict.ours, conflict.theirs) if rel}
        held |= {rel: old.get(rel) for rel in named}
    return Trees({rel: data for rel, data in held.items() if data is not None}, ours, theirs)


def _before(repo: Repo, first: str, second: str) -> str:
    try:
        return objects.merge_base(repo, first, second)
    except objects.UnknownRevisionError:
        return ""
