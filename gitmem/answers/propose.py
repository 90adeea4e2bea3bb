"""Proposes changes to knowledge, from words or from what exists already. Refuses to change what is approved."""

from __future__ import annotations

from collections.abc import Callable

from gitmem.answers import actions, bundling, edges, plans, sources
from gitmem.answers.composing import NewCall
from gitmem.answers.extending import extend
from gitmem.answers.fields import EditCall
from gitmem.answers.ground import Ground, ground
from gitmem.answers.hinting import hints_for
from gitmem.answers.needs import needed
from gitmem.answers.opening import Plan, Proposed, draft, publish
from gitmem.answers.rewording import by_its_name, drafted, plan_new
from gitmem.answers.session import Session
from gitmem.answers.stale import refuse_stale
from gitmem.answers.terms import Terms, checked
from gitmem.errors import UsageError
from gitmem.lazy import load
from gitmem.record import record, replace
from gitmem.store.worktree import Uncommitted

# What is common to every way to propose; the field names are those of the requests below.
_TERMS = (
    *("rationale", "evidence", "needs", "bundle", "agent", "model", "agent_session", "allow_secret"),
    "without_dedup",
)
_SOURCES = "--from-worktree, --from-branch REF, --from-commit REV or --file PLAN.yaml; or: gitmem propose new ..."


@record
class ProposeNewCall:
    kind: str
    title: str
    path: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layer: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    domain: str = ""
    slug: str = ""
    summary: str = ""
    body: str = ""
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bundle: str = ""
    extend: str = ""
    agent: str = ""
    model: str = ""
    agent_session: str = ""
    allow_secret: tuple[str, ...] = ()
    without_dedup: bool = False


def propose_new(session: Session, call: ProposeNewCall) -> Proposed:
    fields = {name: getattr(call, name) for name in NewCall.__match_args__ if hasattr(call, name)}
    by = session.place.author
    wanted = NewCall(**fields)
    return _proposed(session, call, lambda under: plan_new(under, wanted, by, session.now), is_new=True)


@record
class ProposeEditCall:
    item: str
    field: str = ""
    value: tuple[str, ...] = ()
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    unset: bool = False
    file: str | None = None
    title: str = ""
    seen: str = ""
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bundle: str = ""
    extend: str = ""
    agent: str = ""
    model: str = ""
    agent_session: str = ""
    allow_secret: tuple[str, ...] = ()


def propose_edit(session: Session, call: ProposeEditCall) -> Proposed:
    if not call.field and call.file is None:
        raise UsageError("say which field to change", hint='for example: gitmem propose edit ITEM title "New title"')
    wanted = EditCall(**{name: getattr(call, name) for name in EditCall.__match_args__})

    def plan(under: Ground) -> Plan:
        refuse_stale(under, call.item, call.seen, call.file or "")
        return plans.plan_edit(under, wanted, call.title)

    return _proposed(session, call, plan)


@record
class ProposeItemCall:
    """For what needs no more than the name of an item."""

    item: str
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bundle: str = ""
    extend: str = ""
    agent: str = ""
    model: str = ""
    agent_session: str = ""


def propose_retire(session: Session, call: ProposeItemCall) -> Proposed:
    return _life(session, call, "retire")


def propose_archive(session: Session, call: ProposeItemCall) -> Proposed:
    return _life(session, call, "archive")


def propose_forget(session: Session, call: ProposeItemCall) -> Proposed:
    return _life(session, call, "forget")


@record
class ProposeRestoreCall:
    """``from_`` names a commit that has what is not here any more."""

    item: str
    from_: str = ""
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bundle: str = ""
    extend: str = ""
    agent: str = ""
    model: str = ""
    agent_session: str = ""


def propose_restore(session: Session, call: ProposeItemCall | ProposeRestoreCall) -> Proposed:
    rev = call.from_ if isinstance(call, ProposeRestoreCall) else ""
    return _proposed(session, call, lambda under: load("gitmem.answers.returning:plan_restore")(under, call.item, rev))


def _life(session: Session, call: ProposeItemCall, verb: str) -> Proposed:
    return _proposed(session, call, lambda under: plans.plan_life(under, call.item, verb, call.rationale))


def propose_private(session: Session, call: ProposeItemCall) -> Proposed:
    """An item of this clone as one for everybody."""
    return _proposed(session, call, lambda under: load("gitmem.answers.private:plan_shared")(session, under, call.item))


def propose_rm(session: Session, call: ProposeItemCall) -> Proposed:
    return _proposed(session, call, lambda under: plans.plan_remove(under, call.item))


@record
class ProposeMoveCall:
    item: str
    to: str
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bundle: str = ""
    extend: str = ""
    agent: str = ""
    model: str = ""
    agent_session: str = ""


def propose_mv(session: Session, call: ProposeMoveCall) -> Proposed:
    return _proposed(session, call, lambda under: plans.plan_move(under, call.item, call.to))


