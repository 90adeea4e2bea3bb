"""The verification of one engram: how it stands, a step, new evidence. Refuses to take a step that nobody decides."""

from __future__ import annotations

from gitmem.answers import naming, truth
from gitmem.answers.deciding import approved, opened
from gitmem.answers.evidence import Wanted, plan_verify
from gitmem.answers.ground import ground
from gitmem.answers.landing import decider
from gitmem.answers.proofs import cases
from gitmem.answers.reading import read
from gitmem.answers.session import Session
from gitmem.answers.terms import spoken
from gitmem.errors import UsageError
from gitmem.memory.truth import Measured, recommended
from gitmem.model.evidence import Evidence
from gitmem.model.finding import Notice
from gitmem.model.truth import Truth
from gitmem.model.verification import REFUTED, above, age_days, domains, missing
from gitmem.record import record, replace
from gitmem.store.lock import held


@record
class ShowVerificationCall:
    item: str


@record
class Verification:
    """``next`` is the step up from ``status``, '' from the top; ``missing`` what lacks for it. ``domains`` are those of
    the evidence that counts. ``recommended`` is the status that the measured truth speaks for, '' for the one there
    is."""

    item: str
    slug: str
    status: str
    next: str
    missing: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    domains: tuple[str, ...]
    age_days: int | None
    truth: Truth
    recommended: str
    warnings: tuple[Notice, ...] = ()


def show_verification(session: Session, call: ShowVerificationCall) -> Verification:
    reading = read(session.place)
    card = naming.find(reading, call.item)
    case = cases(session.place.repo, [card])[card.id]
    found = truth.measures(session, reading, [card])
    score = truth.truth_of(found, card)
    age = age_days(case, session.now)
    step = above(case.status)
    speaks = recommended(Measured(score.score, case.status, age, truth.is_contradicted(found, card)))
    doubts = tuple(Notice("unreliable-source", doubt) for doubt in score.doubts)
    return Verification(
        item=card.id,
        slug=card.slug,
        status=case.status,
        next=step,
        missing=missing(case, step, session.now) if step else (),
        evidence=case.evidence,
        domains=domains(case),
        age_days=None if age is None else int(age),
        truth=score,
        recommended=speaks,
        warnings=(*reading.warnings, *doubts),
    )


@record
class SetVerificationCall:
    """``evidence`` is new evidence for it, or against it where it is refuted; the rest says what the evidence is."""

    item: str
    status: str
    evidence: str = ""
    kind: str = ""
    domain: str = ""
    claim: str = ""
    run: str = ""
    force: bool = False
    rationale: str = ""
    propose: bool = False
    sign: bool = False


@record
class AddEvidenceCall:
    item: str
    evidence: str
    kind: str = ""
    domain: str = ""
    claim: str = ""
    run: str = ""
    rationale: str = ""
    propose: bool = False
    sign: bool = False


@record
class Decided:
    """``commit`` is '' while it only waits as a proposal."""

    item: str
    slug: str
    before: str
    after: str
    proposal: str
    patchset: str
    commit: str
    knowledge_version: str
    warnings: tuple[Notice, ...] = ()


def set_verification(session: Session, call: SetVerificationCall) -> Decided:
    """One step, as a decision of its own: a revert of it brings the former status back."""
    if not call.status.strip():
        raise UsageError("say which status", hint="the next step is told by: gitmem verification show ITEM")
    text = call.evidence or (call.rationale if call.status == REFUTED else "")
    wanted = _wanted(call, call.status.strip().lower(), text, force=call.force)
    return _decided(session, wanted, call)


def add_evidence(session: Session, call: AddEvidenceCall) -> Decided:
    """Evidence without a step; how it stands stays as it is."""
    return _decided(session, _wanted(call, "", call.evidence, force=False), call)


def _wanted(call: SetVerificationCall | AddEvidenceCall, status: str, text: str, *, force: bool) -> Wanted:
    return Wanted(call.item, status, text, call.kind, call.domain, call.claim, call.run, force)


def _decided(session: Session, wanted: Wanted, call: SetVerificationCall | AddEvidenceCall) -> Decided:
    by = decider(session)
    rationale = spoken("rationale", call.rationale)
    with held(session.place.repo):
        under = ground(session)
        card = naming.one(under.knowledge(), wanted.item)
        plan = plan_verify(under, wanted, by, session.now)
        made = opened(session, under, plan, rationale or wanted.text)
        after = wanted.status or card.verification
        done = Decided(card.id, card.slug, card.verification, after, made.proposal or "", made.patchset, "", "")
        if call.propose:
            return replace(done, warnings=made.warnings)
        landed = approved(session, made, rationale, sign=call.sign)
    warnings = tuple(dict.fromkeys((*made.warnings, *landed.warnings)))
    return replace(done, commit=landed.commit, knowledge_version=landed.knowledge_version, warnings=warnings)
