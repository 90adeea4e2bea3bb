"""Puts what a merge came to into work tree and index. Refuses to overwrite what was not read."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from gitmem.answers.leftover import Leftover, Touch
from gitmem.record import record
from gitmem.review.unsettled import Group, Marked, Settlement
from gitmem.store import checkout, files, unfinished
from gitmem.store.checkout import Place
from gitmem.store.repo import FOLDER
from gitmem.store.unfinished import BASE, OURS, SETTLED, THEIRS, Slot

_NEW_MODE = "100644"


@record
class Work:
    """One group with what the rules make of it, and whether a person has been at it since the merge. ``is_asked``: a
    side was taken because the rules alone do not settle it."""

    group: Group
    settlement: Settlement
    touch: Touch
    is_asked: bool = False


def apply(left: Leftover, works: Sequence[Work]) -> None:
    """Files first, the index last: a stop in between leaves files that are taken as they are the next time."""
    place = checkout.open_place(left.repo)
    lines: list[str] = []
    answered: list[str] = []
    for work in works:
        if work.touch is Touch.ANSWERED:
            answered += work.group.paths & left.unmerged.keys()
        elif work.touch is Touch.NONE and not work.settlement.conflicts:
            lines += _settled(left, place, work)
        elif work.touch is Touch.NONE and work.settlement.marked is not None:
            lines += _marked(left, place, (work.group, work.settlement.marked))
    unfinished.stage(place, lines)
    unfinished.stage_files(place, answered)


def _settled(left: Leftover, place: Place, work: Work) -> Iterator[str]:
    found = work.settlement.files
    for rel, data in sorted(found.items(), key=lambda each: each[1] is None):
        _put(left, rel, data)
    for rel, data in found.items():
        if data is not None:
            yield unfinished.line_for(rel, SETTLED, Slot(_mode(left, rel), unfinished.write_blob(place, data)))
        elif rel in left.index:
            yield unfinished.line_without(rel, left.repo)


def _marked(left: Leftover, place: Place, found: tuple[Group, Marked]) -> Iterator[str]:
    """The file with markers at its place, and in the index its three versions, as Git leaves a conflict."""
    group, marked = found
    _put(left, marked.rel, marked.data)
    if group.paths == {marked.rel}:
        return
    for rel in sorted(group.paths - {marked.rel}):
        _put(left, rel, None)
    for rel in sorted(group.paths & left.index.keys()):
        yield unfinished.line_without(rel, left.repo)
    for number, data in ((BASE, marked.base), (OURS, marked.ours), (THEIRS, marked.theirs)):
        if data is not None:
            yield unfinished.line_for(marked.rel, number, Slot(_NEW_MODE, unfinished.write_blob(place, data)))


def _put(left: Leftover, rel: str, data: bytes | None) -> None:
    held = left.on_disk(rel)
    if held == data:
        return
    if data is not None:
        files.write_file(left.root, f"{FOLDER}/{rel}", data, expected=held)
        return
    files.remove_file(left.root, f"{FOLDER}/{rel}", expected=held)
    folder = rel.rpartition("/")[0]
    with suppress(OSError):
        while folder:
            (left.root / FOLDER / folder).rmdir()
            folder = folder.rpartition("/")[0]


def _mode(left: Leftover, rel: str) -> str:
    slots = left.index.get(rel, {})
    modes = [slots[number].mode for number in (OURS, THEIRS, SETTLED) if number in slots]
    return modes[0] if modes else _NEW_MODE
