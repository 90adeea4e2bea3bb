"""What a hook of an agent host has to say, before it is put into the form of the host. Refuses to know that form."""

from __future__ import annotations

from gitmem.answers.reminding import Reminder
from gitmem.errors import GitmemError
from gitmem.model.confirmed import Confirmed
from gitmem.record import record

# The names that hosts give to the events.
PROMPT, START, COMPACT = "UserPromptSubmit", "SessionStart", "PreCompact"
TOOL, STOP, END = "PostToolUse", "Stop", "SessionEnd"


@record
class Undecided:
    """Why a code changed nothing."""

    code: str
    message: str
    hint: str

    @classmethod
    def of(cls, err: GitmemError) -> Undecided:
        return cls(err.code, err.message, err.hint)


@record
class Hooked:
    """``rules`` are of the trusted ``commit``; ``answers`` what became of each code in a prompt, in its order;
    ``verdict`` where the last one stands, ``observation`` the note about a turn, '' for none."""

    event: str
    rules: tuple[Reminder, ...] = ()
    commit: str = ""
    answers: tuple[Confirmed | Undecided, ...] = ()
    verdict: str = ""
    observation: str = ""
