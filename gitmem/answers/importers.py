"""Which files of a commit import some others, one hop, or take them from the front of a package.

Refuses to follow further, and to parse what cannot do so.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from gitmem.answers.importing import extracted
from gitmem.answers.reading import Place
from gitmem.code.extract import LARGEST_BYTES, TOO_LARGE
from gitmem.code.imports import IMPORTS_VERSION, language_of
from gitmem.code.manifests import is_manifest
from gitmem.code.modules import Tracked, reached, tracked
from gitmem.code.reexports import Names, handed_on, hands_on_all, held, is_front, is_whole, takes
from gitmem.code.taken import is_of_facts
from gitmem.code.traces import ENDINGS, Traces, traces
from gitmem.model.imports import Extracted, Import
from gitmem.record import record
from gitmem.store import imported, objects
from gitmem.store.git import GitError
from gitmem.store.gitgrep import holding
from gitmem.store.objects import REGULAR, Entry
from gitmem.store.repo import Repo

# Of one answer: what lies beyond is counted as skipped.
_PARSED_MOST = 5_000
_READ_MOST_BYTES = 64 << 20
_MANIFESTS_MOST = 200
_TOO_MANY = "too many files to read"
# So many fronts are looked through, one behind the other.
_FRONTS_DEEP = 3

# By file to be imported: the files behind it, with the names that are meant of each.
_Aims = Mapping[str, Mapping[str, Names]]


@record
class Importer:
    """``path`` imports ``reaches`` at ``line``, the first of its lines that does; ``via`` is the front of a package
    that it takes it from, '' where it names the file itself."""

    path: str
    line: int
    reaches: str
    via: str = ""


@record
class Importers:
    """Sorted by path, then by what is reached. ``paths`` is the whole tree that was looked into; ``skipped`` are files
    that may import what was asked about and were not read, with why."""

    rows: tuple[Importer, ...]
    paths: frozenset[str]
    skipped: tuple[tuple[str, str], ...] = ()
    is_whole: bool = True


@record
class _Tree:
    """A commit as the search needs it; ``wanted`` picks the files to be told."""

    place: Place
    commit: str
    entries: Mapping[str, Entry]
    known: Tracked
    wanted: Callable[[str], bool]


@record
class _Read:
    """What files import, by path."""

    files: Mapping[str, Extracted]
    skipped: Sequence[tuple[str, str]]
    is_whole: bool


@record
class _Meeting:
    """The file at ``path`` has the import ``one``, which reaches ``file``."""

    path: str
    one: Import
    file: str


def importers(place: Place, commit: str, changed: Sequence[str], wanted: Callable[[str], bool]) -> Importers:
    """The files at ``commit`` that ``wanted`` picks and that import one of ``changed``, which need not be there, or
    take what is in it from the front of a package."""
    entries = {entry.rel: entry for entry in objects.list_names(place.repo, commit)}
    tree = _Tree(place, commit, entries, _tracked(place.repo, entries, changed), wanted)
    aims: _Aims = {path: {path: None} for path in changed}
    passed, texts = set(changed), dict[str, str]()
    rows: dict[tuple[str, str], Importer] = {}
    reads: list[_Read] = []
    for _ in range(_FRONTS_DEEP + 1):
        reads.append(_read(tree, aims))
        found = list(_taking(tree, _meetings(reads[-1], tree.known, aims), aims, texts))
        for row, _one in found:
            rows.setdefault((row.path, row.reaches), row)
        aims = _fronts(found, aims, passed)
        passed |= aims.keys()
        if not aims:
            break
        texts = texts or _texts(tree, changed)
    told = sorted((row for row in rows.values() if wanted(row.path)), key=lambda row: (row.path, row.reaches))
    skipped = sorted({each for read in reads for each in read.skipped})
    return Importers(tuple(told), frozenset(entries), tuple(skipped), all(read.is_whole for read in reads))


def _read(tree: _Tree, aims: _Aims) -> _Read:
    paths, is_all = _candidates(tree.place.repo, tree.commit, list(aims), tree.known)
    names = [names for files in aims.values() for names in files.values()]
    if None not in names:
        words = sorted(set().union(*filter(None, names)))
        holding_one = holding(tree.place.repo, tree.commit, words, ENDINGS)
        # A front that hands on everything need not hold a name.
        paths &= {*holding_one.paths, *filter(is_front, paths)}
        is_all = is_all and holding_one.is_whole
    chosen = [tree.entries[path] for path in sorted(paths) if path in tree.entries]
    chosen = [entry for entry in chosen if entry.mode in REGULAR and (tree.wanted(entry.rel) or is_front(entry.rel))]
    found, skipped = _extracted(tree.place, chosen[:_PARSED_MOST])
    skipped += [(entry.rel, _TOO_MANY) for entry in chosen[_PARSED_MOST:]]
    return _Read(found, skipped, is_all)


def _meetings(read: _Read, known: Tracked, aims: _Aims) -> list[_Meeting]:
    return [
        _Meeting(path, one, file)
        for path, each in sorted(read.files.items())
        for one in each.imports
        for file in sorted(aims.keys() & set(reached(path, one, known)) - {path})
    ]


def _taking(
    tree: _Tree, meetings: Sequence[_Meeting], aims: _Aims, texts: Mapping[str, str]
) -> Iterator[tuple[Importer, Import]]:
    """Who takes something of what is aimed at, with the import that does."""
    names = frozenset[str]().union(*filter(None, (names for files in aims.values() for names in files.values())))
    unsure = {each.path for each in meetings if names and is_whole(each.one)}
    known = {path: held(text, names) for path, text in _texts(tree, sorted(unsure)).items()}
    for each in meetings:
        is_open = hands_on_all(each.one) and is_front(each.path)
        own = None if is_open else known.get(each.path)
        for behind, meant in aims[each.file].items():
            if behind != each.path and takes(each.one, meant, own, texts.get(behind, "")):
                yield Importer(each.path, each.one.line, behind, each.file if each.file != behind else ""), each.one


def _fronts(found: Iterable[tuple[Importer, Import]], aims: _Aims, passed: Collection[str]) -> _Aims:
    """The fronts of packages among the importers that were not looked at before, with what they hand on."""
    fronts: dict[str, dict[str, Names]] = {}
    for row, one in found:
        if not is_front(row.path) or row.path in passed:
            continue
        file = row.via or row.reaches
        names, behind = handed_on(one, file, aims[file][row.reaches]), fronts.setdefault(row.path, {})
        known = behind.get(row.reaches, frozenset())
        behind[row.reaches] = None if names is None or known is None else known | names
    kept = {
        path: {file: names for file, names in behind.items() if names != frozenset()} for path, behind in fronts.items()
    }
    return {path: behind for path, behind in kept.items() if behind}


def _texts(tree: _Tree, paths: Iterable[str]) -> dict[str, str]:
    contents, _ = _contents(tree.place.repo, [tree.entries[path] for path in paths if path in tree.entries])
    return {path: data.decode("utf-8", "replace") for path, data in contents.items()}


def _tracked(repo: Repo, entries: Mapping[str, Entry], changed: Sequence[str]) -> Tracked:
    """The tree with what is changed in it: an import of a file that is gone, or not yet there, is still one of it."""
    found = sorted((path for path in entries if is_manifest(path)), key=lambda path: (path.count("/"), path))
    contents: dict[str, bytes] = {}
    with suppress(GitError):
        # A partial clone may lack them; then imports lead where they would without.
        contents, _ = _contents(repo, [entries[path] for path in found[:_MANIFESTS_MOST]])
    return tracked([*entries, *changed], {path: data.decode("utf-8", "replace") for path, data in contents.items()})


def _contents(repo: Repo, entries: Sequence[Entry]) -> tuple[dict[str, bytes], list[tuple[str, str]]]:
    """What each file holds, by path, as long as it is not too much; and the files that are left out, with why."""
    left, oids, skipped = _READ_MOST_BYTES, {}, []
    for entry, known in zip(entries, objects.look_up(repo, [entry.oid for entry in entries]), strict=True):
        if known is None:
            skipped.append((entry.rel, "not in this partial clone"))
        elif known[2] > min(LARGEST_BYTES, left):
            skipped.append((entry.rel, TOO_LARGE if known[2] > LARGEST_BYTES else _TOO_MANY))
        else:
            oids[entry.rel] = entry.oid
            left -= known[2]
    blobs = dict(objects.read_blobs(repo, sorted(set(oids.values()))))
    return {path: blobs[oid] for path, oid in oids.items()}, skipped


def _candidates(repo: Repo, commit: str, changed: Sequence[str], known: Tracked) -> tuple[set[str], bool]:
    """Every file that may import one of ``changed``, by what its text holds and by where it lies."""
    words: dict[tuple[str, ...], set[str]] = {}
    found: set[str] = set()
    is_whole = True
    for path in changed:
        each = traces(path, known)
        words.setdefault(each.endings, set()).update(each.words)
        found |= _below(each, known)
    for endings, asked in words.items():
        held = holding(repo, commit, sorted(asked), endings)
        found |= set(held.paths)
        is_whole = is_whole and held.is_whole
    return found, is_whole


def _below(each: Traces, known: Tracked) -> set[str]:
    if each.folder is None:
        return set()
    top = f"{each.folder}/" if each.folder else ""
    endings = tuple(f".{ending}" for ending in each.endings)
    return {path for path in known.paths if path.startswith(top) and path.endswith(endings)}


def _extracted(place: Place, entries: Sequence[Entry]) -> tuple[dict[str, Extracted], list[tuple[str, str]]]:
    """The imports of each file, from the cache where its blob was read before; and the files not read, with why."""
    keys = {entry.rel: f"{language_of(entry.rel)}:{entry.oid}" for entry in entries if not is_of_facts(entry.rel)}
    kept = imported.load(place.cache, IMPORTS_VERSION)
    contents, skipped = _contents(place.repo, [entry for entry in entries if keys.get(entry.rel, "") not in kept])
    read = extracted(place, contents)
    fresh = {keys[path]: each for path, each in read.items() if path in keys}
    if fresh:
        imported.keep(place.cache, IMPORTS_VERSION, kept, fresh.items())
    found = dict(read)
    found |= {path: imported.row(kept[key]) for path, key in keys.items() if key in kept}
    return found, [*skipped, *((path, each.skipped) for path, each in found.items() if each.skipped)]
