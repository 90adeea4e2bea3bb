"""One call of one surface: where it stands, when, who asks. Refuses an agent what is for people to decide."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from gitmem.errors import UsageError
from gitmem.lazy import load
from gitmem.record import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.reading import Place


def silent(_text: str) -> None:
    """Tells nobody."""


@state
class Session:
    """``surface`` is cli, agent or admin, and ``client`` what the program at the other end calls itself, '' for none.

    ``run`` is one token for as long as a server runs: what is asked in one go belongs together. ``hook_index`` is the
    index file that Git names to its hooks, absolute. ``tell`` hears how long work gets on, and
    '' at its end. ``engine`` is the search engine that was asked for, '' for the usual one;
    ``home`` the home folder of the person, and ``max_files`` how many files of code are read, 0 for the usual limit.
    """

    start: Path
    now: datetime
    surface: str = "cli"
    client: str = ""
    run: str = ""
    hook_index: str = ""
    engine: str = ""
    home: str = ""
    max_files: int = 0
    held: Place | None = None
    tell: Callable[[str], None] = silent

    @property
    def place(self) -> Place:
        """The repository of ``start``, found when it is first needed."""
        if self.held is None:
            self.held = load("gitmem.answers.reading:open_place")(self.start)
        assert self.held is not None
        return self.held

    def word(self, on_cli: str, else_: str) -> str:
        """What a hint calls something: over MCP there are fields and tools, and no flags."""
        return on_cli if self.surface == "cli" else else_


def decides(session: Session) -> None:
    """Stops the agent surface, whichever way it got here: each function that writes more than a proposal begins so."""
    if session.surface == "agent":
        raise UsageError(
            "this decides about knowledge or settings, and an agent only proposes",
            hint="a person does it on the command line, or on the admin surface",
            code="not-on-surface",
        )
