"""The files of items that never leave this clone, in a folder of Git's own that no commit can hold.

Refuses to read what is in them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from gitmem.model.vocabulary import FILE_MAX_BYTES
from gitmem.store import disk, files
from gitmem.store.layout import ENGRAMS, Place, is_leftover, place_of
from gitmem.store.repo import Repo

_NAME = "private"
_OWNER_ONLY = 0o700


def folder(repo: Repo) -> Path:
    """Shared by the worktrees of a clone, as all of the common directory is."""
    return repo.private_dir / _NAME


def is_used(repo: Repo) -> bool:
    return (folder(repo) / ENGRAMS).is_dir()


def entries(repo: Repo) -> dict[str, bytes]:
    """Bytes by path, such as ``engrams/domain/slug.md``, in the order of the paths; links are not followed."""
    root = folder(repo)
    found = ((rel, files.read_file(root, rel)) for rel in sorted(_rels(root)))
    return {rel: data for rel, data in found if data is not None}


def _rels(root: Path) -> Iterator[str]:
    for at, _, names in os.walk(root / ENGRAMS):
        for name in names:
            path = Path(at) / name
            rel = path.relative_to(root).as_posix()
            is_fit = place_of(rel) is Place.ENGRAM and not is_leftover(rel) and not path.is_symlink()
            if is_fit and path.stat().st_size <= FILE_MAX_BYTES:
                yield rel


def write(repo: Repo, rel: str, data: bytes, *, expected: bytes | None) -> None:
    """``expected`` is what the file held, None for none; else ``files.StaleError``. The folder opens to its owner."""
    root = folder(repo)
    with disk.naming(root):
        os.chmod(disk.private_folder(disk.private_folder(repo.private_dir) / _NAME), _OWNER_ONLY)
    files.write_file(root, rel, data, expected=expected)


def remove(repo: Repo, rel: str, *, expected: bytes) -> None:
    files.remove_file(folder(repo), rel, expected=expected)