@record
class ProposeLinkCall:
    """``from_`` and ``to`` are engrams by any name."""

    from_: str
    kind: str
    to: str
    weight: float | None = None
    description: str = ""
    confidence: float | None = None
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bundle: str = ""
    extend: str = ""
    agent: str = ""
    model: str = ""
    agent_session: str = ""


def propose_link(session: Session, call: ProposeLinkCall) -> Proposed:
    wanted = edges.Wanted(call.from_, call.kind, call.to, call.weight, call.description, call.confidence)
    by = session.place.author
    return _proposed(session, call, lambda under: plans.plan_link(under, wanted, by, session.now))


@record
class ProposeUnlinkCall:
    """``synapse`` is its id; with ``kind`` and ``to`` it is the engram that the edge leads from."""

    synapse: str
    kind: str = ""
    to: str = ""
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bundle: str = ""
    extend: str = ""
    agent: str = ""
    model: str = ""
    agent_session: str = ""


def propose_unlink(session: Session, call: ProposeUnlinkCall) -> Proposed:
    words = tuple(word for word in (call.synapse, call.kind, call.to) if word)
    return _proposed(session, call, lambda under: plans.plan_unlink(under, words))


@record
class ProposeCall:
    """On the command line one of the sources, ``file`` being the text of a plan; as a tool an ``action`` with what it
    needs, all flat: texts that are '' and lists that are empty are not given."""

    action: str = ""
    item: str = ""
    kind: str = ""
    title: str = ""
    body: str = ""
    summary: str = ""
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    domain: str = ""
    field: str = ""
    value: str = ""
    seen: str = ""
    from_: str = ""
    to: str = ""
    synapse: str = ""
    description: str = ""
    from_worktree: bool = False
    clean: bool = False
    from_branch: str = ""
    from_commit: str = ""
    file: str = ""
    rationale: str = ""
    evidence: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bundle: str = ""
    extend: str = ""
    agent: str = ""
    model: str = ""
    agent_session: str = ""
    allow_secret: tuple[str, ...] = ()
    without_dedup: bool = False


def propose(session: Session, call: ProposeCall) -> Proposed:
    """From words, from the work tree, a branch, a commit or a plan; ``extend`` alone brings a proposal up to date."""
    if call.action:
        return _proposed(session, call, actions.planner(session, call), is_new=call.action == "new")
    named = [bool(each) for each in (call.from_worktree, call.from_branch, call.from_commit, call.file)]
    if session.surface == "agent" and any(named):
        raise UsageError("an agent proposes by words", hint=f"action: {', '.join(actions.ACTIONS)}")
    if sum(named) > 1 or not (any(named) or call.extend):
        words = session.word(_SOURCES, f"action: {', '.join(actions.ACTIONS)}; or extend: the id of a proposal")
        raise UsageError("say what to propose: exactly one source", hint=words)
    if call.clean and not call.from_worktree:
        raise UsageError("--clean goes with --from-worktree")
    if call.file:
        return bundling.propose_plan(session, call.file, _terms(session, call))
    if call.from_branch:
        return _proposed(session, call, lambda under: sources.from_branch(under, call.from_branch, call.title))
    if call.from_commit:
        return _proposed(session, call, lambda under: sources.from_commit(under, call.from_commit, call.title))
    if call.from_worktree:
        return _from_worktree(session, call)
    return extend(session, call.extend, None, _terms(session, call))


def _from_worktree(session: Session, call: ProposeCall) -> Proposed:
    edits: list[Uncommitted] = []

    def plan(under: Ground) -> Plan:
        found, waiting = sources.from_worktree(session, under, call.title)
        edits.extend(waiting)
        return found

    done = _proposed(session, call, plan)
    if call.clean and done.proposal:
        sources.clean(session.place.repo, edits)
    return done


Call = (
    ProposeNewCall
    | ProposeEditCall
    | ProposeItemCall
    | ProposeRestoreCall
    | ProposeMoveCall
    | ProposeLinkCall
    | ProposeUnlinkCall
    | ProposeCall
)


def _terms(session: Session, call: Call) -> Terms:
    given = checked(session, Terms(**{name: getattr(call, name) for name in _TERMS if hasattr(call, name)}))
    return replace(given, bundle=bundling.bundle_of(session, given.bundle))


def _proposed(session: Session, call: Call, plan: Callable[[Ground], Plan], *, is_new: bool = False) -> Proposed:
    terms = _terms(session, call)
    if call.extend:
        return extend(session, call.extend, lambda under: by_its_name(plan(under)), terms)
    below = needed(session, terms.needs)
    under = ground(session, below.open)
    terms = replace(terms, needs=below.ids)
    if not is_new:
        return publish(session, draft(session, under, plan(under), terms))
    made = drafted(session, under, plan(under), terms)
    return replace(publish(session, made), hints=hints_for(under, made))
