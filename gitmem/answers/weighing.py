"""From a report to what it amounts to: what the knowledge says about it, the analyzer, and the plan of a change.

Refuses to write: a preview and a run weigh a report in the same way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

from gitmem.answers import misses, plans
from gitmem.answers.admission import RefusedError, refuse_secrets
from gitmem.answers.composing import NewCall, compose
from gitmem.answers.fields import EditCall
from gitmem.answers.ground import SCAFFOLD, Ground, ground
from gitmem.answers.machine import Cause, machine_id
from gitmem.answers.opening import Plan
from gitmem.answers.session import Session
from gitmem.answers.standing import Board, Standing, board
from gitmem.answers.terms import said as words_kept
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model import observation as forms
from gitmem.model.engram import Engram
from gitmem.model.ids import slugify
from gitmem.model.observation import Observation
from gitmem.model.proposal import IN_FORCE, PENDING, Status
from gitmem.record import field, replace, state
from gitmem.review.analyzers import ANALYZERS, Change, Document, Facts, Fresh, Leave, Outcome, failing
from gitmem.review.triage import Triaged
from gitmem.rules.match import is_live
from gitmem.store.canonical import body_of
from gitmem.text.words import cut

STAGE = "observations"
_RATIONALE_CHARS = 4000
# Somebody has looked at these; what was withdrawn or lost tells of nothing.
_CITING = PENDING | IN_FORCE | {Status.REJECTED, Status.REVERTED, Status.SUPERSEDED}


@state
class Desk:
    """The state of one run: what is trusted, what is proposed, and every observation. ``take`` plans how a document is
    taken in; ``turns`` are notes about turns by file, ``allowed`` fingerprints of findings that are no secrets."""

    session: Session
    under: Ground
    knowledge: Knowledge
    known: Board
    rows: Sequence[Triaged]
    take: Take
    allowed: tuple[str, ...] = ()
    citing: dict[str, Standing] = field(default_factory=dict)
    told: dict[str, tuple[str, ...]] = field(default_factory=dict)
    turns: dict[str, list[Observation]] = field(default_factory=dict)


Take = Callable[[Desk, Document, Observation], Plan | Leave]


def desk(session: Session, rows: Sequence[Triaged], take: Take, allowed: tuple[str, ...] = ()) -> Desk:
    under = ground(session)
    known = board(session)
    told = {each.observation.id: each.proposals for each in rows if each.proposals}
    return Desk(session, under, under.knowledge(), known, rows, take, allowed, citing(known), told, _turns(rows))


def citing(known: Board) -> dict[str, Standing]:
    """By observation the proposal that rests on it; one that still waits goes before the others."""
    found: dict[str, Standing] = {}
    for each in sorted(known.standings, key=lambda each: (each.status in PENDING, each.proposal.id)):
        if each.status in _CITING:
            found |= dict.fromkeys(each.proposal.entry.evidence, each)
    return found


def weighed(at: Desk, each: Triaged) -> Outcome:
    """What a report amounts to."""
    told = each.observation
    if each.unsettled:
        slugs = ", ".join(row.slug for row in each.unsettled)
        choose = f"gitmem observations resolve {told.id} keep-both|replace|cancel"
        settle = at.session.word(f"settle it: {choose}", "settle it: keep-both, replace or cancel")
        return Leave(f"it collides with {slugs}; {settle}", waits=True)
    forms_of = forms.FORMS.get(told.event_type, ())
    withheld = [form.name for form in forms_of if form.is_required and form.name not in told.payload]
    if withheld:
        return Leave(f"its writer shares no {', '.join(withheld)}", waits=True)
    return ANALYZERS[told.event_type](told, _facts(at, told))


def _facts(at: Desk, told: Observation) -> Facts:
    makers: Mapping[str, Callable[[Desk, Observation], Facts]] = {
        forms.COMPILE_MISS: _of_miss,
        forms.REVIEW_CORRECTION: _of_correction,
        forms.PR_MERGED: _of_merge,
        forms.SESSION_NOTE: _of_turns,
    }
    make = makers.get(told.event_type)
    return make(at, told) if make else Facts()


def _card(at: Desk, reference: str) -> Card | None:
    found = at.knowledge.by_reference(reference) if reference else []
    return found[0] if len(found) == 1 else None


def _of_miss(at: Desk, told: Observation) -> Facts:
    missed = misses.missed(at.under.reading, told.files)
    missing = told.text("missing_doc").strip()
    named = told.text("target_doc_id") or slugify(missing)
    # Without a name it is the rule whose pattern came nearest.
    nearest = missed.near[0].item if missed.near and not named else ""
    return Facts(
        target=_card(at, named) or _card(at, nearest),
        delivered=missed.delivered,
        applying=misses.several(missed.applying),
        near=missed.near,
    )


def _of_correction(at: Desk, told: Observation) -> Facts:
    card = _card(at, told.text("target_doc_id"))
    return Facts(card, body_of(at.under.data_of(card)) if card else "")


def _of_merge(at: Desk, told: Observation) -> Facts:
    known, changed = at.knowledge, set(told.files)
    duplicates = known.facts.duplicates
    live = {n for file in told.files for n, _ in known.matching(file) if is_live(known.card(n), duplicates, "")}
    ruled = {f for f in told.files if any(n in live for n, _ in known.matching(f))}
    resting = [(card.slug, claim[0]) for card in known.cards() for claim in card.claims if claim[0] in changed]
    unruled = tuple(file for file in told.files if file not in ruled)
    return Facts(unruled=unruled, resting=tuple(sorted(set(resting))))


def _of_turns(at: Desk, told: Observation) -> Facts:
    near = {each.id: each for file in told.files for each in at.turns.get(file, ())}
    return Facts(others=failing(near.values(), told), told=at.told)


def _turns(rows: Sequence[Triaged]) -> dict[str, list[Observation]]:
    """The notes about turns by file, in the order in which they came."""
    found: dict[str, list[Observation]] = {}
    for each in rows:
        if each.observation.event_type == forms.SESSION_NOTE and each.state != forms.ARCHIVED:
            for file in each.observation.files:
                found.setdefault(file, []).append(each.observation)
    return found


def plan_of(at: Desk, told: Observation, outcome: Fresh | Change | Document) -> Plan | Leave:
    """The files that an outcome changes; a new engram is the same one in every clone."""
    return at.take(at, outcome, told) if isinstance(outcome, Document) else drafted(at, told, outcome)


def drafted(at: Desk, told: Observation, outcome: Fresh | Change) -> Plan:
    """The same for what needs no document."""
    if isinstance(outcome, Change):
        text = EditCall(outcome.item, "body", file=outcome.text, allow_secret=at.allowed)
        wider = EditCall(outcome.item, "scope.paths", add=outcome.paths)
        return plans.plan_edits(at.under, [wider if outcome.text is None else text])
    call = NewCall(outcome.kind, outcome.title, outcome.paths, tag=outcome.tags, body=outcome.body)
    call = replace(call, allow_secret=at.allowed)
    try:
        return _new(at, told, call)
    except RefusedError as err:
        if err.code != "name-taken":
            raise
    tail = engram_id(told)[-4:].lower()
    return _new(at, told, replace(call, slug=f"{slugify(outcome.title)[:70].strip('-')}-{tail}"))


def _new(at: Desk, told: Observation, call: NewCall) -> Plan:
    made = compose(call, at.knowledge, SCAFFOLD, at.session.now, engram_of(told, call.title, call.kind, call.body))
    return Plan("new", call.title, {made.rel: made.data}, warnings=made.warnings)


def engram_of(told: Observation, title: str, kind: str, body: str = "") -> Engram:
    """The engram that a report leads to, as every clone makes it."""
    return Engram(engram_id(told), title, kind, body, "", created_at=told.at, created_by=SCAFFOLD)


def engram_id(told: Observation) -> str:
    return machine_id(Cause(STAGE, "engram", rests_on(told.id)))


def rests_on(*observations: str) -> tuple[str, ...]:
    """Their ids, and those of the segments that they stand in, which tell their day."""
    return tuple(dict.fromkeys(part for each in observations for part in (each, each.rpartition("-")[0])))


def cause_of(at: Desk, told: Observation, outcome: Fresh | Change | Document, plan: Plan) -> Cause:
    """A document may be another one elsewhere: then it is another proposal."""
    evidence = outcome.evidence if isinstance(outcome, Fresh) else (told.id,)
    rests = rests_on(*sorted(evidence))
    if isinstance(outcome, Document):
        rests += tuple(hashlib.sha256(data).hexdigest() for data in plan.changes.values() if data is not None)
    cause = Cause(STAGE, told.event_type, rests, rationale_of(at, told), evidence)
    return replace(cause, allow_secret=at.allowed)


def rationale_of(at: Desk, told: Observation) -> str:
    """In the words of the report, which nobody has checked if they come from another writer."""
    by = told.agent or "a person"
    said = told.text("review_comment", "abstract", "pr_title", "description", "reason").strip()
    text = f"Reported as {told.event_type} by {by} on {told.at[:10]}." + (f"\n\n{said}" if said else "")
    refuse_secrets("review_comment", text.encode("utf-8", "replace"), at.allowed)
    return words_kept(cut(text, _RATIONALE_CHARS))
