"""How many observations of this clone wait to be processed, kept for calls that must be quick. Refuses their texts."""

from gitmem.answers.notices import count_name
from gitmem.answers.reading import Place
from gitmem.model.event import OBSERVATION, TRIAGE
from gitmem.model.observation import OPEN
from gitmem.review.triage import fold
from gitmem.store import cache as caches
from gitmem.store.mentions import entries_with


def count(place: Place, now: float) -> int:
    """Counted anew, and kept as the time and the number."""
    marks = (f'"kind":"{kind}"'.encode() for kind in (OBSERVATION, TRIAGE))
    lines = sorted((line for mark in marks for line in entries_with(place.repo, mark)), key=lambda line: line.order)
    found = sum(each.state == OPEN for each in fold(lines))
    caches.save(place.cache, count_name(place), f"{now} {found}".encode())
    return found


def changed(place: Place) -> None:
    """What was kept holds no more."""
    if caches.load(place.cache, count_name(place)):
        caches.save(place.cache, count_name(place), b"")
