"""The state of what an engram rests on, as answers tell it. Refuses to judge it."""

from gitmem.record import record

HOLDS, MOVED, DRIFTED, GONE, UNKNOWN = "holds", "moved", "drifted", "gone", "unknown"


@record
class ClaimState:
    """One claim at one commit. ``now`` is where the text is when it moved, as ``path:lines``, or
    ``path#symbol`` of a symbol; ``why`` what keeps an
    unknown one unknown; ``lines`` and ``symbol`` are None where the claim names none."""

    path: str
    state: str
    lines: str | None = None
    symbol: str | None = None
    now: str | None = None
    why: str | None = None


@record
class Drift:
    """A claim that a change breaks. ``item`` is the id; ``next`` are the commands of which one settles it."""

    item: str
    slug: str
    title: str
    path: str
    lines: str
    before: str
    after: str
    next_: tuple[str, ...]
