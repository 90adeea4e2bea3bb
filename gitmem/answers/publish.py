"""Proposals as branches for a pull request: the forge's button lands what approve would. Refuses to push unasked."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers.approve import in_order
from gitmem.answers.closing import pending
from gitmem.answers.ground import in_root
from gitmem.answers.landing import target_of
from gitmem.answers.merging import combined, message_of
from gitmem.answers.reading import read
from gitmem.answers.session import Session, decides
from gitmem.answers.standing import Standing, board
from gitmem.errors import GitmemError, UsageError
from gitmem.model.finding import Notice
from gitmem.model.ids import slugify
from gitmem.model.proposal import PENDING
from gitmem.record import record, replace
from gitmem.store import gitnet, trust, worktrees
from gitmem.store.gitnet import Failed
from gitmem.store.gitrefs import read_ref, swap_ref
from gitmem.store.gitwrite import Draft, write_commit

_SLUG_CHARS = 50


@record
class PublishCall:
    """``remote`` is where to push: '' for ``remote.pushDefault``, else origin, since the chosen one may be a fork's
    upstream that takes no pushes from here, else the chosen one."""

    proposals: tuple[str, ...]
    push: bool = False
    remote: str = ""


@record
class Branch:
    """``branch`` is a local one; ``pushed`` tells the remote that has it, '' for none."""

    branch: str
    commit: str
    proposals: tuple[str, ...]
    bundle: str = ""
    pushed: str = ""


@record
class Published:
    branches: tuple[Branch, ...]
    warnings: tuple[Notice, ...] = ()


def publish(session: Session, call: PublishCall) -> Published:
    """One branch for each proposal; those of a bundle share one, as one decision."""
    decides(session)
    if not call.proposals:
        raise UsageError("name the proposals to publish", hint="see: gitmem proposals list")
    remote = _remote_of(session, call.remote)
    groups: dict[str, list[Standing]] = {}
    for text in call.proposals:
        standing = pending(session, text.partition("@")[0])
        bundle = standing.proposal.entry.bundle
        if not bundle:
            groups[standing.proposal.id] = [standing]
        elif bundle not in groups:
            everyone = board(session, PENDING).standings
            groups[bundle] = [s for s in everyone if s.proposal.entry.bundle == bundle and s.status in PENDING]
    made = [_branch(session, id_, group) for id_, group in groups.items()]
    if not call.push:
        names = " ".join(each.branch for each in made)
        notice = Notice(
            "not-pushed",
            "the branches are local",
            hint=f"git push {remote or 'REMOTE'} {names}, or publish with --push",
        )
        return Published(tuple(made), (notice,))
    return _pushed(session, made, remote)


def _remote_of(session: Session, wanted: str) -> str:
    """'' where there is none."""
    config = session.place.git_config
    known = trust.remotes(config)
    if wanted and wanted not in known:
        raise UsageError(
            f"there is no remote {wanted!r}", hint=f"one of: {', '.join(known)}" if known else "git remote"
        )
    names = (wanted, config.get("remote.pushdefault", ("",))[-1], "origin")
    return next((name for name in names if name in known), "") or trust.chosen_remote(config)


def _branch(session: Session, id_: str, group: Sequence[Standing]) -> Branch:
    repo = session.place.repo
    members = in_order([standing.proposal for standing in group])
    first = members[0]
    bundle = first.entry.bundle
    slug = slugify(first.entry.title)[:_SLUG_CHARS].strip("-") or first.entry.kind
    name = f"gitmem/{slug}-{id_[-4:].lower()}"
    commit = first.tip
    if bundle:
        start = target_of(session.place, read(session.place)).start
        changes, _, _ = combined(session, start, members, bundle)
        draft = Draft(in_root(changes), message_of(members, bundle), session.place.author, session.now)
        commit = write_commit(repo, start, draft)
    ref = f"refs/heads/{name}"
    holders = worktrees.holders(repo, ref)
    old = read_ref(repo, ref)
    if old != commit and (holders.present or holders.missing):
        raise GitmemError(f"the branch {name} is checked out", hint="switch to another one there", code="checked-out")
    if old != commit and not swap_ref(repo, ref, old, commit, reason="gitmem: publish"):
        raise GitmemError(f"{ref} moved meanwhile", hint="try again", place=ref, code="ref-moved")
    return Branch(name, commit, tuple(member.id for member in members), bundle)


def _pushed(session: Session, made: Sequence[Branch], remote: str) -> Published:
    place = session.place
    if not remote:
        hint = "git remote add origin URL"
        return Published(tuple(made), (Notice("no-remote", "there is no remote; the branches are local", hint=hint),))
    known = gitnet.remote_of(place.git_config, remote)
    done: list[Branch] = []
    warnings: list[Notice] = []
    for each in made:
        ref = f"refs/heads/{each.branch}"
        there = gitnet.advertised(place.repo, known, ref)
        if isinstance(there, Failed):
            return Published(tuple(made), (_unsent(each.branch, remote, there.said),))
        update = gitnet.Update(ref, there.refs.get(ref, ""), each.commit)
        sent = gitnet.push_branch(place.repo, known, update)
        is_there = not isinstance(sent, Failed) and sent.fate is gitnet.Fate.DONE
        done.append(replace(each, pushed=remote) if is_there else each)
        if not is_there:
            warnings.append(_unsent(each.branch, remote, sent.said))
    return Published(tuple(done), tuple(warnings))


def _unsent(branch: str, remote: str, said: str) -> Notice:
    message = f"{branch} was not pushed to {remote}: {said}"
    return Notice("not-pushed", message, hint=f"the branch is here: git push REMOTE {branch}, or publish with --remote")
