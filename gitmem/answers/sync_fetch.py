"""The way to one remote: what is asked of it and where that is kept. Refuses to write where anything of ours is."""

from __future__ import annotations

from gitmem.answers.reading import Place
from gitmem.answers.sync_push import ALL, NONE, PEOPLE
from gitmem.answers.sync_sides import FAMILIES
from gitmem.config import TRUST_HEAD, TRUST_SIGNED
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import gitnet, objects
from gitmem.store.gitnet import Failed, Remote
from gitmem.store.refs import PROPOSALS, of_remote
from gitmem.store.repo import Repo
from gitmem.store.trust import GitConfig, chosen_remote, default_branch, is_policy, quoted

_REVIEW = "refs/for/"
_USUAL = "main"


@record
class Line:
    """``is_chosen``: the remote is the one whose branch is trusted. ``review`` is the ref that takes commits for
    review, '' where the branch itself does. ``share``: whose proposals go out."""

    remote: Remote
    branch: str
    may_merge: bool
    is_chosen: bool
    review: str = ""
    share: str = PEOPLE
    notices: tuple[Notice, ...] = ()

    @property
    def ref(self) -> str:
        return f"refs/heads/{self.branch}"

    @property
    def tracking(self) -> str:
        return f"refs/remotes/{self.remote.name}/{self.branch}"


def line_to(place: Place, remote: Remote, policy: str) -> Line:
    config = place.git_config
    branch = policy if policy not in (TRUST_HEAD, TRUST_SIGNED) else _default(place, policy)
    share = config.get("gitmem.shareproposals", (PEOPLE,))[-1]
    notices = () if share in (PEOPLE, ALL, NONE) else (_unknown_share(share),)
    if _is_mirrored(config, remote.name):
        notices = (*notices, _mirrored(remote.name))
    return Line(
        remote,
        branch,
        may_merge=policy != TRUST_SIGNED,
        is_chosen=remote.name == chosen_remote(config),
        review=_review(config, remote.name, branch),
        share=share if share in (PEOPLE, ALL) else NONE,
        notices=notices,
    )


def _default(place: Place, policy: str) -> str:
    signed = place.git_config.get("gitmem.signedbranch", ("",))[-1]
    if policy == TRUST_SIGNED and is_policy(signed):
        return signed
    here = objects.symbolic_ref(place.repo, "HEAD").removeprefix("refs/heads/")
    return default_branch(place.repo, place.git_config) or here or _USUAL


def fetched(repo: Repo, line: Line) -> Notice | Failed | None:
    """Fetches into refs that hold nothing of ours. A notice: the remote has no such branch; the rest is here."""
    name = line.remote.name
    kept = [f"+{family}/*:{of_remote(name, family)}/*" for family in FAMILIES]
    failed = gitnet.fetch(repo, line.remote, [f"+{line.ref}:{line.tracking}", *kept], prune=True)
    if failed is None:
        return None
    found = gitnet.advertised(repo, line.remote, "refs/heads/*")
    if isinstance(found, Failed):
        return found
    if line.ref in found.refs:
        return failed
    return gitnet.fetch(repo, line.remote, kept, prune=True) or _no_branch(line, is_empty=not found.refs)


def _no_branch(line: Line, *, is_empty: bool) -> Notice:
    name = line.remote.name
    message = f"{name} is empty" if is_empty else f"{name} has no branch {line.branch}"
    hint = f"git push --set-upstream {quoted(name)} {quoted(line.branch)}, then: gitmem sync"
    return Notice("empty-remote" if is_empty else "no-upstream", message, line.ref, hint)


def _review(config: GitConfig, remote: str, branch: str) -> str:
    """By ``gitmem.pushTo``, or because the remote is set up for review: ``remote.X.push`` goes to ``refs/for``."""
    stated = config.get("gitmem.pushto", ("",))[-1]
    if stated:
        return f"{stated}{branch}" if stated.endswith("/") else stated
    targets = (spec.rpartition(":")[2] for spec in config.get(f"remote.{remote}.push", ()))
    return f"{_REVIEW}{branch}" if any(target.startswith(_REVIEW) for target in targets) else ""


def _is_mirrored(config: GitConfig, remote: str) -> bool:
    targets = (spec.rpartition(":")[2].partition("*")[0] for spec in config.get(f"remote.{remote}.fetch", ()))
    return any(target and f"{PROPOSALS}/".startswith(target) for target in targets)


def _mirrored(remote: str) -> Notice:
    message = f"the fetch refspec of {remote} covers refs/gitmem: git fetch --prune deletes what is not pushed"
    return Notice("mirror-fetch", message, remote, f"git config remote.{remote}.fetch '+refs/heads/*:refs/heads/*'")


def _unknown_share(share: str) -> Notice:
    message = f"gitmem.shareProposals is {share[:40]!r}, so no proposal is pushed"
    return Notice("unknown-setting", message, "gitmem.shareProposals", f"use {PEOPLE}, {ALL} or {NONE}")
