"""The code of a revision or of the work tree, indexed as far as is needed. Refuses a home folder and a whole drive."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from gitmem.answers.reading import Place, check_ours
from gitmem.answers.session import Session
from gitmem.code import indexing
from gitmem.code.atlas import Atlas
from gitmem.code.indexing import Counted, Limits, Shelf
from gitmem.code.order import CEILING
from gitmem.errors import GitmemError, UsageError
from gitmem.model.finding import Notice
from gitmem.record import record
from gitmem.store import codetree
from gitmem.store.codetree import CodeTree

# A question waits so long for files that were never read; then it answers from what there is, and says so.
_WAIT_SECONDS = 6.0
READY, PARTIAL = "ready", "partial"
_NAMED = 5


@record
class Graph:
    """``tree`` is what the atlas is of; ``state`` is ready, or partial while files wait to be read."""

    atlas: Atlas
    tree: CodeTree
    counted: Counted
    state: str
    notices: tuple[Notice, ...]


def graph(session: Session, at: str = "", max_files: int = 0) -> Graph:
    """The work tree as it lies there, or the code of a revision; what is missing is read within a few seconds."""
    started = time.monotonic()
    return read(session, at, max_files, lambda: time.monotonic() - started < _WAIT_SECONDS)


def read(session: Session, at: str, max_files: int, goes_on: Callable[[], bool]) -> Graph:
    """As ``graph``, for as long as ``goes_on`` says."""
    place = session.place
    check_ours(place.repo)
    _check_root(place, session.home)
    most = _most(max_files or session.max_files)
    tree = codetree.at_revision(place.repo, at) if at else codetree.in_worktree(place.repo)
    shelf = shelf_of(place)
    shelf.answers_once = session.surface == "cli"
    atlas, counted = indexing.opened(shelf, tree, Limits(most, goes_on, session.tell))
    state = PARTIAL if counted.pending else READY
    return Graph(atlas, tree, counted, state, tuple(_notices(atlas, counted)))


def shelf_of(place: Place) -> Shelf:
    if not place.code:
        place.code.append(indexing.open_shelf(place.repo, place.cache))
    return place.code[0]


def _check_root(place: Place, home: str) -> None:
    root = place.repo.root
    if root is None:
        return
    if root == Path(root.anchor) or (home and root == Path(os.path.realpath(home))):
        raise GitmemError(
            "this repository is a home folder or a whole drive, and its code is not indexed",
            place=str(root),
            hint="work in a repository below it: git init a project folder of its own",
            code="unsafe-root",
        )


def _most(asked: int) -> int:
    if not 0 <= asked <= CEILING:
        raise UsageError(f"max-files must be from 1 to {CEILING}, not {asked}", hint="leave it out for all of them")
    return asked or CEILING


def _notices(atlas: Atlas, counted: Counted) -> list[Notice]:
    found = []
    if counted.pending:
        text = f"{counted.pending} files are not read yet: this answer is from the {counted.files} that are"
        found.append(Notice("index-partial", f"{text}; gitmem index reads the rest"))
    if atlas.omitted:
        found.append(Notice("files-omitted", f"{atlas.omitted} files are over the limit of files and left out"))
    skipped = atlas.skipped
    if skipped:
        named = ", ".join(f"{path} ({why})" for path, why in skipped[:_NAMED])
        more = f" and {len(skipped) - _NAMED} more" if len(skipped) > _NAMED else ""
        found.append(Notice("files-skipped", f"not read: {named}{more}"))
    return found
