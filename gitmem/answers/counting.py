"""What all journals count together: this clone's lines, what was pruned of them, and what others shared, each once.

Refuses to read an event for it that a seal has counted already.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gitmem.answers.session import Session
from gitmem.memory import tally
from gitmem.memory.tally import Heap, Tally
from gitmem.record import record
from gitmem.store import shared, skimming, spool
from gitmem.store.repo import Repo
from gitmem.store.seal import COUNTS, hashed
from gitmem.store.segments import Line, Row, Walk
from gitmem.store.shared import Coverage
from gitmem.store.uncollected import uncollected
from gitmem.store.writer import kept_names


def of_team(session: Session) -> Tally:
    """Everything on record that this clone knows of."""
    repo = session.place.repo
    covered = coverage(repo)
    with uncollected():
        files = spool.by_file(repo, lambda path, data: _read(covered, path, data))
        if skimming.are_apart({path.stem: each.segments for path, each in files}):
            heap = Heap()
            for _, each in files:
                heap.add(each.rows)
            own = [heap.tally(), *(each.folded for _, each in files if each.folded.counts)]
        else:
            # Which of two files has more of a segment is for the spool to say.
            own = spool.mapped(repo, lambda _, walk: _of_walk(covered, walk))
    own += [tally.read(seal.tally) for seal in covered.counted]
    return own[0] if len(own) == 1 else tally.total(own)


@record
class _File:
    """The segments in a file, the rows of it that count, and what counts of it beside these."""

    segments: list[str]
    rows: list[Row]
    folded: Tally


def _read(covered: Coverage, path: Path, data: bytes) -> _File:
    """One that is odd, or told by seals too, is read in full."""
    found = skimming.skim(data)
    if found and not (covered.hidden and any(hashed(end.segment) in covered.hidden for end in found.ends)):
        return _File([end.segment for end in found.ends], found.rows, Tally())
    walks = spool.walked(path)
    return _File([walk.id for walk in walks], [], tally.total(_of_walk(covered, walk) for walk in walks))


def _of_walk(covered: Coverage, walk: Walk) -> Tally:
    lines = list(own_lines(covered, walk))
    rows = tally.of_rows([line.row for line in lines if line.fold is None])
    folds = [tally.read(line.fold.tally) for line in lines if line.fold]
    return tally.total((rows, *folds)) if folds else rows


def coverage(repo: Repo) -> Coverage:
    chains = shared.chains(repo)
    return shared.coverage(chains, kept_names(repo), shared.ends_here(repo) if chains else {})


def own_lines(covered: Coverage, walk: Walk) -> Iterator[Line]:
    """The lines of a segment of the spool that no seal counts in their place."""
    ranges = covered.hidden.get(hashed(walk.id), ()) if covered.hidden else ()
    if not ranges:
        yield from walk.lines
        return
    for line in walk.lines:
        if not any(first <= line.number <= last for first, last in ranges):
            yield line


def told_in_counts(session: Session) -> list[tuple[str, Tally]]:
    """By writer: what only counts tell of, since it was shared so or since the lines were pruned."""
    repo = session.place.repo
    covered = coverage(repo)

    def see(_: Path, walk: Walk) -> tuple[str, Tally]:
        folds = (line.fold for line in own_lines(covered, walk) if line.fold)
        return walk.writer, tally.total(tally.read(fold.tally) for fold in folds)

    found = [each for each in spool.mapped(repo, see) if each[1].counts]
    found += [(seal.writer, tally.read(seal.tally)) for seal in covered.counted if seal.share == COUNTS]
    writers = sorted({writer for writer, _ in found})
    return [(writer, tally.total(each for name, each in found if name == writer)) for writer in writers]
