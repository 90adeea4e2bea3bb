"""How the index of the code stands against HEAD, without building it. Refuses to read a source for it."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterator, Mapping

from gitmem import __version__
from gitmem.answers.coding import shelf_of
from gitmem.answers.reading import Place
from gitmem.answers.session import Session
from gitmem.code import extract, indexing, languages, packs
from gitmem.code.extract import BINARY, NOT_UTF8, TOO_LARGE
from gitmem.code.indexing import Shelf
from gitmem.code.order import CEILING
from gitmem.code.tables import Head
from gitmem.model.finding import Finding, Severity
from gitmem.model.health import BEHIND, FRESH, NONE, IndexHealth
from gitmem.store import cache as caches
from gitmem.store import codetree, objects
from gitmem.store.git import GitError

_ENDINGS_MOST = 16
_NAMED = 10
# A file may be so and be none the worse for it.
_HARMLESS = (BINARY, NOT_UTF8, TOO_LARGE)


def health(session: Session) -> IndexHealth | None:
    """None before the first commit, and where Git cannot list the files."""
    place = session.place
    try:
        if objects.look_up(place.repo, ["HEAD^{commit}"])[0] is None:
            return None
        tree = codetree.at_revision(place.repo, "HEAD")
        listed = codetree.listed(place.repo, tree)
        changed = len(codetree.in_worktree(place.repo).changed)
    except GitError:
        return None
    shelf = shelf_of(place)
    read = {path: oid for path, oid in listed.items() if languages.row_of(path)}
    head = _head(shelf, tree.tree, session.max_files or CEILING)
    keys = {packs.key_of(oid, row.name) for path, oid in read.items() if (row := languages.row_of(path))}
    named = {row.name for path in read if (row := languages.row_of(path))}
    return IndexHealth(
        system=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        gitmem=__version__,
        root=str(place.repo.where),
        commit=tree.commit,
        state=FRESH if head else BEHIND if _others(place) else NONE,
        files=len(read),
        changed=changed,
        omitted=head.omitted if head else max(0, len(read) - (session.max_files or CEILING)),
        kept=sum(map(shelf.packs.has, keys)),
        skipped=_most(Counter(why for _, why in head.skipped)) if head else {},
        unread=_most(Counter(_ending(path) for path in listed if path not in read)),
        grammars={name: why for name, why in extract.grammars().items() if why and name in named},
    )


def _head(shelf: Shelf, tree: str, most: int) -> Head | None:
    base = indexing.open_base(shelf, indexing.name_of(tree, most))
    return base[1] if base else None


def _others(place: Place) -> list[str]:
    return caches.by_age(place.cache, indexing.PREFIX, indexing.SUFFIX)


def _most(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:_ENDINGS_MOST])


def _ending(path: str) -> str:
    name = path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return f".{ending.lower()}" if dot and stem and len(ending) <= 12 else name if len(name) <= 24 else "no ending"


def ailments(session: Session) -> Iterator[Finding]:
    """What keeps parts of the code out of answers: grammars, files that no parser gets through, the limit of files."""
    found = health(session)
    if found is None:
        return
    for name, why in found.grammars.items():
        message = f"the grammar of {name} does not load ({why}), so its files are read by line patterns"
        hint = "install gitmem anew, with the grammars of its version"
        yield Finding("grammar-missing", Severity.WARNING, "", 0, message, hint)
    if found.omitted:
        message = f"{found.omitted} files of code are over the limit of files and in no answer"
        yield Finding("files-omitted", Severity.WARNING, "", 0, message, "gitmem index --max-files 50000")
    shelf = shelf_of(session.place)
    tree = codetree.at_revision(session.place.repo, "HEAD").tree
    head = _head(shelf, tree, session.max_files or CEILING)
    failed = [(path, why) for path, why in (head.skipped if head else ()) if why not in _HARMLESS]
    for path, why in failed[:_NAMED]:
        yield Finding("file-unparsed", Severity.WARNING, path, 0, f"it could not be read: {why}", "split or ignore it")
    if len(failed) > _NAMED:
        message = f"{len(failed) - _NAMED} more files could not be read"
        yield Finding("file-unparsed", Severity.WARNING, "", 0, message, "gitmem index lists them all")
