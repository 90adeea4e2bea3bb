"""Settles a contradiction as one proposal: the edge says how, and the engram that loses is superseded with it.

Refuses to settle anything at once: a person approves it like any other change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gitmem.answers import bundling, naming
from gitmem.answers.admission import admit
from gitmem.answers.contradictions import HOLDS, KIND, by_age, holds, side
from gitmem.answers.edge_names import PREFIX
from gitmem.answers.edges import Stamp, Wanted, find, plan_link, rewritten, synapse_of
from gitmem.answers.experience import experience
from gitmem.answers.ground import Ground, ground
from gitmem.answers.naming import NotFoundError
from gitmem.answers.needs import needed
from gitmem.answers.opening import Plan, Proposed, draft, publish
from gitmem.answers.plans import still_needed
from gitmem.answers.session import Session, decides
from gitmem.answers.terms import Terms, checked, said
from gitmem.errors import GitmemError, UsageError
from gitmem.index.card import Card
from gitmem.index.edges import edge_of
from gitmem.index.knowledge import Knowledge
from gitmem.memory import ladder
from gitmem.model import contradiction
from gitmem.model.contradiction import ARCHIVE, KEEP_NEW, MERGE, VERDICTS, Resolution
from gitmem.model.finding import Notice
from gitmem.model.moments import rfc3339
from gitmem.model.synapse import link
from gitmem.model.verification import REFUTED
from gitmem.record import record, replace
from gitmem.store import edit as edits
from gitmem.store.repo import FOLDER
from gitmem.store.synapses import encode_synapse, synapse_path

RATIONALE_MOST = 1000
_SUPERSEDED, _DEPRECATED = "superseded", "deprecated"
_TERMS = ("rationale", "evidence", "needs", "bundle", "agent", "model", "agent_session", "allow_secret")


@record
class RuleCall:
    """``contradiction`` is the id of the edge, or one of the two engrams and ``against`` the other. Without a
    ``verdict`` what the numbers advise counts. ``body`` is the text that a merge comes to."""

    contradiction: str
    verdict: str = ""
    against: str = ""
    rationale: str = ""
    body: str = ""
    evidence: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bundle: str = ""
    agent: str = ""
    model: str = ""
    agent_session: str = ""
    allow_secret: tuple[str, ...] = ()


@record
class _Case:
    """``edge`` is what is on record, None where nothing is."""

    session: Session
    under: Ground
    older: Card
    newer: Card
    edge: Card | None
    stamp: Stamp

    @property
    def knowledge(self) -> Knowledge:
        return self.under.knowledge()


@record
class _Ruling:
    """What is to become of the two engrams."""

    verdict: str
    state: str
    kept: tuple[Card, ...]
    retired: tuple[Card, ...]


def resolve_contradiction(session: Session, call: RuleCall) -> Proposed:
    """One proposal with all of it, so that nobody meets a settled edge and a loser that still holds."""
    decides(session)
    call = replace(call, verdict=call.verdict.strip().lower())
    _check(call)
    given = checked(session, Terms(**{name: getattr(call, name) for name in _TERMS}))
    terms = replace(given, bundle=bundling.bundle_of(session, given.bundle))
    below = needed(session, terms.needs)
    under = ground(session, below.open)
    stamp = Stamp(session.place.author, rfc3339(session.now))
    plan = plan_ruling(session, under, call, stamp)
    made = draft(session, under, plan, replace(terms, needs=below.ids))
    # Whoever settles a contradiction need not be told of it.
    told = (notice for notice in made.warnings if notice.code != KIND)
    return publish(session, replace(made, warnings=tuple(told)))


def _check(call: RuleCall) -> None:
    if call.verdict and call.verdict not in VERDICTS:
        raise UsageError(f"unknown verdict {call.verdict[:40]!r}", hint=f"one of: {', '.join(VERDICTS)}")
    length = len(call.rationale.strip())
    if not 1 <= length <= RATIONALE_MOST:
        message = f"the rationale must have 1 to {RATIONALE_MOST} characters, not {length}"
        raise UsageError(message, hint="say why: whoever meets the edge later reads it")
    if bool(call.body.strip()) != (call.verdict == MERGE):
        wanted = "a merge needs the text that both come to" if call.verdict == MERGE else "only a merge takes a text"
        raise UsageError(wanted, hint="--verdict merge --body FILE")


def plan_ruling(session: Session, under: Ground, call: RuleCall, stamp: Stamp) -> Plan:
    """The edge with its resolution, the statuses, and the edge by which the winner takes the loser's place."""
    case = _case(session, under, call, stamp)
    ruling = _ruling(case, call.verdict)
    changes: dict[str, bytes | None] = {}
    warnings: list[Notice] = []
    for card in ruling.retired:
        changes |= _retired(case, card, _DEPRECATED if ruling.verdict == ARCHIVE else _SUPERSEDED)
        warnings += still_needed(under, card)
        for other in ruling.kept:
            changes |= _succession(case, ruling.verdict, other, card, call.rationale)
            changes |= {rel: None for rel in _turned(case, other, card)}
            warnings += _lost(other, card)
    if ruling.verdict == MERGE:
        (kept,) = ruling.kept
        data, doubts = _merged(case, kept, call)
        changes[kept.path] = data
        warnings += doubts
    rel, data = _settled(case, ruling, call.rationale)
    changes[rel] = data
    title = f"Contradiction: {ruling.verdict} of {case.newer.title} and {case.older.title}"
    return Plan("update", title, changes, warnings=tuple(warnings))


