"""Several changes that belong together: proposals under one bundle, all of them or none. Refuses half a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.answers.ground import Ground, at_commit, ground, in_root
from gitmem.answers.needs import full_id, named, needed
from gitmem.answers.opening import Draft, Plan, Proposed, draft, new_id
from gitmem.answers.planfile import Step, planned, steps_of
from gitmem.answers.session import Session
from gitmem.answers.terms import Terms
from gitmem.errors import GitmemError, UsageError
from gitmem.model.ids import canonical_id
from gitmem.model.proposal import PATCHSET_DIGITS, Proposal
from gitmem.model.vocabulary import Text
from gitmem.record import replace
from gitmem.store import git
from gitmem.store.gitloose import DURABLE
from gitmem.store.gitwrite import Draft as Commit
from gitmem.store.gitwrite import write_commit
from gitmem.store.lock import held
from gitmem.store.refs import PROPOSALS, under

FRESH = "new"


def bundle_of(session: Session, text: str) -> str:
    """The id of a bundle: a fresh one for ``new``, else the one named or that of the proposal named."""
    if not text:
        return ""
    if text == FRESH:
        return new_id(session)
    wanted = text.strip().upper()
    if canonical_id(wanted) is None:
        wanted = full_id(session, text)
    try:
        _, standing = named(session, wanted)
    except GitmemError:
        return wanted
    if not standing.proposal.entry.bundle:
        raise UsageError(f"proposal {wanted} is in no bundle", hint="begin one: --bundle new")
    return standing.proposal.entry.bundle


def propose_plan(session: Session, text: str, terms: Terms) -> Proposed:
    """Every step as a proposal of one bundle. A step that touches what an earlier one touched needs that one."""
    head, steps = steps_of(text)
    rationale = terms.rationale or _text(head, "rationale")
    bundle = terms.bundle or new_id(session)
    below = needed(session, terms.needs)
    start = ground(session, below.open)
    terms = replace(terms, rationale=rationale, bundle=bundle, needs=below.ids)
    made = _drafts(session, start, steps, terms)
    _publish(session, made)
    first = made[0]
    return Proposed(
        proposal=first.entry.proposal,
        patchset=first.tip[:PATCHSET_DIGITS],
        ref=under(PROPOSALS, first.entry.proposal),
        verdict="new",
        overlaps=tuple(dict.fromkeys(overlap for each in made for overlap in each.overlaps)),
        items=tuple(change.item for each in made for change in each.entry.changes),
        bundle=bundle,
        proposals=tuple(each.entry.proposal for each in made),
        warnings=tuple(dict.fromkeys(notice for each in made for notice in each.warnings)),
    )


def _drafts(session: Session, start: Ground, steps: Sequence[Step], terms: Terms) -> list[Draft]:
    """Each step is planned on what the steps before have made of the knowledge, and stands on those that it needs."""
    made: list[Draft] = []
    seen: list[tuple[Draft, Plan]] = []
    above = start
    by = start.place.author
    # In the order of the plan, which is that of the lists.
    ids = sorted(new_id(session) for _ in steps)
    for id_, step in zip(ids, steps, strict=True):
        plan = planned(above, step, by, session.now)
        needs = [each for each, earlier in seen if _meet(plan, earlier, each)]
        foot = start
        if needs:
            foot = ground(session, [_as_proposal(each) for each in needs])
        own = replace(terms, needs=(*terms.needs, *(each.entry.proposal for each in needs)))
        found = draft(session, foot, plan, own, id_)
        if not found.tip:
            notice = found.warnings[-1] if found.warnings else None
            message = f"{step.place} repeats {found.target}" + (f": {notice.message}" if notice else "")
            raise GitmemError(message, hint="take it out of the plan", place=found.target or "", code="duplicate")
        made.append(found)
        seen.append((found, plan))
        commit = write_commit(start.repo, above.base, Commit(in_root(plan.changes), "plan", by, session.now))
        above = at_commit(start, commit)
    return made


def _as_proposal(made: Draft) -> Proposal:
    return Proposal(made.entry.proposal, made.tip, "", made.entry, "")


def _meet(plan: Plan, earlier: Plan, made: Draft) -> bool:
    """Whether a step changes a file that an earlier one has, or names an item that it makes."""
    if set(plan.changes) & set(earlier.changes):
        return True
    ids = [change.item.encode() for change in made.entry.changes]
    return any(id_ in data for data in plan.changes.values() if data for id_ in ids)


def _publish(session: Session, made: Sequence[Draft]) -> None:
    """All refs or none, in one transaction of Git."""
    repo = session.place.repo
    rows = [f"create {under(PROPOSALS, each.entry.proposal)}\0{each.tip}\0" for each in made]
    feed = git.Call(stdin="".join(["start\0", *rows, "prepare\0", "commit\0"]).encode(), settings=DURABLE)
    with held(repo):
        git.run(repo.where, ("update-ref", "-m", "gitmem: propose", "-z", "--stdin"), feed)


def _text(row: Mapping[str, Text], key: str) -> str:
    value = row.get(key, "")
    return value if isinstance(value, str) else ""
