"""The refs of two clones, brought together one by one: what is here against what a remote has. Refuses the network.

Nothing is lost: a tip that gives way to another becomes a parent in the proposal's meta ref first. Every step can be
repeated.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from gitmem.answers.sync_sides import BY_ID, Refs, Sides, id_of
from gitmem.model.finding import Notice
from gitmem.model.ids import ulid
from gitmem.model.ledger import Proposer
from gitmem.model.moments import rfc3339
from gitmem.model.proposal import CLOSING, Event, EventKind, Proposal
from gitmem.record import field, record, state
from gitmem.review.outcome import Conflict
from gitmem.review.status import closing_of
from gitmem.store import events, git, objects, proposals
from gitmem.store.gitrefs import drop_ref, swap_ref
from gitmem.store.refs import ARCHIVE, JOURNAL, META, PROPOSALS, SNAPSHOTS, Ref, under
from gitmem.store.repo import Repo
from gitmem.store.writer import writer_of

_ENTROPY_BYTES = 10


@record
class Met:
    """``moved`` are refs that changed here, or would; ``ours`` all values here then. By the events some ids are
    ``closed``, others ``reopened`` after that; ``landed`` has the commits that let proposals in."""

    moved: tuple[str, ...]
    ours: Refs
    closed: frozenset[str]
    reopened: frozenset[str]
    landed: Mapping[str, str]
    conflicts: tuple[Conflict, ...] = ()
    notices: tuple[Notice, ...] = ()


@state
class _Meeting:
    """``is_dry``: what would be done is named and not done."""

    repo: Repo
    sides: Sides
    now: datetime
    is_dry: bool
    moved: list[str] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    metas: dict[str, str] = field(default_factory=dict)
    ours: dict[str, str] = field(default_factory=dict)

    def move(self, name: str, old: str, new: str) -> None:
        """What another process did to the ref meanwhile stays, and the next round looks again."""
        if self.is_dry or swap_ref(self.repo, name, old or None, new, reason="gitmem: sync"):
            self.moved.append(name)
            self.ours[name] = new

    def drop(self, name: str, old: str) -> None:
        if self.is_dry or drop_ref(self.repo, name, old):
            self.moved.append(name)
            self.ours.pop(name, None)

    def keep(self, id_: str, tip: str) -> None:
        """Sees to it that the meta ref of a proposal holds a tip that its own ref will not hold."""
        meta = self.metas.get(id_, "")
        if meta and objects.is_ancestor(self.repo, tip, meta):
            return
        self.moved.append(under(META, id_))
        if self.is_dry:
            return
        moment = int(self.now.timestamp() * 1000)
        event = Event(
            id=ulid(moment, os.urandom(_ENTROPY_BYTES)),
            kind=EventKind.PATCHSET,
            at=rfc3339(self.now),
            by=Proposer("gitmem"),
            text="kept by sync: another patch set took its place",
            commit=tip,
        )
        self.metas[id_] = self.ours[under(META, id_)] = events.append(self.repo, id_, event, [tip])


def meet(repo: Repo, both: Sides, now: datetime, *, is_dry: bool = False) -> Met:
    """Brings what is here together with what the remote has; the remote gets its part by a push later."""
    meeting = _Meeting(repo, both, now, is_dry, ours=dict(both.ours))
    ids = sorted({id_of(name) for name in both.differing() if name.startswith(BY_ID)})
    ended = _ended(meeting, ids)
    reopened = frozenset(id_ for id_, event in ended.items() if event.kind is EventKind.REOPENED)
    landed = {id_: event.commit or event.text for id_, event in ended.items() if event.kind is EventKind.LANDED}
    closed = frozenset(ended) - reopened
    _join_metas(meeting, ids)
    _meet_archives(meeting, ids, reopened)
    _meet_proposals(meeting, ids, closed)
    _meet_snapshots(meeting)
    _meet_journals(meeting)
    moved = tuple(dict.fromkeys(meeting.moved))
    return Met(moved, meeting.ours, closed, reopened, landed, tuple(meeting.conflicts), tuple(meeting.notices))


def _ended(meeting: _Meeting, ids: Sequence[str]) -> dict[str, Event]:
    """By the events of both sides together: what closed an id for good, landed it, or opened it again after that."""
    tips = {id_: [tip for tip in meeting.sides.of(under(META, id_)) if tip] for id_ in ids}
    said = events.read_events(meeting.repo, sorted({tip for each in tips.values() for tip in each}))
    told = {id_: {event.id: event for tip in tips[id_] for event in said[tip]}.values() for id_ in ids}
    found = {id_: _last(each, meeting.now) for id_, each in told.items()}
    return {id_: event for id_, event in found.items() if event is not None}


def _last(said: Iterable[Event], now: datetime) -> Event | None:
    """The newest word on whether a proposal waits; one that holds for a time only lets it wait."""
    ending = [event for event in said if event.kind in CLOSING or event.kind is EventKind.LANDED]
    last = max(ending, key=lambda event: event.id, default=None)
    if last is None or last.kind in (EventKind.LANDED, EventKind.REOPENED):
        return last
    closing = closing_of(ending, now)
    return closing if closing is not None and not closing.until else None


def _join_metas(meeting: _Meeting, ids: Sequence[str]) -> None:
    for id_ in ids:
        name = under(META, id_)
        ours, theirs = meeting.sides.of(name)
        if theirs and ours != theirs:
            new = events.joined(meeting.repo, ours, theirs) if ours else theirs
            if new != ours:
                meeting.move(name, ours, new)
            ours = new
        meeting.metas[id_] = ours


def _has(repo: Repo, old: str, new: str) -> bool:
    return objects.is_ancestor(repo, old, new)


def _meet_archives(meeting: _Meeting, ids: Sequence[str], reopened: frozenset[str]) -> None:
    """The first tip that the remote got is the one that all clones show; another one is kept."""
    for id_ in ids:
        name = under(ARCHIVE, id_)
        ours, theirs = meeting.sides.of(name)
        if id_ in reopened and any(meeting.sides.of(under(PROPOSALS, id_))):
            if ours:
                meeting.keep(id_, ours)
                meeting.drop(name, ours)
        elif theirs and ours != theirs:
            if ours:
                meeting.keep(id_, ours)
            meeting.move(name, ours, theirs)


def _meet_proposals(meeting: _Meeting, ids: Sequence[str], closed: frozenset[str]) -> None:
    pairs = {id_: meeting.sides.of(under(PROPOSALS, id_)) for id_ in ids}
    found = _loaded(meeting, [(id_, tip) for id_, pair in pairs.items() for tip in pair if tip])
    for id_, (ours, theirs) in pairs.items():
        if id_ in closed:
            _put_away(meeting, id_, ours, theirs)
        elif not theirs or ours == theirs or theirs not in found:
            continue
        elif not ours:
            meeting.move(under(PROPOSALS, id_), "", theirs)
        elif _gives_way(meeting, id_, found.get(ours), found[theirs]):
            meeting.keep(id_, ours)
            meeting.move(under(PROPOSALS, id_), ours, theirs)
        else:
            meeting.keep(id_, theirs)


def _loaded(meeting: _Meeting, tips: Sequence[tuple[str, str]]) -> Mapping[str, Proposal]:
    """By tip. What holds no proposal is named, and stays where it is."""
    loaded = proposals.load(meeting.repo, [Ref(under(PROPOSALS, id_), tip) for id_, tip in tips])
    meeting.notices.extend(loaded.broken)
    return {each.tip: each for each in loaded.proposals}


def _put_away(meeting: _Meeting, id_: str, ours: str, theirs: str) -> None:
    """A closed proposal: its tips stay in the archive or in meta, its ref goes."""
    name = under(ARCHIVE, id_)
    archived = next((tip for tip in reversed(meeting.sides.of(name)) if tip), "")
    for tip in (ours, theirs):
        if tip and not archived:
            meeting.move(name, "", tip)
            archived = tip
        elif tip and tip != archived:
            meeting.keep(id_, tip)
    if ours:
        meeting.drop(under(PROPOSALS, id_), ours)


def _gives_way(meeting: _Meeting, id_: str, ours: Proposal | None, theirs: Proposal) -> bool:
    """Only the writer who opened a proposal adds patch sets. Of that writer's own the newer one stays: not the one that
    meta has as an earlier one; else the one in the writer's own clone."""
    if ours is None:
        return True
    if ours.writer != theirs.writer:
        return ours.writer != _opener(meeting, id_, ours, theirs)
    meta = meeting.metas.get(id_, "")
    was_ours, was_theirs = (bool(meta) and _has(meeting.repo, each.tip, meta) for each in (ours, theirs))
    if was_ours != was_theirs:
        return was_ours
    return not ours.writer or ours.writer != writer_of(meeting.repo)


