"""What all journals know of the use of items, each event once, reading only what is new. Refuses formulas.

Files that grew or came are read from where the last look ended. Where one went or was written anew, as packing and
pruning do, or where another clone's seals came, everything is read again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from threading import RLock

from gitmem.answers import counting, gathered
from gitmem.answers.gathered import KEEP_BYTES, File, Gathered, Stamp
from gitmem.answers.session import Session
from gitmem.memory import tally
from gitmem.memory.uses import UNTOLD, Uses
from gitmem.record import record
from gitmem.store import skimming, spool
from gitmem.store.journal import SUFFIX, folder_of
from gitmem.store.objects import may_have_refs
from gitmem.store.refs import JOURNAL, REMOTES, listed
from gitmem.store.regular import read_at_most
from gitmem.store.repo import Repo
from gitmem.store.seal import hashed
from gitmem.store.segments import Walk
from gitmem.store.shared import Coverage
from gitmem.store.skimming import End, Skimmed
from gitmem.store.uncollected import uncollected
from gitmem.store.writer import kept_names

_HELD_MOST, _TRIES, _ASKED = 4, 4, 20
# So many new files are worth keeping.
_NEW_FILE_BYTES = KEEP_BYTES // 32
_NOTHING = Coverage((), (), {})


@record
class _Held:
    """``mark`` is what the files of the refs looked like."""

    mark: tuple[object, ...]
    found: Gathered


# What this process has read, by the folder of the journal.
held: dict[Path, _Held] = {}
_TURN = RLock()


def gather(session: Session) -> Gathered:
    """Everything on record that this clone knows of; the same object grows from call to call."""
    repo, cache = session.place.repo, session.place.cache
    folder = folder_of(repo)
    with _TURN, uncollected():
        before, mark = held.pop(folder, None), _mark(repo)
        known = before.found if before else gathered.load(repo, cache)
        refs = known.refs if known and before and before.mark == mark else _refs(repo)
        stamps = _stamps(folder, known if before else None)
        if known is None or refs != known.refs or not _extended(known, repo, stamps):
            known = _anew(repo, stamps, refs)
            for _ in range(_TRIES):
                # Packing puts files together: whoever finds that one is gone looks again.
                before_it, stamps = stamps, _stamps(folder)
                if before_it.keys() <= stamps.keys():
                    break
                known = _anew(repo, stamps, refs)
        if before:
            _look_for_ends(known, folder)
        gathered.keep(repo, cache, known)
        held[folder] = _Held(mark, known)
        for old in list(held)[:-_HELD_MOST]:
            del held[old]
    return known


def _stamps(folder: Path, known: Gathered | None = None) -> dict[str, Stamp]:
    """Of each file of the journal. One that ``known`` has read and whose writer is gone is asked for no more than its
    inode: nobody goes on with it, and whoever puts another in its place makes a new one."""
    try:
        with os.scandir(folder) as found:
            return {each.name: _stamp_of(each, known) for each in found if spool.is_segment(each.name)}
    except OSError:
        return {}


def _stamp_of(entry: os.DirEntry[str], known: Gathered | None) -> Stamp:
    if known is not None and entry.name in known.ended:
        stamp = known.files[entry.name].stamp
        if stamp[2] == entry.inode():
            return stamp
    return _stamp(entry.stat(follow_symlinks=False))


def _look_for_ends(known: Gathered, folder: Path) -> None:
    """Asks a few files at a time whether anybody still writes them."""
    unasked = (name for name, file in known.files.items() if file.end is not None and name not in known.ended)
    for name in islice(unasked, _ASKED):
        # Its last line may have come after it was read.
        if not spool.is_live(folder / name) and _seen(f"{folder}/{name}") == known.files[name].stamp:
            known.ended.add(name)


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_size, found.st_mtime_ns, found.st_ino


def _mark(repo: Repo) -> tuple[object, ...]:
    """What changes whenever a ref does: the files in which they may lie."""
    common = repo.common_dir
    rows: list[object] = []
    for family in (JOURNAL, REMOTES):
        for folder, _, names in os.walk(common / family):
            rows += [(name, _seen(f"{folder}/{name}")) for name in sorted(names)]
    return (*rows, _seen(f"{common}/packed-refs"), _seen(f"{common}/reftable/tables.list"))


def _seen(path: str) -> Stamp | None:
    try:
        return _stamp(Path(path).stat())
    except OSError:
        return None


def _refs(repo: Repo) -> str:
    """What the shared journals are at, '' without any; a Git command only where there may be one."""
    if not any(may_have_refs(repo, family) for family in (JOURNAL, REMOTES)):
        return ""
    return "\n".join(f"{ref.oid} {ref.name}" for ref in listed(repo, JOURNAL, REMOTES) if "/journal/" in ref.name)


def _extended(found: Gathered, repo: Repo, stamps: Mapping[str, Stamp]) -> bool:
    """Reads what came since; False where that is more than new lines and new files of ours."""
    before = found.files
    new = [name for name, stamp in stamps.items() if name not in before or before[name].stamp != stamp]
    if len(before) > len(stamps) or any(name not in stamps for name in before):
        return False
    own = kept_names(repo) if found.refs and new else ()
    return all(_extend(found, folder_of(repo) / name, stamps[name], own) for name in new)


def _extend(found: Gathered, path: Path, stamp: Stamp, own: Sequence[str]) -> bool:
    known = found.files.get(path.name)
    if known and (known.end is None or known.stamp[2] != stamp[2] or stamp[0] <= known.stamp[0]):
        return False
    start = known.size_bytes if known else 0
    skimmed = _skimmed(path, start, known.end if known else None)
    # A writer goes on with its own segment, and begins another in another file.
    if skimmed is None or (known and len(skimmed.ends) > 1):
        return False
    if not known and not _are_new(found, path, skimmed.ends, own):
        return False
    found.files[path.name] = File(stamp, start + skimmed.size_bytes, skimmed.ends[-1])
    found.unkept += skimmed.size_bytes if known else max(skimmed.size_bytes, _NEW_FILE_BYTES)
    found.log += sorted(found.uses.add_rows(skimmed.rows))
    return True


def _are_new(found: Gathered, path: Path, ends: Sequence[End], own: Sequence[str]) -> bool:
    """Whether nothing else tells the lines of the segments of a file: no other file, and no seal."""
    if not skimming.are_apart({path.name: [end.segment for end in ends], "": found.guests}):
        return False
    guests = {end.segment for end in ends} - {path.name[: -len(SUFFIX)]}
    if any(f"{id_}{SUFFIX}" in found.files for id_ in guests):
        return False
    found.guests |= guests
    return not found.refs or all(end.writer in own and hashed(end.segment) not in found.lost for end in ends)


def _skimmed(path: Path, start: int = 0, after: End | None = None) -> Skimmed | None:
    """None for what must be read in full, or cannot be."""
    try:
        data = read_at_most(path, spool.FILE_BYTES_MAX + 1, start)
    except OSError:
        return None
    found = skimming.skim(data, UNTOLD, after) if len(data) <= spool.FILE_BYTES_MAX else None
    return found if found and found.ends else None


def _anew(repo: Repo, stamps: Mapping[str, Stamp], refs: str) -> Gathered:
    """Reads every file; one that is odd, or whose lines are told elsewhere too, as slowly as it takes to be right."""
    covered = counting.coverage(repo) if refs else _NOTHING
    own = kept_names(repo) if refs else ()
    lost = (span.segment for seal in covered.counted if seal.writer in own for span in seal.spans)
    found = Gathered(refs=refs, lost=frozenset(lost), unkept=KEEP_BYTES)
    ids: dict[str, list[str]] = {}
    for name, stamp in sorted(stamps.items()):
        found.files[name], ids[name[: -len(SUFFIX)]] = _added(found.uses, folder_of(repo) / name, stamp, covered)
    found.guests = {id_ for name, each in ids.items() for id_ in each if id_ != name}
    if not skimming.are_apart(ids):
        # Which of two files has more of a segment is for the spool to say.
        found.files = {name: File(stamp, 0, None) for name, stamp in stamps.items()}
        found.uses = Uses()
        for part in spool.mapped(repo, lambda _, walk: _of_walk(covered, walk)):
            found.uses.join(part)
    for seal in covered.counted:
        found.uses.add(tally.read(seal.tally).counts)
    return found


def _added(found: Uses, path: Path, stamp: Stamp, covered: Coverage) -> tuple[File, list[str]]:
    """What was read, and the segments in it."""
    skimmed = _skimmed(path)
    if skimmed and not (covered.hidden and any(hashed(end.segment) in covered.hidden for end in skimmed.ends)):
        found.add_rows(skimmed.rows)
        return File(stamp, skimmed.size_bytes, skimmed.ends[-1]), [end.segment for end in skimmed.ends]
    walks = spool.walked(path)
    for walk in walks:
        found.join(_of_walk(covered, walk))
    return File(stamp, stamp[0], None), [walk.id for walk in walks]


def _of_walk(covered: Coverage, walk: Walk) -> Uses:
    part = Uses()
    lines = list(counting.own_lines(covered, walk))
    part.add_rows([line.row for line in lines if line.fold is None])
    for line in lines:
        if line.fold:
            part.add(tally.read(line.fold.tally).counts)
    return part