def _case(session: Session, under: Ground, call: RuleCall, stamp: Stamp) -> _Case:
    knowledge = under.knowledge()
    if call.contradiction.strip().lower().startswith(PREFIX):
        card = _edge_card(knowledge, call)
        names = card.edge[:2]
    elif call.against:
        card, names = None, (call.contradiction, call.against)
    else:
        raise UsageError("name the other engram too", hint="--against ITEM, or the id of the edge: syn-...")
    older, newer = by_age(_end(knowledge, name) for name in names)
    known = card or knowledge.at_path(synapse_path(link(older.id, newer.id, KIND)))
    return _Case(session, under, older, newer, known, stamp)


def _edge_card(knowledge: Knowledge, call: RuleCall) -> Card:
    if call.against:
        raise UsageError("an edge has both ends already", hint="leave out --against")
    card = find(knowledge, (call.contradiction,))
    edge = edge_of(card)
    if edge is not None and edge.kind != KIND:
        raise UsageError(f"{edge.id} says {edge.kind}, and that is no contradiction", hint="gitmem contradictions list")
    return card


def _end(knowledge: Knowledge, name: str) -> Card:
    card = naming.one(knowledge, name)
    if card.visibility == "private":
        raise NotFoundError(f"no item {name!r} here", hint="see: gitmem list")
    return card


def _ruling(case: _Case, verdict: str) -> _Ruling:
    state = contradiction.RESOLVED
    if not verdict:
        lived = experience(case.session)
        newer, older = (side(case.knowledge, case.under.repo, lived, card) for card in (case.newer, case.older))
        advised = ladder.advice(newer, older)
        if not advised.is_clear:
            raise UsageError(
                f"no verdict, and none is advised: {advised.reason}", hint=f"one of: {', '.join(VERDICTS)}"
            )
        verdict, state = advised.verdict, contradiction.AUTO_RESOLVED
    if verdict == ARCHIVE:
        return _Ruling(verdict, state, (), (case.older, case.newer))
    pair = (case.newer, case.older) if verdict in (KEEP_NEW, MERGE) else (case.older, case.newer)
    kept, retired = pair
    if not holds(kept):
        is_refuted = kept.verification == REFUTED
        message = f"{kept.slug} is {REFUTED if is_refuted else kept.status}, and what does not hold cannot win"
        way = f"verification set {kept.slug} unverified" if is_refuted else f"propose restore {kept.slug}"
        hint = f"bring it back first: gitmem {way}; or decide otherwise"
        raise GitmemError(message, hint=hint, place=f"{FOLDER}/{kept.path}", code="not-in-force")
    return _Ruling(verdict, state, (kept,), (retired,))


def _retired(case: _Case, card: Card, status: str) -> dict[str, bytes]:
    """Nothing where it holds no more already: how it went is a decision of its own."""
    if card.status not in HOLDS:
        return {}
    return {card.path: edits.set_value(case.under.data_of(card), "status", status, f"{FOLDER}/{card.path}")}


def _succession(case: _Case, verdict: str, kept: Card, retired: Card, rationale: str) -> dict[str, bytes | None]:
    kind = "consolidates" if verdict == MERGE else "supersedes"
    wanted = Wanted(kept.id, kind, retired.id, description=rationale)
    made = plan_link(case.knowledge, wanted, case.under.data_of, case.stamp)
    return {made.rel: made.after}


def _turned(case: _Case, kept: Card, retired: Card) -> list[str]:
    """The edge by which the loser once took the winner's place: with it both would be gone."""
    back = case.knowledge.at_path(synapse_path(link(retired.id, kept.id, "supersedes")))
    return [back.path] if back else []


def _merged(case: _Case, kept: Card, call: RuleCall) -> tuple[bytes, Iterable[Notice]]:
    body = call.body if call.body.endswith("\n") else f"{call.body}\n"
    data = edits.set_body(case.under.data_of(kept), body, f"{FOLDER}/{kept.path}")
    _, doubts = admit(kept.path, data, call.allow_secret)
    return data, doubts


def _lost(kept: Card, retired: Card) -> Iterator[Notice]:
    """Where the one that goes held and the one that stays does not."""
    for name in ("paths", "layers", "commands"):
        gone = [each for each in getattr(retired, name) if each not in getattr(kept, name)]
        if gone:
            message = f"{retired.slug} was for {', '.join(gone)}, and {kept.slug} is not"
            hint = f"where that is a loss: gitmem propose edit {kept.slug} scope.{name} --add ..."
            yield Notice("scope-lost", message, f"{FOLDER}/{kept.path}", hint)


def _settled(case: _Case, ruling: _Ruling, rationale: str) -> tuple[str, bytes]:
    """The file of the edge with the resolution; a contradiction that nobody has put on record is with it."""
    resolution = Resolution(
        state=ruling.state,
        verdict=ruling.verdict,
        rationale=said(rationale),
        kept=tuple(card.id for card in ruling.kept),
        retired=tuple(card.id for card in ruling.retired),
        at=case.stamp.at,
        by=case.stamp.by,
    )
    if case.edge is None:
        fresh = replace(link(case.older.id, case.newer.id, KIND), created_at=case.stamp.at, created_by=case.stamp.by)
        fresh = replace(fresh, resolution=contradiction.written(resolution))
        return synapse_path(fresh), encode_synapse(fresh)
    before = case.under.data_of(case.edge)
    old = synapse_of(before, case.edge.path)
    new = replace(old, resolution=contradiction.written(resolution))
    return case.edge.path, rewritten(before, old, new, case.edge.path)
