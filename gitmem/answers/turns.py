"""Notes what became of the files that an agent touched in one turn. Refuses to read a transcript, or to guess files.

A turn is reverted when every file is again as it was at the commit that the turn began at, else it is kept; that it
failed only the host can say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from gitmem.answers.observe import ObserveCall, observe
from gitmem.answers.session import Session
from gitmem.model.observation import KEPT, OUTCOMES, REVERTED, SESSION_NOTE
from gitmem.record import record
from gitmem.store.objects import look_up, read_blobs
from gitmem.store.regular import read_at_most
from gitmem.store.repo import FOLDER, Repo

_READ_MAX = 1 << 20


@record
class Turn:
    """``head`` is the commit at which it began, '' where nobody looked; ``files`` are paths as the host has them."""

    session: str
    head: str
    files: tuple[str, ...]
    outcome: str = ""


def noted(session: Session, turn: Turn) -> str:
    """The id of the observation; '' where no file of this repository was touched."""
    repo = session.place.repo
    rels = sorted(dict.fromkeys(_inside(repo, turn.files)))
    if repo.root is None or not rels:
        return ""
    outcome = turn.outcome if turn.outcome in OUTCOMES else _outcome(repo, repo.root, turn.head or "HEAD", rels)
    data = json.dumps({"files": rels, "outcome": outcome})
    return observe(session, ObserveCall(SESSION_NOTE, data=data, agent_session=turn.session)).observation


def _inside(repo: Repo, names: Sequence[str]) -> Iterator[str]:
    """Paths from the root of the work tree; what lies elsewhere, and knowledge, is no part of the note."""
    if repo.root is None:
        return
    root = repo.root.resolve()
    for name in names:
        path = root / name
        # The last name may be a link of the repository; the folders above may be links to the repository.
        rel = _relative(path.parent.resolve() / path.name, root)
        if rel and rel.isprintable() and rel.partition("/")[0] not in (FOLDER, ".git"):
            yield rel


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) and path != root else ""


def _outcome(repo: Repo, root: Path, head: str, rels: Sequence[str]) -> str:
    found = look_up(repo, [f"{head}:{rel}" for rel in rels])
    small = sorted({row[0] for row in found if row and row[1] == "blob" and row[2] <= _READ_MAX})
    before = dict(read_blobs(repo, small))
    was = [before.get(row[0], b"") if row else None for row in found]
    is_same = all(_lf(_now(root / rel)) == _lf(old) for rel, old in zip(rels, was, strict=True))
    return REVERTED if is_same else KEPT


def _now(path: Path) -> bytes | None:
    try:
        return read_at_most(path, _READ_MAX + 1)
    except OSError:
        return None


def _lf(data: bytes | None) -> bytes | None:
    """Line ends that Git converts are no difference."""
    return None if data is None else data.replace(b"\r\n", b"\n")
