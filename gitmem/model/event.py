"""What happened: events as they are told to the journal, and entries as they are read from it. Refuses knowledge."""

from collections.abc import Mapping

from gitmem.model.plain import Plain
from gitmem.record import field, record

COMPILE = "compile"
DELIVERY = "delivery"
RETRIEVAL = "retrieval"
FEEDBACK = "feedback"
OBSERVATION = "observation"
TRIAGE = "triage"
STANDING = "standing"
VERIFY = "verify"
MAINTENANCE = "maintenance"
SKILL = "skill"
INTENTION = "intention"
PACKET = "packet"
EXPANSION = "expansion"
KINDS = (
    *(COMPILE, DELIVERY, RETRIEVAL, FEEDBACK, OBSERVATION, TRIAGE, STANDING, VERIFY, MAINTENANCE),
    *(SKILL, INTENTION, PACKET, EXPANSION),
)


@record
class Event:
    """One thing to be put on record. ``session`` and ``agent`` are what a client calls itself, '' for none."""

    kind: str
    data: Mapping[str, Plain] = field(default_factory=dict)
    session: str = ""
    agent: str = ""


@record
class Entry:
    """One line of a journal.

    ``id`` is the segment, a dash and the number of the line in it (1 is the first after the head). ``clock`` is a
    Lamport time: whoever saw an entry writes with a greater one. ``at`` is RFC 3339 in UTC and decides no order.
    """

    id: str
    clock: int
    at: str
    kind: str
    session: str
    agent: str
    data: Mapping[str, Plain]
    writer: str

    @property
    def order(self) -> tuple[int, str]:
        return self.clock, self.id
