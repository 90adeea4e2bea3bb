"""What the measured truth of engrams speaks for: a step up, or a refutation, as plans. Refuses to propose by itself.

Figures stay out of the plans: every clone has its own journal, and makes the same proposal or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from gitmem.answers import naming, truth
from gitmem.answers.evidence import Wanted, plan_verify
from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan
from gitmem.answers.proofs import case_of
from gitmem.answers.reading import ask, read
from gitmem.answers.session import Session
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.memory.truth import Measured, recommended
from gitmem.model.evidence import MACHINE, MEASUREMENT, Evidence
from gitmem.model.finding import Notice
from gitmem.model.moments import rfc3339
from gitmem.model.verification import REFUTED, Case, age_days, missing
from gitmem.record import record, replace
from gitmem.store.commits import commits
from gitmem.store.repo import FOLDER

# The same words in every clone and for every step: one measurement is one piece of evidence.
_BORNE_OUT = "measured: borne out by its use, the code, its edges and its author's record"
_CONTRADICTED = "measured: contradicted, and hardly borne out by anything else"


@record
class Recommended:
    """``status`` is the one to propose; ``rests_on`` are the ids and blob ids of all that was measured; ``score`` is
    for whoever asks, and no part of the proposal. ``plan`` makes the change."""

    item: str
    slug: str
    status: str
    score: float
    rule: str
    rests_on: tuple[str, ...]
    title: str
    rationale: str
    plan: Callable[[Ground], Plan]


@record
class Recommendations:
    """By id. ``doubtful`` are the items whose source has failed too often."""

    items: tuple[Recommended, ...]
    doubtful: tuple[Notice, ...]


def recommendations(session: Session) -> Recommendations:
    """Of everything live. What lacks more than the measurement itself is not recommended: people must have seen it."""
    reading = read(session.place)
    cards = ask(reading, lambda known: [card for card in known.cards() if _is_asked(card)])[0]
    found = truth.measures(session, reading, cards)
    items: list[Recommended] = []
    doubtful: list[Notice] = []
    for card in sorted(cards, key=lambda card: card.id):
        score = truth.truth_of(found, card)
        items += _recommended(session.now, found, card, score.score)
        doubtful += [Notice("unreliable-source", doubt, f"{FOLDER}/{card.path}") for doubt in score.doubts]
    return Recommendations(tuple(items), tuple(doubtful))


def _is_asked(card: Card) -> bool:
    return bool(card.id) and card.status in truth.LIVE and card.visibility not in NEVER_BY_SCOPE


def _recommended(now: datetime, found: truth.Measures, card: Card, score: float) -> Iterator[Recommended]:
    case = found.cases[card.id]
    measured = Measured(score, case.status, age_days(case, now), truth.is_contradicted(found, card))
    status = recommended(measured)
    if status == REFUTED and any(each.identity == _measurement(_CONTRADICTED).identity for each in case.evidence):
        # Whoever brought it back knew of that measurement.
        return
    if not status or (status != REFUTED and missing(_with_measurement(case, now), status, now)):
        return
    what = "refute" if status == REFUTED else f"{case.status} to {status}"
    yield Recommended(
        item=card.id,
        slug=card.slug,
        status=status,
        score=score,
        rule=f"verify {status}",
        rests_on=(card.id, card.blob),
        title=f"{card.title}: {what}",
        rationale=f"Its measured truth speaks for it; see: gitmem verification show {card.slug}",
        plan=lambda under: plan_measured(under, card.id, status),
    )


def plan_measured(under: Ground, item: str, status: str) -> Plan:
    """The step, with the measurement as its evidence unless that is there; dated by the ground, not by the clock."""
    card = naming.one(under.knowledge(), item)
    case = case_of(card, under.data_of(card))
    text = _CONTRADICTED if status == REFUTED else _BORNE_OUT
    is_there = any(each.identity == _measurement(text).identity for each in case.evidence)
    kind = "" if is_there else MEASUREMENT
    when = datetime.fromtimestamp(commits(under.repo, [under.base])[under.base].time, UTC)
    # What may lack was looked at when it was recommended.
    wanted = Wanted(item, status, "" if is_there else text, kind, force=True)
    return plan_verify(under, wanted, MACHINE, when)


def _with_measurement(case: Case, now: datetime) -> Case:
    return replace(case, evidence=(*case.evidence, _measurement(_BORNE_OUT, rfc3339(now), case.domain)))


def _measurement(text: str, at: str = "", domain: str = "") -> Evidence:
    return Evidence(text, MEASUREMENT, MACHINE, at, domain)
