"""How the index of the code stands, and where it runs, as the doctor tells it. Refuses to find it out."""

from collections.abc import Mapping

from gitmem.record import record

FRESH, BEHIND, NONE = "fresh", "behind", "none"


@record
class IndexHealth:
    """``state`` is fresh when all of HEAD is read, behind when some of it is, none when nothing is; ``changed``
    counts files of the work tree that differ from HEAD.

    ``files`` are those of HEAD that are read, ``skipped`` counts by reason those that could not be, ``unread`` by
    ending those of no language that is; ``omitted`` lie over the limit. ``grammars`` are languages whose grammar does
    not load, with why; ``kept`` counts files that were looked at.
    """

    system: str
    python: str
    gitmem: str
    root: str
    commit: str
    state: str
    files: int
    changed: int
    omitted: int
    kept: int
    skipped: Mapping[str, int]
    unread: Mapping[str, int]
    grammars: Mapping[str, str]
