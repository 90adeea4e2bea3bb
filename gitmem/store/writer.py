"""Which clone writes: a name of its own for each, also for a copied one. Refuses to tell machine or path."""

import hashlib
import os
import sys
from pathlib import Path

from gitmem.record import record
from gitmem.store import disk
from gitmem.store.lock import held
from gitmem.store.regular import read_at_most
from gitmem.store.repo import Repo

if sys.platform == "win32":
    import platform

_BYTES = 8
_MOST_BYTES = 1 << 16
# The columns of a row: name, place, node, then the names that it had before.
_FORMER = 3


@record
class _Mark:
    """By what a clone is known: a hash of machine and path, and one of machine and inode, which a move keeps."""

    place: str
    node: str


def writer_of(repo: Repo) -> str:
    """16 random hex digits, kept for each machine and folder that the clone was seen at: a moved clone and one that a
    container sees elsewhere keep their names, a copied one gets a name of its own."""
    path = repo.private_dir / "writer"
    mark = _mark(repo)
    found = _kept(path, mark)
    if found:
        return found
    with held(repo):
        found = _kept(path, mark)
        if not found:
            found = os.urandom(_BYTES).hex()
            disk.private_folder(path.parent)
            disk.put(path, _lines(path) + f"{found} {mark.place} {mark.node}\n".encode())
    return found


def names_of(repo: Repo) -> tuple[str, ...]:
    """The name of this clone, then those that it had before ``rename``, the newest first."""
    writer_of(repo)
    return kept_names(repo)


def kept_names(repo: Repo) -> tuple[str, ...]:
    """The same for whoever only reads: none where this clone has not written yet."""
    path = repo.private_dir / "writer"
    name = _kept(path, _mark(repo))
    rows = (line.split() for line in _lines(path).decode("ascii", "replace").splitlines())
    return next(((name, *row[_FORMER:]) for row in rows if row[:1] == [name]), ())


def rename(repo: Repo) -> str:
    """A new name for this clone, since another one goes by the same; it remembers the old ones."""
    path = repo.private_dir / "writer"
    with held(repo):
        formers = names_of(repo)
        mark, name = _mark(repo), os.urandom(_BYTES).hex()
        kept = [
            line for line in _lines(path).decode("ascii", "replace").splitlines() if line.split()[:1] != [formers[0]]
        ]
        row = " ".join((name, mark.place, mark.node, *formers))
        disk.put(path, "".join(f"{line}\n" for line in (*kept, row)).encode())
    return name


def _kept(path: Path, mark: _Mark) -> str:
    """Where the folder was moved, its inode still tells; a copy has another."""
    rows = [line.split() for line in _lines(path).decode("ascii", "replace").splitlines()]
    whole = [row for row in rows if len(row) >= 2 and len(row[0]) == 2 * _BYTES]
    for row in whole:
        if row[1] == mark.place:
            return row[0]
    return next((row[0] for row in whole if row[2:_FORMER] == [mark.node]), "")


def _lines(path: Path) -> bytes:
    try:
        return read_at_most(path, _MOST_BYTES)
    except FileNotFoundError:
        return b""


def _mark(repo: Repo) -> _Mark:
    machine = _machine()
    found = os.stat(repo.common_dir)
    return _Mark(_hash(machine, os.path.realpath(repo.common_dir)), _hash(machine, f"{found.st_dev} {found.st_ino}"))


if sys.platform == "win32":

    def _machine() -> str:
        return platform.node()

else:

    def _machine() -> str:
        return os.uname().nodename


def _hash(machine: str, text: str) -> str:
    both = f"{machine}\0{text}".encode("utf-8", "surrogateescape")
    return hashlib.blake2b(both, digest_size=12).hexdigest()
