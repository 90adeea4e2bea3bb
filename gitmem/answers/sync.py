"""A clone and a remote brought to the same knowledge: fetch, merge, push. Refuses to ask, and to lose what is not out.

The order is fetch, the refs here, the branch here, the branch there, the refs there. Each step stands by itself, so a
sync that stopped anywhere is finished by the next one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from gitmem.answers import sync_branch, sync_journal, sync_push, sync_refs
from gitmem.answers.closing import settle
from gitmem.answers.driverless import driverless
from gitmem.answers.reading import check_ours, read
from gitmem.answers.session import Session, decides
from gitmem.answers.sync_branch import Branch, Course
from gitmem.answers.sync_fetch import Line, fetched, line_to
from gitmem.answers.sync_push import Known
from gitmem.answers.sync_refs import Met
from gitmem.answers.sync_sides import Sides, sides
from gitmem.model.finding import Notice
from gitmem.record import field, record, replace, state
from gitmem.review.outcome import Conflict
from gitmem.store import gitnet
from gitmem.store.gitnet import Failed, Fate, Trouble, Update
from gitmem.store.gitrefs import read_ref
from gitmem.store.lock import held
from gitmem.store.refs import ARCHIVE, under
from gitmem.store.trust import chosen_remote

_ROUNDS = 6
_PAUSE_S = 0.2
_LISTED_MAX = 200


@record
class SyncCall:
    remote: str = ""
    dry_run: bool = False
    no_push: bool = False


@record
class Moved:
    """Names of refs as they are in this clone, the first 200 of ``total``."""

    refs: tuple[str, ...] = ()
    total: int = 0


@record
class Synced:
    """``pulled`` is new from the remote, ``merged`` moved here, ``pushed`` moved there. ``not_synced`` says in words
    what is not the same on both sides and why; ``warnings`` has the same for programs, and more."""

    HIDDEN = ("is_wrong",)
    remote: str = ""
    branch: str = ""
    dry_run: bool = False
    pulled: Moved = Moved()
    merged: Moved = Moved()
    pushed: Moved = Moved()
    conflicts: tuple[Conflict, ...] = ()
    not_synced: str | None = None
    warnings: tuple[Notice, ...] = ()
    is_wrong: bool = False

    @property
    def exit_code(self) -> int:
        return int(self.is_wrong or bool(self.conflicts))


@state
class _Round:
    """What one round found; ``left`` are reasons why something is not synced."""

    pulled: dict[str, None] = field(default_factory=dict)
    merged: dict[str, None] = field(default_factory=dict)
    pushed: dict[str, None] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()
    left: tuple[Notice, ...] = ()
    noted: tuple[Notice, ...] = ()
    is_wrong: bool = False
    is_moved: bool = False

    def leave(self, *notices: Notice, is_wrong: bool = False) -> None:
        self.left = (*self.left, *notices)
        self.is_wrong = self.is_wrong or is_wrong


def sync(session: Session, call: SyncCall) -> Synced:
    """Exit code 1 where people disagree or the remote refuses; what is merely not in reach is ``not_synced``."""
    decides(session)
    check_ours(session.place.repo)
    config = session.place.git_config
    name = call.remote or chosen_remote(config)
    if not name:
        reason = Notice("no-remote", "this repository has no remote", hint="git remote add origin URL")
        return Synced(dry_run=call.dry_run, not_synced=reason.message, warnings=(reason,))
    line = line_to(session.place, gitnet.remote_of(config, name), read(session.place).trusted.policy)
    is_first = not sides(session.place.repo, line.remote.name).theirs
    with held(session.place.repo, "sync"):
        found = _rounds(session, call, line)
    found.noted = (*found.noted, *(driverless(session) if is_first else ()))
    return _answer(call, line, found)


def _rounds(session: Session, call: SyncCall, line: Line) -> _Round:
    """Whoever is faster makes us look again; the branch and each ref are bounded in how often."""
    done = _Round()
    for number in range(_ROUNDS):
        done = _Round(done.pulled, done.merged, done.pushed)
        _round(session, call, line, done)
        if not done.is_moved:
            return done
        time.sleep(_PAUSE_S * (number + os.urandom(1)[0] / 255))
    done.leave(Notice("remote-moves", f"{line.remote.name} kept moving", hint="run gitmem sync again"), is_wrong=True)
    return done


def _round(session: Session, call: SyncCall, line: Line, done: _Round) -> None:
    repo = session.place.repo
    before = sides(repo, line.remote.name)
    tracked = read_ref(repo, line.tracking)
    trouble = fetched(repo, line)
    if isinstance(trouble, Failed):
        _unreached(line, trouble, done)
        return
    if trouble is not None:
        done.leave(trouble)
    both = sides(repo, line.remote.name)
    parted = () if call.dry_run else sync_journal.part(repo, both)
    both = sides(repo, line.remote.name) if parted else both
    branch = Branch(line.branch, read_ref(repo, line.ref) or "", read_ref(repo, line.tracking) or "", line.may_merge)
    news = [n for n, oid in both.theirs.items() if oid not in (before.theirs.get(n), before.ours.get(n))]
    news += [line.ref] if branch.theirs and branch.theirs not in (tracked, branch.ours) else []
    done.pulled.update(dict.fromkeys(news))
    wanted = sync_branch.course(session, branch) if line.is_chosen and trouble is None else Course()
    done.conflicts, done.noted = wanted.conflicts, (*line.notices, *parted)
    done.leave(*wanted.left, is_wrong=wanted.is_wrong)
    met = sync_refs.meet(repo, both, session.now, is_dry=call.dry_run)
    done.merged.update(dict.fromkeys(met.moved))
    done.conflicts += met.conflicts
    done.noted += (*met.notices, *(() if call.dry_run else sync_journal.take_in(repo, met.moved)))
    wanted = _landed(session, call, (branch, wanted), done)
    if wanted.push and not call.no_push and not _give_branch(session, call, (line, branch, wanted), done):
        return
    if line.is_chosen and not call.dry_run:
        # Now that the branch is on both sides, as far as it can be: what has landed waits no more.
        settled = settle(session)
        done.merged.update(dict.fromkeys(under(ARCHIVE, id_) for id_ in settled))
        met = replace(met, closed=met.closed.union(settled))
    if not call.no_push:
        both = replace(both, ours=met.ours) if call.dry_run else sides(repo, line.remote.name)
        _give(session, call, (line, branch, wanted, both, met), done)
        _give_journal(session, call, line, done)


def _landed(session: Session, call: SyncCall, course: tuple[Branch, Course], done: _Round) -> Course:
    """Moves the branch here; one that could not move is not pushed either."""
    branch, wanted = course
    if not wanted.land:
        return wanted
    trouble = () if call.dry_run else sync_branch.move(session.place.repo, branch, wanted)
    if trouble:
        done.leave(*trouble)
        return Course()
    done.merged[branch.ref] = None
    return wanted


Giving = tuple[Line, Branch, Course, Sides, Met]


def _give(session: Session, call: SyncCall, giving: Giving, done: _Round) -> None:
    line, branch, wanted, both, met = giving
    repo = session.place.repo
    extra = (wanted.push,) if branch.ref in done.pushed and wanted.push else ()
    there = extra[0] if extra else branch.theirs
    unlanded = sync_push.unlanded(repo, met.landed, there) if there else frozenset(met.landed)
    known = Known(met.closed, met.reopened, line.share, extra, unlanded)
    offered = sync_push.offer(repo, line.remote.name, both, known)
    done.leave(*offered.withheld, is_wrong=bool(offered.withheld))
    if call.dry_run or not offered.updates:
        done.pushed.update(dict.fromkeys(each.ref for each in offered.updates))
        return
    taken = sync_push.hand_over(repo, line.remote, offered.updates)
    if isinstance(taken, Failed):
        _unreached(line, taken, done, is_push=True)
        return
    sync_push.remember(repo, line.remote.name, [each for each in offered.updates if each.ref in taken.pushed])
    done.pushed.update(dict.fromkeys(taken.pushed))
    done.leave(*taken.refused, is_wrong=bool(taken.refused))
    done.is_moved = done.is_moved or taken.is_moved


def _give_journal(session: Session, call: SyncCall, line: Line, done: _Round) -> None:
    """A journal that the remote does not take is told, and is no reason to call the sync wrong."""
    repo = session.place.repo
    given = sync_journal.give(session, line.remote, sides(repo, line.remote.name), is_dry=call.dry_run)
    done.noted += given.notices
    done.is_moved = done.is_moved or given.is_moved
    if given.failed is not None:
        _unreached(line, given.failed, done, is_push=True)
    elif given.update is not None:
        done.pushed[given.update.ref] = None
        if not call.dry_run:
            sync_push.remember(repo, line.remote.name, [given.update])


def _give_branch(session: Session, call: SyncCall, giving: tuple[Line, Branch, Course], done: _Round) -> bool:
    """Whether the remote can be asked for more."""
    line, branch, wanted = giving
    update = Update(branch.ref, branch.theirs, wanted.push)
    target = line.review
    if call.dry_run:
        done.pushed[target or branch.ref] = None
        return True
    verdict = gitnet.push_branch(session.place.repo, line.remote, update, target)
    if not target and not isinstance(verdict, Failed) and "Gerrit" in verdict.said:
        target = f"refs/for/{branch.name}"
        verdict = gitnet.push_branch(session.place.repo, line.remote, update, target)
    if isinstance(verdict, Failed):
        _unreached(line, verdict, done, is_push=True)
        return False
    if verdict.fate is Fate.DONE:
        done.pushed[target or branch.ref] = None
    if target:
        done.leave(sync_push.for_review(branch.name, target, verdict), is_wrong=verdict.fate is Fate.MOVED)
    elif verdict.fate is Fate.DONE:
        sync_push.track(session.place.repo, line.tracking, wanted.push)
    elif verdict.fate is Fate.MOVED:
        done.is_moved = True
    else:
        done.leave(sync_push.protected(branch.name, line.remote.name, verdict), is_wrong=True)
    return True


def _unreached(line: Line, failed: Failed, done: _Round, *, is_push: bool = False) -> None:
    """Out of reach is no error; a door that is shut to us is one."""
    what = "cannot be pushed to" if is_push else "cannot be reached"
    is_wrong = failed.trouble is Trouble.CREDENTIALS
    hints = {
        Trouble.CREDENTIALS: f"gitmem never asks; let Git sign in by itself, then try: git fetch {line.remote.name}",
        Trouble.UNREACHABLE: "knowledge here works as before; run gitmem sync again later",
        Trouble.TIMEOUT: "more time: git config gitmem.syncTimeout SECONDS",
    }
    message = f"{line.remote.name} {what}: {failed.said}"
    done.leave(Notice(str(failed.trouble), message, line.remote.name, hints[failed.trouble]), is_wrong=is_wrong)


def _answer(call: SyncCall, line: Line, done: _Round) -> Synced:
    return Synced(
        remote=line.remote.name,
        branch=line.branch,
        dry_run=call.dry_run,
        pulled=_moved(done.pulled),
        merged=_moved(done.merged),
        pushed=_moved(done.pushed),
        conflicts=done.conflicts,
        not_synced="; ".join(notice.message for notice in done.left) or None,
        warnings=(*done.left, *done.noted),
        is_wrong=done.is_wrong,
    )


def _moved(names: Mapping[str, None]) -> Moved:
    return Moved(tuple(sorted(names)[:_LISTED_MAX]), len(names))
