"""Refs: their names, their values, the durable compare-and-swap. Refuses names that Git refuses.

dulwich 1.2 takes None for "whatever it was" in ``set_if_equals``, leaves its ``<ref>.lock`` when it is killed, syncs no
folder, and takes a ref that it may not read for one that is absent. So gitmem's own refs are written here; branches,
where reflogs and symbolic refs matter, by Git.
"""

import errno
import os
import re
import time
from contextlib import suppress
from pathlib import Path

from dulwich.file import adjust_shared_perm

from gitmem.errors import GitmemError
from gitmem.record import record
from gitmem.store import disk, git
from gitmem.store.gitloose import DURABLE, make_shared_folders
from gitmem.store.gitstorage import Storage, storage_of
from gitmem.store.lock import LockBusyError, held
from gitmem.store.repo import Repo
from gitmem.store.stale import set_aside

# Names that only gitmem gives: no case or Unicode games, short enough for every file system.
_OURS = re.compile(r"refs/gitmem(-remotes)?(/[A-Za-z0-9][A-Za-z0-9._-]*)+")
_OURS_LONGEST = 180
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//")
_HEX = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_MARKS = "ref-locks"
_WAIT_S = 1.0
_PAUSE_S = 0.01


HEAD = "HEAD"


class RefNameError(GitmemError):
    code = "bad-ref-name"


def is_ref_name(name: str) -> bool:
    """The verdict of ``git check-ref-format``."""
    parts = name.split("/")
    if len(parts) < 2 or name.endswith(".") or _FORBIDDEN.search(name):
        return False
    return not any(not part or part.startswith(".") or part.endswith(".lock") for part in parts)


def check_ref(name: str) -> str:
    """Returns ``name`` when it is the full name of a ref below ``refs/``."""
    if name.startswith("refs/") and name.count("/") >= 2 and is_ref_name(name):
        return name
    raise RefNameError(f"not the full name of a ref: {name[:200]!r}", hint="for example: refs/heads/main")


def read_ref(repo: Repo, ref: str) -> str | None:
    """The object id that ``ref`` points at, None for no such ref; HEAD is that of the worktree of ``repo``."""
    _ = ref == HEAD or check_ref(ref)
    if _is_ours(ref) and storage_of(repo).is_plain:
        with disk.naming(repo.common_dir / ref):
            return _value(repo, ref)
    return _value_by_git(repo, ref)


def swap_ref(repo: Repo, ref: str, old: str | None, new: str, *, reason: str = "gitmem") -> bool:
    """Moves ``ref`` from ``old`` (None: it must not exist) to ``new``, durable on return. False: it was not at ``old``.

    Takes the writer's lock if the caller has not. ``reason`` is for the reflog. HEAD moves only while on no branch.
    """
    _ = ref == HEAD or check_ref(ref)
    storage = storage_of(repo)
    with held(repo):
        if _is_ours(ref) and storage.is_plain:
            with disk.naming(repo.common_dir / ref):
                return _Swap(repo, ref, storage).move(old, new)
        return _swap_by_git(repo, ref, (old, new), reason)


def drop_ref(repo: Repo, ref: str, old: str) -> bool:
    """Removes ``ref`` if it is at ``old``. False: it was not. What it held must be held by another ref before."""
    check_ref(ref)
    feed = f"delete {ref}\0{old}\0".encode("utf-8", "surrogateescape")
    with held(repo):
        _clear_marks(repo)
        done = git.attempt(repo.where, ("update-ref", "--no-deref", "-z", "--stdin"), git.Call(stdin=feed))
        if done.code == 0:
            return True
        if _value_by_git(repo, ref) == old:
            git.run(repo.where, ("update-ref", "--no-deref", "-z", "--stdin"), git.Call(stdin=feed))
            return True
    return False


def _is_ours(ref: str) -> bool:
    return len(ref) <= _OURS_LONGEST and _OURS.fullmatch(ref) is not None


def _value(repo: Repo, ref: str) -> str | None:
    path = repo.common_dir / ref
    try:
        text = path.read_bytes().decode("ascii", "replace").strip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return _packed(repo, ref)
    if not _HEX.fullmatch(text):
        raise GitmemError(
            f"the ref {ref} holds no object id",
            hint=f"remove it: git update-ref -d {ref}",
            place=str(path),
            code="broken-ref",
        )
    return text


def _packed(repo: Repo, ref: str) -> str | None:
    found = re.search(rb"^([0-9a-f]{40}) %s$" % re.escape(ref.encode()), _packed_refs(repo), re.MULTILINE)
    return found[1].decode() if found else None


def _packed_refs(repo: Repo) -> bytes:
    try:
        return (repo.common_dir / "packed-refs").read_bytes()
    except FileNotFoundError:
        return b""


