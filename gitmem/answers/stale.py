"""Whether a text is still the one that somebody saw before they changed it. Refuses a change of another one."""

from __future__ import annotations

from gitmem.answers import naming
from gitmem.answers.ground import Ground
from gitmem.errors import GitmemError
from gitmem.store.canonical import body_of
from gitmem.store.repo import FOLDER

_SHOWN_CHARS = 2000


class StaleTextError(GitmemError):
    """``found`` is the text as it is now, ``given`` the one that would have replaced it."""

    code = "stale"

    def __init__(self, slug: str, place: str, found: str, given: str) -> None:
        hint = f"look at both, then give the hash of the one that you mean to change. It says now:\n{_cut(found)}"
        hint += f"\nand was to say:\n{_cut(given)}" if given else ""
        super().__init__(f"{slug} is not the text that was seen: it changed since", hint=hint, place=place)
        self.found = found
        self.given = given


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}..."


def refuse_stale(under: Ground, item: str, seen: str, given: str) -> None:
    """``seen`` is the ``content_hash`` that an answer gave, '' for a writer who names none."""
    if not seen:
        return
    card = naming.one(under.knowledge(), item)
    if card.content_hash.removeprefix("sha256:") != seen.strip().lower().removeprefix("sha256:"):
        raise StaleTextError(card.slug, f"{FOLDER}/{card.path}", body_of(under.data_of(card)), given)
