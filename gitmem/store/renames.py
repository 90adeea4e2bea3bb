"""Where files went, asked of Git's history: which commit removed a path, and as what it came back. Refuses to guess.

A rename made in a merge commit itself is not seen, nor one whose blobs a partial clone lacks: such a path counts as
removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from gitmem.record import record
from gitmem.store import git, gitconfig, objects
from gitmem.store.repo import Repo

_SIMILAR = "-M50%"
_LIMIT = "-l2000"
_COMMITS_MOST = 40
_STEPS_MOST = 8
# No path begins with it.
_MARK = "\x02\x03\x02"


@record
class Removal:
    """One commit that removed files: ``gone`` are their paths, ``moved`` tells where those went that it renamed."""

    commit: str
    gone: tuple[str, ...]
    moved: Mapping[str, str]


def removals(repo: Repo, start: str, below: Sequence[str]) -> list[Removal]:
    """The newest commits, newest first, that removed something at or below these paths; '' is the whole tree."""
    places = [] if "" in below else sorted(set(below))
    flags = ("--diff-filter=D", "--no-renames", "--name-only", "--no-diff-merges", "-z", f"--format={_MARK}%H")
    args = ("log", *flags, f"--max-count={_COMMITS_MOST}", "--end-of-options", start, "--", *places)
    done = git.attempt(repo.where, args, git.Call(env=gitconfig.driver_overrides(repo)))
    return [Removal(commit, gone, renamed_in(repo, commit)) for commit, gone in _entries(done)]


def _entries(done: git.Finished) -> list[tuple[str, tuple[str, ...]]]:
    found: list[tuple[str, list[str]]] = []
    for part in done.fields():
        text = part.removeprefix("\n")
        if re.fullmatch(rf"{_MARK}[0-9a-f]+", text):
            found.append((text.removeprefix(_MARK), []))
        elif found:
            found[-1][1].append(text)
    return [(commit, tuple(gone)) for commit, gone in found]


def renamed_in(repo: Repo, commit: str) -> dict[str, str]:
    """Old path -> new path of each file that a commit renamed, edits of up to half of it included."""
    args = ("diff-tree", "-r", "--root", "--no-commit-id", *_pairs_flags(), "--end-of-options", commit)
    return _renames(repo, args)


def renamed_in_index(repo: Repo) -> dict[str, str]:
    """The same for what is staged and not committed yet."""
    return _renames(repo, ("diff-index", "--cached", *_pairs_flags(), "--end-of-options", "HEAD"))


def _pairs_flags() -> tuple[str, ...]:
    return (_SIMILAR, _LIMIT, "-z", "--name-status", "--diff-filter=R", "--no-ext-diff", "--no-textconv")


def _renames(repo: Repo, args: Sequence[str]) -> dict[str, str]:
    done = git.attempt(repo.where, args)
    fields = done.fields() if done.code == 0 else []
    return dict(zip(fields[1::3], fields[2::3], strict=True))


def whereabouts(repo: Repo, commit: str, gone: Iterable[str]) -> dict[str, str]:
    """Where files that ``commit`` does not have any more are now, by rename after rename; others are left out."""
    found: dict[str, str] = {}
    waiting = {rel: rel for rel in gone}
    for _ in range(_STEPS_MOST):
        if not waiting:
            break
        history = removals(repo, commit, sorted(set(waiting.values())))
        steps = {start: new for start, at in waiting.items() if (new := _step(history, at))}
        present = existing(repo, commit, set(steps.values()))
        found |= {start: at for start, at in steps.items() if at in present}
        waiting = {start: at for start, at in steps.items() if at not in present and at != start}
    return found


def _step(history: Sequence[Removal], rel: str) -> str:
    """The name that the newest removal of a path gave it, '' where it was removed for good."""
    newest = next((each for each in history if rel in each.gone), None)
    return newest.moved.get(rel, "") if newest else ""


def existing(repo: Repo, commit: str, rels: Iterable[str]) -> set[str]:
    """Those of the paths that are files of a commit."""
    wanted = sorted(rel for rel in set(rels) if rel and "\n" not in rel)
    found = objects.look_up(repo, [f"{commit}:{rel}" for rel in wanted])
    return {rel for rel, known in zip(wanted, found, strict=True) if known and known[1] == "blob"}
