"""Files of a work tree, written whole or not at all. Refuses links on the way, stale writes and unsafe paths."""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.model.vocabulary import FILE_MAX_BYTES
from gitmem.record import record
from gitmem.store import disk
from gitmem.store.paths import check_rel

TEMPORARY = ".gitmem-tmp-"
_HAS_HANDLES = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
_HAS_MODES = os.chmod in os.supports_fd
_REPARSE_POINT = 0x400


class Anything(Enum):
    """The expectation that whatever is there may be replaced."""

    ANY = "any"


ANY = Anything.ANY
Expected = bytes | None | Anything


class StaleError(GitmemError):
    """The file is not what the writer had read. ``expected`` and ``found`` are both sides; None means no file."""

    code = "stale"

    def __init__(self, rel: str, expected: bytes | None, found: bytes | None) -> None:
        super().__init__(
            f"{rel} changed since it was read: expected {_facts(expected)}, found {_facts(found)}",
            hint="look at what it holds now, then try again",
            place=rel,
        )
        self.expected = expected
        self.found = found


def _facts(content: bytes | None) -> str:
    if content is None:
        return "no file"
    return f"{len(content)} bytes ({hashlib.sha256(content).hexdigest()[:12]})"


@record
class _Folder:
    """An open folder. Where the system has no folder handles, ``handle`` is None and names are joined to ``path``."""

    path: Path
    handle: int | None

    def at(self, name: str) -> str:
        return name if self.handle is not None else str(self.path / name)

    def open(self, name: str, flags: int, mode: int = 0) -> int:
        every = flags | disk.NO_FOLLOW | disk.NO_WAIT | disk.BINARY
        return os.open(self.at(name), every, mode, dir_fd=self.handle)

    def stat(self, name: str) -> os.stat_result | None:
        try:
            return os.stat(self.at(name), dir_fd=self.handle, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def unlink(self, name: str) -> None:
        os.unlink(self.at(name), dir_fd=self.handle)

    def sync(self) -> None:
        if self.handle is not None:
            disk.sync_folder_handle(self.handle)


def write_file(root: Path, rel: str, content: bytes, *, expected: Expected) -> None:
    """Gives the file ``content``, durable on return. ``expected``: what it held (None: no such file), else StaleError.

    An existing file keeps its mode bits. The comparison is the last step before the rename, so a program that
    writes in that instant, and takes no part in gitmem's lock, is the only one that can be overtaken.
    """
    with disk.naming(rel), _parent(root, rel, create=not isinstance(expected, bytes)) as (folder, name):
        if folder is None:
            raise _stale(rel, expected, None)
        before = _regular(folder, name, rel)
        temporary = f"{TEMPORARY}{os.urandom(8).hex()}"
        try:
            _fill(folder, temporary, content, before)
            _publish(folder, (temporary, name, rel), expected)
        finally:
            with suppress(OSError):
                folder.unlink(temporary)
        folder.sync()


def remove_file(root: Path, rel: str, *, expected: Expected) -> None:
    """Removes the file, durable on return; with ``ANY`` a missing file is as good as a removed one."""
    with disk.naming(rel), _parent(root, rel, create=False) as (folder, name):
        _compare(folder, name, rel, expected)
        if folder is not None and folder.stat(name) is not None:
            folder.unlink(name)
            folder.sync()


def move_file(root: Path, old_rel: str, new_rel: str, *, expected: Expected) -> None:
    """Renames a file in one step. What is at ``new_rel`` is refused, unless it is the same file in another case."""
    with (
        disk.naming(old_rel),
        _parent(root, old_rel, create=False) as (old, old_name),
        _parent(root, new_rel, create=old is not None) as (new, new_name),
    ):
        _compare(old, old_name, old_rel, expected)
        here = None if old is None else _regular(old, old_name, old_rel)
        if old is None or new is None or here is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), old_rel)
        there = new.stat(new_name)
        if there is not None and not os.path.samestat(here, there):
            raise GitmemError(f"{new_rel} exists already", hint="choose another name", place=new_rel, code="exists")
        disk.replace(old.at(old_name), new.at(new_name), folder=old.handle, new_folder=new.handle)
        new.sync()
        old.sync()


def read_file(root: Path, rel: str, *, limit_bytes: int = FILE_MAX_BYTES) -> bytes | None:
    """What the file holds, None when there is none. Over the limit, a link or no regular file: an error."""
    with disk.naming(rel), _parent(root, rel, create=False) as (folder, name):
        content = None if folder is None else _read(folder, name, rel, limit_bytes)
    if content is not None and len(content) > limit_bytes:
        raise GitmemError(f"{rel} is over {limit_bytes} bytes", hint="split it", place=rel, code="too-large")
    return content


