"""A proposal: a change to knowledge that waits for a decision. Refuses to decide."""

from collections.abc import Mapping
from enum import StrEnum

from gitmem.model.ledger import Entry, Proposer
from gitmem.record import field, record

PATCHSET_DIGITS = 12


class Status(StrEnum):
    """Computed from refs, events and the trusted tree; never stored."""

    OPEN = "open"
    NEEDS_RESOLUTION = "needs-resolution"
    STALE = "stale"
    BLOCKED = "blocked"
    CLAIMED = "claimed"
    LANDED = "landed"
    LANDED_WITH_CHANGES = "landed-with-changes"
    PARTIALLY_LANDED = "partially-landed"
    REVERTED = "reverted"
    SUPERSEDED = "superseded"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


# What still waits for somebody: the answer to a question that names no status.
PENDING = frozenset({Status.OPEN, Status.NEEDS_RESOLUTION, Status.STALE, Status.BLOCKED, Status.CLAIMED})
# In the trusted tree, as it was proposed or otherwise.
IN_FORCE = frozenset({Status.LANDED, Status.LANDED_WITH_CHANGES, Status.PARTIALLY_LANDED})


@record
class Proposal:
    """One proposal as its ref holds it: ``tip`` is its one commit and ``base`` the parent of that, '' for none.

    ``opened`` is RFC 3339; ``writer`` the clone that opened it, '' for a machine's; ``is_archived``: it is closed;
    ``blobs`` are the ids of its files by path below ``.gitmem``.
    """

    id: str
    tip: str
    base: str
    entry: Entry
    opened: str
    writer: str = ""
    is_archived: bool = False
    blobs: Mapping[str, str] = field(default_factory=dict)

    @property
    def patchset(self) -> str:
        return self.tip[:PATCHSET_DIGITS]


class EventKind(StrEnum):
    PATCHSET = "patchset"
    COMMENT = "comment"
    VOTE = "vote"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"
    REOPENED = "reopened"
    LANDED = "landed"


# Of these the newest one says how a proposal was closed, if it was.
CLOSING = frozenset({EventKind.REJECTED, EventKind.WITHDRAWN, EventKind.SUPERSEDED, EventKind.REOPENED})


@record
class Event:
    """Something that was said or done about a proposal. ``patchset`` is what it was about, ``commit`` what it made.

    ``until``: a rejection ends then, '' for never. ``change`` is the hash of what was proposed (``review.signature``).
    """

    id: str
    kind: EventKind
    at: str
    by: Proposer
    text: str = ""
    patchset: str = ""
    commit: str = ""
    until: str = ""
    change: str = ""
    evidence: tuple[str, ...] = ()
    other: str = ""


Changes = Mapping[str, bytes | None]
