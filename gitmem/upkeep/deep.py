"""The thorough stage: everything is looked at once more, and what it comes to is proposed in one bundle.

Refuses to change anything itself; what nobody asks for any more of its earlier proposals it withdraws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitmem.answers import renaming, skill_use, sourcing
from gitmem.answers.doctor import DoctorCall, doctor
from gitmem.answers.examined import Examined
from gitmem.answers.reading import Reading, ask, read
from gitmem.answers.renaming import FollowCall, Followed
from gitmem.answers.repeats import twins as every_twin
from gitmem.answers.session import Session
from gitmem.answers.sourcing import SyncedSources, SyncSourcesCall
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.finding import Finding, Severity
from gitmem.record import replace
from gitmem.upkeep import ageing, repairs, settling, skills, twins
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.raising import close_needless, raise_all
from gitmem.upkeep.report import Line, StageReport
from gitmem.upkeep.schedule import DEEP
from gitmem.upkeep.unread import unread
from gitmem.upkeep.worth import weigher

# Loading the other engine takes longer than all else here.
_BUILD = "gitmem.answers.whooshed:build_behind"
_STAGES = (twins.STAGE, ageing.STAGE, *repairs.STAGES, settling.STAGE, skill_use.STAGE)


def run(session: Session, *, is_dry: bool) -> StageReport:
    followed = renaming.follow(session, FollowCall(dry_run=is_dry))
    mirrored = sourcing.sync_sources(session, SyncSourcesCall(dry_run=is_dry))
    drafts = drafts_of(session, followed)
    closed = () if is_dry else close_needless(session, _STAGES, drafts)
    report = raise_all(session, DEEP, drafts, is_dry=is_dry)
    if not is_dry:
        load(_BUILD)(session)
    examined = Examined() if is_dry else doctor(session, DoctorCall(full=True))
    return replace(
        report,
        lines=(*_renamed(followed), *_mirrored(mirrored), *report.lines),
        findings=tuple(dict.fromkeys((*report.findings, *_not_synced(mirrored), *examined.findings))),
        closed=(*followed.closed, *mirrored.closed, *closed),
        left=report.left + mirrored.left,
        warnings=(*report.warnings, *examined.warnings),
        is_examined=not is_dry,
    )


def drafts_of(session: Session, followed: Followed) -> list[Draft]:
    """What is to be merged comes first: nothing else is asked about an engram that goes."""
    reading = read(session.place)
    steps = {(step.item, step.old) for each in followed.renames for step in each.steps}
    found = ask(reading, lambda knowledge: _found(session, reading, knowledge, steps))[0]
    found += skills.drafts(session)
    merged = {draft.items[1] for draft in found if draft.stage == twins.STAGE}
    return [draft for draft in found if draft.stage == twins.STAGE or not merged.intersection(draft.items)]


def _found(session: Session, reading: Reading, knowledge: Knowledge, steps: set[tuple[str, str]]) -> list[Draft]:
    weigh = weigher(session)
    times = repairs.last_changes(reading)
    sight = ageing.Sight(knowledge, session.now, weigh, times)
    return [
        *twins.drafts(knowledge, every_twin(reading.place, reading.tree), weigh),
        *repairs.of_claims(reading, knowledge, steps).drafts,
        *repairs.of_edges(knowledge, unread(reading, knowledge)),
        *repairs.of_rules(reading, knowledge, times, session.now.timestamp()),
        *ageing.drafts(sight),
        *settling.drafts(knowledge, weigh),
    ]


def _renamed(found: Followed) -> Iterator[Line]:
    for each in found.renames:
        title = f"Follow the move of {each.old or 'files of the root'} to {each.new or 'the root'}"
        items = tuple(dict.fromkeys(step.item for step in each.steps))
        yield Line(renaming.STAGE, "move", title, items, "", each.outcome, each.proposal)


def _mirrored(found: SyncedSources) -> Iterator[Line]:
    for each in found.drifted:
        title = f"{each.slug}: its source is {each.state}"
        yield Line(sourcing.STAGE, each.state, title, (each.item,), each.now, each.outcome, each.proposal)


def _not_synced(found: SyncedSources) -> Sequence[Finding]:
    return [Finding(e.code, Severity.WARNING, "", 0, f"{e.slug}: {e.message}", e.hint, e.item) for e in found.errors]
