"""Disposable files under a keyed hash, shared by worktrees. Refuses a file that somebody else could have written."""

import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from gitmem.record import record
from gitmem.store.regular import BINARY, NO_FOLLOW, read_at_most
from gitmem.store.repo import FOLDER, Repo

MAC_BYTES = 16
_KEY_BYTES = 32
# No cache file of ours comes near it.
_LARGEST_BYTES = 1 << 30


@record
class Cache:
    """A folder that may vanish at any time. ``folder`` is None where nothing can be kept; ``note`` says why."""

    folder: Path | None
    key: bytes
    note: str = ""

    def mac(self, *parts: bytes) -> bytes:
        digest = hashlib.blake2b(digest_size=MAC_BYTES, key=self.key)
        for part in parts:
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
        return digest.digest()


def open_cache(repo: Repo, *, is_tracked: bool) -> Cache:
    """The cache of the main worktree, else that of the common folder.

    ``is_tracked``: Git tracks something under cache/.
    """
    try:
        key = _key(repo.private_dir)
    except OSError as err:
        return Cache(None, os.urandom(_KEY_BYTES), f"no cache: {err.filename or repo.private_dir}: {err.strerror}")
    folder = repo.private_dir / "cache"
    beside = None if is_tracked else _beside_knowledge(repo)
    try:
        _prepare(beside or folder)
    except OSError as err:
        return Cache(None, key, f"no cache: {err.filename or folder}: {err.strerror}")
    return Cache(beside or folder, key)


def _beside_knowledge(repo: Repo) -> Path | None:
    """``.gitmem/cache`` of the main worktree, unless it is a link, missing, or not writable."""
    if repo.root is not None and repo.git_dir == repo.common_dir:
        main = repo.root
    elif repo.common_dir.name == ".git":
        main = repo.common_dir.parent
    else:
        return None
    home = main / FOLDER
    for path in (home, home / "cache"):
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            if path == home:
                return None
            break
        except OSError:
            return None
        if not stat.S_ISDIR(mode):
            return None
    is_ours = (home / "config.yaml").is_file() or (home / "engrams").is_dir()
    return home / "cache" if is_ours and os.access(home, os.W_OK) else None


def _prepare(folder: Path, *, with_parents: bool = True) -> None:
    """Makes the folder; its ignore file comes before anything else is in it."""
    ignore = folder / ".gitignore"
    if ignore.exists():
        return
    folder.mkdir(parents=with_parents, exist_ok=True)
    handle = os.open(ignore, os.O_WRONLY | os.O_CREAT | NO_FOLLOW, 0o644)
    with os.fdopen(handle, "wb") as file:
        file.write(b"*\n")


def _key(private: Path) -> bytes:
    path = private / "cache-key"
    try:
        found = read_at_most(path, _KEY_BYTES + 1)
    except FileNotFoundError:
        found = b""
    if len(found) == _KEY_BYTES:
        return found
    private.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = os.urandom(_KEY_BYTES)
    temporary = private / f".cache-key-{os.urandom(6).hex()}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(fresh)
    try:
        os.link(temporary, path)
    except FileExistsError:
        os.replace(temporary, path) if len(path.read_bytes()) != _KEY_BYTES else None
    except OSError:
        os.replace(temporary, path)
    temporary.unlink(missing_ok=True)
    return path.read_bytes()


def load(cache: Cache, name: str) -> bytes | None:
    """The content of a cache file, or None when it is missing, unreadable or not ours."""
    if cache.folder is None:
        return None
    try:
        data = read_at_most(cache.folder / name, _LARGEST_BYTES)
    except OSError:
        return None
    if len(data) < MAC_BYTES:
        return None
    content = data[MAC_BYTES:]
    return content if cache.mac(name.encode(), content) == data[:MAC_BYTES] else None


def save(cache: Cache, name: str, content: bytes) -> str:
    """Keeps ``content`` under ``name``, whole or not at all; returns why it could not, or ''."""
    return write(cache, name, (cache.mac(name.encode(), content), content))


def write(cache: Cache, name: str, pieces: Iterable[bytes]) -> str:
    """Puts raw bytes, one piece after the other, in place by rename; returns why it could not, or ''.

    A folder that somebody removed meanwhile is made again, so that nothing of it is ever seen by Git.
    """
    if cache.folder is None:
        return cache.note
    temporary = cache.folder / f".{name}-{os.urandom(6).hex()}.tmp"
    try:
        _prepare(cache.folder, with_parents=False)
        _write_then_rename(temporary, cache.folder / name, pieces)
    except OSError as err:
        _discard(temporary)
        return f"cache not written: {cache.folder / name}: {err.strerror}"
    return ""


def _write_then_rename(temporary: Path, path: Path, pieces: Iterable[bytes]) -> None:
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | NO_FOLLOW, 0o644)
    with os.fdopen(handle, "wb") as file:
        file.writelines(pieces)
    os.replace(temporary, path)


def _discard(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


def by_age(cache: Cache, prefix: str, suffix: str) -> list[str]:
    """Names of cache files, newest first."""
    if cache.folder is None:
        return []
    rows = []
    try:
        with os.scandir(cache.folder) as found:
            rows = [
                (e.stat().st_mtime_ns, e.name) for e in found if e.name.startswith(prefix) and e.name.endswith(suffix)
            ]
    except OSError:
        return []
    return [name for _, name in sorted(rows, reverse=True)]


def drop_oldest(cache: Cache, prefix: str, suffix: str, kept: int) -> None:
    """Removes all but the ``kept`` newest files of a kind."""
    for name in by_age(cache, prefix, suffix)[kept:]:
        if not remove(cache, name):
            return


def remove(cache: Cache, name: str) -> bool:
    """Whether a cache file was there and is gone now."""
    if cache.folder is None:
        return False
    try:
        os.unlink(f"{cache.folder}/{name}")
    except OSError:
        return False
    return True


def tag_of(repo: Repo) -> str:
    """A short name for one worktree, for what is kept apart from the others."""
    return hashlib.blake2b(str(repo.git_dir).encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
