"""The header of an item in full, beside what experience has made of its numbers. Refuses to leave a key out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.answers.experience import Experience, experience
from gitmem.answers.reading import Reading, Session
from gitmem.index.card import Card
from gitmem.memory import freshness
from gitmem.model.disclosed import Learned, Meta
from gitmem.model.engram import Engram
from gitmem.store.codec import decode
from gitmem.store.objects import read_blobs


def headers(session: Session, reading: Reading, cards: Sequence[Card], own: Mapping[str, bytes]) -> dict[str, Meta]:
    """By blob, ``own`` for those that are no objects of Git; a file that cannot be read has none: see `check`."""
    known = {card.blob: card for card in cards if not card.edge}
    lived = experience(session, reading)
    found: dict[str, Meta] = {}
    for blob, data in (*read_blobs(reading.place.repo, sorted(known.keys() - own.keys())), *own.items()):
        engram = decode(data, known[blob].path).engram
        if engram is not None:
            found[blob] = _meta(engram, _learned(session, lived, known[blob]))
    return found


def _meta(engram: Engram, learned: Learned) -> Meta:
    scope = engram.scope
    parts = {name: getattr(scope, name) for name in scope.__match_args__} if scope else {}
    valid = {"from": engram.valid_from, "until": engram.valid_until}
    return Meta(
        status=engram.status,
        visibility=engram.visibility,
        importance=engram.importance,
        confidence=engram.confidence,
        verification=engram.verification,
        source_type=engram.source_type,
        priority=engram.priority,
        kinds=engram.kinds,
        context_tags=engram.context_tags,
        context=engram.context,
        scope={name: value for name, value in parts.items() if value} if scope else None,
        requires=engram.requires,
        claims=tuple(_stated({name: getattr(each, name) for name in each.__match_args__}) for each in engram.claims),
        source=engram.source,
        evidence=engram.evidence,
        valid=_stated(valid) or None,
        aliases=engram.aliases,
        created_at=engram.created_at,
        created_by=engram.created_by,
        extra=engram.extra,
        effective=learned,
    )


def _stated(row: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in row.items() if value}


def _learned(session: Session, lived: Experience, card: Card) -> Learned:
    effective = lived.effective(card)
    return Learned(
        importance=effective.importance,
        confidence=effective.confidence,
        strength=effective.strength,
        freshness=freshness.state(card, effective.importance, effective.last_use, session.now),
        hits=effective.hits,
        helped=effective.helped,
        misled=effective.misled,
        last_use=effective.last_use,
    )
