"""The states of what engrams rest on: at a commit, and what a change makes of them. Refuses the work tree."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from gitmem.answers.code import Code
from gitmem.answers.reading import Place, Reading, ask
from gitmem.checks.claims import is_of_symbol
from gitmem.index.card import DELIVERED, NEVER_BY_SCOPE, Card
from gitmem.lazy import load
from gitmem.memory import claims
from gitmem.memory.claims import Found
from gitmem.model.claimed import DRIFTED, GONE, HOLDS, MOVED, UNKNOWN, ClaimState, Drift
from gitmem.model.engram import Claim
from gitmem.record import record
from gitmem.store import cache as caches
from gitmem.store.layout import Place as In
from gitmem.store.layout import place_of
from gitmem.store.objects import Entry
from gitmem.store.repo import FOLDER
from gitmem.store.trust import quoted

# Of one answer; further ones are counted by whoever lists them.
JUDGED_MOST = 500
_CACHED = "claims-2-"
_KEPT_FILES = 64
_LANDED = (HOLDS, MOVED)


@record
class _Asked:
    """One claim of one engram."""

    card: Card
    claim: Claim


def states(reading: Reading, cards: Iterable[Card]) -> dict[str, tuple[ClaimState, ...]]:
    """By id, in the order of the file, judged by the code of the commit that the knowledge was read at.

    The first ``JUDGED_MOST`` by id; an engram that is beyond them has fewer states than claims, or none.
    """
    asked = _asked(cards)[:JUDGED_MOST]
    if not asked or not reading.commit:
        return {}
    place = reading.place
    name = _name(reading.commit, asked)
    kept = caches.load(place.cache, name)
    if kept is not None:
        rows = [Found(*row) for row in json.loads(kept)]
    else:
        code = Code(place, reading.commit)
        rows = judged(code, [each.claim for each in asked])
        if code.is_whole:
            _keep(place, name, rows)
    found: dict[str, tuple[ClaimState, ...]] = {}
    for each, row in zip(asked, rows, strict=True):
        found[each.card.id] = (*found.get(each.card.id, ()), state_of(each.claim, row))
    return found


def _asked(cards: Iterable[Card]) -> list[_Asked]:
    ordered = sorted((card for card in cards if card.claims), key=lambda card: (card.id, card.path))
    return [_Asked(card, Claim(*row)) for card in ordered for row in card.claims]


def _name(commit: str, asked: Sequence[_Asked]) -> str:
    """A commit's code never changes, so neither does the answer to one question about it."""
    rows = [[each.claim.path, each.claim.digest, each.claim.lines, each.claim.symbol] for each in asked]
    return f"{_CACHED}{hashlib.sha256(json.dumps([commit, rows]).encode()).hexdigest()[:32]}.json"


def _keep(place: Place, name: str, rows: Iterable[Found]) -> None:
    text = json.dumps([[row.state, row.path, row.lines, row.why, row.symbol] for row in rows])
    if not caches.save(place.cache, name, text.encode()):
        caches.drop_oldest(place.cache, _CACHED, ".json", _KEPT_FILES)


def judged(code: Code, asked: Sequence[Claim]) -> list[Found]:
    """The state of each claim in a state of the code; each file is read once."""
    found = {claim: claims.unjudged(claim) for claim in asked}
    of_symbols = [claim for claim, row in found.items() if row is None and is_of_symbol(claim)]
    if of_symbols:
        found |= load("gitmem.answers.symbolic:judged")(code, of_symbols)
    open_ = [claim for claim, row in found.items() if row is None]
    seen = code.look(claim.path for claim in open_)
    for claim in open_:
        sight = seen[claim.path]
        found[claim] = claims.here(claim, sight) if sight else _elsewhere(code, claim)
    return [row or Found(UNKNOWN) for row in map(found.__getitem__, asked)]


