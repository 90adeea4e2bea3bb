"""What the history of a commit says of its files, read once for each. Refuses to fail where it cannot be read."""

from __future__ import annotations

from gitmem.answers.coding import shelf_of
from gitmem.answers.reading import Place
from gitmem.code import past
from gitmem.code.past import Told
from gitmem.store import cache as caches
from gitmem.store import messages

_PREFIX, _SUFFIX = "code-past-", ".json"
_KEPT = 4


def heard(place: Place, commit: str) -> Told | None:
    """None where there is no history, or none that can be read."""
    if not commit:
        return None
    held = shelf_of(place).told
    if commit not in held:
        found = _kept(place, commit) or _read(place, commit)
        # One at a time: a history is some megabytes.
        held.clear()
        held[commit] = found
    return held[commit]


def _kept(place: Place, commit: str) -> Told | None:
    content = caches.load(place.cache, _name(commit))
    return past.decode(content) if content else None


def _read(place: Place, commit: str) -> Told | None:
    found = messages.messages(place.repo, commit)
    if not found:
        return None
    content = past.encode(found)
    if not caches.save(place.cache, _name(commit), content):
        caches.drop_oldest(place.cache, _PREFIX, _SUFFIX, _KEPT)
    return past.decode(content)


def _name(commit: str) -> str:
    return f"{_PREFIX}{commit}{_SUFFIX}"
