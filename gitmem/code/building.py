"""Reads the blobs of a tree that no pack has, and makes its atlas. Refuses to read a blob twice, on any branch.

A tree that differs in few files from one that has an atlas gets that one, with the few over it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence

from gitmem.code import (
    atlas,
    dependencies,
    extract,
    languages,
    manifests,
    order,
    overlays,
    packs,
    rows,
    slices,
    tables,
    terms,
)
from gitmem.code.atlas import Atlas, Loose
from gitmem.code.indexing import (
    LOOSE_MOST,
    PREFIX,
    SUFFIX,
    Base,
    Counted,
    Limits,
    Shelf,
    atlas_of,
    identity,
    name_of,
    open_base,
)
from gitmem.code.packs import Row
from gitmem.code.tables import NUMBER, Head
from gitmem.code.version import version
from gitmem.code.workers import Asked
from gitmem.index import segments
from gitmem.index.segments import Segments
from gitmem.model.code import Facts
from gitmem.store import cache as caches
from gitmem.store import codetree, objects
from gitmem.store.codetree import MISSING, CodeTree, Held

_ATLASES_KEPT = 6
# Between two portions somebody may look at the clock; a pack of few rows is not worth its file.
_BATCH_FILES = 300
_PACK_FILES = 2_000
_MANIFESTS_MOST = 400
_UNKEPT = "code-atlas"


def built(shelf: Shelf, tree: CodeTree, held: Held, limits: Limits) -> tuple[Atlas, Counted]:
    """An atlas of what is kept with a few files over it, else one of its own."""
    if len(tree.changed) <= LOOSE_MOST:
        near = _near(shelf, tree, limits.max_files)
        if near is not None:
            base, changes = near
            changes = changes | {each.path: each.oid for each in tree.changed}
            if len(changes) <= LOOSE_MOST and _bears(shelf, base, changes, held, limits.max_files):
                return _over(shelf, base, changes, held)
    return _built(shelf, tree, held, limits)


def _near(shelf: Shelf, tree: CodeTree, max_files: int) -> tuple[Base, dict[str, str]] | None:
    """The atlas of the tree that changes lie over, or the newest whose tree differs in few files, and those that do."""
    own = open_base(shelf, name_of(tree.tree, max_files)) if tree.tree else None
    if own or not tree.tree:
        return (own, {}) if own else None
    start = f"{PREFIX}{version()}-"
    for name in caches.by_age(shelf.cache, start, f"-{max_files}{SUFFIX}"):
        other = name.removeprefix(start).partition("-")[0]
        if not objects.look_up_here(shelf.repo, [other])[0]:
            continue
        rows_ = objects.diff_trees(shelf.repo, other, tree.tree)
        if len(rows_) <= LOOSE_MOST and (found := open_base(shelf, name)):
            regular = codetree.regular_changes(rows_)
            return found, regular
    return None


def _bears(shelf: Shelf, base: Base, changes: Mapping[str, str], held: Held, most: int) -> bool:
    """Whether a base with these changes says what one of its own would: as many files, and the same frameworks."""
    parts, head = base
    code = {path: oid for path, oid in changes.items() if languages.row_of(path)}
    known = set(atlas.files_of(parts)[0]) if code else set[str]()
    new = sum(1 for path, oid in code.items() if oid and path not in known)
    gone = sum(1 for path, oid in code.items() if not oid and (head.omitted or path in known))
    if (new or gone) if head.omitted else len(known) + new - gone > most:
        return False
    projects = {path: oid for path, oid in changes.items() if _is_manifest(path)}
    if not projects:
        return True
    now = {path: oid for path, oid in {**dict(head.manifests), **projects}.items() if oid}
    return _frameworks(shelf, now, held) == frozenset(head.frameworks)


def _over(shelf: Shelf, base: Base, changes: Mapping[str, str], held: Held) -> tuple[Atlas, Counted]:
    """A base with files over it."""
    parts, head = base
    paths, oids = atlas.files_of(parts)
    known = dict(zip(paths, range(len(paths)), strict=True)) if changes else {}
    read = {path: oid for path, oid in sorted(changes.items()) if oid and languages.row_of(path)}
    gone = frozenset(known[path] for path in changes if path in known)
    parsed, _ = brought_up(shelf, read, held, None)
    now, asked = [*paths, *read], frozenset(head.frameworks)
    loose_rows = [(len(paths) + at, _row(shelf, path, oid)) for at, (path, oid) in enumerate(read.items())]
    made = slices.sliced(loose_rows, _overlay(now, asked))
    projects = tuple((path, oid) for path, oid in sorted(changes.items()) if _is_manifest(path))
    loose = Loose(len(paths), tuple(read), tuple(read.values()), gone, projects, made)
    live = [path if number not in gone else atlas.NO_PATH for number, path in enumerate(paths)] if gone else paths
    count = len(paths) - len(gone) + len(read)
    found = atlas_of(shelf, (parts, head), ([*live, *read], [*oids, *read.values()]), loose, held)
    return found, Counted(count, parsed, count - parsed)


def _built(shelf: Shelf, tree: CodeTree, held: Held, limits: Limits) -> tuple[Atlas, Counted]:
    """A base of its own; it is kept when it is whole and of a tree that Git has."""
    listed = codetree.listed(shelf.repo, tree)
    readable = [path for path in listed if languages.row_of(path)]
    chosen = order.chosen(readable, limits.max_files)
    parsed, pending = brought_up(shelf, {path: listed[path] for path in chosen}, held, limits)
    here = {path: listed[path] for path in sorted(chosen) if path not in pending}
    paths, oids = list(here), list(here.values())
    projects = {path: oid for path, oid in listed.items() if _is_manifest(path)}
    asked = _frameworks(shelf, projects, held)
    rows_ = ((number, _row(shelf, *file)) for number, file in enumerate(here.items()))
    made = slices.sliced(rows_, _overlay(paths, asked))
    head = Head(
        tables.VERSION,
        array(NUMBER).itemsize,
        (),
        skipped=tuple((paths[number], why) for number, why in sorted(made.skipped.items())),
        omitted=len(readable) - len(chosen),
        plain=tuple(paths[number] for number in made.plain),
        frameworks=tuple(sorted(asked)),
        manifests=tuple(projects.items()),
    )
    parts = slices.parts_of(head, paths, oids, made)
    is_whole = not pending and MISSING not in made.skipped.values()
    kept = _keep(shelf, tree, limits, parts) if is_whole else None
    opened = kept or segments.open_bytes(shelf.cache, _UNKEPT, segments.build(shelf.cache, _UNKEPT, parts))
    found = atlas_of(shelf, (opened, atlas.head_of(opened) or head), (paths, oids), Loose(len(paths)), held)
    return found, Counted(len(here), parsed, len(here) - parsed, len(pending))


def _overlay(paths: Sequence[str], asked: frozenset[str]) -> slices.Overlay:
    return lambda number, facts: overlays.overlay(paths[number], facts, asked)


def _is_manifest(path: str) -> bool:
    return dependencies.is_manifest(path) or manifests.is_manifest(path)


def _frameworks(shelf: Shelf, projects: Mapping[str, str], held: Held) -> frozenset[str]:
    """The nearest to the root decide where there are very many."""
    first = sorted(projects, key=lambda path: (path.count("/"), path))[:_MANIFESTS_MOST]
    oids = {projects[path] for path in first}
    found = {oid: data for oid, data in codetree.contents(shelf.repo, sorted(oids), held) if data is not None}
    texts = {path: found[projects[path]].decode("utf-8", "replace") for path in first if projects[path] in found}
    return overlays.frameworks(texts, ())


def again(shelf: Shelf, base: Segments, head: Head) -> Segments:
    """A damaged base anew; its list of files is in memory, so that every number stays."""
    paths, oids = atlas.files_of(base)
    brought_up(shelf, dict(zip(paths, oids, strict=True)), Held(), None)
    rows_ = ((number, _row(shelf, *file)) for number, file in enumerate(zip(paths, oids, strict=True)))
    made = slices.sliced(rows_, _overlay(paths, frozenset(head.frameworks)))
    return segments.keep(shelf.cache, base.name, slices.parts_of(head, paths, oids, made))[0]


def _keep(shelf: Shelf, tree: CodeTree, limits: Limits, parts: Sequence[bytes]) -> Segments:
    made, _ = segments.keep(shelf.cache, name_of(identity(tree), limits.max_files), parts)
    caches.drop_oldest(shelf.cache, PREFIX, SUFFIX, _ATLASES_KEPT)
    return made


def _row(shelf: Shelf, path: str, oid: str) -> Row:
    """What is known of a file; one whose pack was lost meanwhile is told as not read."""
    row = languages.row_of(path)
    key = packs.key_of(oid, row.name if row else "")
    facts, words = shelf.packs.facts(key), shelf.packs.terms(key)
    if facts is None or words is None:
        return _unread(row.name if row else "", MISSING)
    return Row(facts, words)


def _unread(language: str, why: str) -> Row:
    return Row(rows.encode(Facts(language, skipped=why)), terms.packed({}))


def brought_up(shelf: Shelf, files: Mapping[str, str], held: Held, limits: Limits | None) -> tuple[int, frozenset[str]]:
    """Reads what no pack has yet, in the order of ``files``; how many blobs that were, and the paths that were left
    when the time was over."""
    missing: dict[bytes, tuple[str, str, str]] = {}
    for path, oid in files.items():
        row = languages.row_of(path)
        key = packs.key_of(oid, row.name) if row else b""
        if row and key not in missing and not shelf.packs.has(key):
            missing[key] = (path, oid, row.name)
    done, asked, fresh = 0, list(missing.items()), dict[bytes, Row]()
    for batch in _batches(shelf, asked, held):
        if limits and done and not limits.goes_on():
            shelf.packs.keep(fresh)
            left = {oid for _, (_, oid, _) in asked[done:]}
            return done, frozenset(path for path, oid in files.items() if oid in left)
        fresh |= shelf.workers.read([one for one in batch if isinstance(one, Asked)])
        fresh |= {key: row for key, row in (one for one in batch if not isinstance(one, Asked))}
        if len(fresh) >= _PACK_FILES:
            shelf.packs.keep(fresh)
            fresh = {}
        done += min(_BATCH_FILES, len(asked) - done)
        if limits:
            limits.tell(f"{done} of {len(asked)} files read")
    shelf.packs.keep(fresh)
    if limits and asked:
        limits.tell("")
    return done, frozenset()


def _batches(
    shelf: Shelf, asked: Sequence[tuple[bytes, tuple[str, str, str]]], held: Held
) -> Iterator[list[Asked | tuple[bytes, Row]]]:
    """In portions that fit into memory; what is too large is no question but has its answer, what is not here none."""
    for at in range(0, len(asked), _BATCH_FILES):
        share = asked[at : at + _BATCH_FILES]
        by_oid: dict[str, list[tuple[bytes, str]]] = {}
        for key, (_, oid, language) in share:
            by_oid.setdefault(oid, []).append((key, language))
        batch: list[Asked | tuple[bytes, Row]] = []
        for oid, data in codetree.found(shelf.repo, list(by_oid), held):
            for key, language in by_oid[oid]:
                if isinstance(data, bytes):
                    batch.append(Asked(key, language, data))
                elif data != MISSING:
                    batch.append((key, _unread(language, extract.TOO_LARGE)))
        yield batch
