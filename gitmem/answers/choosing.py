"""Settles what a reported rule collides with: both stay, it takes the place of the other, or it is dropped.

Refuses to decide by itself: taking a place is a bundle that waits like any other.
"""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import edges, plans
from gitmem.answers.bundling import Stack, add, publish_all
from gitmem.answers.fields import EditCall
from gitmem.answers.ground import SCAFFOLD
from gitmem.answers.machine import Cause, machine_id, terms_of
from gitmem.answers.observe import require_journal
from gitmem.answers.observed import named, triaged
from gitmem.answers.opening import Plan
from gitmem.answers.session import Session, decides
from gitmem.answers.triaging import act
from gitmem.answers.weighing import STAGE, Take, desk, drafted, engram_id, rationale_of, rests_on, weighed
from gitmem.errors import GitmemError, UsageError
from gitmem.model import observation as forms
from gitmem.model.ids import following
from gitmem.model.moments import instant
from gitmem.model.observation import Conflict
from gitmem.model.plain import plain
from gitmem.model.proposal import PENDING
from gitmem.record import record, replace
from gitmem.review.analyzers import Change, Fresh, Leave
from gitmem.review.triage import CANCEL, CHOICES, KEEP_BOTH, REPLACE, RESOLVED, Triaged

SUPERSEDED = "superseded"
_STATES = {KEEP_BOTH: forms.OPEN, REPLACE: forms.ANALYSED, CANCEL: forms.ARCHIVED}


@record
class ResolveCall:
    """``items`` are ids or slugs of what it collides with; none are all of them."""

    observation: str
    choice: str
    items: tuple[str, ...] = ()


@record
class Resolved:
    """``proposals`` are those of the ``bundle`` that takes the place of ``items``; none for the other choices."""

    observation: str
    choice: str
    items: tuple[str, ...]
    state: str
    bundle: str = ""
    proposals: tuple[str, ...] = ()


def resolve(session: Session, call: ResolveCall, take: Take) -> Resolved:
    """The choice is kept: the same words are not held against the same items again."""
    decides(session)
    if call.choice not in CHOICES:
        raise UsageError(f"unknown choice {call.choice[:80]!r}", hint=f"one of: {', '.join(CHOICES)}")
    require_journal(session)
    rows = triaged(session)
    each = named(rows, call.observation)
    told = each.observation
    if each.state != forms.OPEN:
        raise UsageError(f"observation {told.id} is {each.state}", hint="only an open one can be settled")
    items = [row.item for row in _meant(each, call.items)]
    done = Resolved(told.id, call.choice, tuple(items), _STATES[call.choice])
    reason = "cancelled, since it collides with what is there" if call.choice == CANCEL else ""
    if call.choice == REPLACE:
        made = _replace(session, rows, each, (items, take))
        done = replace(done, bundle=made.bundle, proposals=made.proposals)
    chosen = {"choice": call.choice, "items": plain(items), "proposals": plain(done.proposals), "reason": reason}
    act(session, RESOLVED, told.id, **chosen)
    return done


def _meant(each: Triaged, names: Sequence[str]) -> list[Conflict]:
    open_ = each.unsettled
    if not open_:
        raise UsageError(f"observation {each.observation.id} collides with nothing that is not settled")
    if not names:
        return list(open_)
    found = [row for row in open_ if row.slug in names or row.item in [name.upper() for name in names]]
    known = {name for row in found for name in (row.slug, row.item)}
    unknown = [name for name in names if name not in known and name.upper() not in known]
    if unknown:
        hint = f"it collides with: {', '.join(row.slug for row in open_)}"
        raise UsageError(f"it does not collide with {unknown[0][:80]!r}", hint=hint)
    return found


@record
class _Bundle:
    bundle: str
    proposals: tuple[str, ...]


def _replace(session: Session, rows: Sequence[Triaged], each: Triaged, wanted: tuple[list[str], Take]) -> _Bundle:
    """The new text, then for each item in whose place it comes its status and the edge that says so."""
    items, take = wanted
    told = each.observation
    at = desk(session, rows, take)
    choices = {**each.choices, **dict.fromkeys(items, KEEP_BOTH)}
    outcome = weighed(at, replace(each, choices=choices))
    if not isinstance(outcome, (Fresh, Change)):
        reason = outcome.reason if isinstance(outcome, Leave) else "a document is taken in by itself"
        raise GitmemError(f"nothing can take its place: {reason}", place=told.id, code="nothing-to-propose")
    rests = (*rests_on(told.id), *sorted(items))
    cause = Cause(STAGE, f"resolve {REPLACE}", rests, rationale_of(at, told), (told.id,))
    cause = replace(cause, bundle=machine_id(cause))
    there = [s.proposal for s in at.known.standings if s.proposal.entry.bundle == cause.bundle and s.status in PENDING]
    if there:
        # A run that was stopped before it could say so.
        return _Bundle(cause.bundle, tuple(each.id for each in there))
    stack = Stack(session, at.under, terms_of(at.under, cause), at.under)
    own = outcome.item if isinstance(outcome, Change) else engram_id(told)
    _add(stack, drafted(at, told, outcome), cause.bundle)
    for item in items:
        retired = plans.plan_edits(stack.above, [EditCall(item, "status", (SUPERSEDED,))])
        _add(stack, replace(retired, kind="retire"), cause.bundle)
        edge = edges.Wanted(own, "supersedes", item)
        linked = plans.plan_link(stack.above, edge, SCAFFOLD, instant(told.at) or session.now)
        _add(stack, linked, cause.bundle)
    publish_all(session, [made for made, _ in stack.steps])
    return _Bundle(cause.bundle, tuple(made.entry.proposal for made, _ in stack.steps))


def _add(stack: Stack, plan: Plan, bundle: str) -> None:
    """The ids follow that of the bundle one by one: the same in every clone, and in the order of the list."""
    before = stack.steps[-1][0].entry.proposal if stack.steps else bundle
    made = add(stack, plan, following(before))
    if not made.tip:
        said = made.warnings[-1].message if made.warnings else f"it repeats {made.target}"
        raise GitmemError(f"nothing was proposed: {said}", place=made.target or "", code="duplicate")
