"""Which commits changed which files below a folder, and when. Refuses to follow a file through its renames."""

from __future__ import annotations

import re

from gitmem.record import record
from gitmem.store import git, gitconfig
from gitmem.store.repo import Repo

# No path begins with it.
_MARK = "\x02\x03\x02"
_COMMITS_MOST = 20_000


@record
class Changed:
    """One commit that is no merge: its committer's time in seconds since the epoch, and what is there after it of the
    files that it changed."""

    at: int
    rels: tuple[str, ...]


def below(repo: Repo, commit: str, folder: str, most: int = _COMMITS_MOST) -> list[Changed]:
    """The newest commits in the history of ``commit`` that changed something there, newest first; paths are those of
    the repository. Raises ``GitError`` where the history cannot be read."""
    flags = ("--name-only", "--no-renames", "--no-diff-merges", "--diff-filter=d", "-z", f"--format={_MARK}%ct")
    args = ("log", *flags, f"--max-count={most}", "--end-of-options", commit, "--", folder)
    done = git.run(repo.where, args, git.Call(env=gitconfig.driver_overrides(repo)))
    found: list[tuple[int, list[str]]] = []
    for part in done.fields():
        text = part.removeprefix("\n")
        if re.fullmatch(rf"{_MARK}[0-9]+", text):
            found.append((int(text.removeprefix(_MARK)), []))
        elif found:
            found[-1][1].append(text)
    return [Changed(at, tuple(rels)) for at, rels in found]


def last_times(found: list[Changed]) -> dict[str, int]:
    """By path, the newest time at which it was changed, whatever order clocks give the commits."""
    times: dict[str, int] = {}
    for each in found:
        for rel in each.rels:
            times[rel] = max(each.at, times.get(rel, each.at))
    return times
