"""The merge of a change into another state of the knowledge, read from three revisions. Refuses to write."""

from collections.abc import Mapping, Sequence

from gitmem.model.finding import Notice
from gitmem.model.ids import canonical_id
from gitmem.model.proposal import Changes
from gitmem.record import record, replace
from gitmem.review.identity import located
from gitmem.review.outcome import Conflict, Side
from gitmem.review.rules import RECORDS
from gitmem.review.trees import KEPT_EDIT, merge_trees, recorded_twice
from gitmem.store import objects, worktree
from gitmem.store.layout import Place, is_leftover, place_of
from gitmem.store.objects import Change
from gitmem.store.repo import FOLDER, Repo


class BaseGoneError(objects.UnknownRevisionError):
    code = "base-missing"


@record
class Joined:
    """``changes`` turn ours into the merged tree, by path below ``.gitmem``; ``is_plain``: theirs went in as it is."""

    changes: Changes
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[Notice, ...] = ()
    is_plain: bool = False


@record
class Three:
    """Knowledge trees, '' for none. ``is_proposal``: theirs adds to the record and answers for nothing else in it.
    ``is_published``: a decision that both put on record stays as ours has it."""

    base: str
    ours: str
    theirs: str
    is_proposal: bool = False
    is_published: bool = False


def trees_of(repo: Repo, commits: Sequence[str]) -> list[str]:
    """The knowledge tree of each commit, '' where it has none. A commit that is not here is an error."""
    names = [name for commit in commits for name in (f"{commit}^{{commit}}", f"{commit}:{FOLDER}")]
    found = iter(objects.look_up(repo, names) if any(commits) else [])
    trees = []
    for commit in commits:
        known, tree = next(found), next(found)
        if commit and known is None:
            raise BaseGoneError(
                f"the commit {commit[:12]} is not in this clone",
                hint="fetch it; a shallow clone may need: git fetch --unshallow",
                place=commit,
            )
        trees.append(tree[0] if tree and tree[1] == "tree" else "")
    return trees


def join(repo: Repo, three: Three, favour: Side | None = None) -> Joined:
    """Merges theirs into ours by id. What ours changed elsewhere is not even read."""
    empty = worktree.empty_tree(repo)
    base = three.base or empty
    theirs = _changes(repo, base, three.theirs or empty)
    ours = _changes(repo, base, three.ours or empty)
    if three.is_proposal:
        # A record that only ours has otherwise: what it builds on has landed as another patch set.
        own = {change.rel for change in theirs}
        ours = [change for change in ours if change.rel in own or place_of(change.rel) not in RECORDS]
    touched = {change.rel.casefold() for change in ours}
    if not any(change.rel.casefold() in touched or _is_shadowed(change.rel, touched) for change in theirs):
        blobs = _blobs(repo, [change.new_oid for change in theirs])
        return Joined({c.rel: blobs[c.new_oid] if c.new_oid else None for c in theirs}, is_plain=True)
    before, here, there = _versions(repo, base, ours, theirs)
    if three.is_published:
        there = {**there, **{rel: here[rel] for rel in recorded_twice(before, here, there)}}
    merged = merge_trees(before, here, there, _others(repo, three.ours, ours, theirs), favour)
    made = Joined(merged.changes, merged.conflicts, merged.notes)
    return _with_removals(made, before, here, there, favour) if three.is_proposal else made


def _with_removals(
    made: Joined,
    before: Mapping[str, bytes],
    here: Mapping[str, bytes],
    there: Mapping[str, bytes],
    favour: Side | None,
) -> Joined:
    """A removal that the merge dropped for an edit is what the proposal asks for: it has its way, or is a conflict."""
    kept = here.keys() - there.keys() - made.changes.keys()
    dropped = [note for note in made.notes if note.code == KEPT_EDIT and note.place in kept]
    if not dropped or favour is Side.OURS:
        return made
    notes = tuple(note for note in made.notes if note not in dropped)
    if favour is Side.THEIRS:
        return replace(made, changes={**made.changes, **{note.place: None for note in dropped}}, notes=notes)
    items = {each.ours: each for each in located(before, here, there)}
    found = [
        Conflict(
            note.place, canonical_id(items[note.place].key) or "", "file", items[note.place].base, note.place, None
        )
        for note in dropped
    ]
    return replace(made, conflicts=(*made.conflicts, *found), notes=notes)


def _changes(repo: Repo, old: str, new: str) -> list[Change]:
    found = objects.diff_trees(repo, old, new) if old != new else []
    return [c for c in found if not is_leftover(c.rel) and place_of(c.rel) is not Place.CACHE]


def _is_shadowed(rel: str, touched: set[str]) -> bool:
    """Whether one of the folders of a file is a file on the other side."""
    parts = rel.casefold().split("/")
    return any("/".join(parts[:count]) in touched for count in range(1, len(parts)))


def _versions(
    repo: Repo, base: str, ours: Sequence[Change], theirs: Sequence[Change]
) -> tuple[Mapping[str, bytes], Mapping[str, bytes], Mapping[str, bytes]]:
    """Every file that is not the same in all three trees, by path, for each of the three."""
    mine, yours = ({change.rel: change for change in changes} for changes in (ours, theirs))
    before = {change.rel: change.old_oid for change in (*ours, *theirs)}
    rels = sorted(before)
    sides = [{rel: side[rel].new_oid if rel in side else before[rel] for rel in rels} for side in (mine, yours)]
    blobs = _blobs(repo, [oid for tree in (before, *sides) for oid in tree.values()])
    first, second, third = ({r: blobs[oid] for r, oid in tree.items() if oid} for tree in (before, *sides))
    return first, second, third


def _others(repo: Repo, tree: str, ours: Sequence[Change], theirs: Sequence[Change]) -> set[str]:
    """The paths that all three trees have alike."""
    differing = {change.rel for change in (*ours, *theirs)}
    listed = objects.list_tree(repo, tree) if tree else []
    return {entry.rel for entry in listed} - differing


def _blobs(repo: Repo, oids: Sequence[str]) -> dict[str, bytes]:
    return dict(objects.read_blobs(repo, sorted({oid for oid in oids if oid})))
