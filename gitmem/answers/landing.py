"""Where an approval lands, and the landing with its refusals in words. Refuses to decide what lands."""

from __future__ import annotations

from gitmem.answers.reading import Place, Reading
from gitmem.answers.session import Session, decides
from gitmem.config import TRUST_HEAD, TRUST_SIGNED
from gitmem.errors import GitmemError
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import land, objects, signing
from gitmem.store.author import UNKNOWN
from gitmem.store.gitrefs import HEAD, read_ref
from gitmem.store.land import Reason, Refused
from gitmem.store.repo import FOLDER, Repo

_BRANCHES = "refs/heads/"
_NAMED = 5
_ENDS_CHAIN = ("chain-broken", "cannot-verify", "signers-root-missing", "trusted-ref-missing")


class NotLandedError(GitmemError):
    code = "not-landed"


@record
class Target:
    """``ref`` is a local branch, or HEAD of a worktree on no branch; ``old`` its tip, None where it is not there yet.

    ``start`` is the commit that the landing builds on. ``is_trusted``: what lands there is canonical at once.
    """

    ref: str
    old: str | None
    start: str
    is_trusted: bool
    is_signed: bool

    @property
    def name(self) -> str:
        return self.ref.removeprefix(_BRANCHES)


def decider(session: Session) -> str:
    """``Name <email>`` of the person who decides; nobody decides without a name."""
    decides(session)
    author = session.place.author
    if author == UNKNOWN:
        raise GitmemError(
            "Git does not know who you are, and a decision is on record with a name",
            hint='git config user.name "Your Name"; git config user.email you@example.org',
            code="no-identity",
        )
    return author


def refuse_broken(reading: Reading) -> None:
    """Under the policy signed nothing lands beyond the end of the chain: no reader would see it."""
    if reading.trusted.policy != TRUST_SIGNED:
        return
    broken = next((w for w in reading.trusted.warnings if w.code in _ENDS_CHAIN), None)
    if broken is not None:
        message = f"nothing was approved: {broken.message}"
        raise NotLandedError(message, hint=broken.hint, place=broken.place or reading.trusted.ref, code=broken.code)


def target_of(place: Place, reading: Reading) -> Target:
    """The branch that is trusted, or the local one of its name where the trusted one is a remote's."""
    trusted = reading.trusted
    repo = place.repo
    ref = trusted.ref
    if trusted.policy == TRUST_HEAD or ref in ("", HEAD):
        ref = objects.symbolic_ref(repo, HEAD) or HEAD
    is_trusted = not ref.startswith("refs/remotes/")
    if not is_trusted:
        ref = _BRANCHES + ref.removeprefix("refs/remotes/").partition("/")[2]
    old = read_ref(repo, ref)
    return Target(ref, old, old or reading.commit, is_trusted, trusted.policy == TRUST_SIGNED)


def land_commit(session: Session, target: Target, commit: str) -> None:
    """Moves the branch and its worktrees, or says what stands in the way; then nothing has changed."""
    decides(session)
    done = land.land(session.place.repo, target.ref, target.old, commit)
    if isinstance(done, Refused):
        raise _refusal(session.place.repo, done, target, commit)


def signed(session: Session, commit: str) -> str:
    return signing.sign_commit(session.place.repo, commit)


def followed(session: Session, target: Target, commit: str) -> tuple[Notice, ...]:
    """Why readers who follow signatures would stop at this commit; under the policy signed that is refused."""
    if not target.is_signed or not target.start:
        return ()
    broken: Notice | None = load("gitmem.store.chain:next_holds")(session.place.repo, target.start, commit)
    if broken is not None:
        message = f"nothing was approved: {broken.message}"
        raise NotLandedError(message, hint=broken.hint, place=target.name, code=broken.code)
    return ()


def _refusal(repo: Repo, refused: Refused, target: Target, commit: str) -> GitmemError:
    paths = ", ".join(refused.paths[:_NAMED])
    first = refused.paths[0] if refused.paths else ""
    both = f"yours is the file, the approved text is: git show {commit}:{first}"
    said = {
        Reason.MOVED: (f"{target.name} moved meanwhile", "try again"),
        Reason.OPERATION: (
            f"a {refused.operation} waits for its end there",
            f"finish it: git {refused.operation} --continue",
        ),
        Reason.UNMERGED: (f"a merge waits there: {paths}", "finish it, or: gitmem resolve"),
        Reason.STAGED: (f"staged there and touched by the approval: {paths}", f"commit or unstage it; {both}"),
        Reason.DIRTY: (f"edited there and touched by the approval: {paths}", f"commit or stash it; {both}"),
        Reason.UNTRACKED: (f"in the way and not tracked: {paths}", f"move it away; {both}"),
        Reason.INDEX_LOCKED: ("another Git command is running there", f"let it end; if none is, remove {paths}"),
        Reason.AWAY: ("a worktree that has the branch is away", "bring it back, or: git worktree prune"),
        Reason.NOT_A_FILE: (f"no regular file: {paths}", "propose it without that"),
    }
    message, hint = said[refused.reason]
    where = refused.where or str(repo.where)
    place = f"{where}/{first}" if first.startswith(FOLDER) else where
    return NotLandedError(f"nothing was approved: {message}", hint=hint, place=place, code=refused.reason.value)
