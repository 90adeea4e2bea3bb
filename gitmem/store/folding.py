"""Rewrites segments that nobody writes any more: old lines give way to their tally, small files become one.

Refuses a live segment, a damaged one, and to break a chain. Each file is replaced whole, under the journal's lock; a
stop in between leaves a segment in two files, of which readers take one.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from gitmem.model.plain import Plain
from gitmem.record import record, replace
from gitmem.store import disk, spool
from gitmem.store.journal import LOCK, digest, folder_of
from gitmem.store.lock import held
from gitmem.store.regular import read_at_most
from gitmem.store.repo import Repo
from gitmem.store.segments import Fold, Line, Row, Walk, clock_of, end_of, fold_row, walks

# From the rows of lines and the tallies of what was folded before to the tally of both.
Count = Callable[[Sequence[Row], Sequence[Mapping[str, Plain]]], dict[str, Plain]]
FILES_MAX = 256
_SMALL_BYTES = 1 << 20
_PACK_BYTES = 8 << 20


@record
class Rule:
    """A line goes when its row ``is_old`` and nothing speaks for it by the id of its entry: then it ``stays``. No fold
    reaches over one of the ``marks`` of a segment, the lines at which seals end."""

    is_old: Callable[[Row], bool]
    stays: Callable[[str, Row], bool]
    count: Count
    marks: Callable[[str], frozenset[int]] = lambda _: frozenset()

    def goes(self, walk: Walk, line: Line) -> bool:
        return self.is_old(line.row) and not self.stays(f"{walk.id}-{line.number}", line.row)


@record
class Pruned:
    """``folded`` lines gave way, ``kept`` are old enough and stay; ``live`` files are still being written."""

    folded: int = 0
    kept: int = 0
    segments: int = 0
    live: int = 0
    damaged: int = 0
    bytes_before: int = 0
    bytes_after: int = 0


def prune(repo: Repo, rule: Rule, *, is_dry: bool = False) -> Pruned:
    """Folds what goes in every dead segment; nothing is changed where ``is_dry``."""
    if not spool.paths(repo):
        return Pruned()
    if is_dry:
        return _pruned(repo, rule, is_dry=True)
    with held(repo, LOCK):
        _clear(repo)
        return _pruned(repo, rule, is_dry=False)


def _pruned(repo: Repo, rule: Rule, *, is_dry: bool) -> Pruned:
    done = Pruned()
    for path in spool.paths(repo):
        if spool.is_live(path):
            done = replace(done, live=done.live + 1)
            continue
        data = read_at_most(path, spool.FILE_BYTES_MAX + 1)
        found = walks(str(path), data)
        if len(data) > spool.FILE_BYTES_MAX or any(walk.faults for walk in found):
            done = replace(done, damaged=done.damaged + 1)
            continue
        content = b"".join(_folded(walk, rule) for walk in found)
        old = [[line for line in walk.lines if line.fold is None and rule.is_old(line.row)] for walk in found]
        gone = [sum(rule.goes(walk, line) for line in lines) for walk, lines in zip(found, old, strict=True)]
        done = Pruned(
            folded=done.folded + sum(gone),
            kept=done.kept + sum(map(len, old)) - sum(gone),
            segments=done.segments + sum(map(bool, gone)),
            live=done.live,
            damaged=done.damaged,
            bytes_before=done.bytes_before + len(data),
            bytes_after=done.bytes_after + len(content if any(gone) else data),
        )
        if any(gone) and not is_dry:
            disk.put(path, content)
    return done


def rendered(walk: Walk) -> bytes:
    """The lines of a segment as its file has them, without what a kill left behind them."""
    return b"".join(raw + b"\n" for raw in (walk.raw, *(line.raw for line in walk.lines)))


def _folded(walk: Walk, rule: Rule) -> bytes:
    marks = rule.marks(walk.id)
    prev = digest(walk.raw + b"\n")
    out, run = [walk.raw + b"\n"], list[Line]()
    for line in walk.lines:
        if run and run[-1].number in marks:
            out.append(_run(prev, run, rule))
            prev, run = end_of(run[-1]), []
        if line.fold or rule.goes(walk, line):
            run.append(line)
            continue
        out += [_run(prev, run, rule), line.raw + b"\n"]
        prev, run = end_of(line), []
    return b"".join([*out, _run(prev, run, rule)])


def _run(prev: str, run: Sequence[Line], rule: Rule) -> bytes:
    """What stands for a run of lines that go; one that is a fold by itself stays as it is."""
    if not run:
        return b""
    if len(run) == 1 and run[0].fold:
        return run[0].raw + b"\n"
    rows = [line.row for line in run if line.fold is None]
    tally = rule.count(rows, [line.fold.tally for line in run if line.fold])
    return fold_row(prev, Fold(run[-1].number, end_of(run[-1]), max(map(clock_of, run)), tally))


def pack(repo: Repo, most: int | None = None) -> int:
    """Puts small files of dead segments together once there are more than ``most`` (256); how many files went."""
    most = FILES_MAX if most is None else most
    if sys.platform == "win32" or len(spool.paths(repo)) <= most:
        return 0
    with held(repo, LOCK):
        paths = _small(repo)
        if len(paths) <= most:
            return 0
        _clear(repo)
        return sum(_packed(group) for group in _groups(paths))


def small(repo: Repo) -> int:
    """How many files are small and have no writer any more."""
    return len(_small(repo)) if len(spool.paths(repo)) > FILES_MAX else 0


def _small(repo: Repo) -> list[Path]:
    return [path for path in spool.paths(repo) if _is_small(path) and not spool.is_live(path)]


def _is_small(path: Path) -> bool:
    # An empty file may be one that a process has just made and not locked yet.
    with suppress(FileNotFoundError):
        return 0 < os.stat(path, follow_symlinks=False).st_size < _SMALL_BYTES
    return False


def _groups(paths: Sequence[Path]) -> Iterator[list[tuple[Path, list[Walk]]]]:
    group: list[tuple[Path, list[Walk]]] = []
    size = 0
    for path in paths:
        data = read_at_most(path, _SMALL_BYTES)
        found = walks(str(path), data)
        if any(walk.faults for walk in found):
            continue
        if size + len(data) > _PACK_BYTES:
            yield group
            group, size = [], 0
        group.append((path, found))
        size += len(data)
    yield group


def _packed(group: Sequence[tuple[Path, list[Walk]]]) -> int:
    if len(group) < 2:
        return 0
    longest: dict[str, Walk] = {}
    for _, found in group:
        for walk in found:
            if walk.id not in longest or walk.number > longest[walk.id].number:
                longest[walk.id] = walk
    first, *rest = (path for path, _ in group)
    disk.put(first, b"".join(rendered(longest[id_]) for id_ in sorted(longest)))
    for path in rest:
        os.unlink(path)
    disk.sync_folder(first.parent)
    return len(rest)


def _clear(repo: Repo) -> None:
    """Whoever rewrites holds the lock, so a file that is not finished has been left by a stop."""
    for path in folder_of(repo).glob(".*.jsonl-*"):
        path.unlink(missing_ok=True)
