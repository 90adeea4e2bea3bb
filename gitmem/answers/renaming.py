"""Rules, claims and sources that name files under their old paths, brought to the new ones: one proposal a rename.

Refuses to follow files that went to several places: those are listed for a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.answers import machine
from gitmem.answers.admission import admit
from gitmem.answers.following import trails
from gitmem.answers.ground import Ground, ground, missing_ground
from gitmem.answers.machine import Cause, Raised
from gitmem.answers.opening import Plan
from gitmem.answers.session import Session, decides
from gitmem.answers.standing import Board, board
from gitmem.globs import trie
from gitmem.globs.following import Move, move_of, moved
from gitmem.index.card import Card
from gitmem.model.engram import Claim, Engram
from gitmem.model.finding import Notice
from gitmem.model.vocabulary import Text
from gitmem.record import field, record, state
from gitmem.store import lock, objects, renames
from gitmem.store.codec import decode
from gitmem.store.edit import set_value
from gitmem.store.repo import FOLDER

STAGE = "scopes-follow"
_LIVE = ("active", "draft", "frozen")
_LISTED_MOST = 200
_STEPS_MOST = 500
_OF_TEXTS = frozenset({"contradicts", "duplicate", "near-duplicate", "update", "likeness-cold", "likeness-cut"})


@record
class FollowCall:
    dry_run: bool = False


@record
class Step:
    """One place in an engram: ``part`` is paths, except, claims or source, ``old`` and ``new`` what stands there."""

    item: str
    slug: str
    part: str
    old: str
    new: str


@record
class Renamed:
    """Files that went from ``old`` to ``new``, both folders or both files, with all that names them. ``outcome``:
    proposed, waits, dismissed, '' in a dry run."""

    old: str
    new: str
    steps: tuple[Step, ...]
    outcome: str = ""
    proposal: str = ""


@record
class Lost:
    """A pattern whose files went to no one place; ``files`` are some of where they are."""

    item: str
    slug: str
    pattern: str
    files: tuple[str, ...]


@record
class Followed:
    """``renames`` and ``lost`` are the first two hundred; ``total`` counts the renames."""

    renames: tuple[Renamed, ...]
    lost: tuple[Lost, ...]
    proposed: tuple[str, ...]
    total: int
    closed: tuple[str, ...] = ()
    dry_run: bool = False
    warnings: tuple[Notice, ...] = ()


@state
class _Trip:
    """What is known while the steps are gathered, by move, and while they are proposed."""

    under: Ground
    cards: dict[str, Card]
    steps: dict[Move, list[Step]] = field(default_factory=dict)
    lost: list[Lost] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)


def follow(session: Session, call: FollowCall) -> Followed:
    decides(session)
    missing = missing_ground(session)
    if missing:
        return Followed((), (), (), 0, dry_run=call.dry_run, warnings=missing)
    under = ground(session)
    with lock.held(under.repo):
        trip = _gathered(under)
        known = None if call.dry_run else board(session)
        rows = [_followed(session, trip, move, known) for move in sorted(trip.steps, key=lambda m: (m.old, m.new))]
    return Followed(
        renames=tuple(rows[:_LISTED_MOST]),
        lost=tuple(trip.lost[:_LISTED_MOST]),
        proposed=tuple(row.proposal for row in rows if row.outcome == machine.PROPOSED),
        total=len(rows),
        closed=tuple(trip.closed),
        dry_run=call.dry_run,
        warnings=(*under.reading.warnings, *machine.still_told(trip.warnings, trip.closed)),
    )


def _followed(session: Session, trip: _Trip, move: Move, known: Board | None) -> Renamed:
    steps = trip.steps[move][:_STEPS_MOST]
    plan = _plan(trip, move, steps)
    raised = _raised(session, trip, plan, (move, steps), known) if known else Raised("", "")
    # The texts stay as they are, and so does what they are like.
    trip.warnings += (notice for notice in raised.warnings if notice.code not in _OF_TEXTS)
    return Renamed(move.old, move.new, tuple(steps), raised.state, raised.proposal)


def _gathered(under: Ground) -> _Trip:
    cards = {card.id: card for card in under.knowledge().cards() if card.id and card.status in _LIVE}
    trip = _Trip(under, cards)
    files = objects.tracked_paths(under.repo, under.base)
    _patterns(trip, files)
    _paths(trip, set(files))
    return trip


def _patterns(trip: _Trip, files: Sequence[str]) -> None:
    rows = [
        (card, part, pattern)
        for card in trip.cards.values()
        for part, patterns in (("paths", card.paths), ("except", card.excluded))
        for pattern in patterns
    ]
    matched = trie.first_matches([pattern for _, _, pattern in rows], files)
    dead = [row for row, file in zip(rows, matched, strict=True) if file is None]
    found = trails(trip.under.repo, trip.under.base, {pattern for _, _, pattern in dead}, files) if dead else {}
    for card, part, pattern in dead:
        trail = found.get(pattern)
        if trail is not None and trail.now:
            trip.steps.setdefault(trail.move, []).append(Step(card.id, card.slug, part, pattern, trail.now))
        elif trail is not None and part == "paths":
            trip.lost.append(Lost(card.id, card.slug, pattern, trail.files))


def _paths(trip: _Trip, files: set[str]) -> None:
    """Claims and sources on files that are not there; one that a folder's move explains goes with the folder."""
    rows = [(card, part, path) for card in trip.cards.values() for part, path in _named(card) if path not in files]
    gone = {path for _, _, path in rows}
    now = renames.whereabouts(trip.under.repo, trip.under.base, gone) if gone else {}
    for card, part, path in rows:
        if path in now:
            move = next((m for m in trip.steps if moved(path, m) == now[path]), move_of(path, now[path]))
            trip.steps.setdefault(move, []).append(Step(card.id, card.slug, part, path, now[path]))