def _opener(meeting: _Meeting, id_: str, ours: Proposal, theirs: Proposal) -> str:
    """Whose the first patch set was that anybody still has."""
    meta = meeting.metas.get(id_, "")
    bases = [f"^{each.base}" for each in (ours, theirs) if each.base]
    kept = git.run(meeting.repo.where, ("rev-list", meta, *bases)).lines() if meta else []
    earlier = proposals.load(meeting.repo, [Ref(under(PROPOSALS, id_), oid) for oid in kept]).proposals
    return min((ours, theirs, *earlier), key=lambda each: (each.opened, each.tip)).writer


def _meet_snapshots(meeting: _Meeting) -> None:
    for name in sorted(each for each in meeting.sides.differing() if each.startswith(SNAPSHOTS)):
        ours, theirs = meeting.sides.of(name)
        if not ours:
            meeting.move(name, "", theirs)
        elif theirs and len({found[0] for found in _trees(meeting.repo, ours, theirs) if found}) != 1:
            meeting.conflicts.append(Conflict(name, "", "snapshot", None, ours, theirs))


def _trees(repo: Repo, *commits: str) -> list[tuple[str, str, int] | None]:
    return objects.look_up(repo, [f"{commit}^{{tree}}" for commit in commits])


def _meet_journals(meeting: _Meeting) -> None:
    """One writer a ref, and it only ever adds: anything else is named and not taken."""
    for name in sorted(each for each in meeting.sides.differing() if each.startswith(JOURNAL)):
        ours, theirs = meeting.sides.of(name)
        if theirs and (not ours or _has(meeting.repo, ours, theirs)):
            meeting.move(name, ours, theirs)
        elif theirs and not _has(meeting.repo, theirs, ours):
            message = "the remote has another history of this journal; ours stays"
            meeting.notices.append(Notice("journal-rewritten", message, name, f"compare: git log {ours} {theirs}"))
