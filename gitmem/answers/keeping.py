"""Keeps knowledge under a name, for people and for what an audit cites. Refuses to change what a name stands for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from gitmem.answers import assembly
from gitmem.answers.reading import Reading, Revision, ask, check_ours, read
from gitmem.answers.session import Session, decides
from gitmem.errors import GitmemError
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import commits, snapshots, trust
from gitmem.store.author import author
from gitmem.store.gitrefs import drop_ref, swap_ref
from gitmem.store.gitwrite import Draft, write_root
from gitmem.store.repo import FOLDER
from gitmem.store.snapshots import Kept

# What nobody decided is the same commit in every clone.
_MACHINE = "gitmem <gitmem@localhost>"


@record
class CreateCall:
    name: str
    at: str = ""
    note: str = ""


@record
class Created:
    """``is_new`` is False when the name held this very knowledge already."""

    name: str
    snapshot_id: str
    knowledge_version: str
    commit: str
    source: str
    is_new: bool
    notices: tuple[Notice, ...] = ()


@record
class DropCall:
    name: str


@record
class Dropped:
    """``commit`` is what the name stood for; Git keeps it until it tidies up."""

    name: str
    ref: str
    commit: str
    knowledge_version: str
    notices: tuple[Notice, ...] = ()


@record
class _Maker:
    """Who makes a snapshot, and when."""

    name: str
    when: datetime


def create(session: Session, call: CreateCall) -> Created:
    """What is canonical, or the knowledge at any revision, under a name that outlives its branch."""
    decides(session)
    snapshots.check_name(call.name)
    reading = read(session.place, Revision(at=call.at))
    return _kept(session, reading, (call.name, call.note), _Maker(author(session.place.repo), session.now))


def keep(session: Session, commit: str, name: str) -> Created:
    """The knowledge of a commit that something cites, so that no gc takes it: the same commit in every clone."""
    decides(session)
    snapshots.check_name(name)
    reading = read(session.place, Revision(at=commit))
    known = commits.commits(session.place.repo, [reading.commit])
    when = datetime.fromtimestamp(known[reading.commit].time, UTC)
    return _kept(session, reading, (name, ""), _Maker(_MACHINE, when))


def drop(session: Session, call: DropCall) -> Dropped:
    """Takes the name away here; nothing of the branches or of their knowledge changes."""
    decides(session)
    repo = session.place.repo
    check_ours(repo)
    ref = snapshots.ref_of(call.name)
    known = snapshots.one(repo, call.name)
    if known is None or not drop_ref(repo, ref, known.commit):
        raise GitmemError(
            f"there is no snapshot {call.name} here", hint="see: gitmem snapshots list", place=ref, code="no-snapshot"
        )
    return Dropped(call.name, ref, known.commit, known.version, tuple(_coming_back(session, ref)))


def _coming_back(session: Session, ref: str) -> Iterator[Notice]:
    remote = trust.chosen_remote(session.place.git_config)
    if remote:
        message = f"where {remote} has it too, the next sync brings it back"
        yield Notice("snapshot-comes-back", message, ref, f"take it away there: git push {trust.quoted(remote)} :{ref}")


def _kept(session: Session, reading: Reading, named: tuple[str, str], maker: _Maker) -> Created:
    """``named`` are the name and a note."""
    repo = session.place.repo
    if reading.place.repo.common_dir != repo.common_dir:
        where = str(reading.place.repo.where)
        raise GitmemError("the knowledge is that of the parent repository", hint="make it there", place=where)
    if not reading.tree:
        message = "there is no knowledge to keep at this revision"
        raise GitmemError(message, hint="name another one: --at REV", code="nothing-to-keep")
    facts, _ = ask(reading, lambda knowledge: (knowledge.facts.snapshot_id, assembly.version_of(knowledge)))
    name, note = named
    time = int(maker.when.timestamp())
    wanted = Kept(name, "", reading.tree, *facts, reading.commit, maker.name, time, note)
    known = snapshots.one(repo, name)
    if known is None:
        draft = Draft({}, snapshots.message(wanted), maker.name, maker.when)
        commit = write_root(repo, (FOLDER, reading.tree), draft)
        if swap_ref(repo, snapshots.ref_of(name), None, commit):
            return Created(name, *facts, commit, reading.commit, is_new=True, notices=reading.notices)
        known = snapshots.one(repo, name)
    return _same(known, wanted)


def _same(known: Kept | None, wanted: Kept) -> Created:
    if known is not None and known.tree == wanted.tree:
        return Created(known.name, wanted.snapshot_id, wanted.version, known.commit, known.source, is_new=False)
    held = f"other knowledge: {known.version or known.commit[:12]}" if known else "what is no snapshot"
    raise GitmemError(
        f"the name {wanted.name} holds {held}",
        hint="a snapshot never changes; choose another name",
        place=snapshots.ref_of(wanted.name),
        code="snapshot-exists",
    )
