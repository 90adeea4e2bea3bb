"""How many observations of this clone wait to be processed, kept for calls that must be quick. Refuses their texts."""

from gitmem.answers.notices import count_name
from gitmem.answers.reading import Place
from gitmem.model.event import OBSERVATION, TRIAGE, Entry
from gitmem.model.observation import OPEN
from gitmem.review.triage import fold
from gitmem.store import cache as caches
from gitmem.store.mentions import entries_with
from gitmem.store.repo import Repo

# None of them may be missed.
_ALL = 1 << 40


def count(place: Place, now: float) -> int:
    """Counted anew, and kept as the time and the number."""
    found = sum(each.state == OPEN for each in fold(reports(place.repo)))
    caches.save(place.cache, count_name(place), f"{now} {found}".encode())
    return found


def reports(repo: Repo, *more: bytes) -> list[Entry]:
    """The lines of this clone that tell of observations, and those that hold ``more``; of a long journal no others."""
    marks = (f'"kind":"{kind}"'.encode() for kind in (OBSERVATION, TRIAGE))
    return entries_with(repo, *marks, *more, most=_ALL)


def changed(place: Place) -> None:
    """What was kept holds no more."""
    if caches.load(place.cache, count_name(place)):
        caches.save(place.cache, count_name(place), b"")
