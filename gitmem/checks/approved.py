"""Whether enough people approved a decision. Refuses to find out who made which commit."""

from collections.abc import Sequence

from gitmem.model.approval import Approval, identity
from gitmem.model.finding import Finding, Severity
from gitmem.model.ledger import Entry
from gitmem.record import record


@record
class Vote:
    """An approval of the range. ``author`` is the email on the commit that added its file, '' where it is not whole:
    the file, or the entry that it is about, is another one at the end of the range."""

    approval: Approval
    author: str


@record
class Decision:
    """An entry of the range and its file below ``.gitmem``; ``authors`` wrote the commits that it came with."""

    rel: str
    entry: Entry
    authors: frozenset[str]


def missing(decision: Decision, votes: Sequence[Vote], needed: int) -> Finding | None:
    """What a decision lacks, None where ``needed`` people beside its proposer approved it in their own name."""
    mine = [vote for vote in votes if vote.approval.ledger == decision.entry.id and _is_about(vote, decision.entry)]
    counted = {vote.approval.by.identity for vote in mine if not _doubt(vote, decision)}
    lacking = needed - len(counted)
    if lacking <= 0:
        return None
    doubts = sorted({f"{vote.approval.by.identity}: {doubt}" for vote in mine if (doubt := _doubt(vote, decision))})
    message = f"the decision needs {needed} approvals and has {len(counted)}: {lacking} missing"
    message += f"; not counted: {'; '.join(doubts)}" if doubts else ""
    hint = "somebody else approves it: gitmem proposals approve; then push the commit that this makes"
    return Finding("approvals-missing", Severity.ERROR, decision.rel, 0, message, hint, decision.entry.id)


def _is_about(vote: Vote, entry: Entry) -> bool:
    return vote.approval.proposal in (entry.proposal, *entry.members)


def _doubt(vote: Vote, decision: Decision) -> str:
    """Why an approval does not count, '' where it does."""
    by = vote.approval.by
    proposer = decision.entry.proposed_by
    if by.identity == identity(proposer.name, proposer.email):
        return "proposed it"
    if by.identity in decision.authors:
        return "wrote the commit that brings it"
    if not vote.author:
        return "approved other content than this"
    if vote.author.casefold() != by.email.strip().casefold():
        return f"approved in the name of somebody else by {vote.author}"
    return ""
