"""What the journals of all writers have told the team: their seals, checked. Refuses to move a ref, and to guess.

A journal that was damaged or tampered with counts up to the last seal that can be believed; the rest is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from gitmem.errors import GitmemError
from gitmem.model.event import Entry
from gitmem.record import record
from gitmem.store import objects, spool
from gitmem.store.commits import tree_entries
from gitmem.store.refs import JOURNAL, REMOTES, Ref, listed
from gitmem.store.repo import Repo
from gitmem.store.seal import NAME, Seal, Span, decode, hashed, name_of
from gitmem.store.segments import Fault, is_writer

_BLOB_BYTES_MAX = 32 << 20
_SEGMENT_CHARS = 26
# No clock of a person's work gets so far ahead; whoever believed it could not be overtaken any more.
CLOCK_AHEAD_MAX = 1 << 40


@record
class Chain:
    """The seals of one writer in order, as far as they can be believed. ``ref`` is where they were read."""

    writer: str
    ref: str
    tip: str
    seals: tuple[Seal, ...]
    faults: tuple[Fault, ...] = ()


def chains(repo: Repo) -> list[Chain]:
    """By writer. Where a remote has more than this clone, and all that this clone has, it is taken from there."""
    found: dict[str, Chain] = {}
    for chain in read(repo, [*listed(repo, JOURNAL), *_fetched(repo)]):
        known = found.get(chain.writer)
        if known is None or _goes_on(known, chain):
            found[chain.writer] = chain
    return [found[writer] for writer in sorted(found)]


def _fetched(repo: Repo) -> list[Ref]:
    return [ref for ref in listed(repo, REMOTES) if ref.name.split("/")[3:4] == ["journal"]]


def _goes_on(known: Chain, other: Chain) -> bool:
    before = [seal.digest for seal in known.seals]
    return len(other.seals) > len(before) and [seal.digest for seal in other.seals[: len(before)]] == before


def read(repo: Repo, refs: Sequence[Ref]) -> list[Chain]:
    """The chain of each ref that has the name of a writer; what lies behind the same commit is read once."""
    refs = [ref for ref in refs if is_writer(ref.id)]
    tips = list(dict.fromkeys(ref.oid for ref in refs))
    trees = dict(zip(tips, tree_entries(repo, [f"{tip}^{{tree}}" for tip in tips]), strict=True))
    wanted = sorted({oid for tree in trees.values() for name, oid in tree if NAME.fullmatch(name)})
    sizes = {oid: found for oid, found in zip(wanted, objects.look_up(repo, wanted), strict=True) if found}
    blobs = dict(objects.read_blobs(repo, [oid for oid, found in sizes.items() if found[2] <= _BLOB_BYTES_MAX]))
    return [_chain(ref, dict(trees[ref.oid]), blobs) for ref in refs]


def _chain(ref: Ref, tree: Mapping[str, str], blobs: Mapping[str, bytes]) -> Chain:
    seals: list[Seal] = []
    fault: Fault | None = None
    while fault is None and len(seals) < len(tree):
        name = name_of(len(seals) + 1)
        found = _next(seals, ref, (name, blobs.get(tree.get(name, ""))))
        if isinstance(found, Fault):
            fault = found
        else:
            seals.append(found)
    return Chain(ref.id, ref.name, ref.oid, tuple(seals), (fault,) if fault else ())


def _next(seals: Sequence[Seal], ref: Ref, file: tuple[str, bytes | None]) -> Seal | Fault:
    name, data = file
    place = f"{ref.name}:{name}"
    if data is None:
        return Fault("seal-missing", place, 0, "this seal is not there, is too big, or its object is missing")
    seal = decode(data, place)
    if isinstance(seal, Fault):
        return seal
    if seal.writer != ref.id or seal.number != len(seals) + 1:
        return Fault("bad-seal", place, 1, f"it is number {seal.number} of the writer {seal.writer}")
    if seal.prev != (seals[-1].digest if seals else ""):
        return Fault("chain-broken", place, 1, "its link does not fit the seal before: one of the two was changed")
    return seal


@record
class Coverage:
    """Which lines are told by which seals, each line once.

    ``counted`` are seals whose tallies stand for their lines, whether these are here or not: ``hidden`` has the ranges
    by the hash of the segment. The seals in ``local`` are this clone's own, and the spool has all their lines.
    """

    counted: tuple[Seal, ...]
    local: tuple[Seal, ...]
    hidden: Mapping[str, tuple[tuple[int, int], ...]]
    faults: tuple[Fault, ...] = ()

    def hides(self, segment: str, line: int) -> bool:
        """Whether a line of the spool is told by a seal that counts in its place."""
        return any(first <= line <= last for first, last in self.hidden.get(hashed(segment), ()))


def coverage(found: Sequence[Chain], own: Collection[str], here: Mapping[str, int]) -> Coverage:
    """``own`` are the names of this clone, ``here`` the last line of each segment of the spool by its hash."""
    taken: dict[str, list[tuple[int, int]]] = {}
    hidden: dict[str, list[tuple[int, int]]] = {}
    counted, local, faults = list[Seal](), list[Seal](), list[Fault]()
    for chain in sorted(found, key=lambda each: (each.writer not in own, each.writer)):
        for seal in chain.seals:
            if any(_overlaps(span, taken.get(span.segment, ())) for span in seal.spans):
                place = f"{chain.ref}:{name_of(seal.number)}"
                faults.append(Fault("covered-twice", place, 1, "another seal has lines of it: it counts for nothing"))
                continue
            is_here = chain.writer in own and all(here.get(span.segment, 0) >= span.last for span in seal.spans)
            (local if is_here else counted).append(seal)
            for span in seal.spans:
                for ranges in (taken,) if is_here else (taken, hidden):
                    ranges.setdefault(span.segment, []).append((span.first, span.last))
    return Coverage(tuple(counted), tuple(local), {name: tuple(each) for name, each in hidden.items()}, tuple(faults))


def _overlaps(span: Span, taken: Iterable[tuple[int, int]]) -> bool:
    return any(span.first <= last and first <= span.last for first, last in taken)


def watermarks(found: Iterable[Chain]) -> dict[str, Span]:
    """By hash of the segment: the span that goes furthest. Lines up to its last one are sealed."""
    best: dict[str, Span] = {}
    for span in _spans(found):
        if span.segment not in best or span.last > best[span.segment].last:
            best[span.segment] = span
    return best


def marks(found: Iterable[Chain]) -> dict[str, frozenset[int]]:
    """By hash of the segment: the lines at which seals end."""
    ends: dict[str, set[int]] = {}
    for span in _spans(found):
        ends.setdefault(span.segment, set()).add(span.last)
    return {segment: frozenset(each) for segment, each in ends.items()}


def _spans(found: Iterable[Chain]) -> Iterator[Span]:
    return (span for chain in found for seal in chain.seals for span in seal.spans)


def every(repo: Repo) -> list[Entry]:
    """All events that this clone can read, in Lamport order: its own and those that others shared, each once."""
    return told(repo)[0]


def told(repo: Repo) -> tuple[list[Entry], list[Fault]]:
    """The events, and what is amiss with the segments and seals that end before their time."""
    found = chains(repo)
    own, faults = spool.told(repo)
    both = {entry.id: entry for entry in (*_others(repo, found), *own)}
    faults += [fault for chain in found for fault in chain.faults]
    return sorted(both.values(), key=lambda entry: entry.order), faults


def others(repo: Repo) -> list[Entry]:
    """The events that were shared and are not in the spool, in no order."""
    return _others(repo, chains(repo))


def _others(repo: Repo, found: Sequence[Chain]) -> list[Entry]:
    here = ends_here(repo) if found else {}
    return [e for chain in found for seal in chain.seals for e in seal.entries if not _is_here(e, here)]


def _is_here(entry: Entry, here: Mapping[str, int]) -> bool:
    segment, _, line = entry.id.rpartition("-")
    name = hashed(segment) if len(segment) == _SEGMENT_CHARS else segment
    return int(line) <= here.get(name, 0)


def ends_here(repo: Repo) -> dict[str, int]:
    """The last line of each segment of the spool, by the hash of its id."""
    return {hashed(segment): last for segment, last in spool.ends(repo).items()}


def greatest_clock(found: Iterable[Chain], now: int) -> tuple[int, list[Chain]]:
    """The greatest Lamport time that can be believed at ``now``, and the chains that tell of one that cannot."""
    most, absurd = 0, []
    for chain in found:
        times = [seal.clock[1] for seal in chain.seals]
        most = max([most, *(time for time in times if time <= now + CLOCK_AHEAD_MAX)])
        if any(time > now + CLOCK_AHEAD_MAX for time in times):
            absurd.append(chain)
    return most, absurd


def latest_clock(repo: Repo) -> int:
    """Where a journal goes on that has lost its clock: past the spool and past what was shared."""
    least = spool.latest_clock(repo)
    with suppress(GitmemError):
        least = max(least, greatest_clock(chains(repo), least)[0])
    return least
