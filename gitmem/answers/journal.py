"""Puts what was asked and told on record, as far as this clone can and may. Refuses to fail a call for a note."""

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


def require_journal(session: Session) -> None:
    """Stops where nothing could be put on record."""
    if not is_on(session):
        hint = session.word("switch it on: git config --unset gitmem.journal", "a person can switch it on")
        raise GitmemError("nothing was kept: the journal of this clone is switched off", hint=hint, code="journal-off")


def write(session: Session, event: Event) -> str:
    """The id of a line that must not be lost: it is on the disk, or this is an error."""
    try:
        return journal.append(session.place.repo, event, session.now, durable=True)
    except OSError as err:
        raise GitmemError(
            f"nothing was kept: the journal cannot be written ({(err.strerror or 'unknown reason').lower()})",
            hint="make its folder writable, or free some space, and report it again",
            place=str(journal.folder_of(session.place.repo)),
            code="journal-unwritable",
        ) from err


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
