"""What the questions of the last days say about the knowledge: topics of which little is sure, and what was missed.

Refuses questions of other clones, and items that are not for everybody to read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gitmem.answers.reading import Reading, Session, ask, read
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.knowledge import Knowledge
from gitmem.lazy import load
from gitmem.model.event import Entry
from gitmem.record import record
from gitmem.text.unsafe import escape_hidden
from gitmem.text.words import cut, telling

UNSURE_BELOW, HITS_LEAST = 0.4, 2
TOPICS_MOST, MISSED_MOST = 3, 10
_ITEMS_MOST = 500
_QUERY_CHARS = 120


@record
class Topic:
    """A tag whose items were found ``hits`` times; ``confidence`` is the mean of what was found, as it is now."""

    tag: str
    confidence: float
    hits: int


@record
class Missed:
    """A question that found nothing, as it was asked last; ``last`` is RFC 3339."""

    query: str
    times: int
    last: str


def missed(retrievals: Iterable[Entry]) -> tuple[Missed, ...]:
    """The most frequent first, whatever the order and case of their words; without those that found something since,
    and those that looked in a part of the knowledge alone."""
    waiting: dict[str, Missed] = {}
    for entry in retrievals:
        query = entry.data.get("query")
        if not isinstance(query, str) or not (key := _key(query)):
            continue
        if entry.data.get("items"):
            waiting.pop(key, None)
        elif not entry.data.get("narrowed"):
            times = waiting[key].times + 1 if key in waiting else 1
            waiting[key] = Missed(_shown(query), times, entry.at)
    ordered = sorted(waiting.values(), key=lambda each: each.last, reverse=True)
    return tuple(sorted(ordered, key=lambda each: -each.times)[:MISSED_MOST])


def _key(query: str) -> str:
    return " ".join(sorted(telling(query)))


def _shown(query: str) -> str:
    return escape_hidden(cut(" ".join(query.split()), _QUERY_CHARS))


def unsure(session: Session, retrievals: Sequence[Entry], reading: Reading | None = None) -> tuple[Topic, ...]:
    """The least sure first; ``reading`` is the trusted knowledge of now, where it was read already."""
    hits: Counter[str] = Counter()
    for entry in retrievals:
        items = entry.data.get("items")
        hits.update(each for each in (items if isinstance(items, list) else ()) if isinstance(each, str))
    if not hits:
        return ()
    reading = reading or read(session.place)
    found = _cards(reading, [item for item, _ in hits.most_common(_ITEMS_MOST)])
    lived = load("gitmem.answers.experience:experience")(session, reading)
    return topics([(card.tags, lived.effective(card).confidence, hits[card.id]) for card in found])


def topics(found: Iterable[tuple[Sequence[str], float, int]]) -> tuple[Topic, ...]:
    """``found`` are (tags, confidence, hits) of items."""
    counts: Counter[str] = Counter()
    sums: dict[str, float] = {}
    for tags, confidence, hits in found:
        for tag in tags:
            counts[tag] += hits
            sums[tag] = sums.get(tag, 0.0) + confidence * hits
    rows = (Topic(tag, round(sums[tag] / hits, 4), hits) for tag, hits in counts.items() if hits >= HITS_LEAST)
    low = [row for row in rows if row.confidence < UNSURE_BELOW]
    return tuple(sorted(low, key=lambda row: (row.confidence, -row.hits, row.tag))[:TOPICS_MOST])


def _cards(reading: Reading, items: Sequence[str]) -> list[Card]:
    found, _ = ask(reading, lambda knowledge: _shared(knowledge, items))
    return found


def _shared(knowledge: Knowledge, items: Sequence[str]) -> list[Card]:
    cards = (next(iter(knowledge.under(f"id:{item}")), None) for item in items)
    return [card for card in cards if card is not None and card.visibility not in NEVER_BY_SCOPE]
