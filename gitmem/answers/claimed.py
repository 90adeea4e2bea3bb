"""What engrams rest on and how that stands, as a list. Refuses to judge and to write."""

from gitmem.answers import claims, naming, targets
from gitmem.answers.reading import Reading, Revision, Session, ask, read
from gitmem.errors import UsageError
from gitmem.index.card import NEVER_BY_SCOPE, Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.claimed import DRIFTED, GONE, HOLDS, MOVED, UNKNOWN, ClaimState
from gitmem.model.finding import Notice
from gitmem.record import record

STATES = (HOLDS, MOVED, DRIFTED, GONE, UNKNOWN)
_LIMIT, _LIMIT_MOST = 50, 500


@record
class ClaimsCall:
    """``item``: only of these; ``path``: only on these files; ``state``: only claims in one of these states."""

    item: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    limit: int = _LIMIT
    cursor: str = ""
    at: str = ""


@record
class Row:
    """One engram with the claims that were asked for."""

    id: str
    slug: str
    title: str
    claims: tuple[ClaimState, ...]


@record
class Claims:
    """By id. ``total`` counts the engrams that make claims and were asked for, whatever the states; ``next`` is the
    cursor of the following page, '' on the last one."""

    items: tuple[Row, ...]
    total: int
    next: str
    commit: str
    warnings: tuple[Notice, ...] = ()


def list_claims(session: Session, call: ClaimsCall) -> Claims:
    """A page takes ``limit`` engrams, less when their claims are more than one answer judges."""
    wrong = [state for state in call.state if state not in STATES]
    if wrong:
        raise UsageError(f"unknown state {wrong[0]!r}", hint=f"one of: {', '.join(STATES)}")
    if not 0 < call.limit <= _LIMIT_MOST:
        raise UsageError(f"limit must be from 1 to {_LIMIT_MOST}, not {call.limit}", hint="--cursor reads on")
    reading = read(session.place, Revision(at=call.at))
    paths = tuple(targets.one(session.place, path) for path in call.path)
    cards = _asked(reading, call, paths)
    rest = [card for card in cards if card.id > call.cursor]
    page = _page(rest, call.limit)
    found = claims.states(reading, page)
    kept = {card.id: _kept(found.get(card.id, ()), call, paths) for card in page}
    rows = tuple(Row(card.id, card.slug, card.title, kept[card.id]) for card in page if kept[card.id])
    following = page[-1].id if len(page) < len(rest) else ""
    return Claims(rows, len(cards), following, reading.commit, reading.warnings)


def _asked(reading: Reading, call: ClaimsCall, paths: tuple[str, ...]) -> list[Card]:
    """Sorted by id; what is restricted comes only when it is named."""
    if call.item:
        named = [naming.find(reading, item) for item in call.item]
    else:
        keys = [f"claim:{path}" for path in paths] or ["claimed"]
        named, _ = ask(reading, lambda known: _under(known, keys))
    found = {card.id: card for card in named if card.claims and (not paths or any(c[0] in paths for c in card.claims))}
    return [found[id_] for id_ in sorted(found)]


def _under(knowledge: Knowledge, keys: list[str]) -> list[Card]:
    return [card for key in keys for card in knowledge.under(key) if card.visibility not in NEVER_BY_SCOPE]


def _page(cards: list[Card], limit: int) -> list[Card]:
    page: list[Card] = []
    count = 0
    for card in cards[:limit]:
        count += len(card.claims)
        if count > claims.JUDGED_MOST and page:
            break
        page.append(card)
    return page


def _kept(rows: tuple[ClaimState, ...], call: ClaimsCall, paths: tuple[str, ...]) -> tuple[ClaimState, ...]:
    return tuple(r for r in rows if (not call.state or r.state in call.state) and (not paths or r.path in paths))
