"""What a receipt says, and what came of recomputing it. Refuses to compute."""

from collections.abc import Mapping

from gitmem.model.plain import Plain
from gitmem.record import record

MATCHES, DIFFERS, CANNOT_VERIFY = "matches", "differs", "cannot-verify"


@record
class Receipt:
    """The fields of a receipt as it was given; ``request`` is None where it was too long to be carried."""

    compile_id: str
    commit: str
    snapshot_id: str
    request_hash: str
    result_hash: str
    marks_hash: str
    engine: str
    algorithm: int
    request: Mapping[str, Plain] | None = None


@record
class Proof:
    """``verdict`` is matches, differs or cannot-verify. ``what`` names each part that differs or could not be seen,
    ``unverified`` what a match says nothing about; ``commit`` is where it was recomputed, '' for nowhere."""

    verdict: str
    what: tuple[str, ...]
    compile_id: str
    commit: str = ""
    unverified: tuple[str, ...] = ()
    hint: str = ""

    @property
    def exit_code(self) -> int:
        return 0 if self.verdict == MATCHES else 1
