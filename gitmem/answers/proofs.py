"""The evidence in the files of engrams, as cases of the ladder of verification. Refuses to write any."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.index.card import Card
from gitmem.model import evidence
from gitmem.model.verification import UNVERIFIED, Case, support
from gitmem.model.vocabulary import Text
from gitmem.store import codec, objects
from gitmem.store.repo import Repo


def cases(repo: Repo, cards: Iterable[Card]) -> dict[str, Case]:
    """By id; only files that hold evidence are read."""
    cards = list(cards)
    blobs = sorted({card.blob for card in cards if card.evidence})
    data = dict(objects.read_blobs(repo, blobs))
    return {card.id: case_of(card, data[card.blob] if card.evidence else b"") for card in cards}


def backing(repo: Repo, cards: Iterable[Card]) -> dict[str, int]:
    """By id, how many pieces of its header speak for an engram: what speaks against it, or was refuted, is none."""
    return {id_: len(support(case)) for id_, case in cases(repo, cards).items()}


def case_of(card: Card, data: bytes) -> Case:
    engram = codec.decode(data, card.path).engram if data else None
    rows: tuple[Text, ...] = engram.evidence if engram else ()
    found = tuple(each for row in rows if (each := evidence.read(row)))
    status = engram.verification if engram else card.verification or UNVERIFIED
    return Case(status, found, card.domain, card.created_at)


def lost(before: bytes | None, after: bytes) -> tuple[evidence.Evidence, ...]:
    """The pieces that the bytes of an engram held before and do not hold after."""
    old, new = (codec.decode(data, "").engram if data else None for data in (before, after))
    if old is None or new is None:
        return ()
    kept = {each.identity for row in new.evidence if (each := evidence.read(row))}
    rows = (evidence.read(row) for row in old.evidence)
    return tuple(each for each in rows if each and each.identity not in kept)


def status_of(data: bytes | None) -> str:
    """The status that the bytes of an engram say; what cannot be read, or is not there, is unverified."""
    engram = codec.decode(data, "").engram if data else None
    return engram.verification if engram else UNVERIFIED
