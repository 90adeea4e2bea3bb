"""The merge of three trees by the ids of their engrams: moves, deletions, names given twice. Refuses Git and files.

Pure: three mappings in, changes and conflicts out. A clean result is the same with the sides exchanged.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256

from gitmem.model.approval import Approval
from gitmem.model.finding import Notice
from gitmem.model.ids import SLUG_MAX, canonical_id
from gitmem.model.ledger import Entry
from gitmem.record import record, replace
from gitmem.review.identity import Located, located
from gitmem.review.merge import merge_file
from gitmem.review.outcome import Conflict, Conflicted, Side, pick
from gitmem.review.rules import RECORDS
from gitmem.store import approvals, ledger
from gitmem.store.layout import Place, place_of

Tree = Mapping[str, bytes]
# How many characters of its id an engram gets behind its slug when another one has its name.
_SUFFIX_MIN = 4
KEPT_EDIT = "kept-edit"


@record
class TreeMerge:
    """``changes`` turn ours into the merged tree: bytes to write, None to delete; no markers, and nothing about what is
    in ``conflicts``. ``notes``: what a person should look at."""

    changes: Mapping[str, bytes | None]
    conflicts: tuple[Conflict, ...]
    notes: tuple[Notice, ...]


@record
class _File:
    """One item in a tree; ``had_path``: it was at this path in the base."""

    key: str
    rel: str
    data: bytes
    had_path: bool = False


@record
class _Settled:
    file: _File | None
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[Notice, ...] = ()


def merge_trees(
    base: Tree, ours: Tree, theirs: Tree, others: Collection[str] = (), favour: Side | None = None
) -> TreeMerge:
    """Merges what changed. The three hold every file, by its path below ``.gitmem``, that is not the same in all of
    them; ``others`` are the paths of those that are. ``favour`` settles conflicts, but none about what was decided."""
    settled = [_settled(*_files(each, base, ours, theirs), favour) for each in located(base, ours, theirs)]
    placed, notes = _apart([each.file for each in settled if each.file], (ours, theirs), others)
    merged = {each.rel: each.data for each in placed}
    changes = {rel: merged.get(rel) for rel in sorted({*ours, *merged}) if merged.get(rel) != ours.get(rel)}
    conflicts = [conflict for each in settled for conflict in each.conflicts] + [*_in_the_way(merged, set(others))]
    notes += (note for each in settled for note in each.notes)
    return TreeMerge(
        changes,
        tuple(sorted(conflicts, key=lambda each: (each.path, each.item, each.field))),
        tuple(sorted(notes, key=lambda note: (note.place, note.code))),
    )


def recorded_twice(base: Tree, ours: Tree, theirs: Tree) -> set[str]:
    """Paths of decisions that both sides put on record, each as it landed there: on another ground, or as another patch
    set. What one id says of two decisions is none of these."""
    both = ours.keys() & theirs.keys() - base.keys()
    return {rel for rel in both if ours[rel] != theirs[rel] and _is_one(rel, ours[rel], theirs[rel])}


def _is_one(rel: str, ours: bytes, theirs: bytes) -> bool:
    """Whether two records are of one decision on one proposal."""
    if place_of(rel) is Place.LEDGER:
        entries = [ledger.decode(data, rel) for data in (ours, theirs)]
        known = {(e.id, e.proposal, e.proposed_by, e.members) for e in entries if isinstance(e, Entry)}
        return len(known) == 1 and all(isinstance(e, Entry) and e.proposal for e in entries)
    if place_of(rel) is Place.APPROVAL:
        votes = [approvals.decode(data, rel) for data in (ours, theirs)]
        said = {(v.proposal, v.ledger, v.by.identity) for v in votes if isinstance(v, Approval)}
        return len(said) == 1 and all(isinstance(v, Approval) for v in votes)
    return False


def _files(where: Located, base: Tree, ours: Tree, theirs: Tree) -> tuple[_File | None, _File | None, _File | None]:
    def file(tree: Tree, rel: str | None) -> _File | None:
        return None if rel is None else _File(where.key, rel, tree[rel], rel == where.base)

    return file(base, where.base), file(ours, where.ours), file(theirs, where.theirs)


def _settled(base: _File | None, ours: _File | None, theirs: _File | None, favour: Side | None) -> _Settled:
    """One item, merged."""
    if ours and theirs:
        return _both(base, ours, theirs, favour)
    kept = ours or theirs
    if base is None:
        return _Settled(kept)
    if place_of(base.rel) in RECORDS:
        return _Settled(ours, (_conflict("file", base, ours, theirs),))
    if kept is None or (kept.rel, kept.data) == (base.rel, base.data):
        return _Settled(None)
    did = "edited" if kept.data != base.data else "moved"
    message = f"deleted on one side and {did} on the other; it stays"
    return _Settled(kept, (), (Notice(KEPT_EDIT, message, kept.rel, "delete it again if nobody needs it"),))


def _both(base: _File | None, ours: _File, theirs: _File, favour: Side | None) -> _Settled:
    conflicts: tuple[Conflict, ...] = ()
    rel = pick(base.rel if base else None, ours.rel, theirs.rel, lambda _ours, _theirs: None)
    if rel is None and favour is None:
        conflict = _conflict("path", base, ours, theirs)
        conflicts, rel = (conflict,), conflict.path
    rel = rel or (theirs.rel if favour is Side.THEIRS else ours.rel)
    outcome = merge_file(base.data if base else None, ours.data, theirs.data, rel, favour)
    if isinstance(outcome, Conflicted):
        return _Settled(ours, conflicts + outcome.conflicts)
    if conflicts:
        return _Settled(ours, conflicts)
    return _Settled(_File(ours.key, rel, outcome.data, base is not None and base.rel == rel))


def _conflict(field: str, base: _File | None, ours: _File | None, theirs: _File | None) -> Conflict:
    """Of the path of an item, or of whether a file is there."""
    at = base or min((each for each in (ours, theirs) if each), key=lambda each: each.rel)
    values = (None if each is None else each.rel for each in (base, ours, theirs))
    return Conflict(at.rel, canonical_id(at.key) or "", field, *values)


def _apart(files: list[_File], sides: tuple[Tree, Tree], others: Collection[str]) -> tuple[list[_File], list[Notice]]:
    """Gives each engram a path of its own where two were given one, on a system without regard to case too."""
    groups: dict[str, list[_File]] = defaultdict(list)
    for each in files:
        groups[each.rel.casefold()].append(each)
    if len(groups) == len(files):
        return files, []
    taken = {*groups, *(rel.casefold() for rel in others)}
    placed: list[_File] = []
    notes: list[Notice] = []
    for group in groups.values():
        first, *later = sorted(group, key=lambda each: (not each.had_path, each.key))
        placed.append(first)
        for each in later:
            if place_of(each.rel) is not Place.ENGRAM or _are_together(group, sides):
                placed.append(each)
                continue
            moved = replace(each, rel=_free(each, taken))
            taken.add(moved.rel.casefold())
            placed.append(moved)
            message = f"two engrams were given the path {each.rel}; the later one, {each.key}, is here now"
            notes.append(Notice("moved-aside", message, moved.rel, "nothing refers to a path; rename it: gitmem mv"))
    return placed, notes


def _are_together(group: list[_File], sides: tuple[Tree, Tree]) -> bool:
    """Whether one side has them all already: then it is not the merge that brings them together."""
    rels = {each.rel for each in group}
    return len(rels) == len(group) and any(rels <= side.keys() for side in sides)


def _free(file: _File, taken: Collection[str]) -> str:
    """A path beside the one that is taken, with as much of the id as it takes."""
    folder, slash, name = file.rel.rpartition("/")
    tail = file.key.lower() if canonical_id(file.key) else sha256(file.data).hexdigest()
    slug = name.removesuffix(".md")
    endings = (tail[-digits:] for digits in range(_SUFFIX_MIN, len(tail) + 1))
    rels = (f"{folder}{slash}{slug[: SLUG_MAX - 1 - len(ending)]}-{ending}.md" for ending in endings)
    return next(rel for rel in rels if rel.casefold() not in taken)


def _in_the_way(merged: Mapping[str, bytes], others: Collection[str]) -> Iterator[Conflict]:
    """Files below what is a file itself."""
    for rel in merged:
        above = rel.rpartition("/")[0]
        while above and above not in merged and above not in others:
            above = above.rpartition("/")[0]
        if above:
            yield Conflict(rel, "", "path", None, rel, above)
