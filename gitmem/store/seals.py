"""Seals this clone's journal: one commit on its own ref for what is new. Refuses other writers' segments, and to push.

The lines stay files. A commit holds only what may be shared, so that no push whatever can show more.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.model.plain import Plain
from gitmem.record import record
from gitmem.store import disk, spool
from gitmem.store.folding import Count
from gitmem.store.gitrefs import read_ref, swap_ref
from gitmem.store.gitwrite import Draft, write_commit
from gitmem.store.journal import LOCK, digest
from gitmem.store.lock import held
from gitmem.store.refs import JOURNAL, Ref
from gitmem.store.repo import Repo
from gitmem.store.seal import EVENTS, FULL, Piece, Seal, Span, encode, event_row, hashed, name_of, raw_lines
from gitmem.store.segments import Line, Row, Walk, clock_of, end_of
from gitmem.store.shared import Chain, read, watermarks

AUTHOR = "gitmem <gitmem@localhost>"
_FILE_BYTES = 8 << 20


@record
class Terms:
    """How much is told: ``share`` is counts, events or full.

    ``count`` makes the tally that may be told; ``tell`` gives of a row what ``events`` may say of it, None for nothing
    at all, and ``withholds`` says which lines are left out of ``full``.
    """

    share: str
    count: Count
    tell: Callable[[Row], Mapping[str, Plain] | None]
    withholds: Callable[[Row], bool]


class NotOursError(GitmemError):
    """The own ref holds what no gitmem of this clone has written."""

    code = "journal-damaged"


def ref_of(writer: str) -> str:
    return f"{JOURNAL}/{writer}"


def unsealed(repo: Repo, chains: Sequence[Chain], own: Collection[str]) -> list[tuple[Path, Piece]]:
    """What no seal covers yet of the segments that this clone has written, with the file that has each."""
    sealed = watermarks(chain for chain in chains if chain.writer in own)

    def left(path: Path, walk: Walk) -> tuple[Path, Piece] | None:
        mark = sealed.get(hashed(walk.id))
        last = mark.last if mark else 0
        lines = tuple(line for line in walk.lines if line.number > last) if walk.writer in own else ()
        return (path, Piece(walk.id, walk.raw, last + 1, mark.head if mark else "", lines)) if lines else None

    return [each for each in spool.mapped(repo, left) if each is not None]


def seal(
    repo: Repo, chains: Sequence[Chain], own: Sequence[str], terms_of: Callable[[Sequence[Piece]], Terms], now: datetime
) -> str:
    """Commits what is new, durable on return; the new tip, or '' where nothing is new. ``own`` begins with the name.

    The caller has looked at ``chains`` under no lock: what moved meanwhile is left for the next time.
    """
    ref = ref_of(own[0])
    with held(repo, LOCK):
        tip = read_ref(repo, ref)
        last = _last(repo, ref, tip)
        new = unsealed(repo, chains, own)
        if not new or (tip and tip not in {chain.tip for chain in chains}):
            return ""
        for path in sorted({path for path, _ in new}):
            disk.sync_file(path)
        pieces = [piece for _, piece in new]
        files = dict(_files(own[0], last, pieces, terms_of(pieces)))
        # The time of day is nobody's business.
        day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        commit = write_commit(repo, tip, Draft(files, f"seal {max(files).partition('.')[0]}", AUTHOR, day))
        return commit if swap_ref(repo, ref, tip, commit, reason="gitmem: seal") else ""


def _last(repo: Repo, ref: str, tip: str | None) -> Seal | None:
    """The newest seal of the own chain, which must be whole to be built upon."""
    if not tip:
        return None
    chain = read(repo, [Ref(ref, tip)])[0]
    if chain.faults or not chain.seals:
        fault = chain.faults[0].message if chain.faults else "it holds no seal"
        raise NotOursError(f"the journal {ref} cannot be gone on with: {fault}", place=ref)
    return chain.seals[-1]


def _files(writer: str, last: Seal | None, pieces: Sequence[Piece], terms: Terms) -> Iterator[tuple[str, bytes]]:
    number, prev = (last.number, last.digest) if last else (0, "")
    for group in _groups(pieces) if terms.share == FULL else [list(pieces)]:
        number += 1
        times = [clock_of(line) for piece in group for line in piece.lines]
        rows = [line.row for piece in group for line in piece.lines if line.fold is None]
        folds = [line.fold.tally for piece in group for line in piece.lines if line.fold]
        spans = tuple(Span(hashed(each.segment), each.first, each.last, each.end) for each in group)
        tally = terms.count(rows, folds)
        made = Seal(writer, number, terms.share, prev, spans, (min(times), max(times)), tally)
        data = encode(made, _payload(group, terms))
        yield name_of(number), data
        prev = digest(data)


def _payload(pieces: Sequence[Piece], terms: Terms) -> list[bytes]:
    if terms.share == FULL:
        held_back = [[line.fold is None and terms.withholds(line.row) for line in piece.lines] for piece in pieces]
        return [raw for piece, each in zip(pieces, held_back, strict=True) for raw in raw_lines(piece, each)]
    if terms.share == EVENTS:
        lines = ((piece, line) for piece in pieces for line in piece.lines if line.fold is None)
        found = ((piece, line, terms.tell(line.row)) for piece, line in lines)
        return [event_row(piece, line, data) for piece, line, data in found if data is not None]
    return []


def _groups(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Parts that make files of a size which every forge takes; a long segment is split."""
    group: list[Piece] = []
    size = 0
    for piece in pieces:
        first, prev, kept = piece.first, piece.prev, list[Line]()
        for line in piece.lines:
            kept.append(line)
            size += len(line.raw)
            if size > _FILE_BYTES:
                yield [*group, Piece(piece.segment, piece.head, first, prev, tuple(kept))]
                group, size, first, prev, kept = [], 0, line.number + 1, end_of(line), []
        if kept:
            group.append(Piece(piece.segment, piece.head, first, prev, tuple(kept)))
    if group:
        yield group
