"""Brings the facts of a tree up to date and opens its atlas. Refuses to read a blob twice, on any branch.

What is kept: packs of facts by blob, and an atlas for each of the last trees. A tree that differs in few files from one
that has an atlas gets that one, with the few over it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from threading import RLock

from gitmem.code import atlas
from gitmem.code.atlas import Atlas, Loose, Source
from gitmem.code.packs import Packs
from gitmem.code.prefetch import Ready
from gitmem.code.tables import Head
from gitmem.code.version import version
from gitmem.index import segments
from gitmem.index.segments import DamagedError, Segments
from gitmem.lazy import load
from gitmem.record import field, record, state
from gitmem.store import cache as caches
from gitmem.store import codetree
from gitmem.store.cache import Cache
from gitmem.store.codetree import CodeTree, Held
from gitmem.store.repo import Repo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.code.past import Told
    from gitmem.code.workers import Workers

# So many files over a base cost a question more than a base of their own.
LOOSE_MOST = 200
PREFIX, SUFFIX = "code-atlas-", ".seg"
Base = tuple[Segments, Head]
Files = tuple[Sequence[str], Sequence[str]]


@record
class Counted:
    """``files`` is how many the tree has that are read, ``parsed`` how many were read now; ``pending`` were left for
    the next time."""

    files: int
    parsed: int
    reused: int
    pending: int = 0


@record
class Limits:
    """``goes_on`` is asked before each batch whether there is time for it."""

    max_files: int
    goes_on: Callable[[], bool]
    tell: Callable[[str], None]


@state
class Shelf:
    """What a process keeps from call to call: the packs, the workers unless it answers once, the last atlas with what
    it was made of."""

    repo: Repo
    cache: Cache
    packs: Packs
    held: list[Workers] = field(default_factory=list)
    answers_once: bool = False
    last: Atlas | None = None
    last_key: tuple[object, ...] = ()
    last_count: Counted | None = None
    told: dict[str, Told | None] = field(default_factory=dict)
    ready: Ready = field(default_factory=Ready)
    lock: RLock = field(default_factory=RLock)

    @property
    def workers(self) -> Workers:
        """The processes that read, started when there is something to read."""
        if not self.held:
            self.held.append(load("gitmem.code.workers:Workers")())
        return self.held[0]

    def rest(self) -> None:
        """After something was read."""
        if self.answers_once:
            self.close()

    def close(self) -> None:
        for workers in self.held:
            workers.close()


def open_shelf(repo: Repo, cache: Cache) -> Shelf:
    return Shelf(repo, cache, Packs(cache, version()))


def opened(shelf: Shelf, tree: CodeTree, limits: Limits) -> tuple[Atlas, Counted]:
    """The atlas of a tree, and what was read to make it."""
    key = (tree.tree, tuple((each.path, each.oid) for each in tree.changed), limits.max_files)
    with shelf.lock:
        if shelf.last is not None and shelf.last_key == key and shelf.last_count and not shelf.last_count.pending:
            return shelf.last, Counted(shelf.last_count.files, 0, shelf.last_count.files)
        found, counted = _opened(shelf, tree, limits)
        shelf.rest()
        shelf.last, shelf.last_key, shelf.last_count = found, key, counted
    return found, counted


def _opened(shelf: Shelf, tree: CodeTree, limits: Limits) -> tuple[Atlas, Counted]:
    held = codetree.held_of(tree)
    name = name_of(identity(tree), limits.max_files)
    base = open_base(shelf, name)
    if base is not None:
        files = atlas.files_of(base[0])
        return atlas_of(shelf, base, files, Loose(len(files[0])), held), Counted(len(files[0]), 0, len(files[0]))
    made: tuple[Atlas, Counted] = load("gitmem.code.building:built")(shelf, tree, held, limits)
    return made


def identity(tree: CodeTree) -> str:
    """The tree itself, or where files differ from it a name of both."""
    if not tree.changed:
        return tree.tree
    text = "\0".join([tree.tree, *(f"{each.oid} {each.path}" for each in tree.changed)])
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=20).hexdigest()


def name_of(tree: str, max_files: int) -> str:
    return f"{PREFIX}{version()}-{tree[:40]}-{max_files}{SUFFIX}"


def open_base(shelf: Shelf, name: str) -> Base | None:
    parts = segments.open_file(shelf.cache, name)
    try:
        head = atlas.head_of(parts) if parts else None
        atlas.files_of(parts) if parts else None
    except DamagedError:
        caches.remove(shelf.cache, name)
        return None
    return (parts, head) if parts and head else None


def atlas_of(
    shelf: Shelf,
    base: Base,
    files: Files,
    loose: Loose,
    held: Held,
) -> Atlas:
    parts, head = base

    def texts(oids: Sequence[str]) -> Mapping[str, bytes]:
        return {oid: data for oid, data in codetree.contents(shelf.repo, oids, held) if data is not None}

    def again() -> Segments:
        made: Segments = load("gitmem.code.building:again")(shelf, parts, head)
        shelf.rest()
        return made

    def facts(path: str, oid: str) -> None:
        load("gitmem.code.building:brought_up")(shelf, {path: oid}, held, None)
        shelf.rest()

    return Atlas(head, parts, shelf.packs, loose, *files, Source(texts, again, facts))
