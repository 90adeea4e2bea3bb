"""Carries out what a person answers with a code: the rule is kept, takes others' place, or is cancelled.

Refuses agents, and to land where the policy asks for more than a word in a session.
"""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import codes
from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.bundling import publish_all
from gitmem.answers.closing import WithdrawCall, event_about, withdraw
from gitmem.answers.codes import CANCEL, KEEP, OPEN, REPLACE, UNKNOWN, Offered
from gitmem.answers.edges import Stamp, Wanted, plan_link
from gitmem.answers.extending import created_by, renewed, replace_tip
from gitmem.answers.ground import Ground, ground
from gitmem.answers.landing import decider
from gitmem.answers.needs import named
from gitmem.answers.opening import Plan, draft, new_id
from gitmem.answers.session import Session, decides
from gitmem.answers.standing import Standing
from gitmem.answers.standing_rules import beside_title
from gitmem.answers.terms import Terms, proposer
from gitmem.config import TRUST_HEAD
from gitmem.errors import GitmemError, UsageError
from gitmem.index.card import Card
from gitmem.model.confirmed import CANCELLED, KEPT, REPLACED, WAITING, Confirmed
from gitmem.model.moments import rfc3339
from gitmem.model.proposal import PENDING, EventKind, Proposal
from gitmem.record import record, replace
from gitmem.rules.match import is_live
from gitmem.store.codec import decode
from gitmem.store.edit import set_value
from gitmem.store.events import append
from gitmem.store.lock import held
from gitmem.store.objects import read_blobs
from gitmem.store.repo import FOLDER

_SUPERSEDED = "superseded"


@record
class ConfirmCall:
    """Without ``replace`` and ``cancel`` the rule is kept beside what it collides with."""

    code: str
    replace: bool = False
    cancel: bool = False


def confirm(session: Session, call: ConfirmCall) -> Confirmed:
    """What a person at a terminal says instead of a prompt."""
    if call.replace and call.cancel:
        raise UsageError("either --replace or --cancel")
    return settle(session, REPLACE if call.replace else CANCEL if call.cancel else KEEP, call.code)


def settle(session: Session, word: str, code: str) -> Confirmed:
    """Uses up a code. One that is wrong, used or expired is an error and changes nothing."""
    decides(session)
    with held(session.place.repo, codes.LOCK):
        offered = codes.find(session, code)
        if offered is None or offered.state != OPEN:
            raise codes.refusal(code, offered.state if offered else UNKNOWN)
        standing = _waiting(session, offered)
        codes.spend(session, offered, word)
    title = standing.proposal.entry.title
    done = Confirmed(code, word, title, offered.proposal, offered.patchset, text=_text(session, standing.proposal))
    if word == CANCEL:
        withdraw(session, WithdrawCall(offered.proposal, "cancelled by the person who was asked"))
        return replace(done, outcome=CANCELLED)
    return _let_in(session, done, standing, offered.against if word == REPLACE else ())


def _text(session: Session, proposal: Proposal) -> str:
    """What the rule says beside its title."""
    for _, data in read_blobs(session.place.repo, list(proposal.blobs.values())[:1]):
        known = decode(data, next(iter(proposal.blobs))).engram
        return beside_title(known.title, known.body) if known else ""
    return ""


def _waiting(session: Session, offered: Offered) -> Standing:
    """The proposal as it was shown when the code was given."""
    _, standing = named(session, offered.proposal)
    proposal = standing.proposal
    if standing.status not in PENDING:
        message = f"the rule is {standing.status} already"
        raise GitmemError(message, hint=f"gitmem proposals show {proposal.id}", place=proposal.id, code="decided")
    if proposal.patchset != offered.patchset:
        raise GitmemError(
            "the rule was changed since the code was given",
            hint=f"look at it: gitmem proposals diff {proposal.id}",
            place=proposal.id,
            code="patchset-moved",
        )
    return standing


def _let_in(session: Session, done: Confirmed, standing: Standing, against: Sequence[str]) -> Confirmed:
    """Lands the rule where one person's word is enough; else, and where something is in the way, it waits."""
    try:
        done, seen = _with_replaced(session, done, standing.proposal, against)
        reason = _marked(session, done.proposal)
        landed = None if reason else approve(session, _approval(seen, is_bundle=bool(done.replaced)))
    except GitmemError as err:
        return _left(done, err.message, err.hint)
    if landed is None:
        return _left(done, reason, "")
    if not landed.commit:
        return _left(done, f"{landed.waiting_for} more approval(s) are needed", "")
    return replace(
        done,
        outcome=REPLACED if done.replaced else KEPT,
        commit=landed.commit,
        knowledge_version=landed.knowledge_version,
        warnings=landed.warnings,
    )


