"""What all journals that are here tell of the use of engrams, reading only what is new. Refuses to weigh it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from gitmem.answers.counting import coverage, told_in_counts
from gitmem.answers.session import Session
from gitmem.memory.contexts import BAD, GOOD, KINDS, Context, Contexts, Fold, Told, Verdict
from gitmem.model.event import FEEDBACK, VERIFY
from gitmem.record import field, state
from gitmem.store import cache as caches
from gitmem.store import shared, spool
from gitmem.store.journal import folder_of
from gitmem.store.refs import JOURNAL, REMOTES, listed
from gitmem.store.repo import Repo
from gitmem.store.seal import hashed
from gitmem.store.tailing import Row, Spot, tail

# The answer, and what it takes to go on from it: the second is read only when there is something to count.
_FOUND, _FOLD = "look-contexts-1.json", "look-contexts-fold-1.json"
# What says nothing of how something fared is looked through again each time, until there is so much of it.
_TAIL_BYTES = 256 << 10
_TELLING = (
    *(f'"kind":"{kind}"'.encode() for kind in (FEEDBACK, VERIFY)),
    *(f'"{outcome}":'.encode() for outcome in (*GOOD, *BAD)),
)

Sizes = dict[str, int]


@state
class _Known:
    """``spots`` by file of the spool; ``refs`` are the tips of what was shared."""

    spots: dict[str, Spot]
    refs: list[str]
    fold: Fold = field(default_factory=Fold)


def contexts(session: Session) -> Contexts:
    """Everything on record that this clone knows of."""
    cache, repo = session.place.cache, session.place.repo
    sizes, refs = _sizes(repo), [f"{ref.oid} {ref.name}" for ref in listed(repo, JOURNAL, REMOTES)]
    kept = caches.load(cache, _FOUND)
    if kept is not None:
        head, _, rest = kept.partition(b"\n")
        before: tuple[Sizes, list[str]] = json.loads(head)
        if before[1] == refs and _tells_nothing(repo, before[0], sizes):
            return _read(rest)
    known = _loaded(caches.load(cache, _FOLD))
    if known is None or known.refs != refs or not _extend(repo, known, sizes):
        known = _anew(session, sizes, refs)
    found = known.fold.contexts()
    caches.save(cache, _FOLD, _dumped(known))
    caches.save(cache, _FOUND, json.dumps([sizes, refs]).encode() + b"\n" + _written(found))
    return found


def _sizes(repo: Repo) -> Sizes:
    return {path.name: size for path in spool.paths(repo) if (size := _size(path)) >= 0}


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return -1


def _tells_nothing(repo: Repo, before: Sizes, now: Sizes) -> bool:
    """Whether the spool is as it was, or has grown by a little that says nothing of how something fared."""
    grown = {name: before.get(name, 0) for name, size in now.items() if size != before.get(name, 0)}
    if sum(now[name] - start for name, start in grown.items()) > _TAIL_BYTES or not before.keys() <= now.keys():
        return False
    tails = [tail(folder_of(repo) / name, Spot(start)) for name, start in grown.items()]
    return all(now[name] > start for name, start in grown.items()) and not any(
        each is None or any(mark in each.data for mark in _TELLING) for each in tails
    )


def _extend(repo: Repo, known: _Known, sizes: Sizes) -> bool:
    """Counts what came since; False where the spool is another one, or lines of it were pruned."""
    if any(sizes.get(name, -1) < spot.size_bytes for name, spot in known.spots.items()):
        return False
    for name, size in sizes.items():
        spot = known.spots.get(name, Spot())
        if size > spot.size_bytes:
            found = tail(folder_of(repo) / name, spot)
            if found is None:
                return False
            for row in found.rows(KINDS):
                known.fold.add(_told(row))
            if found.has_folds:
                return False
            known.spots[name] = found.spot
    return True


def _told(row: Row) -> Told:
    return Told(row.writer, row.kind, row.clock, row.data)


def _anew(session: Session, sizes: Sizes, refs: list[str]) -> _Known:
    """Each event once: of a segment in two files, as a stop of packing leaves it, the lines of the first; none that a
    seal counts in their place."""
    repo = session.place.repo
    known = _Known({}, refs)
    hidden = coverage(repo).hidden if refs else {}
    owners: dict[str, str] = {}
    has_folds = False
    for name in sizes:
        found = tail(folder_of(repo) / name, Spot())
        for row in found.rows(KINDS) if found else ():
            is_hidden = any(first <= row.number <= last for first, last in hidden.get(hashed(row.segment), ()))
            if owners.setdefault(row.segment, name) == name and not is_hidden:
                known.fold.add(_told(row))
        if found:
            known.spots[name] = found.spot
            has_folds = has_folds or found.has_folds
    for entry in sorted(shared.others(repo), key=lambda each: each.order) if refs else ():
        known.fold.add(Told(entry.writer, entry.kind, entry.clock, entry.data))
    for writer, counts in told_in_counts(session) if refs or has_folds else ():
        known.fold.add_counts(writer, counts)
    return known


def _dumped(known: _Known) -> bytes:
    fold = known.fold
    spots = {name: (spot.size_bytes, spot.segment, spot.writer) for name, spot in known.spots.items()}
    nets = [[[*pair, count] for pair, count in net.items()] for net in (fold.total, fold.by_writer, fold.by_area)]
    verdicts = [(clock, each.passed, each.files, each.items) for clock, each in fold.verdicts]
    at_work = [(*pair, *row) for pair, row in fold.at_work.items()]
    return json.dumps([spots, known.refs, nets, verdicts, fold.asked, at_work]).encode()


def _loaded(data: bytes | None) -> _Known | None:
    if data is None:
        return None
    spots, refs, nets, verdicts, asked, at_work = json.loads(data)
    counted = [Counter({(item, where): count for item, where, count in net}) for net in nets]
    told = [(clock, Verdict(passed, tuple(files), tuple(ids))) for clock, passed, files, ids in verdicts]
    areas = {key: tuple(each) for key, each in asked.items()}
    work = {(writer, item): (clock, tuple(each)) for writer, item, clock, each in at_work}
    return _Known(
        {name: Spot(*spot) for name, spot in spots.items()},
        refs,
        Fold(counted[0], counted[1], counted[2], told, areas, work),
    )


def _written(found: Contexts) -> bytes:
    items = {item: (use.authors, use.areas, use.helped, use.misled) for item, use in found.items.items()}
    return json.dumps([items, [(each.passed, each.files, each.items) for each in found.verdicts]]).encode()


def _read(data: bytes) -> Contexts:
    rows, verdicts = json.loads(data)
    items = {item: Context(tuple(authors), tuple(areas), *counts) for item, (authors, areas, *counts) in rows.items()}
    return Contexts(items, tuple(Verdict(passed, tuple(files), tuple(ids)) for passed, files, ids in verdicts))
