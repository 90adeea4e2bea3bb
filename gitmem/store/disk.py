"""Bytes that are on the disk when a call returns, and what a system's refusal means. Refuses to know Git."""

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gitmem.errors import GitmemError

if sys.platform != "win32":
    import fcntl

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
BINARY = getattr(os, "O_BINARY", 0)
FOLDER_ONLY = getattr(os, "O_DIRECTORY", 0)
# A pipe that somebody put in a file's place must not make an open wait for its other end.
NO_WAIT = getattr(os, "O_NONBLOCK", 0)

_REPLACE_TRIES = 8
_FIRST_PAUSE_S = 0.005
_REASONS = {
    errno.ENOSPC: ("disk-full", "the disk is full", "free some space and try again"),
    errno.EDQUOT: ("disk-full", "the disk quota is used up", "free some space and try again"),
    errno.EROFS: ("read-only", "the file system is read-only", "mount it writable, or work in a clone elsewhere"),
    errno.EACCES: ("no-permission", "permission denied", "check the owner and the mode of the file and its folder"),
    errno.EPERM: ("no-permission", "not permitted", "check the owner and the mode of the file and its folder"),
    errno.ENAMETOOLONG: ("name-too-long", "the name is too long for this file system", "use a shorter name"),
    errno.ELOOP: ("link-in-path", "there is a link where a file or folder belongs", "remove the link"),
    errno.ENOTDIR: ("link-in-path", "a link or a file stands where a folder belongs", "move it away"),
}


def refusal(err: OSError, place: str) -> GitmemError:
    """The error for people behind ``err``: it names ``place`` and how to mend it."""
    usual = ("disk-error", (err.strerror or type(err).__name__).lower(), "")
    code, reason, hint = _REASONS.get(err.errno or 0, usual)
    return GitmemError(f"cannot read or write {place}: {reason}", hint=hint, place=place, code=code)


@contextmanager
def naming(place: Path | str) -> Iterator[None]:
    """Turns the system's refusals inside into errors that name ``place``."""
    try:
        yield
    except OSError as err:
        raise refusal(err, str(place)) from err


def write_all(handle: int, content: bytes) -> None:
    """One ``write`` may take a part only, above all when the disk fills up."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(handle, rest) :]


def sync(handle: int) -> None:
    """On macOS a plain fsync leaves the bytes in the drive's own cache."""
    if sys.platform == "darwin":
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    else:
        os.fsync(handle)


def sync_file(path: Path) -> None:
    # Windows syncs only what is open for writing, and a loose object is not.
    if sys.platform == "win32":
        return
    handle = os.open(path, os.O_RDONLY | NO_FOLLOW | NO_WAIT)
    try:
        sync(handle)
    finally:
        os.close(handle)


def sync_folder(path: Path) -> None:
    """Makes names in ``path`` durable; Windows has no such call."""
    if sys.platform == "win32":
        return
    handle = os.open(path, os.O_RDONLY | FOLDER_ONLY)
    try:
        sync_folder_handle(handle)
    finally:
        os.close(handle)


def sync_folder_handle(handle: int) -> None:
    try:
        sync(handle)
    except OSError as err:
        # Some network file systems have no fsync for folders; there is nothing else to ask for.
        if err.errno != errno.EINVAL:
            raise


def make_folders(path: Path) -> list[Path]:
    """Makes ``path`` and its parents, each durable in its own parent; returns those that were missing."""
    if path.is_dir():
        return []
    made = make_folders(path.parent)
    with suppress(FileExistsError):
        os.mkdir(path)
    # Where somebody has removed it again, this is FileNotFoundError, and the caller may have another try.
    if not stat.S_ISDIR(os.stat(path).st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
    sync_folder(path.parent)
    return [*made, path]


def private_folder(path: Path) -> Path:
    """Makes a folder that only its owner may open; a link in its place is refused."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)
        mode = os.lstat(path).st_mode
        sync_folder(path.parent)
    if not stat.S_ISDIR(mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return path


def replace(old: Path | str, new: Path | str, *, folder: int | None = None, new_folder: int | None = None) -> None:
    """Renames over ``new``; tried again while a reader or a sync client holds it, as happens on Windows."""
    for attempt in range(_REPLACE_TRIES):
        try:
            os.replace(old, new, src_dir_fd=folder, dst_dir_fd=folder if new_folder is None else new_folder)
        except PermissionError:
            if attempt == _REPLACE_TRIES - 1:
                raise
            time.sleep(_FIRST_PAUSE_S * 2**attempt)
        else:
            return


def new_file(path: Path, content: bytes, mode: int) -> None:
    """Writes and syncs a file that must not exist yet; what a failure leaves is removed."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY, mode)
    try:
        write_all(handle, content)
        sync(handle)
    except OSError:
        with suppress(OSError):
            os.unlink(path)
        raise
    finally:
        os.close(handle)


def put(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Gives ``path`` new content, whole or not at all, durable on return."""
    temporary = path.with_name(f".{path.name}-{os.urandom(8).hex()}")
    new_file(temporary, content, mode)
    try:
        replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    sync_folder(path.parent)
