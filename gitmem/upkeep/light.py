"""The quick stage: what happened is folded in, caches are brought up to date, new twins are proposed to be merged.

Refuses to take longer than a second: what is too much for it is left to the deep stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gitmem.answers import learned, pending
from gitmem.answers.likeness import Against, draft_of, likeness_of
from gitmem.answers.reading import Reading, ask, knowledge_at, read
from gitmem.answers.repeats import Twin
from gitmem.answers.repeats import twins as every_twin
from gitmem.answers.session import Session
from gitmem.index import sketching
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.record import replace
from gitmem.store import objects
from gitmem.store.git import GitError
from gitmem.store.layout import Place as In
from gitmem.store.layout import place_of
from gitmem.upkeep import runs, twins
from gitmem.upkeep.arrived import arrived
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.raising import raise_all
from gitmem.upkeep.report import StageReport
from gitmem.upkeep.schedule import LIGHT
from gitmem.upkeep.worth import weigher

# So many new engrams are compared in one run; the deep stage compares all.
_COMPARED_MOST = 40
_LIVE = ("active", "draft")
_BUILD = "gitmem.answers.whooshed:build_behind"


def run(session: Session, *, is_dry: bool) -> StageReport:
    counts: dict[str, int] = {}
    if not is_dry:
        counts |= _learned(session)
        counts["refreshed"] = _refreshed(session)
    reading = read(session.place)
    found = _twins(session, reading)
    report = raise_all(session, LIGHT, found, is_dry=is_dry)
    return replace(report, counts=counts)


def _learned(session: Session) -> Mapping[str, int]:
    """What came of the events since the last run, and the reports that wait to be processed."""
    return learned.light(session)


def _refreshed(session: Session) -> int:
    """Whatever a reader would otherwise wait for; how many caches were looked at."""
    reading = read(session.place)
    place = reading.place
    knowledge = knowledge_at(place, reading.tree).knowledge
    pending.snapshot(session, reading, is_fresh=True)
    sketching.kept_up(sketching.Ground(place.repo, place.cache, reading.tree, knowledge))
    if arrived(_BUILD):
        load(_BUILD)(session)
    return 3


def _twins(session: Session, reading: Reading) -> list[Draft]:
    """What the engrams that came since the last run repeat or reword; of the first run all, where they are few."""
    last = runs.last_runs(session.place).get(LIGHT)
    rels = _fresh(reading, last.tree) if last else []
    place, tree = reading.place, reading.tree

    def drafts(knowledge: Knowledge) -> list[Draft]:
        cards = [card for rel in rels if (card := knowledge.at_path(rel)) and _is_compared(card)]
        is_first = last is None and _size(knowledge) <= sketching.AT_ONCE_MAX
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
