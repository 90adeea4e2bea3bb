"""Opens what is a file and nothing else. Refuses links, pipes and devices, which a repository may put in its place."""

import errno
import os
import stat
from pathlib import Path

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
BINARY = getattr(os, "O_BINARY", 0)
# A pipe must not make an open wait for its other end.
_READ = os.O_RDONLY | BINARY | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0)


def open_to_read(path: Path) -> int:
    """A descriptor; ``OSError`` for whatever is no regular file. Folders above it may be links."""
    handle = os.open(path, _READ)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise FileExistsError(errno.EEXIST, "not a regular file", str(path))


def read_at_most(path: Path, limit_bytes: int, start: int = 0) -> bytes:
    """The first ``limit_bytes`` of the file from ``start`` on."""
    with os.fdopen(open_to_read(path), "rb") as file:
        if start:
            file.seek(start)
        # A reader makes room for as much as it is asked for, whatever the file holds.
        return file.read(min(limit_bytes, os.fstat(file.fileno()).st_size + 1))
