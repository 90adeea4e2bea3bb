"""One call of one surface: where it stands, when it happens, who asks. Refuses to open anything before it is needed."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from gitmem.lazy import load
from gitmem.record import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.reading import Place


@state
class Session:
    """``surface`` is cli, agent or admin; ``hook_index`` the index file that Git names to its hooks, absolute."""

    start: Path
    now: datetime
    surface: str = "cli"
    hook_index: str = ""
    held: Place | None = None

    @property
    def place(self) -> Place:
        """The repository of ``start``, found when it is first needed."""
        if self.held is None:
            self.held = load("gitmem.answers.reading:open_place")(self.start)
        assert self.held is not None
        return self.held
