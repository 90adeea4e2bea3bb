"""When each stage of upkeep last ran here, as the journal tells it. Refuses to write a tracked file."""

from __future__ import annotations

import json
from collections.abc import Mapping

from gitmem.answers import journal
from gitmem.answers.reading import Place
from gitmem.answers.session import Session
from gitmem.model.event import MAINTENANCE, Event
from gitmem.model.moments import instant, rfc3339
from gitmem.model.plain import Plain
from gitmem.store import cache as caches
from gitmem.store.spooled import of_kind
from gitmem.upkeep.report import StageReport
from gitmem.upkeep.schedule import STAGES, Last

DONE, STOPPED = "done", "stopped"
# The last runs beside the journal: reading a long one takes longer than a light run may.
_KEPT = "upkeep-2.json"


def last_runs(place: Place) -> dict[str, Last]:
    """By stage; the latest on record, whatever clocks said."""
    kept = caches.load(place.cache, _KEPT)
    rows = json.loads(kept) if kept is not None else _on_record(place)
    return {stage: last for stage, row in rows.items() if stage in STAGES and (last := _last(row))}


def _on_record(place: Place) -> dict[str, list[str]]:
    entries = of_kind(place.repo, MAINTENANCE).entries
    return {str(each.data.get("stage")): [each.at, *_told(each.data)] for each in entries}


def _told(data: Mapping[str, Plain]) -> list[str]:
    return [str(data.get(name, "")) for name in ("tree", "outcome", "until")]


def _last(row: list[str]) -> Last | None:
    at = instant(row[0])
    return Last(at, *row[1:]) if at is not None else None


def keep(session: Session, report: StageReport, tree: str) -> None:
    """Puts a run on record; where nothing can be written the next call only looks again."""
    place = session.place
    known = last_runs(place)
    before = known.get(report.stage)
    until = report.until or (before.until if before else "")
    if report.is_failed:
        tree = before.tree if before else ""
    outcome = STOPPED if report.is_failed else DONE
    data: dict[str, Plain] = {"stage": report.stage, "outcome": outcome, "tree": tree, "until": until}
    data |= {"proposed": len(report.proposed), "closed": len(report.closed)}
    data |= {"counts": {name: count for name, count in report.counts.items() if count}} if report.counts else {}
    journal.note(session, Event(MAINTENANCE, data))
    rows = {stage: [rfc3339(last.at), last.tree, last.outcome, last.until] for stage, last in known.items()}
    rows[report.stage] = [rfc3339(session.now), tree, outcome, until]
    caches.save(place.cache, _KEPT, json.dumps(rows).encode())
