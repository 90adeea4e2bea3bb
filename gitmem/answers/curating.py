"""Changes to knowledge that land at once, on the word of the person who makes them. Refuses agents."""

from __future__ import annotations

from collections.abc import Callable

from gitmem.answers import actions, plans
from gitmem.answers.approve import Approved
from gitmem.answers.composing import NewCall
from gitmem.answers.deciding import approved
from gitmem.answers.fields import EditCall
from gitmem.answers.ground import Ground, ground
from gitmem.answers.hinting import hints_for
from gitmem.answers.landing import decider
from gitmem.answers.likeness import Candidate
from gitmem.answers.opening import Hint, Plan, Proposed, draft, publish
from gitmem.answers.propose import ProposeCall
from gitmem.answers.reading import ask_at
from gitmem.answers.returning import plan_restore
from gitmem.answers.rewording import drafted, plan_new
from gitmem.answers.session import Session
from gitmem.answers.terms import Terms, spoken
from gitmem.errors import GitmemError
from gitmem.index.edges import edges
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Notice
from gitmem.record import record, replace
from gitmem.review.joining import trees_of
from gitmem.store.lock import held


@record
class Decided:
    """One engram after a decision. ``verdict`` duplicate: nothing was written, and ``target`` is what there is.

    ``commit`` is '' while further approvals are missing: ``waiting_for`` so many people. ``items`` are the ids of all
    that changed, ``reason``, ``confidence`` (0 to 1) and ``candidates`` those of the verdict.
    """

    id: str
    verdict: str
    proposal: str
    commit: str = ""
    knowledge_version: str = ""
    target: str = ""
    reason: str = ""
    confidence: float = 1.0
    items: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    hints: tuple[Hint, ...] = ()
    waiting_for: int = 0
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 0 if self.proposal else 1


@record
class CreateCall:
    kind: str
    title: str
    body: str = ""
    tag: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layer: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    domain: str = ""
    slug: str = ""
    summary: str = ""
    reason: str = ""
    without_dedup: bool = False
    sign: bool = False
    allow_secret: tuple[str, ...] = ()


def create(session: Session, call: CreateCall) -> Decided:
    """A new engram; what rewords another one lands as a change of that, and what repeats one not at all."""
    decider(session)
    fields = {name: getattr(call, name) for name in NewCall.__match_args__ if hasattr(call, name)}
    terms = _terms(call.reason, call.allow_secret, without_dedup=call.without_dedup)
    with held(session.place.repo):
        under = ground(session)
        plan = plan_new(under, NewCall(**fields), session.place.author, session.now)
        made = drafted(session, under, plan, terms)
        opened = replace(publish(session, made), hints=hints_for(under, made))
        return _landed(session, opened, terms.rationale, sign=call.sign)


@record
class UpdateCall:
    """Texts that are '' and lists that are empty are not given. ``seen`` is the ``content_hash`` of what was read."""

    item: str
    title: str = ""
    body: str = ""
    summary: str = ""
    kind: str = ""
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    field: str = ""
    value: str = ""
    seen: str = ""
    reason: str = ""
    sign: bool = False
    allow_secret: tuple[str, ...] = ()


def update(session: Session, call: UpdateCall) -> Decided:
    """Field by field, nothing else of the file changes; on what was not seen it is refused, with both texts."""
    decider(session)
    given = {name: getattr(call, name) for name in ProposeCall.__match_args__ if hasattr(call, name)}
    plan = actions.planner(session, ProposeCall(**{**given, "action": "update"}))
    return _decided(session, plan, _Word(call.reason, call.sign, call.allow_secret))


@record
class MoveCall:
    item: str
    to: str
    reason: str = ""
    sign: bool = False


def move(session: Session, call: MoveCall) -> Decided:
    return _decided(session, lambda under: plans.plan_move(under, call.item, call.to), _Word(call.reason, call.sign))


@record
class ItemCall:
    item: str
    reason: str = ""
    sign: bool = False


def archive(session: Session, call: ItemCall) -> Decided:
    return _life(session, call, "archive")


def forget(session: Session, call: ItemCall) -> Decided:
    return _life(session, call, "forget")


def retire(session: Session, call: ItemCall) -> Decided:
    return _life(session, call, "retire")


def _life(session: Session, call: ItemCall, verb: str) -> Decided:
    word = _Word(call.reason, call.sign)
    return _decided(session, lambda under: plans.plan_life(under, call.item, verb, call.reason), word)


@record
class RestoreCall:
    """``from_`` names a commit that has what is not here any more."""

    item: str
    from_: str = ""
    reason: str = ""
    sign: bool = False


def restore(session: Session, call: RestoreCall) -> Decided:
    return _decided(session, lambda under: plan_restore(under, call.item, call.from_), _Word(call.reason, call.sign))


def delete(session: Session, call: ItemCall) -> Decided:
    """The file and its edges; what the index says afterwards is looked at before the answer is given."""
    done = _decided(session, lambda under: plans.plan_remove(under, call.item), _Word(call.reason, call.sign))
    if done.commit:
        (tree,) = trees_of(session.place.repo, [done.commit])
        left = ask_at(session.place, tree, lambda knowledge: _left(knowledge, done.id))[0]
        if left:
            message = f"the decision landed and {left} is still in the knowledge"
            raise GitmemError(message, hint="please report it: gitmem doctor", place=done.id, code="not-deleted")
    return done


def _left(knowledge: Knowledge, item: str) -> str:
    found = [card.path for card in knowledge.under(f"id:{item}")] + [edge.id for edge in edges(knowledge, item)]
    return ", ".join(found)


@record
class TagsCall:
    item: str
    tags: tuple[str, ...] = ()
    reason: str = ""
    sign: bool = False


def set_tags(session: Session, call: TagsCall) -> Decided:
    """All its tags; without any it has none."""
    wanted = EditCall(call.item, "tags", call.tags, unset=not call.tags)
    return _decided(session, lambda under: plans.plan_edit(under, wanted), _Word(call.reason, call.sign))


@record
class _Word:
    reason: str
    sign: bool
    allow_secret: tuple[str, ...] = ()


def _decided(session: Session, plan: Callable[[Ground], Plan], word: _Word) -> Decided:
    decider(session)
    terms = _terms(word.reason, word.allow_secret)
    with held(session.place.repo):
        under = ground(session)
        opened = publish(session, draft(session, under, plan(under), terms))
        if opened.proposal is None:
            notice = opened.warnings[-1]
            raise GitmemError(notice.message, hint=notice.hint, place=opened.target or "", code=notice.code)
        return _landed(session, opened, terms.rationale, sign=word.sign)


def _terms(reason: str, allowed: tuple[str, ...], *, without_dedup: bool = False) -> Terms:
    return Terms(rationale=spoken("reason", reason), allow_secret=allowed, without_dedup=without_dedup)


def _landed(session: Session, opened: Proposed, comment: str, *, sign: bool) -> Decided:
    done = Decided(
        id=opened.id,
        verdict=opened.verdict,
        proposal=opened.proposal or "",
        target=opened.target or "",
        reason=opened.reason,
        confidence=opened.confidence,
        items=opened.items,
        candidates=opened.candidates,
        hints=opened.hints,
        warnings=opened.warnings,
    )
    return done if opened.proposal is None else _with_landing(done, approved(session, opened, comment, sign=sign))


def _with_landing(done: Decided, landed: Approved) -> Decided:
    return replace(
        done,
        commit=landed.commit,
        knowledge_version=landed.knowledge_version,
        waiting_for=landed.waiting_for,
        warnings=tuple(dict.fromkeys((*done.warnings, *landed.warnings))),
    )