@record
class _Swap:
    """The move of one of our own refs, a loose file.

    ``mark`` is the file that becomes the ref. Git's lock is made as a second name of it, so whoever finds such a lock
    later can tell whose it was.
    """

    repo: Repo
    ref: str
    storage: Storage

    @property
    def path(self) -> Path:
        return self.repo.common_dir / self.ref

    @property
    def lock(self) -> Path:
        return self.path.with_name(f"{self.path.name}.lock")

    @property
    def mark(self) -> Path:
        return self.repo.private_dir / _MARKS / self.ref.replace("/", "%")

    def move(self, old: str | None, new: str) -> bool:
        _clear_marks(self.repo)
        self.make_room()
        disk.private_folder(disk.private_folder(self.repo.private_dir) / _MARKS)
        disk.new_file(self.mark, new.encode() + b"\n", 0o666)
        try:
            adjust_shared_perm(self.mark, self.storage.shared)
            is_moved = self.move_locked(old)
        finally:
            with suppress(OSError):
                os.unlink(self.mark)
        return is_moved

    def move_locked(self, old: str | None) -> bool:
        self.take_lock()
        is_moved = False
        try:
            if _value(self.repo, self.ref) == old:
                disk.replace(self.lock, self.path)
                is_moved = True
        finally:
            # After the rename a lock of that name is somebody else's.
            if not is_moved:
                with suppress(FileNotFoundError):
                    os.unlink(self.lock)
        # Git may have packed the ref, which it does durably, and removed the folder.
        with suppress(FileNotFoundError):
            disk.sync_folder(self.path.parent)
        return is_moved

    def take_lock(self) -> None:
        end = time.monotonic() + _WAIT_S
        while not _link(self.mark, self.lock):
            with suppress(FileNotFoundError):
                make_shared_folders(self.lock.parent, self.storage)
            _wait_for(self.repo, self.lock, end)

    def make_room(self) -> None:
        """``a`` and ``a/b`` cannot both be refs."""
        packed = _packed_refs(self.repo)
        parents = [self.ref[:at] for at, c in enumerate(self.ref) if c == "/"]
        if b" %s/" % self.ref.encode() in packed or any(b" %s\n" % name.encode() in packed for name in parents):
            raise _taken(self.ref)
        try:
            with suppress(FileNotFoundError):
                make_shared_folders(self.path.parent, self.storage)
        except NotADirectoryError as err:
            raise _taken(self.ref) from err
        if self.path.is_dir():
            _remove_empty(self.path, self.ref)


def _clear_marks(repo: Repo) -> None:
    """Under the writer's lock every mark is a dead writer's. A ref lock that is the same file as its mark is too."""
    marks = repo.private_dir / _MARKS
    if not marks.is_dir():
        return
    for mark in sorted(marks.iterdir()):
        lock = repo.common_dir / (mark.name.replace("%", "/") + ".lock")
        with suppress(FileNotFoundError, NotADirectoryError):
            if os.path.samestat(os.lstat(lock), os.lstat(mark)):
                os.unlink(lock)
        os.unlink(mark)


def _link(mark: Path, lock: Path) -> bool:
    try:
        os.link(mark, lock)
    except (FileExistsError, FileNotFoundError):
        # Git has the lock, or has just removed the empty folder.
        return False
    except OSError as err:
        if err.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV):
            raise
        return _copy(mark, lock)
    return True


def _copy(mark: Path, lock: Path) -> bool:
    """Where the file system has no second names. A lock that is left behind then waits until it is old."""
    try:
        disk.new_file(lock, mark.read_bytes(), 0o666)
    except FileExistsError:
        return False
    return True


def _wait_for(repo: Repo, lock: Path, end: float) -> None:
    """Waits a moment for Git to let go of ``lock``; an old one that nobody has open is put aside."""
    if set_aside(repo, lock):
        return
    if time.monotonic() >= end:
        raise LockBusyError(
            f"another Git process holds {lock.name}",
            hint=f"let it end; if none is running, remove {lock}",
            place=str(lock),
        )
    time.sleep(_PAUSE_S * (1 + os.urandom(1)[0] / 64))


def _remove_empty(folder: Path, ref: str) -> None:
    for below, _, _ in os.walk(folder, topdown=False):
        try:
            os.rmdir(below)
        except OSError as err:
            raise _taken(ref) from err


def _taken(ref: str) -> GitmemError:
    return GitmemError(
        f"{ref} cannot be made: another ref has its name as a folder, or is one of its folders",
        hint="see: git for-each-ref",
        place=ref,
        code="ref-taken",
    )


def _value_by_git(repo: Repo, ref: str) -> str | None:
    done = git.attempt(repo.where, ("rev-parse", "--verify", "--quiet", "--end-of-options", ref))
    return done.lines()[-1] if done.code == 0 else None


def _swap_by_git(repo: Repo, ref: str, values: tuple[str | None, str], reason: str) -> bool:
    old, new = values
    lock = repo.common_dir / f"{ref}.lock"
    absent = "0" * len(new)
    # A worktree on no branch moves itself; one that is on a branch again meanwhile must not move that.
    option = "option no-deref\0" if ref == HEAD else ""
    feed = f"{option}update {ref}\0{new}\0{old or absent}\0".encode("utf-8", "surrogateescape")
    command, call = ("update-ref", "-m", reason, "-z", "--stdin"), git.Call(stdin=feed, settings=DURABLE)
    end = time.monotonic() + _WAIT_S
    while git.attempt(repo.where, command, call).code:
        found = _value_by_git(repo, ref)
        if found == new:
            break
        if found != old:
            return False
        if not lock.exists():
            # Nobody is in the way any more: what Git says now is the reason.
            git.run(repo.where, command, call)
            break
        _wait_for(repo, lock, end)
    _sync_ref(repo, ref)
    return True


def _sync_ref(repo: Repo, ref: str) -> None:
    """A folder is synced from the ref up to ``refs``: Git may have made each of them."""
    path = repo.common_dir / ref
    with disk.naming(path), suppress(FileNotFoundError):
        if path.is_file():
            disk.sync_file(path)
            for folder in path.parents:
                if folder == repo.common_dir:
                    break
                disk.sync_folder(folder)
        elif (repo.common_dir / "reftable").is_dir():
            disk.sync_folder(repo.common_dir / "reftable")
