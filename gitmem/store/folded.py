"""The blobs behind folds: those of Git by the beginning of their id, and bytes of the work tree kept in the cache.

Refuses to keep more than the newest few of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.store import cache as caches
from gitmem.store import git, objects
from gitmem.store.cache import Cache
from gitmem.store.repo import Repo

_PREFIX, _SUFFIX = "code-loose-", ".bin"
_KEPT = 200
_LARGEST_BYTES = 1 << 20


def begun(repo: Repo, start: str) -> list[str]:
    """The ids of the blobs whose id begins so."""
    done = git.attempt(repo.where, ("rev-parse", f"--disambiguate={start}"))
    ids = done.lines() if done.code == 0 else []
    found = objects.look_up(repo, ids)
    return [row[0] for row in found if row and row[1] == "blob" and row[2] <= _LARGEST_BYTES]


def read(repo: Repo, oid: str) -> bytes:
    return next(data for _, data in objects.read_blobs(repo, [oid]))


def keep(cache: Cache, texts: Mapping[str, bytes]) -> None:
    """Bytes that Git does not have, by the id that it would give them."""
    for oid, data in sorted(texts.items()):
        name = f"{_PREFIX}{oid}{_SUFFIX}"
        if caches.load(cache, name) is None:
            caches.save(cache, name, data)
    if texts:
        caches.drop_oldest(cache, _PREFIX, _SUFFIX, _KEPT)


def kept(cache: Cache, start: str) -> dict[str, bytes]:
    """What is still there of those whose id begins so."""
    names = [name for name in caches.by_age(cache, _PREFIX, _SUFFIX) if name.startswith(f"{_PREFIX}{start}")]
    found = {name.removeprefix(_PREFIX).removesuffix(_SUFFIX): caches.load(cache, name) for name in names}
    return {oid: data for oid, data in found.items() if data is not None}


def place_of(repo: Repo, oid: str, paths: list[str]) -> str:
    """Which of the paths had the blob in some commit, '' for none."""
    if not paths:
        return ""
    args = ("log", "-1", "--format=", "--name-only", "-z", "--no-renames", f"--find-object={oid}", "--", *paths)
    done = git.attempt(repo.where, args)
    found = [path.strip("\n") for path in done.fields()] if done.code == 0 else []
    return next((path for path in found if path in paths), "")
