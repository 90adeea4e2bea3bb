"""Which files of a commit hold one of some words, as Git searches them. Refuses patterns: a word is a word."""

from collections.abc import Sequence

from gitmem.record import record
from gitmem.store import git
from gitmem.store.repo import Repo

# Two dots end the options that a search takes from elsewhere: no pager, no filter, no other repository inside.
_GREP = (
    *("--no-literal-pathspecs", "grep", "--files-with-matches", "--null", "--fixed-strings", "--text", "--no-color"),
    *("--full-name", "--no-recurse-submodules", "--no-textconv", "--no-ignore-case", "--no-word-regexp", "-f", "-"),
)


@record
class Holding:
    """The paths in Git's order. ``is_whole`` is False where Git could not read every file, as in a partial clone."""

    paths: tuple[str, ...]
    is_whole: bool = True


def holding(repo: Repo, commit: str, words: Sequence[str], endings: Sequence[str]) -> Holding:
    """The files with one of these endings that hold one of these words."""
    asked = "".join(f"{word}\n" for word in words if word)
    if not asked:
        return Holding(())
    args = (*_GREP, commit, "--", *(f"*.{ending}" for ending in endings))
    done = git.attempt(repo.where, args, git.Call(stdin=asked.encode("utf-8", "surrogateescape")))
    head = len(commit) + 1
    is_whole = done.code in (0, 1) and not any(line.startswith("error: ") for line in done.err.splitlines())
    return Holding(tuple(field[head:] for field in done.fields()), is_whole)