def _left(done: Confirmed, reason: str, hint: str) -> Confirmed:
    bundle = " --bundle" if done.replaced else ""
    by_hand = f"gitmem proposals approve {done.proposal}@{done.patchset}{bundle}"
    return replace(done, outcome=WAITING, reason=reason, hint=f"{hint}; then: {by_hand}" if hint else by_hand)


def _why_not(session: Session) -> str:
    """Why a code is not enough to land here; '' where it is."""
    under = ground(session)
    trusted = under.reading.trusted
    if trusted.policy != TRUST_HEAD:
        name = trusted.ref.removeprefix("refs/remotes/") if trusted.ref.startswith("refs/remotes/") else trusted.label
        return f"what counts here is {name}, and that takes more than a code"
    needed = under.knowledge().settings.min_approvals
    return f"the policy asks for {needed} approval(s)" if needed else ""


def _approval(seen: tuple[str, ...], *, is_bundle: bool) -> ApproveCall:
    return ApproveCall(seen, bundle=is_bundle, comment="confirmed with its code")


def _marked(session: Session, id_: str) -> str:
    """Puts on record who has confirmed; why that is not enough to land here, '' where it is."""
    text = f"confirmed by {decider(session).partition(' <')[0]}, with the code that was shown"
    proposal = named(session, id_)[1].proposal
    event = event_about(session, proposal, EventKind.COMMENT, text)
    append(session.place.repo, id_, event, keep=[proposal.tip])
    return _why_not(session)


def _with_replaced(
    session: Session, done: Confirmed, proposal: Proposal, against: Sequence[str]
) -> tuple[Confirmed, tuple[str, ...]]:
    """The rule, with those that it takes the place of as one bundle; and all that is looked at, as ID@PATCHSET."""
    live = _live(ground(session), against)
    if not live:
        return done, (f"{done.proposal}@{done.patchset}",)
    replaced = tuple(card.id for card in live)
    bundle = new_id(session)
    with held(session.place.repo):
        fresh = renewed(session, proposal, None, Terms(bundle=bundle))
        replace_tip(session, proposal, fresh.tip, proposer(session, Terms()))
        renamed = named(session, proposal.id)[1].proposal
        above = ground(session, [renamed])
        terms = Terms(rationale=f"{proposal.entry.title}: in their place", needs=(proposal.id,), bundle=bundle)
        other = draft(session, above, _superseding(session, above, created_by(proposal.entry)[0], replaced), terms)
        if not other.tip:
            raise GitmemError(f"proposal {other.target} does the same already", code="duplicate")
        publish_all(session, [other])
    kept = named(session, other.entry.proposal)[1].proposal
    titles = tuple(card.title for card in live)
    done = replace(done, patchset=renamed.patchset, replaced=replaced, instead=titles)
    return done, (f"{renamed.id}@{renamed.patchset}", f"{kept.id}@{kept.patchset}")


def _live(under: Ground, items: Sequence[str]) -> list[Card]:
    knowledge = under.knowledge()
    cards = (card for item in items for card in knowledge.under(f"id:{item}"))
    return [card for card in cards if is_live(card, knowledge.facts.duplicates, "")]


def _superseding(session: Session, above: Ground, new: str, old: Sequence[str]) -> Plan:
    """Each of the old ones is superseded, and an edge says by what."""
    knowledge = above.knowledge()
    changes: dict[str, bytes | None] = {}
    stamp = Stamp(session.place.author, rfc3339(session.now))
    titles = []
    for item in old:
        (card,) = knowledge.under(f"id:{item}")
        titles.append(card.title)
        changes[card.path] = set_value(above.data_of(card), "status", _SUPERSEDED, f"{FOLDER}/{card.path}")
        edge = plan_link(knowledge, Wanted(new, "supersedes", item), above.data_of, stamp)
        changes[edge.rel] = edge.after
    return Plan("update", f"Superseded: {', '.join(titles)}", changes)