@contextmanager
def _parent(root: Path, rel: str, *, create: bool) -> Iterator[tuple[_Folder | None, str]]:
    """The folder that ``rel`` lies in, each component opened without following links, and the name in it."""
    *parts, name = check_rel(rel).split("/")
    descend = _descend_by_handle if _HAS_HANDLES else _descend_by_path
    folder = descend(root, parts, create=create)
    try:
        yield folder, name
    finally:
        if folder is not None and folder.handle is not None:
            os.close(folder.handle)


def _descend_by_handle(root: Path, parts: list[str], *, create: bool) -> _Folder | None:
    handle = os.open(root, os.O_RDONLY | disk.FOLDER_ONLY)
    for part in parts:
        try:
            below = _enter(handle, part, create=create)
        finally:
            os.close(handle)
        if below is None:
            return None
        handle = below
    return _Folder(root.joinpath(*parts), handle)


def _enter(handle: int, part: str, *, create: bool) -> int | None:
    flags = os.O_RDONLY | disk.FOLDER_ONLY | disk.NO_FOLLOW
    try:
        return os.open(part, flags, dir_fd=handle)
    except FileNotFoundError:
        if not create:
            return None
    with suppress(FileExistsError):
        os.mkdir(part, dir_fd=handle)
    disk.sync_folder_handle(handle)
    return os.open(part, flags, dir_fd=handle)


def _descend_by_path(root: Path, parts: list[str], *, create: bool) -> _Folder | None:
    """For systems without folder handles: looks at each component before it goes on."""
    path = root
    for part in parts:
        path /= part
        if create:
            with suppress(FileExistsError):
                path.mkdir()
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            return None
        if not stat.S_ISDIR(found.st_mode) or _is_reparse_point(found):
            raise NotADirectoryError(errno.ENOTDIR, "a link or a file stands where a folder belongs", str(path))
    return _Folder(path, None)


def _is_reparse_point(found: os.stat_result) -> bool:
    """Junctions of Windows are folders to ``lstat`` and lead elsewhere all the same."""
    return bool(getattr(found, "st_file_attributes", 0) & _REPARSE_POINT)


def _regular(folder: _Folder, name: str, rel: str) -> os.stat_result | None:
    found = folder.stat(name)
    if found is None:
        return None
    if stat.S_ISLNK(found.st_mode) or _is_reparse_point(found):
        raise GitmemError(
            f"{rel} is a link, and gitmem does not follow links",
            hint="replace it by a file",
            place=rel,
            code="link-in-path",
        )
    if not stat.S_ISREG(found.st_mode):
        raise GitmemError(f"{rel} is not a regular file", hint="move it away", place=rel, code="not-a-file")
    return found


def _fill(folder: _Folder, temporary: str, content: bytes, before: os.stat_result | None) -> None:
    mode = 0o666 if before is None else stat.S_IMODE(before.st_mode)
    handle = folder.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        if before is not None and _HAS_MODES:
            os.chmod(handle, mode)
        disk.write_all(handle, content)
        disk.sync(handle)
    finally:
        os.close(handle)


def _publish(folder: _Folder, names: tuple[str, str, str], expected: Expected) -> None:
    """Puts the filled temporary file in place if the old content is what the writer expects."""
    temporary, name, rel = names
    _compare(folder, name, rel, expected)
    if expected is None:
        try:
            # Unlike a rename, a hard link never replaces what somebody made in between.
            os.link(folder.at(temporary), folder.at(name), src_dir_fd=folder.handle, dst_dir_fd=folder.handle)
        except FileExistsError as err:
            raise _stale(rel, None, _read(folder, name, rel, FILE_MAX_BYTES)) from err
        except OSError as err:
            if err.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
                raise
        else:
            return
    disk.replace(folder.at(temporary), folder.at(name), folder=folder.handle)


def _compare(folder: _Folder | None, name: str, rel: str, expected: Expected) -> None:
    if isinstance(expected, Anything):
        return
    limit = FILE_MAX_BYTES if expected is None else max(len(expected), FILE_MAX_BYTES)
    found = None if folder is None else _read(folder, name, rel, limit)
    if found != expected:
        raise _stale(rel, expected, found)


def _stale(rel: str, expected: Expected, found: bytes | None) -> StaleError:
    return StaleError(rel, None if isinstance(expected, Anything) else expected, found)


def _read(folder: _Folder, name: str, rel: str, limit_bytes: int) -> bytes | None:
    """At most one byte more than the limit, so that the caller can see that there is more."""
    if _regular(folder, name, rel) is None:
        return None
    try:
        handle = folder.open(name, os.O_RDONLY)
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read(limit_bytes + 1)
