"""Findings and warnings: what is wrong, where, and how to mend it. Refuses to decide exit codes."""

from enum import StrEnum

from gitmem.record import record


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@record
class Finding:
    """One problem in one file. ``path`` is repo-relative POSIX, ``line`` is 1-based (0: the whole file).

    ``fingerprint`` names what was found where somebody may say that it is none.
    """

    code: str
    severity: Severity
    path: str
    line: int
    message: str
    hint: str = ""
    item: str = ""
    fingerprint: str | None = None

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


@record
class Notice:
    """One line of ``warnings`` or ``notices`` in an answer; ``place`` is ``path:line``."""

    code: str
    message: str
    place: str = ""
    hint: str = ""
