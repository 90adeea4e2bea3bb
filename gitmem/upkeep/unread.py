"""Which engrams may lie in files that are not in order. Refuses to take what is only misspelt for gone."""

from __future__ import annotations

from gitmem.answers.reading import Reading
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.record import record
from gitmem.store import objects
from gitmem.store.layout import Place, place_of

# What is in these is not here.
_ELSEWHERE = frozenset({"lfs-pointer", "not-a-file", "submodule", "symlink", "too-large"})


@record
class Unread:
    """``texts`` of engrams that nobody is given, as they are; ``is_cut``: of one there is no text here."""

    texts: bytes = b""
    is_cut: bool = False

    def may_have(self, id_: str) -> bool:
        return self.is_cut or id_.encode() in self.texts


def unread(reading: Reading, knowledge: Knowledge) -> Unread:
    cards = [card for card in knowledge.cards() if not card.id and place_of(card.path) is Place.ENGRAM]
    if any(map(_is_elsewhere, cards)):
        return Unread(is_cut=True)
    return Unread(b"\n".join(data for _, data in objects.read_blobs(reading.place.repo, [card.blob for card in cards])))


def _is_elsewhere(card: Card) -> bool:
    return any(code in _ELSEWHERE for code, *_ in card.findings)
