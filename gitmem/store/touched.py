"""The versions that files had before each commit that touched them, in the newest part of a history. Refuses to read
them.
"""

from collections.abc import Iterator, Sequence

from gitmem.record import record
from gitmem.store import git
from gitmem.store.objects import REGULAR
from gitmem.store.repo import Repo

COMMITS_MOST = 1000
# Git compares each path of a commit with each that is asked about: beyond these it is faster to be told all.
_PATHS_ASKED_MOST = 20
_DIFF = ("diff-tree", "--stdin", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv")
_LIST = ("rev-list", "--no-merges", f"--max-count={COMMITS_MOST}", "--end-of-options")


@record
class Touch:
    """The blob that a commit replaced, '' where it had none that is a file."""

    path: str
    before: str


def touches(repo: Repo, commit: str, paths: Sequence[str]) -> dict[str, list[Touch]]:
    """By path, newest first, of the newest thousand commits that are no merges; nothing where Git cannot tell."""
    listed = git.attempt(repo.where, (*_LIST, commit))
    if listed.code:
        return {}
    asked = paths if len(paths) <= _PATHS_ASKED_MOST else ()
    text = "".join(f"{each}\n" for each in listed.lines())
    done = git.attempt(repo.where, (*_DIFF, "--root", "--", *asked), git.Call(stdin=text.encode()))
    found: dict[str, list[Touch]] = {path: [] for path in paths}
    for touch in _touches(done.fields()) if not done.code else ():
        if touch.path in found:
            found[touch.path].append(touch)
    return found


def _touches(fields: Sequence[str]) -> Iterator[Touch]:
    """Of each change its raw row and its path; the ids of the commits stand between."""
    rows = iter(fields)
    for row in rows:
        if row.startswith(":"):
            mode, _, before, *_ = row[1:].split(" ")
            yield Touch(next(rows, ""), before if mode in REGULAR else "")
