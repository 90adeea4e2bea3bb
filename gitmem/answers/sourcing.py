"""Brings engrams up to date with the documents that they mirror, as proposals. Refuses to write over anybody's words
without saying so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gitmem.answers import machine, mirrors, naming
from gitmem.answers.admission import admit
from gitmem.answers.ground import Ground, ground, missing_ground
from gitmem.answers.machine import Cause, Raised
from gitmem.answers.mirrors import DRIFTED, GONE, HOLDS, MOVED, UNPINNED, Judged, Mirror, Source, Unjudged
from gitmem.answers.opening import Plan
from gitmem.answers.plans import plan_life
from gitmem.answers.session import Session, decides
from gitmem.answers.standing import Board, board
from gitmem.errors import GitmemError, UsageError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.finding import Notice
from gitmem.record import field, record, replace, state
from gitmem.store import lock, objects
from gitmem.store.codec import decode
from gitmem.store.edit import remove_key, set_body, set_value
from gitmem.store.repo import FOLDER
from gitmem.text.spans import digest

STAGE = "sync-sources"
# A rename of files and folders is followed by one proposal for all that it touches.
_FOLLOWS = "scopes-follow"
_ITEMS_MOST = 200
_OPENED_MOST = 200
_LISTED_MOST = 500


@record
class SyncSourcesCall:
    """``items`` by any name, none for all that mirror something; one that keeps no hash yet is taken only by name."""

    items: tuple[str, ...] = ()
    dry_run: bool = False


@record
class Drift:
    """An engram that is not as its source is. ``state``: drifted, moved, gone, or unpinned where it kept no hash;
    ``now`` where the source is; ``edited``: its body has words of its own. ``outcome``: proposed, waits, dismissed, ''
    in a dry run."""

    item: str
    slug: str
    path: str
    anchor: str
    lines: str
    state: str
    now: str
    edited: bool = False
    outcome: str = ""
    proposal: str = ""


@record
class NotSynced:
    """What needs a person: ``hint`` is the next step."""

    item: str
    slug: str
    code: str
    message: str
    hint: str


@record
class SyncedSources:
    """``drifted`` are the first five hundred of ``total``; ``unpinned`` counts those that name a source without a hash
    and were not asked for; ``left`` what the next call proposes, ``closed`` the proposals that nothing asks for any
    more."""

    drifted: tuple[Drift, ...]
    proposed: tuple[str, ...]
    unchanged: int
    errors: tuple[NotSynced, ...]
    total: int
    unpinned: int = 0
    left: int = 0
    closed: tuple[str, ...] = ()
    dry_run: bool = False
    warnings: tuple[Notice, ...] = ()


@state
class _Run:
    """One call: the ground, the proposals that are known, and what has been done so far."""

    session: Session
    under: Ground
    known: Board
    datas: Mapping[str, bytes]
    dry_run: bool
    drifted: list[Drift] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    errors: list[NotSynced] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)
    left: int = 0


def sync_sources(session: Session, call: SyncSourcesCall) -> SyncedSources:
    decides(session)
    missing = missing_ground(session)
    if missing and not call.items:
        return SyncedSources((), (), 0, (), 0, dry_run=call.dry_run, warnings=missing)
    under = ground(session)
    cards = _cards(under.knowledge(), call.items)
    judged = mirrors.judge(under.repo, under.base, cards)
    with lock.held(under.repo):
        run = _Run(session, under, board(session), _datas(under, judged), call.dry_run)
        for each in judged:
            _settle(run, each, is_asked=bool(call.items))
    states = [each.state for each in judged if isinstance(each, Mirror)]
    return SyncedSources(
        drifted=tuple(run.drifted[:_LISTED_MOST]),
        proposed=tuple(run.opened),
        unchanged=states.count(HOLDS),
        errors=tuple(run.errors[:_LISTED_MOST]),
        total=len(run.drifted),
        unpinned=0 if call.items else states.count(UNPINNED),
        left=run.left,
        closed=tuple(run.closed),
        dry_run=call.dry_run,
        warnings=(*under.reading.warnings, *machine.still_told(run.warnings, run.closed)[:_LISTED_MOST]),
    )


def _datas(under: Ground, judged: Iterable[Judged]) -> Mapping[str, bytes]:
    """The files, by blob id, of all that may change."""
    blobs = {each.card.blob for each in judged if isinstance(each, Mirror) and each.state != HOLDS}
    return dict(objects.read_blobs(under.repo, sorted(blobs)))


def _cards(knowledge: Knowledge, items: Sequence[str]) -> list[Card]:
    if not items:
        return sorted((c for c in knowledge.under("sourced") if mirrors.is_tended(c)), key=lambda card: card.path)
    if len(items) > _ITEMS_MOST:
        raise UsageError(
            f"at most {_ITEMS_MOST} items at once", hint="without any, all that mirror something are asked"
        )
    cards = {card.path: card for text in items for card in (naming.one(knowledge, text),)}
    for card in cards.values():
        if not card.source:
            hint = f"name it first: gitmem edit {card.slug} source.path FILE"
            raise UsageError(f"{card.slug} mirrors no source", hint=hint, place=f"{FOLDER}/{card.path}")
    return list(cards.values())


def _settle(run: _Run, each: Judged, *, is_asked: bool) -> None:
    """One engram; what goes wrong with it keeps no other one from being brought up to date."""
    card = each.card
    if isinstance(each, Unjudged):
        run.errors.append(NotSynced(card.id, card.slug, each.code, each.message, each.hint))
    elif each.state == HOLDS:
        _close_needless(run, card)
    elif each.state != UNPINNED or is_asked:
        try:
            _follow(run, each)
        except GitmemError as err:
            run.errors.append(NotSynced(card.id, card.slug, err.code, err.message, err.hint))


def _close_needless(run: _Run, card: Card) -> None:
    """The source is again as the engram has it: nobody needs to decide about its update."""
    for old in machine.waiting(run.known, STAGE, [card.id]) if not run.dry_run else ():
        machine.needless(run.session, old)
        run.closed.append(old.proposal.id)


def _follow(run: _Run, mirror: Mirror) -> None:
    card = mirror.card
    data = run.datas[card.blob]
    body = digest(_body(card, data))
    is_edited = body not in (mirror.source.hash, mirror.now.hash)
    if mirror.state == GONE and (is_edited or mirror.why != "file" or not mirror.source.hash):
        run.errors.append(
            NotSynced(card.id, card.slug, "source-gone", mirrors.worded(mirror), mirrors.next_step(mirror))
        )
        return
    source = mirror.source
    row = Drift(card.id, card.slug, source.path, source.anchor, source.lines, mirror.state, str(mirror.now), is_edited)
    raised = Raised("", "") if run.dry_run else _raised(run, mirror, data, is_edited=is_edited)
    if raised is None:
        run.left += 1
        raised = Raised("", "")
    run.warnings += raised.warnings
    run.drifted.append(replace(row, outcome=raised.state, proposal=raised.proposal))


def _body(card: Card, data: bytes) -> str:
    engram = decode(data, card.path).engram
    return engram.body if engram else ""


def _raised(run: _Run, mirror: Mirror, data: bytes, *, is_edited: bool) -> Raised | None:
    """The proposal, None where there were enough in this call."""
    card = mirror.card
    if mirror.state == MOVED and (others := machine.waiting(run.known, _FOLLOWS, [card.id])):
        return Raised(machine.WAITS, others[0].proposal.id)
    if len(run.opened) >= _OPENED_MOST:
        return None
    plan = _plan(run.under, mirror, data, is_edited=is_edited)
    raised = machine.raise_once(run.session, run.under, plan, _cause(mirror), run.known)
    if raised.state == machine.PROPOSED:
        run.opened.append(raised.proposal)
    if raised.state != machine.DISMISSED:
        _replace_older(run, card, raised.proposal)
    return raised


def _replace_older(run: _Run, card: Card, by: str) -> None:
    for old in machine.waiting(run.known, STAGE, [card.id]):
        if old.proposal.id != by:
            machine.replaced(run.session, old, by)
            run.closed.append(old.proposal.id)


def _cause(mirror: Mirror) -> Cause:
    source, now = mirror.source, mirror.now
    return Cause(
        stage=STAGE,
        rule=mirror.state,
        rests_on=(mirror.card.id, f"{source} {source.hash}", f"{now} {digest(mirror.text)}"),
        rationale=f"{mirrors.worded(mirror).capitalize()}.",
    )


def _plan(under: Ground, mirror: Mirror, data: bytes, *, is_edited: bool) -> Plan:
    card, rel = mirror.card, f"{FOLDER}/{mirror.card.path}"
    if mirror.state == GONE:
        return plan_life(under, card.id, "retire", "")
    changed = _with_source(data, mirror.source, mirror.now, rel)
    warnings: list[Notice] = []
    if mirror.state in (DRIFTED, UNPINNED):
        changed = set_body(changed, f"{mirror.text}\n", rel)
        warnings += _overwrites(rel) if is_edited else []
    warnings += admit(card.path, changed)[1]
    title = f"{card.title}: as {mirror.now} has it" if mirror.text and mirror.state != MOVED else ""
    said = title or f"{card.title}: its source is {mirror.now}"
    return Plan("update", said, {card.path: changed}, warnings=tuple(warnings))


def _overwrites(rel: str) -> Iterable[Notice]:
    message = "its body has words of its own, not those of the source; the proposal replaces them"
    return (Notice("overwrites", message, rel, "look at the difference before it is approved"),)


def _with_source(data: bytes, old: Source, new: Source, rel: str) -> bytes:
    """The header with the parts of the source that changed; a source that was one word becomes a mapping."""
    parts = {name: (getattr(old, name), getattr(new, name)) for name in ("path", "anchor", "lines", "hash")}
    try:
        for name, (before, after) in parts.items():
            if after != before:
                key = f"source.{name}"
                data = set_value(data, key, after, rel) if after else remove_key(data, key, rel)
    except GitmemError:
        return set_value(data, "source", {name: after for name, (_, after) in parts.items() if after}, rel)
    return data
