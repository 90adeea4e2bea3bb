"""When each knowledge file last changed on the line of a commit, kept from call to call. Refuses times of files."""

import json
from collections.abc import Iterator, Mapping

from gitmem.store import cache as caches
from gitmem.store import git, gitconfig
from gitmem.store.cache import Cache
from gitmem.store.repo import FOLDER, Repo

_NAME = "changed-2.json"
_MARK = "\x02"
_LOG = (
    *("--first-parent", "-m", "--name-only", "--no-renames", "-z", f"--format={_MARK}%ct"),
    *("--no-ext-diff", "--no-textconv", "--no-show-signature"),
)


def last_changes(repo: Repo, cache: Cache, commit: str) -> Mapping[str, int]:
    """By path below ``.gitmem``: seconds since 1970 of the newest commit that changed the file.

    Only what came since the commit that was asked for before is read, where that lies on the same line.
    """
    cut_at = _cut_at(repo)
    known_at, known = _kept(cache, cut_at)
    if known_at == commit:
        return known
    is_on_line = bool(known_at) and _is_on_line(repo, known_at, commit)
    spec = f"{known_at}..{commit}" if is_on_line else commit
    found: dict[str, int] = {}
    for rel, seconds in _changed(repo, spec):
        found.setdefault(rel, seconds)
    times = {**known, **found} if is_on_line else found
    caches.save(cache, _NAME, json.dumps([commit, cut_at, times]).encode())
    return times


def _kept(cache: Cache, cut_at: str) -> tuple[str, dict[str, int]]:
    """The commit that was asked for before and its times; nothing where history was cut elsewhere then."""
    data = caches.load(cache, _NAME)
    if data is None:
        return "", {}
    commit, was_cut_at, times = json.loads(data)
    return (commit, times) if was_cut_at == cut_at else ("", {})


def _cut_at(repo: Repo) -> str:
    """Where a shallow clone begins; '' for a whole one."""
    try:
        return (repo.common_dir / "shallow").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _is_on_line(repo: Repo, before: str, commit: str) -> bool:
    """Whether one gets from ``commit`` to ``before`` by first parents alone."""
    args = ("rev-list", "--first-parent", "--parents", "--end-of-options", f"{before}..{commit}")
    rows = git.attempt(repo.where, args).out.decode().splitlines()
    return bool(rows) and rows[-1].split(" ")[1:2] == [before]


def _changed(repo: Repo, spec: str) -> Iterator[tuple[str, int]]:
    """(path, time) as the log has them, the newest first."""
    call = git.Call(env=gitconfig.driver_overrides(repo))
    done = git.run(repo.where, ("log", *_LOG, "--end-of-options", spec, "--", FOLDER), call)
    when, start = 0, len(FOLDER) + 1
    for row in done.out.decode("utf-8", "surrogateescape").split("\0"):
        # Git puts a line end before the first name of a commit; every name begins with the folder.
        text = row.removeprefix("\n")
        if text.startswith(_MARK):
            when = int(text.removeprefix(_MARK))
        elif text:
            yield text[start:], when
