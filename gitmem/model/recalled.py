"""What can be recalled: one value for what comes from a journal and what comes from Git. Refuses to rank it."""

from gitmem.record import record

RUN, NOTE, GAP = "run", "note", "gap"
KEPT, FAILED, REVERTED = "kept", "failed", "reverted"


@record
class Trace:
    """Something that happened. ``time`` in seconds since the epoch; ``order`` breaks ties: Lamport clock or place in
    the history, then ``ref``. ``terms`` are what is searched, with blanks between, '' where they are those of ``text``
    and ``files``. ``runs`` are the ids under which a run is asked for, ``item`` the id of the knowledge concerned.
    """

    kind: str
    ref: str
    time: int
    order: int
    files: tuple[str, ...]
    text: str
    terms: str = ""
    runs: tuple[str, ...] = ()
    item: str = ""
    is_superseded: bool = False
