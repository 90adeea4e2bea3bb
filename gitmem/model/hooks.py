"""What is known about the Git hooks of a repository. Refuses to look at them."""

from gitmem.model.finding import Notice
from gitmem.record import record


@record
class HookTool:
    """Another program that looks after hooks: ``file`` is where it keeps its settings, ``advice`` what to add there."""

    name: str
    file: str
    advice: str


@record
class Hook:
    """``state``: installed, outdated (an older block of ours), other (no block of ours), absent."""

    name: str
    path: str
    state: str


@record
class Hooks:
    """``written`` are the files that were made, changed or removed; ``configured`` settings of this clone that were
    written, ``unset`` those that were taken out.
    """

    folder: str
    hooks: tuple[Hook, ...]
    managers: tuple[HookTool, ...]
    written: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()
    configured: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()
