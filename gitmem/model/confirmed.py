"""What became of a standing rule by a person's word, as a value. Refuses to carry it out."""

from gitmem.model.finding import Notice
from gitmem.record import record

KEPT, REPLACED, CANCELLED, WAITING = "kept", "replaced", "cancelled", "waiting"


@record
class Confirmed:
    """``outcome`` is kept, replaced, cancelled, or waiting: then it is confirmed and ``reason`` says why it has not
    landed, ``hint`` how it does. ``replaced`` are the items that it supersedes and ``instead`` their titles;
    ``text`` is what the rule says beside its title, '' for nothing."""

    code: str
    outcome: str
    title: str
    proposal: str
    patchset: str
    commit: str = ""
    knowledge_version: str = ""
    replaced: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    text: str = ""
    reason: str = ""
    hint: str = ""
    warnings: tuple[Notice, ...] = ()
