"""Which files were changed in one commit with others, in the newest part of a history. Refuses to weigh it."""

from collections.abc import Iterator, Sequence

from gitmem.record import record
from gitmem.store import git
from gitmem.store.repo import Repo

COMMITS_MOST = 1000
# A commit that changes more than this moves or formats files, and says nothing of any two of them.
FILES_MOST = 50
# Of the commits that touched what is asked about, the newest.
_TOUCHING_MOST = 200
# Git compares each path of a commit with each that is asked about: beyond these it is faster to be told all.
_PATHS_ASKED_MOST = 20
_DIFF = ("diff-tree", "--stdin", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv")
_LIST = ("rev-list", "--no-merges", f"--max-count={COMMITS_MOST}", "--end-of-options")


@record
class Cochanges:
    """The files of each commit, newest first. ``is_whole`` is False where Git could not read the history."""

    commits: tuple[frozenset[str], ...]
    is_whole: bool = True


def cochanges(repo: Repo, commit: str, paths: Sequence[str]) -> Cochanges:
    """The commits, of the newest thousand that are no merges, that changed one of these paths and few others."""
    listed = git.attempt(repo.where, (*_LIST, commit))
    if listed.code:
        return Cochanges((), is_whole=False)
    is_asked = len(paths) <= _PATHS_ASKED_MOST
    touching = _named(repo, listed.lines(), paths if is_asked else ())
    if touching is None:
        return Cochanges((), is_whole=False)
    aims = frozenset(paths)
    newest = [each for each, files in touching.items() if not aims.isdisjoint(files)][:_TOUCHING_MOST]
    whole = _named(repo, newest, ()) if is_asked else {each: touching[each] for each in newest}
    if whole is None:
        return Cochanges((), is_whole=False)
    return Cochanges(tuple(frozenset(files) for files in whole.values() if len(files) <= FILES_MOST))


def _named(repo: Repo, commits: Sequence[str], paths: Sequence[str]) -> dict[str, list[str]] | None:
    """The files that each commit changed, by commit; None when Git cannot tell."""
    text = "".join(f"{commit}\n" for commit in commits)
    done = git.attempt(repo.where, (*_DIFF, "--", *paths), git.Call(stdin=text.encode()))
    return None if done.code else dict(_groups(done.fields(), frozenset(commits)))


def _groups(fields: Sequence[str], commits: frozenset[str]) -> Iterator[tuple[str, list[str]]]:
    files: list[str] = []
    for field in fields:
        if field in commits:
            files = []
            yield field, files
        else:
            files.append(field)
