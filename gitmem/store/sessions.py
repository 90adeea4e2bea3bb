"""What was told in a session of an agent host: a small file each, in the private folder. Refuses to name a session in
its file name, and to grow without end.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.model.plain import canonical, plain
from gitmem.record import field, record
from gitmem.store.disk import private_folder, put
from gitmem.store.regular import read_at_most
from gitmem.store.repo import Repo

LOCK = "sessions"
FILES_MOST = 200
_FOLDER = "sessions"
_FORMAT = 1
_BYTES_MAX = 1 << 18
_KEPT = 200


@record
class Memory:
    """``told`` is the digest of each rule that was told, by id; ``count`` how many tellings that were. ``head`` is the
    commit at which the turn began, ``files`` what was touched in it; ``is_cut``: the host has cut off what it
    was told; ``is_retold``: it was told again, and nothing has happened since.
    """

    told: Mapping[str, str] = field(default_factory=dict)
    count: int = 0
    head: str = ""
    files: tuple[str, ...] = ()
    is_cut: bool = False
    is_retold: bool = False


def recall(repo: Repo, session: str) -> Memory:
    """What is kept of a session; nothing where there is none, or where the file is not in a form that is known."""
    try:
        row = json.loads(read_at_most(_path(repo, session), _BYTES_MAX))
    except (FileNotFoundError, ValueError, RecursionError):
        return Memory()
    if not isinstance(row, dict) or row.get("format") != _FORMAT:
        return Memory()
    told, files, count = row.get("told"), row.get("files"), row.get("count")
    return Memory(
        told={k: v for k, v in told.items() if isinstance(v, str)} if isinstance(told, dict) else {},
        count=count if isinstance(count, int) else 0,
        head=row["head"] if isinstance(row.get("head"), str) else "",
        files=tuple(each for each in files if isinstance(each, str)) if isinstance(files, list) else (),
        is_cut=row.get("is_cut") is True,
        is_retold=row.get("is_retold") is True,
    )


def keep(repo: Repo, session: str, memory: Memory) -> None:
    """``OSError`` where it cannot be kept."""
    path = _path(repo, session)
    private_folder(private_folder(repo.private_dir) / _FOLDER)
    is_new = not path.exists()
    row = plain(memory)
    assert isinstance(row, dict)
    put(path, canonical({"format": _FORMAT, **row}))
    if is_new:
        _drop_oldest(path.parent)


def _path(repo: Repo, session: str) -> Path:
    name = hashlib.blake2b(session.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return repo.private_dir / _FOLDER / f"{name}.json"


def _drop_oldest(folder: Path) -> None:
    with os.scandir(folder) as rows:
        found = sorted((row.stat().st_mtime_ns, row.path) for row in rows if row.name.endswith(".json"))
    for _, path in found[:-_KEPT]:
        with suppress(FileNotFoundError):
            os.unlink(path)
