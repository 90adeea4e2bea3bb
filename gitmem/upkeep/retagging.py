"""Tags that do not say what a text is about, and those that engrams like it bear. Refuses tags that nobody uses yet.

Only a placeholder is taken out: that the words of a tag stand nowhere is no proof that it is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan
from gitmem.answers.patterning import members
from gitmem.answers.reading import Place
from gitmem.index.card import Card
from gitmem.index.stems import stemmed
from gitmem.record import record
from gitmem.store import edit as edits
from gitmem.store.repo import FOLDER
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.joining import STAGE
from gitmem.upkeep.kin import Family

PLACEHOLDERS = frozenset({"imported", "uncategorized"})
# So much of what its tags say is said neither by its text nor by anything alike.
DRIFT_LEAST = 0.3
# So many must speak for a tag, and so much of them.
_VOICES_LEAST, _SHARE_LEAST = 2, 0.5
_ADDED_MOST = 3


@record
class _Retag:
    """``added`` are tags with how much speaks for each, from 0 to 1; ``strange`` are those of its tags that nothing
    speaks for, ``removed`` the placeholders among them."""

    card: Card
    added: tuple[tuple[str, float], ...]
    strange: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def drift(self) -> float:
        return len(self.strange) / len(self.card.tags)


def drafts(place: Place, family: Family) -> list[Draft]:
    cards = [card for card in family.cards.values() if card.status == "active" and card.tags]
    near = family.near()
    titles = _titles(family)
    asked = [(card, _wanted(family, card, [id_ for id_, _ in near.get(card.id, ())], titles)) for card in cards]
    asked = [(card, added) for card, added in asked if added]
    stems = _stems(place, [card for card, _ in asked])
    found = [_retag(family, card, added, (stems[card.id], near.get(card.id, ()))) for card, added in asked]
    return [_draft(each) for each in sorted(filter(None, found), key=lambda each: each.card.id)]


def _titles(family: Family) -> Mapping[str, tuple[int, int]]:
    """By tag: how many active engrams have its words in their title, and how many of these bear it."""
    by_stem: dict[str, set[str]] = {}
    bearers: dict[str, set[str]] = {}
    for card in family.cards.values():
        if card.status == "active":
            for stem in stemmed(card.title):
                by_stem.setdefault(stem, set()).add(card.id)
            for tag in card.tags:
                bearers.setdefault(tag, set()).add(card.id)
    found = {}
    for tag, ids in bearers.items():
        parts = [by_stem.get(stem, set()) for stem in stemmed(tag)]
        named = set[str]().union(*parts[:1]).intersection(*parts) if parts else set()
        found[tag] = len(named), len(named & ids)
    return found


def _wanted(
    family: Family, card: Card, near: Sequence[str], titles: Mapping[str, tuple[int, int]]
) -> tuple[tuple[str, float], ...]:
    """Tags that most engrams like it bear; for one with a placeholder those of its title's words too."""
    counts = Counter(tag for id_ in near for tag in family.cards[id_].tags)
    found = {tag: count / len(near) for tag, count in counts.items() if count >= _VOICES_LEAST}
    if PLACEHOLDERS.intersection(card.tags):
        words = frozenset(stemmed(card.title))
        for tag, (named, bearing) in titles.items():
            if bearing >= _VOICES_LEAST and words.issuperset(stemmed(tag)):
                found[tag] = max(found.get(tag, 0.0), bearing / named)
    kept = [(tag, share) for tag, share in found.items() if share >= _SHARE_LEAST and tag not in PLACEHOLDERS]
    kept = [row for row in kept if row[0] not in card.tags]
    return tuple(sorted(kept, key=lambda row: (-row[1], row[0]))[:_ADDED_MOST])


def _stems(place: Place, cards: Sequence[Card]) -> dict[str, frozenset[str]]:
    return {each.id: frozenset(stemmed(each.text)) for each in members(place, cards)}


def _retag(
    family: Family,
    card: Card,
    added: tuple[tuple[str, float], ...],
    told: tuple[frozenset[str], Iterable[tuple[str, float]]],
) -> _Retag | None:
    """``told``: the stems of its text, and what is like it."""
    text, near = told
    of_kin = {tag for id_, _ in near for tag in family.cards[id_].tags}
    strange = tuple(tag for tag in card.tags if tag in PLACEHOLDERS or not _is_said(tag, text, of_kin))
    found = _Retag(card, added, strange, tuple(tag for tag in strange if tag in PLACEHOLDERS))
    return found if found.removed or found.drift >= DRIFT_LEAST else None


def _is_said(tag: str, text: frozenset[str], of_kin: set[str]) -> bool:
    return tag in of_kin or any(stem in text for stem in stemmed(tag))


def _draft(found: _Retag) -> Draft:
    card = found.card
    tags = [tag for tag, _ in found.added]

    def plan(under: Ground) -> Plan:
        rel = f"{FOLDER}/{card.path}"
        data = edits.add_to_list(under.data_of(card), "tags", tags, rel)
        data = edits.remove_from_list(data, "tags", found.removed, rel) if found.removed else data
        return Plan("update", "", {card.path: data})

    signs = ", ".join([*(f"+{tag}" for tag in tags), *(f"-{tag}" for tag in found.removed)])
    return Draft(STAGE, "retag", (card.id, card.blob, *tags), f"Tags of {card.slug}: {signs}", plan, _why(found))


def _why(found: _Retag) -> str:
    voices = "; ".join(f"{tag}: confidence {share:.2f}" for tag, share in found.added)
    return (
        f"{len(found.strange)} of its {len(found.card.tags)} tags ({found.drift:.2f}) stand neither in its text nor at "
        f"engrams like it: {', '.join(found.strange)}. What those, or their titles, speak for: {voices}."
    )
