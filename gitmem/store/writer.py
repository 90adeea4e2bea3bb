"""Which clone writes: a name of its own for each, also for a copied one. Refuses to tell machine or path."""

import hashlib
import os
import platform
from pathlib import Path

from gitmem.store import disk
from gitmem.store.lock import held
from gitmem.store.regular import read_at_most
from gitmem.store.repo import Repo

_BYTES = 8
_MOST_BYTES = 200


def writer_of(repo: Repo) -> str:
    """16 random hex digits, kept with a hash of machine and folder: where that differs, the clone is a copy and gets
    a name of its own."""
    path = repo.private_dir / "writer"
    place = _place(repo)
    found = _kept(path, place)
    if found:
        return found
    with held(repo):
        found = _kept(path, place)
        if not found:
            found = os.urandom(_BYTES).hex()
            disk.private_folder(path.parent)
            fresh = path.with_name(f"writer-{found}")
            disk.new_file(fresh, f"{found} {place}\n".encode(), 0o600)
            disk.replace(fresh, path)
    return found


def _kept(path: Path, place: str) -> str:
    try:
        name, _, known = read_at_most(path, _MOST_BYTES).decode("ascii", "replace").strip().partition(" ")
    except FileNotFoundError:
        return ""
    return name if known == place and len(name) == 2 * _BYTES else ""


def _place(repo: Repo) -> str:
    text = f"{platform.node()}\0{os.path.realpath(repo.common_dir)}"
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
