"""Names a compile in a commit message, and finds it there again. Refuses to touch the message itself."""

import re

from gitmem.answers.audit import recorded
from gitmem.answers.proof import VerifyCall, verify_receipt
from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from gitmem.model.event import COMPILE
from gitmem.model.proof import CANNOT_VERIFY, Proof
from gitmem.record import record
from gitmem.store import objects, spool
from gitmem.store.history import message_of

NAME = "Gitmem-Packet"
_LINE = re.compile(rf"^{NAME}:[ \t]*([0-9a-f]{{64}})[ \t]*$", re.MULTILINE)
_NONE_HINT = f'write one with: git commit --trailer "$(gitmem journal trailer)"; it begins with {NAME}:'


@record
class TrailerCall:
    compile_id: str = ""


@record
class Trailer:
    """``trailer`` is the whole line, for ``git commit --trailer``."""

    trailer: str
    compile_id: str


def trailer(session: Session, call: TrailerCall) -> Trailer:
    """The line for one compile, or for the one that this clone asked for last."""
    if call.compile_id:
        found = recorded(session, call.compile_id)[-1]
    else:
        rows = [each for each in spool.entries(session.place.repo) if each.kind == COMPILE and "compile" in each.data]
        if not rows:
            raise GitmemError("no compile is on record here", hint="gitmem compile FILE", code="unknown-compile")
        found = rows[-1]
    id_ = str(found.data.get("compile", ""))
    if not id_:
        raise GitmemError("that compile had no answer", hint=f"see: gitmem journal audit {found.id}")
    return Trailer(f"{NAME}: {id_}", id_)


@record
class VerifyCommitCall:
    commit: str


@record
class Proofs:
    """One proof for each compile that the message names, in the order of the message."""

    commit: str
    proofs: tuple[Proof, ...]

    @property
    def exit_code(self) -> int:
        return max((proof.exit_code for proof in self.proofs), default=0)


def verify_commit(session: Session, call: VerifyCommitCall) -> Proofs:
    """Computes again every compile that a commit names, from the receipts on record in this clone."""
    repo = session.place.repo
    commit = objects.resolve(repo, call.commit)
    named = list(dict.fromkeys(_LINE.findall(message_of(repo, commit))))
    if not named:
        raise GitmemError(f"{commit[:12]} names no compile", hint=_NONE_HINT, code="no-trailer")
    return Proofs(commit, tuple(_proof(session, id_) for id_ in named))


def _proof(session: Session, id_: str) -> Proof:
    try:
        found = recorded(session, id_)[-1]
    except GitmemError:
        hint = "its receipt is on record in the clone that compiled it; check that with: gitmem journal verify RECEIPT"
        return Proof(CANNOT_VERIFY, ("receipt",), id_, hint=hint)
    return verify_receipt(session, VerifyCall(str(found.data.get("receipt", ""))))
