"""The merge of one file for which Git calls us in the middle of its own merge. Refuses to end with one side missing."""

from pathlib import Path

from gitmem.answers.session import Session, decides
from gitmem.errors import UsageError
from gitmem.model.vocabulary import FILE_MAX_BYTES
from gitmem.record import record, replace
from gitmem.review.merge import merge_file
from gitmem.review.outcome import Conflict, Conflicted
from gitmem.store import git
from gitmem.store.regular import read_at_most
from gitmem.store.repo import FOLDER, discover

_USUAL_SIZE = "7"
_LABELS = ("-L", "ours", "-L", "base", "-L", "theirs")


@record
class DriverCall:
    """What Git puts for %O %A %B %L %P: files for the three versions, the length of a marker, the path in the tree."""

    base: str
    ours: str
    theirs: str
    marker_size: str
    path: str


@record
class Driven:
    """The merged text is in the file for ours; with ``conflicts`` it has markers."""

    path: str
    conflicts: tuple[Conflict, ...] = ()

    @property
    def exit_code(self) -> int:
        return 1 if self.conflicts else 0


def merge_driver(session: Session, call: DriverCall) -> Driven:
    """Merges by the rules of the kind of file that lies at the path; outside of ``.gitmem`` as Git does."""
    decides(session)
    files = [session.start / name for name in (call.base, call.ours, call.theirs)]
    base, ours, theirs = (_content(session, file) for file in files)
    # First what Git would leave: whatever happens to us from here on, both sides are in the file.
    left = _as_git_does(session.start, call)
    rel = call.path.removeprefix(f"{FOLDER}/")
    if rel == call.path or max(map(len, (base, ours, theirs))) > FILE_MAX_BYTES:
        return Driven(call.path, () if left.code == 0 else (Conflict(call.path, "", "file", None, None, None),))
    outcome = merge_file(base, ours, theirs, rel)
    files[1].write_bytes(outcome.data)
    conflicts = outcome.conflicts if isinstance(outcome, Conflicted) else ()
    return Driven(call.path, tuple(replace(each, path=call.path) for each in conflicts))


def _content(session: Session, file: Path) -> bytes:
    try:
        return read_at_most(file, FILE_MAX_BYTES + 1)
    except OSError as err:
        discover(session.start)
        hint = "Git calls this; to finish a merge: gitmem resolve"
        raise UsageError(f"cannot read {file.name}: {err.strerror}", hint=hint, place=str(file)) from err


def _as_git_does(start: Path, call: DriverCall) -> git.Finished:
    size = call.marker_size if call.marker_size.isdecimal() else _USUAL_SIZE
    args = ("merge-file", "--quiet", f"--marker-size={size}", *_LABELS, "--", call.ours, call.base, call.theirs)
    return git.attempt(start, args)
