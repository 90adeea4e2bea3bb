"""Objects that are on the disk before anything names them. Refuses refs, and an object that reads back otherwise.

dulwich 1.2 writes an object under ``<oid>.lock``, which a killed process leaves behind and which then blocks that
object for ever; it syncs no folder, and no file unless ``core.fsyncObjectFiles`` is set. So loose objects are written
here, under temporary names that ``git gc`` cleans up.
"""

import os
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from dulwich.file import adjust_shared_perm

from gitmem.store import disk, git
from gitmem.store.gitstorage import Storage
from gitmem.store.gittree import name_of
from gitmem.store.repo import Repo

_TEMPORARY = "tmp_obj_gitmem_"
_MODE = 0o444
_TRIES = 8
# Git before 2.36 does not know the setting and syncs nothing; what it wrote is synced by path afterwards all the same.
DURABLE = ("core.fsync=all", "core.fsyncMethod=fsync")


def write_objects(repo: Repo, storage: Storage, objects: Mapping[str, tuple[str, bytes]]) -> None:
    """Writes each object of ``objects`` (kind and bytes by id), durable on return and read back."""
    folders = set()
    for oid, (kind, content) in objects.items():
        path = loose_path(repo, oid)
        with disk.naming(path):
            if storage.is_plain:
                _write_loose(path, (oid, kind, content), storage)
            else:
                _write_by_git(repo, (oid, kind, content))
            if path.exists():
                folders.add(path.parent)
    for folder in sorted(folders):
        with disk.naming(folder), suppress(FileNotFoundError):
            disk.sync_folder(folder)


def loose_path(repo: Repo, oid: str) -> Path:
    return repo.common_dir / "objects" / oid[:2] / oid[2:]


def _write_loose(path: Path, item: tuple[str, str, bytes], storage: Storage) -> None:
    """Also where a pack has the object: a fresh loose copy cannot be pruned before a ref names it."""
    oid, kind, content = item
    if _holds(path, oid):
        with suppress(PermissionError):
            os.utime(path)
        disk.sync_file(path)
        return
    packed = zlib.compress(b"%s %d\0" % (kind.encode(), len(content)) + content)
    for _ in range(_TRIES):
        # Git removes empty folders, and loose objects that it has in a pack, at any time.
        with suppress(FileNotFoundError):
            make_shared_folders(path.parent, storage)
            _publish(path, packed, storage)
        if _holds(path, oid):
            return
    raise _unlike(path, oid)


def _publish(path: Path, packed: bytes, storage: Storage) -> None:
    temporary = path.with_name(f"{_TEMPORARY}{os.urandom(8).hex()}")
    disk.new_file(temporary, packed, _MODE)
    try:
        adjust_shared_perm(temporary, storage.shared)
        disk.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def make_shared_folders(folder: Path, storage: Storage) -> None:
    for made in disk.make_folders(folder):
        adjust_shared_perm(made, storage.shared)


def _holds(path: Path, oid: str) -> bool:
    """True when the file is a whole object with that id; one that a power cut left empty is not."""
    try:
        packed = path.read_bytes()
    except FileNotFoundError:
        return False
    try:
        head, _, content = zlib.decompress(packed).partition(b"\0")
    except zlib.error:
        return False
    return name_of(head.split(b" ")[0].decode("ascii", "replace"), content, "sha1") == oid


def _unlike(path: Path, oid: str) -> git.GitError:
    return git.GitError(
        f"object {oid} does not read back as it was written",
        hint="the disk or its cable may be failing; see: git fsck",
        place=str(path),
        code="damaged-object",
    )


def _write_by_git(repo: Repo, item: tuple[str, str, bytes]) -> None:
    oid, kind, content = item
    call = git.Call(stdin=content, settings=DURABLE)
    found = git.run(repo.where, ("hash-object", "-t", kind, "-w", "--stdin"), call).lines()
    back = git.run(repo.where, ("cat-file", kind, oid)).out
    path = loose_path(repo, oid)
    if found != [oid] or back != content:
        raise _unlike(path, oid)
    if path.exists():
        disk.sync_file(path)
