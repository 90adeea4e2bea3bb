"""How claims have fared: whether each holds, and through how many commits to its file. Refuses to weigh it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from gitmem.answers import claims
from gitmem.answers.code import FILE_MOST_BYTES, Code
from gitmem.answers.reading import Place, Reading
from gitmem.checks.claims import is_of_symbol
from gitmem.index.card import Card
from gitmem.memory.claims import Found, Sight, here, sight_of
from gitmem.memory.truth import Held
from gitmem.model.claimed import DRIFTED, GONE, HOLDS, MOVED
from gitmem.model.engram import Claim
from gitmem.store import cache as caches
from gitmem.store import objects
from gitmem.store.git import GitError
from gitmem.store.repo import Repo
from gitmem.store.touched import Touch, touches

# Of one file; whoever has come through so many need not show more.
TOUCHES_MOST = 12
# At one time in memory.
_CHUNK = 500
_CHUNK_BYTES = 16 << 20
_CACHED = "held-2-"
_KEPT_FILES = 64
_LANDED = (HOLDS, MOVED)
_JUDGED = (*_LANDED, DRIFTED, GONE)


def held(reading: Reading, cards: Iterable[Card]) -> dict[str, tuple[Held, ...]]:
    """By id, the claims that can be judged at the commit that the knowledge was read at; unknown ones are left out."""
    rows = [(card.id, Claim(*row)) for card in cards for row in card.claims]
    wanted = list(dict.fromkeys(claim for _, claim in rows))
    known = _known(reading, wanted) if reading.commit else {}
    found: dict[str, tuple[Held, ...]] = {}
    for id_, claim in rows:
        fate = known.get(claim)
        if fate is not None:
            found[id_] = (*found.get(id_, ()), fate)
    return found


def _known(reading: Reading, wanted: Sequence[Claim]) -> dict[Claim, Held | None]:
    """What is true of a commit stays so: an answer is kept under the commit and the question."""
    if not wanted:
        return {}
    place = reading.place
    asked = json.dumps([reading.commit, [[c.path, c.symbol, c.digest, c.lines] for c in wanted]])
    name = f"{_CACHED}{hashlib.sha256(asked.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.json"
    kept = caches.load(place.cache, name)
    if kept is not None:
        return {claim: Held(*row) if row else None for claim, row in zip(wanted, json.loads(kept), strict=True)}
    found, is_whole = _judged(place, reading.commit, wanted)
    if is_whole:
        rows = [[fate.holds, fate.commits] if (fate := found[claim]) else None for claim in wanted]
        if not caches.save(place.cache, name, json.dumps(rows).encode()):
            caches.drop_oldest(place.cache, _CACHED, ".json", _KEPT_FILES)
    return found


def _judged(place: Place, commit: str, wanted: Sequence[Claim]) -> tuple[dict[Claim, Held | None], bool]:
    repo = place.repo
    past = touches(repo, commit, sorted({claim.path for claim in wanted}))
    found: dict[Claim, Held | None] = {}
    is_whole = True
    for at in range(0, len(wanted), _CHUNK):
        some = wanted[at : at + _CHUNK]
        code = Code(place, commit)
        now = dict(zip(some, claims.judged(code, some), strict=True))
        is_whole = is_whole and code.is_whole
        found |= _fates(repo, now, {claim.path: past.get(claim.path, [])[:TOUCHES_MOST] for claim in some})
    return found, is_whole


def _fates(
    repo: Repo, now: Mapping[Claim, Found], past: Mapping[str, Sequence[Touch]]
) -> Iterator[tuple[Claim, Held | None]]:
    sights = _sights(repo, [touch.before for rows in past.values() for touch in rows])
    for claim, row in now.items():
        # What symbols old versions had is not read: such a claim has no past.
        known = [] if is_of_symbol(claim) else past[claim.path]
        versions = takewhile(lambda touch: touch.before in sights, known)
        before = (_held_in(claim, sights[touch.before]) for touch in versions)
        yield claim, _fate(before, holds=row.state in _LANDED) if row.state in _JUDGED else None


def _sights(repo: Repo, blobs: Sequence[str]) -> dict[str, Sight | None]:
    """Old versions by blob, None under '' where there was none; what is too large or not here has no entry."""
    wanted = sorted(set(blobs) - {""})
    try:
        sizes = objects.look_up(repo, wanted)
    except GitError:
        return {"": None}
    left, readable = _CHUNK_BYTES, []
    for oid, found in zip(wanted, sizes, strict=True):
        if found and found[2] <= min(FILE_MOST_BYTES, left):
            left -= found[2]
            readable.append(oid)
    return {"": None} | {oid: sight_of(data) for oid, data in objects.read_blobs(repo, readable)}


def _held_in(claim: Claim, sight: Sight | None) -> bool:
    return sight is not None and here(claim, sight).state in _LANDED


def _fate(before: Iterable[bool], *, holds: bool) -> Held:
    """``before``: whether it held before each touch of its file, newest first. What is not known to have ever held is
    as one that has not for long."""
    commits = 0
    for held_then in before:
        if held_then != holds:
            return Held(holds, commits + (not holds))
        commits += 1
    return Held(holds, commits if holds else TOUCHES_MOST)
