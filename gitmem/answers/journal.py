"""Puts what was asked and told on record, as far as this clone can and may. Refuses to fail a call for it."""

from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from gitmem.model.event import Event
from gitmem.record import replace
from gitmem.store import journal

SETTING = "gitmem.journal"
KEPT, RECEIPT_ONLY, OFF = "journal", "receipt-only", "off"
_OFF = ("off", "false", "no", "0")


def is_on(session: Session) -> bool:
    """A person may switch the journal of a clone off: ``git config gitmem.journal off``."""
    return session.place.git_config.get(SETTING, ("on",))[-1].lower() not in _OFF


def note(session: Session, event: Event) -> str:
    """Writes one event; what ``environment.audit`` says of it: journal, receipt-only, or off.

    An event that names no session belongs to the run of the server.
    """
    if not is_on(session):
        return OFF
    event = event if event.session or not session.run else replace(event, session=session.run)
    try:
        journal.append(session.place.repo, event, session.now)
    except (OSError, GitmemError):
        return RECEIPT_ONLY
    return KEPT
