"""What somebody asks a packet for, checked, and the room that each mode gives. Refuses what no mode or detail is."""

from __future__ import annotations

from gitmem.code.fill import LIMITS, Limits
from gitmem.code.pack import Room
from gitmem.errors import UsageError
from gitmem.model.packet import BALANCED, DETAILS, MAX_QUALITY, MAX_SAVINGS, MODES, POINTER, STANDARD
from gitmem.record import record

BUDGET_LEAST, BUDGET_MOST = 500, 200_000
_LISTS_MOST = 50
_CAPS = {MAX_SAVINGS: (6_000, 0), BALANCED: (12_000, 5_000), MAX_QUALITY: (24_000, 16_000)}
# How many files are listed, and how many of them may have several bodies open.
_LISTED = {MAX_SAVINGS: (20, 4), BALANCED: (30, 6), MAX_QUALITY: (50, 8)}


@record
class Wanted:
    """A request as it is understood: the same one whatever surface it came by. ``limit`` is in tokens;
    ``signals`` are those that have a say in the ranking."""

    task: str
    mode: str
    detail: str
    limit: int
    path_hints: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    entity_types: tuple[str, ...] = ()
    intent: str = ""
    at: str = ""
    diff: str = ""
    signals: tuple[str, ...] = ()

    @property
    def follow(self) -> Limits:
        return LIMITS[self.mode]

    def room(self, tokens: int, threshold_lines: int) -> Room:
        """For files, when so many tokens are left for them."""
        listed, opened = _LISTED[self.mode]
        cap, fill = _CAPS[self.mode]
        # A budget of one's own moves the part for what is followed to with it.
        fill = fill * self.limit // cap
        bodies = 0 if self.detail == POINTER else 4
        return Room(tokens, fill, listed, opened, bodies, threshold_lines)


def checked_mode(mode: str) -> str:
    if mode and mode not in MODES:
        raise UsageError(f"there is no mode {mode!r}", hint=f"one of: {', '.join(MODES)}")
    return mode


def checked_detail(detail: str) -> str:
    if detail and detail not in DETAILS:
        raise UsageError(f"there is no detail {detail!r}", hint=f"one of: {', '.join(DETAILS)}")
    return detail or STANDARD


def limit_of(budget: int, mode: str) -> int:
    """Tokens of the whole answer; 0 is what the mode gives."""
    if budget and not BUDGET_LEAST <= budget <= BUDGET_MOST:
        raise UsageError(
            f"a budget goes from {BUDGET_LEAST} to {BUDGET_MOST} tokens, not {budget}",
            hint="leave it out for that of the mode: " + ", ".join(f"{m} {c}" for m, (c, _) in _CAPS.items()),
        )
    return budget or _CAPS[mode][0]


def check_lists(**lists: tuple[str, ...]) -> None:
    for name, values in lists.items():
        if len(values) > _LISTS_MOST:
            raise UsageError(f"more than {_LISTS_MOST} {name}: {len(values)}", hint="give the most telling ones")
