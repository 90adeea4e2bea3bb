"""The proposals that another one builds on, and those by name. Refuses one that will never land."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.session import Session
from gitmem.answers.standing import Board, Standing, board
from gitmem.errors import GitmemError
from gitmem.model.ids import canonical_id
from gitmem.model.proposal import IN_FORCE, PENDING, Proposal
from gitmem.record import record
from gitmem.store.refs import ARCHIVE, PROPOSALS, listed

_NAMED = 5
_SHORTEST = 4


class NoProposalError(GitmemError):
    code = "unknown-proposal"


@record
class Needed:
    """``ids`` as they go into the entry; ``open`` are those that have not landed, each after what it needs itself."""

    ids: tuple[str, ...]
    open: tuple[Proposal, ...]


def full_id(session: Session, text: str) -> str:
    """The id of a proposal from its whole or the end of it, in either case, as long as that names one."""
    wanted = text.strip().upper()
    if canonical_id(wanted):
        return wanted
    known = dict.fromkeys(ref.id for ref in listed(session.place.repo, PROPOSALS, ARCHIVE))
    found = [id_ for id_ in known if len(wanted) >= _SHORTEST and id_.endswith(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        raise NoProposalError(
            f"{text!r} names {len(found)} proposals: {', '.join(found[:_NAMED])}", hint="use more of it"
        )
    raise NoProposalError(f"no proposal {text[:80]!r} here", hint="see: gitmem proposals list")


def named(session: Session, text: str) -> tuple[Board, Standing]:
    """One proposal with its status, and all that its status hangs on."""
    id_ = full_id(session, text)
    found = board(session, only=id_)
    standing = found.of(id_)
    if standing is None:
        broken = next((notice for notice in found.broken if notice.place.endswith(id_)), None)
        message = broken.message if broken else f"no proposal {id_} here"
        hint = broken.hint if broken else "see: gitmem proposals list; others have theirs until: gitmem sync"
        raise NoProposalError(message, hint=hint)
    return found, standing


def needed(session: Session, texts: Sequence[str]) -> Needed:
    """The needed proposals; what has landed is no obstacle and no ground."""
    ids: list[str] = []
    waiting: list[Proposal] = []
    for text in texts:
        _, standing = named(session, text)
        ids.append(standing.proposal.id)
        if standing.status in IN_FORCE:
            continue
        if standing.status not in PENDING:
            raise NoProposalError(
                f"the needed proposal {standing.proposal.id} is {standing.status}",
                hint="propose without it",
                place=standing.proposal.id,
            )
        waiting.append(standing.proposal)
    return Needed(tuple(ids), tuple(waiting))
