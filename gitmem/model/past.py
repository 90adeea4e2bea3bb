"""What Git remembers of work: commits in short, and what was tried and taken back. Refuses to say how it was found."""

from gitmem.record import record

REVERT = "revert"
REINSTATED = "reinstated"
FIXUP = "fixup"
ABANDONED = "abandoned"
UNDONE = "undone"
ATTEMPTS = (REVERT, REINSTATED, FIXUP, ABANDONED, UNDONE)
# What counts as tried and failed where somebody is about to try again.
UNLASTING = (REVERT, UNDONE)
DAY_S = 86_400
UNDONE_DAYS = 14
QUIET_DAYS = 14


@record
class Touch:
    """One path that a commit changes; ``before`` and ``after`` begin the ids of its blobs, '' where it is absent.

    ``moved_from`` is its name before, '' unless it was moved.
    """

    rel: str
    before: str
    after: str
    moved_from: str = ""


@record
class Past:
    """One commit. ``made`` and ``at`` are the author's and the committer's time, in seconds since the epoch.

    ``touches`` are the first of ``count`` paths, none for a merge. ``mark`` is the same for the same changes to the
    same paths, and ``inverse`` that of the commit that undoes it exactly; '' where nothing is changed.
    """

    oid: str
    parents: tuple[str, ...]
    made: int
    at: int
    subject: str
    body: str = ""
    touches: tuple[Touch, ...] = ()
    count: int = 0
    mark: str = ""
    inverse: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(touch.rel for touch in self.touches)


@record
class Attempt:
    """Work that was taken back, repaired or left lying.

    ``ref`` is a commit, or the name of a branch; ``time`` in seconds since the epoch, ``rank`` its place in the order
    of history (later is higher). ``of`` is the commit that was undone or repaired, '' when unknown. ``text`` is the
    subject, ``why`` a reason where there is one. ``is_superseded``: it was itself taken back later.
    """

    kind: str
    ref: str
    time: int
    rank: int
    files: tuple[str, ...]
    text: str
    of: str = ""
    why: str = ""
    is_superseded: bool = False


@record
class Branch:
    """A branch and the commit at its end."""

    name: str
    tip: str
