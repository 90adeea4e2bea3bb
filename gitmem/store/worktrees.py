"""Which worktrees have a branch, and what they are in the middle of. Refuses to change any of them."""

from collections.abc import Iterator
from pathlib import Path

from gitmem.record import record
from gitmem.store import git
from gitmem.store.repo import NotARepositoryError, Repo, discover

# A pick or revert of more than one commit, between two of them.
SEVERAL = "cherry-pick or revert"
# What Git leaves in a worktree's own folder while an operation waits for its user.
_STATES = (
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("sequencer", SEVERAL),
)
_REBASED = ("rebase-merge/head-name", "rebase-apply/head-name")


@record
class Holders:
    """The worktrees that have a branch checked out; ``missing`` are folders that are away and may come back."""

    present: tuple[Repo, ...] = ()
    missing: tuple[str, ...] = ()


def holders(repo: Repo, ref: str) -> Holders:
    """Who has ``ref`` checked out. A linked worktree whose folder is gone counts only while it is locked."""
    present: list[Repo] = []
    missing: list[str] = []
    for number, entry in enumerate(_entries(repo)):
        if entry.get("branch") != ref:
            continue
        found = _open(repo, entry["worktree"], is_main=number == 0)
        if found is not None:
            present.append(found)
        elif "prunable" not in entry or "locked" in entry:
            missing.append(entry["worktree"])
    return Holders(tuple(present), tuple(missing))


def operation(worktree: Repo) -> str:
    """What waits for its user there: merge, rebase, cherry-pick, revert; '' when nothing does."""
    return next((what for name, what in _STATES if (worktree.git_dir / name).exists()), "")


def rebased_in(repo: Repo, ref: str) -> Path | None:
    """The Git folder of the worktree in which ``ref`` is being rebased; HEAD is detached there meanwhile."""
    linked = repo.common_dir / "worktrees"
    folders: list[Path] = sorted(linked.iterdir()) if linked.is_dir() else []
    for git_dir in (repo.common_dir, *folders):
        for name in _REBASED:
            if _holds(git_dir / name, ref):
                return git_dir
    return None


def _holds(path: Path, ref: str) -> bool:
    return path.is_file() and path.read_text("utf-8", "surrogateescape").strip() == ref


def _entries(repo: Repo) -> Iterator[dict[str, str]]:
    listing = ("worktree", "list", "--porcelain")
    done = git.attempt(repo.where, (*listing, "-z"))
    # Git before 2.36 has no -z here, and no other way to say a path with a line end in it.
    text = done.out.decode("utf-8", "surrogateescape") if done.code == 0 else ""
    fields = text.split("\0") if done.code == 0 else [*git.run(repo.where, listing).lines(), ""]
    entry: dict[str, str] = {}
    for line in fields:
        if line:
            key, _, value = line.partition(" ")
            entry[key] = value
        elif entry:
            yield entry
            entry = {}


def _open(repo: Repo, root: str, *, is_main: bool) -> Repo | None:
    """The worktree at ``root`` if it is one of ``repo``.

    Git lists a main worktree that lies apart from its Git folder under that folder's name; only who stands in it knows.
    """
    for folder in (Path(root), repo.root if is_main else None):
        try:
            found = discover(folder) if folder is not None else None
        except NotARepositoryError:
            continue
        if found is not None and found.root is not None and found.common_dir.samefile(repo.common_dir):
            is_asked = found.git_dir == found.common_dir if is_main else found.root.samefile(root)
            return found if is_asked else None
    return None
