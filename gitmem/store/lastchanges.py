"""When each knowledge file last changed on the line of a commit, kept from call to call. Refuses times of files."""

import json
from collections.abc import Iterator, Mapping

from gitmem.store import cache as caches
from gitmem.store import git, gitconfig, objects
from gitmem.store.cache import Cache
from gitmem.store.repo import FOLDER, Repo

_NAME = "changed-1.json"
_MARK = "\x02"
_LOG = (
    *("--first-parent", "-m", "--name-only", "--no-renames", "-z", f"--format={_MARK}%ct"),
    *("--no-ext-diff", "--no-textconv", "--no-show-signature"),
)


def last_changes(repo: Repo, cache: Cache, commit: str) -> Mapping[str, int]:
    """By path below ``.gitmem``: seconds since 1970 of the newest commit that changed the file.

    Only what came since the commit that was asked for before is read, where that lies on the same line.
    """
    known_at, known = _kept(cache)
    if known_at == commit:
        return known
    is_on_line = bool(known_at) and objects.is_ancestor(repo, known_at, commit)
    spec = f"{known_at}..{commit}" if is_on_line else commit
    found: dict[str, int] = {}
    for rel, seconds in _changed(repo, spec):
        found.setdefault(rel, seconds)
    times = {**known, **found} if is_on_line else found
    caches.save(cache, _NAME, json.dumps([commit, times]).encode())
    return times


def _kept(cache: Cache) -> tuple[str, dict[str, int]]:
    data = caches.load(cache, _NAME)
    if data is None:
        return "", {}
    commit, times = json.loads(data)
    return commit, times


def _changed(repo: Repo, spec: str) -> Iterator[tuple[str, int]]:
    """(path, time) as the log has them, the newest first."""
    call = git.Call(env=gitconfig.driver_overrides(repo))
    done = git.run(repo.where, ("log", *_LOG, "--end-of-options", spec, "--", FOLDER), call)
    start = len(FOLDER) + 1
    for part in done.out.decode("utf-8", "surrogateescape").split(_MARK)[1:]:
        when, *names = part.replace("\n", "\0").split("\0")
        for name in names:
            if name.startswith(f"{FOLDER}/"):
                yield name[start:], int(when)
