"""An approval: who let which patch set of a proposal in, and when. Refuses to say that it counts."""

from gitmem.record import record


def identity(name: str, email: str) -> str:
    """What tells people apart: the email, else the name, without regard to case."""
    return (email.strip() or name.strip()).casefold()


@record
class Approver:
    name: str
    email: str = ""

    @property
    def identity(self) -> str:
        return identity(self.name, self.email)


@record
class Approval:
    """``ledger`` is the id of the ledger entry, ``patchset`` the first 12 hex digits of the commit that was looked at,
    ``at`` a time in RFC 3339."""

    proposal: str
    ledger: str
    patchset: str
    by: Approver
    at: str
    comment: str = ""
