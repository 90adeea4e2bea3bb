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
from gitmem.record import field, replace, state
from gitmem.store import git
from gitmem.store.commits import commits
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
    publish_all(session, made)
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
    """Each step is planned on what the steps before have made of the knowledge."""
    stack = Stack(session, start, terms, start)
    # In the order of the plan, which is that of the lists.
    ids = [new_id(session) for _ in steps]
    for id_, step in zip(ids, steps, strict=True):
        found = add(stack, planned(stack.above, step, start.place.author, session.now), id_)
        if not found.tip:
            notice = found.warnings[-1] if found.warnings else None
            message = f"{step.place} repeats {found.target}" + (f": {notice.message}" if notice else "")
            raise GitmemError(message, hint="take it out of the plan", place=found.target or "", code="duplicate")
    return [made for made, _ in stack.steps]


@state
class Stack:
    """Proposals of one bundle before they are published: ``above`` has what all of them together make of ``start``."""

    session: Session
    start: Ground
    terms: Terms
    above: Ground
    steps: list[tuple[Draft, Plan]] = field(default_factory=list)


def add(stack: Stack, plan: Plan, id_: str) -> Draft:
    """Puts a change on top, standing on those below that it needs; one that repeats another proposal stays off."""
    needs = [each for each, earlier in stack.steps if _meet(plan, earlier, each)]
    foot = ground(stack.session, _as_proposals(stack.start, needs)) if needs else stack.start
    own = replace(stack.terms, needs=(*stack.terms.needs, *(each.entry.proposal for each in needs)))
    made = draft(stack.session, foot, plan, own, id_)
    if made.tip:
        stack.steps.append((made, plan))
        said = Commit(in_root(plan.changes), "plan", stack.start.place.author, stack.session.now)
        stack.above = at_commit(stack.start, write_commit(stack.start.repo, stack.above.base, said))
    return made


def _as_proposals(start: Ground, made: Sequence[Draft]) -> list[Proposal]:
    known = commits(start.repo, [each.tip for each in made])
    bases = [next(iter(known[each.tip].parents), "") for each in made]
    return [Proposal(e.entry.proposal, e.tip, base, e.entry, "") for e, base in zip(made, bases, strict=True)]


def _meet(plan: Plan, earlier: Plan, made: Draft) -> bool:
    """Whether a step changes a file that an earlier one has, or names an item that it makes."""
    if set(plan.changes) & set(earlier.changes):
        return True
    ids = [change.item.encode() for change in made.entry.changes]
    return any(id_ in data for data in plan.changes.values() if data for id_ in ids)


def publish_all(session: Session, made: Sequence[Draft], renewed: Sequence[tuple[Proposal, Draft]] = ()) -> None:
    """All refs or none, in one transaction of Git: new proposals, and next patch sets of those that are open."""
    repo = session.place.repo
    rows = [f"create {under(PROPOSALS, each.entry.proposal)}\0{each.tip}\0" for each in made]
    rows += [f"update {under(PROPOSALS, old.id)}\0{new.tip}\0{old.tip}\0" for old, new in renewed]
    feed = git.Call(stdin="".join(["start\0", *rows, "prepare\0", "commit\0"]).encode(), settings=DURABLE)
    with held(repo):
        git.run(repo.where, ("update-ref", "-m", "gitmem: propose", "-z", "--stdin"), feed)


def _text(row: Mapping[str, Text], key: str) -> str:
    value = row.get(key, "")
    return value if isinstance(value, str) else ""
