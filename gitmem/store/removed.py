"""Which commits took which files out of the knowledge: history is the trash. Refuses to read what is in them."""

from __future__ import annotations

from gitmem.record import record
from gitmem.store import git, gitconfig, objects
from gitmem.store.repo import FOLDER, Repo

_MARK = "\x02\x03\x02"
_COMMITS_MOST = 5000


@record
class Removed:
    """``rel`` is below ``.gitmem``, ``blob`` what the file held last, ``at`` the time of the commit in seconds."""

    commit: str
    at: int
    rel: str
    blob: str


def below(repo: Repo, start: str, folder: str) -> list[Removed]:
    """The newest first, along the first parents: what an approval took away went with the merge."""
    flags = ("--first-parent", "-m", "--diff-filter=D", "--raw", "--no-abbrev", "--no-renames", "-z")
    quiet = ("--no-ext-diff", "--no-textconv", "--no-show-signature", f"--format={_MARK}%H %ct")
    args = (
        "log",
        *flags,
        *quiet,
        f"--max-count={_COMMITS_MOST}",
        "--end-of-options",
        start,
        "--",
        f"{FOLDER}/{folder}",
    )
    fields = git.run(repo.where, args, git.Call(env=gitconfig.driver_overrides(repo))).fields()
    found: list[Removed] = []
    commit, at = "", 0
    rows = iter(fields)
    for field in rows:
        text = field.removeprefix("\n")
        if text.startswith(_MARK):
            commit, _, time = text.removeprefix(_MARK).partition(" ")
            at = int(time)
        elif text.startswith(":"):
            found.append(Removed(commit, at, next(rows).removeprefix(f"{FOLDER}/"), text.split(" ")[2]))
    return found


def with_it(repo: Repo, commit: str, folder: str) -> dict[str, str]:
    """Blob by path below ``.gitmem`` of the files in a folder that one commit took away, beside its first parent."""
    parent = objects.look_up(repo, [f"{commit}^"])[0]
    changes = objects.diff_trees(repo, parent[0], commit) if parent else []
    prefix = f"{FOLDER}/{folder}"
    return {c.rel.removeprefix(f"{FOLDER}/"): c.old_oid for c in changes if not c.new_oid and c.rel.startswith(prefix)}


def last_change(repo: Repo, start: str, rel: str) -> str:
    """The newest commit along the first parents that changed a file, '' for none."""
    flags = (
        "--first-parent",
        "-m",
        "--no-renames",
        "--max-count=1",
        "--format=%H",
        "--no-patch",
        "--no-show-signature",
    )
    args = ("log", *flags, "--end-of-options", start, "--", f"{FOLDER}/{rel}")
    return git.run(repo.where, args, git.Call(env=gitconfig.driver_overrides(repo))).out.decode().strip()
