"""The stage that looks for what belongs together: patterns, edges, tags, insights, and what evidence speaks for.

Refuses to word anything by itself: without a language model it proposes only what it can compute.
"""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.answers.patterning import derived
from gitmem.answers.reading import Reading, ask, read
from gitmem.answers.recommending import Recommended, recommendations
from gitmem.answers.session import Session
from gitmem.answers.standing import Board, board
from gitmem.checks.likeness import Known
from gitmem.index.knowledge import Knowledge
from gitmem.memory.outlines import Word, written
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.record import record, replace
from gitmem.upkeep import insights, joining, kin, patterns, raising, retagging
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.joining import STAGE
from gitmem.upkeep.raising import close_needless, raise_all
from gitmem.upkeep.report import StageReport
from gitmem.upkeep.schedule import REM
from gitmem.upkeep.unread import unread


@record
class _Found:
    drafts: list[Draft]
    findings: list[Finding]


def run(session: Session, *, is_dry: bool, word: Word | None = None) -> StageReport:
    """``word`` puts what a group has in common into words; none does by default."""
    reading = read(session.place)
    known = board(session)
    found = ask(reading, lambda knowledge: _found(reading, knowledge, known, word))[0]
    advice = recommendations(session)
    drafts = [*map(_verifying, advice.items), *found.drafts]
    closed = () if is_dry else close_needless(session, (STAGE,), drafts)
    report = raise_all(session, REM, drafts, is_dry=is_dry)
    findings = (*report.findings, *found.findings, *_doubtful(advice.doubtful))
    return replace(report, findings=findings, closed=closed)


def _found(reading: Reading, knowledge: Knowledge, known: Board, word: Word | None) -> _Found:
    family = kin.family(reading, knowledge)
    sources = derived(knowledge.cards())
    before = raising.before(known)
    groups = patterns.groups(reading.place, family, sources)
    made = [each for id_, each in sources.items() if not insights.is_insight(knowledge, id_)]
    common = patterns.drafts(family, groups, made, word)
    texts = [Known(told.title, told.title, written(told)) for _, told in common]
    sight = insights.Sight(reading, knowledge, family, groups, sources, known, before, texts)
    seen = insights.found(sight)
    drafts = [
        *insights.decayed(family, knowledge, sources, unread(reading, knowledge)),
        *(draft for draft, _ in common),
        *joining.drafts(family, before),
        *retagging.drafts(reading.place, family),
        *seen.drafts,
    ]
    return _Found(drafts, seen.findings)


def _verifying(advice: Recommended) -> Draft:
    return Draft(
        stage=STAGE,
        rule=advice.rule,
        rests_on=advice.rests_on,
        title=advice.title,
        plan=advice.plan,
        rationale=advice.rationale,
        measured=f"{advice.rationale} Its measured truth is {advice.score:.2f}.",
    )


def _doubtful(notices: Iterable[Notice]) -> tuple[Finding, ...]:
    return tuple(Finding(each.code, Severity.WARNING, each.place, 0, each.message, each.hint) for each in notices)
