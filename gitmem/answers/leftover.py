"""What an unfinished merge left in index and work tree, and who wrote it: Git or a person. Refuses to change it."""

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from gitmem.record import record
from gitmem.review.unsettled import Group, Settlement, Trees
from gitmem.store import files, objects, unfinished
from gitmem.store.canonical import canonical
from gitmem.store.linemerge import sides_of, taken_apart
from gitmem.store.objects import REGULAR
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.unfinished import OURS, SETTLED, THEIRS, Index

_MARKER = re.compile(rb"^(?:<{7,}|>{7,})(?:[ \r]|$)")
_LARGEST_BYTES = 1 << 30


class Touch(StrEnum):
    """NONE: as Git or gitmem left it. ANSWERED: a person's text. BEGUN: theirs, and not finished or not plain."""

    NONE = "none"
    ANSWERED = "answered"
    BEGUN = "begun"


@record
class Leftover:
    """Paths are below ``.gitmem``; ``unmerged`` gives the versions that the index has of them, by stage;
    ``elsewhere`` counts the paths in conflict outside of the folder."""

    repo: Repo
    root: Path
    index: Index
    unmerged: Mapping[str, Mapping[int, bytes]]
    elsewhere: int

    def on_disk(self, rel: str) -> bytes | None:
        return files.read_file(self.root, f"{FOLDER}/{rel}", limit_bytes=_LARGEST_BYTES)


def read_leftover(repo: Repo, root: Path) -> Leftover:
    index, elsewhere = unfinished.index_of(repo)
    waiting = {rel: slots for rel, slots in index.items() if SETTLED not in slots}
    oids = {slot.oid for slots in waiting.values() for slot in slots.values() if slot.mode in REGULAR}
    blobs = dict(objects.read_blobs(repo, sorted(oids)))
    unmerged = {
        rel: {number: blobs[slot.oid] for number, slot in slots.items() if slot.oid in blobs}
        for rel, slots in waiting.items()
    }
    return Leftover(repo, root, index, unmerged, elsewhere)


def touch_of(left: Leftover, group: Group, trees: Trees, settlement: Settlement) -> Touch:
    """Whether a person has edited a file of the group since the merge."""
    written = unfinished.left_by_git(left.repo, sorted(group.paths))
    found = {rel: left.on_disk(rel) for rel in sorted({*group.paths, *settlement.files})}
    for rel, data in found.items():
        known = [*_of_git(left, rel, trees, written), *_of_gitmem(rel, settlement)]
        if data is None or canonical(data) in map(canonical, known) or _is_line_merge(left, rel, data, trees):
            continue
        is_alone = all(other == rel or (other not in left.index and found[other] is None) for other in group.paths)
        is_answer = is_alone and rel in left.unmerged and not _has_markers(rel, data, trees)
        return Touch.ANSWERED if is_answer else Touch.BEGUN
    return Touch.NONE


def _of_git(left: Leftover, rel: str, trees: Trees, written: Mapping[str, bytes]) -> list[bytes]:
    """What Git may have left in a file. One side as it was is an answer of a person, unless Git had only that."""
    versions = left.unmerged.get(rel)
    if rel in written:
        return [written[rel]]
    if versions is None:
        return [tree[rel] for tree in (trees.base, trees.ours, trees.theirs) if rel in tree]
    # A driver that fails leaves ours.
    is_both = OURS in versions and THEIRS in versions
    return [versions[OURS]] if is_both else list(versions.values())


def _of_gitmem(rel: str, settlement: Settlement) -> list[bytes]:
    marked, data = settlement.marked, settlement.files.get(rel)
    found = [] if data is None else [data]
    return [*found, marked.data] if marked is not None and marked.rel == rel else found


def _has_markers(rel: str, data: bytes, trees: Trees) -> bool:
    """Markers that no side has in its own text, at any length."""
    known = {line for tree in (trees.ours, trees.theirs) for line in canonical(tree.get(rel, b"")).split(b"\n")}
    return any(_MARKER.match(line) and line not in known for line in canonical(data).split(b"\n"))


def _is_line_merge(left: Leftover, rel: str, data: bytes, trees: Trees) -> bool:
    """Whether both sides of the markers are those of a line merge, whatever their labels and their cut."""
    ours, theirs = trees.ours.get(rel), trees.theirs.get(rel)
    if ours is None or theirs is None or not _has_markers(rel, data, trees):
        return False
    apart, sides = taken_apart(canonical(data)), sides_of(left.repo, trees.base.get(rel, b""), ours, theirs)
    return apart is not None and sides is not None and sorted(apart) == sorted(sides)