def _named(card: Card) -> Iterator[tuple[str, str]]:
    for path in dict.fromkeys(path for path, *_ in card.claims):
        yield "claims", path
    if card.source:
        yield "source", card.source[0]


def _plan(trip: _Trip, move: Move, steps: Iterable[Step]) -> Plan:
    by_item: dict[str, list[Step]] = {}
    for step in steps:
        by_item.setdefault(step.item, []).append(step)
    changes: dict[str, bytes | None] = {}
    warnings: list[Notice] = []
    datas = trip.under.data_at([trip.cards[item].path for item in by_item])
    for item, own in by_item.items():
        card = trip.cards[item]
        changes[card.path] = data = _rewritten(datas[card.path], card, own)
        warnings += admit(card.path, data)[1]
    title = f"Follow the move of {move.old or 'files of the root'} to {move.new or 'the root'}"
    return Plan("update", title, changes, warnings=tuple(warnings))


def _rewritten(data: bytes, card: Card, steps: Sequence[Step]) -> bytes:
    rel = f"{FOLDER}/{card.path}"
    engram = decode(data, card.path).engram
    for part, key, values in (("paths", "scope.paths", card.paths), ("except", "scope.except", card.excluded)):
        new = {step.old: step.new for step in steps if step.part == part}
        if new:
            data = set_value(data, key, list(dict.fromkeys(new.get(each, each) for each in values)), rel)
    claimed = {step.old: step.new for step in steps if step.part == "claims"}
    if claimed and engram is not None:
        data = set_value(data, "claims", [_claim(each, claimed) for each in engram.claims], rel)
    sourced = next((step.new for step in steps if step.part == "source"), "")
    return _with_source(data, engram, sourced, rel) if sourced and engram is not None else data


def _claim(claim: Claim, new: Mapping[str, str]) -> Text:
    parts = {"path": new.get(claim.path, claim.path), "symbol": claim.symbol, "lines": claim.lines}
    return {name: value for name, value in {**parts, "hash": claim.digest}.items() if value}


def _with_source(data: bytes, engram: Engram, path: str, rel: str) -> bytes:
    """A source that was written as one word stays one."""
    is_word = list(engram.source) == ["path"] and b"\nsource:\n" not in data.replace(b"\r\n", b"\n")
    return set_value(data, "source" if is_word else "source.path", path, rel)


def _raised(session: Session, trip: _Trip, plan: Plan, about: tuple[Move, Sequence[Step]], known: Board) -> Raised:
    move, steps = about
    items = list(dict.fromkeys(step.item for step in steps))
    cause = Cause(
        stage=STAGE,
        rule=f"{move.old} -> {move.new}",
        rests_on=(*items, *(f"{step.item} {step.part} {step.old} -> {step.new}" for step in steps)),
        rationale=f"Git shows that the files of {move.old or 'the root'} are in {move.new or 'the root'} now.",
    )
    raised = machine.raise_once(session, trip.under, plan, cause, known)
    for old in machine.waiting(known, STAGE, items) if raised.state != machine.DISMISSED else ():
        if old.proposal.entry.title == plan.title and old.proposal.id != raised.proposal:
            machine.replaced(session, old, raised.proposal)
            trip.closed.append(old.proposal.id)
    return raised