def _elsewhere(code: Code, claim: Claim) -> Found:
    if code.is_knowledge_only():
        return Found(UNKNOWN, why="no-code")
    seen = code.look(code.candidates(claim.path))
    return claims.elsewhere(claim, [(path, sight) for path, sight in seen.items() if sight])


def state_of(claim: Claim, found: Found) -> ClaimState:
    is_moved = found.state == MOVED
    now = f"{found.path or claim.path}{':' + found.lines if found.lines else ''}" if is_moved else None
    if is_moved and found.symbol:
        now = f"{found.path}#{found.symbol}"
    return ClaimState(claim.path, found.state, claim.lines or None, claim.symbol or None, now, found.why or None)


def drifted(reading: Reading, changed: Mapping[str, bytes | None], base: str = "") -> tuple[Drift, ...]:
    """The claims that held before a change and do not any more, by item and then in the order of its file.

    ``changed`` has the new content by path, None for what the change removes; ``base`` is the commit that it was made
    on, '' for that of the reading. What the change makes of an engram itself counts: one that it retires breaks no
    more, and a claim that it confirms holds.
    """
    asked = _touched(reading, changed)
    if not asked:
        return ()
    place, commit = reading.place, base or reading.commit
    wanted = [each.claim for each in asked]
    before = judged(Code(place, commit), wanted)
    kept = [(each, was) for each, was in zip(asked, before, strict=True) if was.state in _LANDED]
    after = judged(Code(place, commit, changed), [each.claim for each, _ in kept])
    return tuple(
        _drift(each, was, now) for (each, was), now in zip(kept, after, strict=True) if now.state in (DRIFTED, GONE)
    )


def _touched(reading: Reading, changed: Mapping[str, bytes | None]) -> list[_Asked]:
    """The claims on changed files of what is delivered; the first ``JUDGED_MOST`` by id."""
    cards = ask(reading, lambda known: {c.path: c for rel in sorted(changed) for c in known.under(f"claim:{rel}")})[0]
    fresh = _engrams_in(changed) if cards else {}
    found = (fresh.get(c.id) if f"{FOLDER}/{c.path}" in changed else c for c in cards.values())
    live = (c for c in found if c and c.status in DELIVERED and c.visibility not in NEVER_BY_SCOPE)
    return [each for each in _asked(live) if each.claim.path in changed][:JUDGED_MOST]


def _engrams_in(changed: Mapping[str, bytes | None]) -> dict[str, Card]:
    """By id, the engrams that a change writes, wherever it puts them."""
    found = {}
    for path, data in changed.items():
        rel = path.removeprefix(f"{FOLDER}/")
        if data is not None and rel != path and place_of(rel) is In.ENGRAM:
            card: Card = load("gitmem.index.parse:card_of")(Entry(rel, "100644", ""), data)
            found[card.id] = card
    return found


def _drift(asked: _Asked, before: Found, after: Found) -> Drift:
    card, claim = asked.card, asked.claim
    return Drift(
        card.id, card.slug, card.title, claim.path, claim.lines, before.state, after.state, _next(asked, after)
    )


def _next(asked: _Asked, after: Found) -> tuple[str, ...]:
    """Update, confirm or retire, in the same change."""
    name, spec = asked.card.slug, spec_of(asked.claim)
    confirm = f"gitmem claims confirm {name} --path {quoted(asked.claim.path)}"
    without = f"gitmem edit {name} claims --remove {quoted(spec)}"
    return (
        f"gitmem edit {name} body --file FILE",
        confirm if after.state == DRIFTED else without,
        f"gitmem propose retire {name}",
    )


def spec_of(claim: Claim) -> str:
    """A claim as people write it: ``FILE``, ``FILE#L10``, ``FILE#L10-L20`` or ``FILE#Outer.name``."""
    if claim.symbol and not claim.lines:
        return f"{claim.path}#{claim.symbol}"
    return f"{claim.path}#L{claim.lines.replace('-', '-L')}" if claim.lines else claim.path
