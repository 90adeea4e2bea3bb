"""Intentions: what is to be done or checked when a time, an event or a path comes up. Refuses to do it."""

from gitmem.record import field, record

INTENTION = "intention"
PREFIX = f"{INTENTION}:"
REMIND, VERIFY, EXECUTE, PROPOSE = "remind", "verify", "execute", "propose"
ACTIONS = (REMIND, VERIFY, EXECUTE, PROPOSE)
MERGE, RELEASE, TOUCHED = "merge", "release", "touched"
EVENTS = (MERGE, RELEASE, TOUCHED)
WHEN_PARTS = ("at", "event", "tag", "paths")
# In the file.
PENDING, COMPLETED, CANCELLED = "pending", "completed", "cancelled"
STATUSES = (PENDING, COMPLETED, CANCELLED)
# Worked out from the file, the time and the journal: never written.
FIRED, SNOOZED = "fired", "snoozed"
STATES = (PENDING, FIRED, SNOOZED, COMPLETED, CANCELLED)


@record
class When:
    """What brings an intention up: any one of these is enough.

    ``at`` is a time; ``event`` one of ``EVENTS`` since the intention was made, ``tag`` a glob of the tags that are
    releases; ``paths`` are globs of files: with the event touched those that a commit changes, else those that
    somebody is about to work on.
    """

    at: str = ""
    event: str = ""
    tag: str = ""
    paths: tuple[str, ...] = ()


@record
class Intention:
    """``slug`` is the name of its file; ``outcome`` says how it ended, in words."""

    slug: str
    title: str
    body: str
    action: str = REMIND
    when: When = field(default_factory=When)
    priority: int = 0
    status: str = PENDING
    outcome: str = ""
    created_at: str = ""
    created_by: str = ""
