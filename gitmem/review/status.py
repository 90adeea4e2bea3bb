"""What has become of a proposal, from what refs and trees say of it. Refuses to look anything up."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from gitmem.model.moments import instant
from gitmem.model.proposal import CLOSING, Event, EventKind, Status
from gitmem.record import record

_CLOSED = {
    EventKind.REJECTED: Status.REJECTED,
    EventKind.WITHDRAWN: Status.WITHDRAWN,
    EventKind.SUPERSEDED: Status.SUPERSEDED,
}


@record
class Facts:
    """``closed`` is the event that closed it, if one did; ``is_here``: its ledger entry is in the trusted tree.

    Of its items so many are as proposed (``applied``), otherwise (``altered``) or as if nothing had landed
    (``missing``); judged only where the entry is here. ``is_claimed``: only another branch has the entry.
    """

    closed: Event | None = None
    is_here: bool = False
    is_reverted: bool = False
    is_claimed: bool = False
    is_blocked: bool = False
    has_conflicts: bool = False
    is_stale: bool = False
    applied: int = 0
    altered: int = 0
    missing: int = 0


def status_of(facts: Facts) -> Status:
    """The trusted tree has the first word, then what people said, then the state of what it was judged against."""
    if facts.is_here:
        return _landed(facts)
    if facts.closed is not None:
        return _CLOSED[facts.closed.kind]
    waits = (
        (facts.is_claimed, Status.CLAIMED),
        (facts.is_blocked, Status.BLOCKED),
        (facts.has_conflicts, Status.NEEDS_RESOLUTION),
        (facts.is_stale, Status.STALE),
    )
    return next((status for holds, status in waits if holds), Status.OPEN)


def _landed(facts: Facts) -> Status:
    if facts.is_reverted:
        return Status.REVERTED
    if facts.missing and (facts.applied or facts.altered):
        return Status.PARTIALLY_LANDED
    return Status.LANDED_WITH_CHANGES if facts.altered or facts.missing else Status.LANDED


def closing_of(events: Sequence[Event], now: datetime) -> Event | None:
    """The event that keeps a proposal closed; one that was for a time only, or was taken back, does not."""
    closing = sorted((event for event in events if event.kind in CLOSING), key=lambda event: event.id)
    last = closing[-1] if closing else None
    if last is None or last.kind is EventKind.REOPENED or has_ended(last, now):
        return None
    return last


def has_ended(event: Event, now: datetime) -> bool:
    end = instant(event.until) if event.until else None
    return end is not None and end <= now


def votes_for(events: Iterable[Event], change: str) -> dict[str, Event]:
    """The newest vote of each person, by email, on a change (``review.signature``): a vote on other content is void,
    one on the same content on an older base is not."""
    votes: dict[str, Event] = {}
    for event in sorted(events, key=lambda event: event.id):
        if event.kind is EventKind.VOTE and event.change == change:
            votes[(event.by.email or event.by.name).casefold()] = event
    return votes
