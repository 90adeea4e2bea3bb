"""The quick stage: what happened is folded in, caches are brought up to date, new twins are proposed to be merged.

Refuses to take longer than a second: what is too much for it is left to the deep stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.answers import journal, learned, pending, triaging, unprocessed
from gitmem.answers.likeness import Against, draft_of, likeness_of
from gitmem.answers.observed import triaged
from gitmem.answers.reading import Reading, ask, knowledge_at, read
from gitmem.answers.repeats import Twin
from gitmem.answers.repeats import twins as every_twin
from gitmem.answers.session import Session
from gitmem.answers.weighing import Desk
from gitmem.index import sketching
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.moments import rfc3339
from gitmem.model.observation import OPEN, Observation
from gitmem.record import replace
from gitmem.review.analyzers import Document, Leave
from gitmem.review.triage import Triaged
from gitmem.store import folding, objects
from gitmem.store.git import GitError
from gitmem.store.layout import Place as In
from gitmem.store.layout import place_of
from gitmem.upkeep import runs, twins
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.raising import raise_all
from gitmem.upkeep.report import StageReport
from gitmem.upkeep.schedule import LIGHT
from gitmem.upkeep.worth import weigher

# So many new engrams are compared in one run; the deep stage compares all.
_COMPARED_MOST = 40
_REPORTS_MOST = 20
_LIVE = ("active", "draft")
# Loading the other engine takes longer than all else here.
_BUILD = "gitmem.answers.whooshed:build_behind"
# Of more cards it takes longer than this stage may: the next one builds it.
_QUICKLY_BUILT = 500


def run(session: Session, *, is_dry: bool) -> StageReport:
    counts: dict[str, int] = {}
    until = ""
    if not is_dry:
        counts |= learned.light(session)
        reported, until = _reported(session)
        counts |= reported
        _refresh(session)
    found = _twins(session, read(session.place))
    return replace(raise_all(session, LIGHT, found, is_dry=is_dry), counts=counts, until=until)


def _reported(session: Session) -> tuple[Mapping[str, int], str]:
    """Works through the reports that came since; what waits for a person was looked at before. Says until when."""
    now = rfc3339(session.now)
    if not journal.is_on(session):
        return {}, ""
    if not unprocessed.count(session.place, session.now.timestamp()):
        return {}, now
    last = runs.last_runs(session.place).get(LIGHT)
    since = (last.until or rfc3339(last.at)) if last and last.at <= session.now else ""
    fresh = [row for row in triaged(session) if row.state == OPEN and not row.unsettled and row.at >= since]
    rows = sorted(fresh, key=lambda row: row.at)
    # All of a second, so that the next run begins with another one.
    rows, later = _split(rows, rows[_REPORTS_MOST - 1].at) if len(rows) > _REPORTS_MOST else (rows, [])
    until = later[0].at if later else now
    if not rows:
        return {}, until
    done = triaging.process(session, triaging.ProcessCall(tuple(row.observation.id for row in rows)), _leave)
    return {"reports": len(rows), "proposed from reports": len(done.proposed)}, until


def _split(rows: Sequence[Triaged], at: str) -> tuple[list[Triaged], list[Triaged]]:
    return [row for row in rows if row.at <= at], [row for row in rows if row.at > at]


def _leave(_at: Desk, _wanted: Document, _told: Observation) -> Leave:
    return Leave("a document is taken in by: gitmem observations process", waits=True)


def _refresh(session: Session) -> None:
    """Makes whatever a reader would otherwise wait for."""
    reading = read(session.place)
    place = reading.place
    knowledge = knowledge_at(place, reading.tree).knowledge
    pending.snapshot(session, reading, is_fresh=True)
    sketching.kept_up(sketching.Ground(place.repo, place.cache, reading.tree, knowledge))
    load(_BUILD)(session, _QUICKLY_BUILT)
    # Each run leaves a small file of the journal.
    folding.pack(place.repo)


def _twins(session: Session, reading: Reading) -> list[Draft]:
    """What the engrams that came since the last run repeat or reword; of the first run all, where they are few."""
    last = runs.last_runs(session.place).get(LIGHT)
    rels = _fresh(reading, last.tree) if last else []
    place, tree = reading.place, reading.tree

    def drafts(knowledge: Knowledge) -> list[Draft]:
        cards = [card for rel in rels if (card := knowledge.at_path(rel)) and _is_compared(card)]
        is_first = not (last and last.tree) and _size(knowledge) <= sketching.AT_ONCE_MAX
        found = every_twin(place, tree) if is_first else _pairs(reading, knowledge, cards)
        return twins.drafts(knowledge, found, weigher(session))

    return ask(reading, drafts)[0]


def _size(knowledge: Knowledge) -> int:
    return sum(knowledge.facts.counts.get("status", {}).values())


def _fresh(reading: Reading, before: str) -> list[str]:
    """The engrams that are new or changed since a tree; none where that is not known."""
    if not before or before == reading.tree:
        return []
    try:
        changes = objects.diff_trees(reading.place.repo, before, reading.tree)
    except GitError:
        return []
    rels = [change.rel for change in changes if change.new_oid and place_of(change.rel) is In.ENGRAM]
    return rels[:_COMPARED_MOST]


def _is_compared(card: Card) -> bool:
    return bool(card.id) and card.status in _LIVE and card.visibility != "private"


def _pairs(reading: Reading, knowledge: Knowledge, cards: Iterable[Card]) -> Iterator[Twin]:
    against = Against(reading.place, reading.tree)
    cards = list(cards)
    bodies = reading.place.bodies.read(dict(enumerate(cards)))
    for number, card in enumerate(cards):
        found = likeness_of(against, draft_of(card, bodies[number]))
        near = knowledge.under(f"id:{found.target}") if found.target else []
        if near and _is_compared(near[0]):
            first, second = sorted((near[0], card), key=lambda each: each.path)
            yield Twin(first, second, found.verdict, found.percent, found.reason)
