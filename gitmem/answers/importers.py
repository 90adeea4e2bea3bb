"""Which files of a commit import some others, one hop. Refuses to follow further, and to parse what cannot do so."""

from collections.abc import Callable, Mapping, Sequence

from gitmem.answers.reading import Place
from gitmem.code.extract import EXTRACT_VERSION, LARGEST_BYTES, TOO_LARGE, extract, language_of
from gitmem.code.modules import Tracked, reached, tracked
from gitmem.code.traces import Traces, traces
from gitmem.model.imports import Extracted
from gitmem.record import record
from gitmem.store import imported, objects
from gitmem.store.gitgrep import holding
from gitmem.store.objects import REGULAR, Entry
from gitmem.store.repo import Repo

# Of one answer: what lies beyond is counted as skipped.
_PARSED_MOST = 5_000
_READ_MOST_BYTES = 64 << 20
_GO_MODS_MOST = 200
_TOO_MANY = "too many files to read"


@record
class Importer:
    """``path`` imports ``reaches`` at ``line``, the first of its lines that does."""

    path: str
    line: int
    reaches: str


@record
class Importers:
    """Sorted by path, then by what is reached. ``paths`` is the whole tree that was looked into; ``skipped`` are files
    that may import what was asked about and were not read, with why."""

    rows: tuple[Importer, ...]
    paths: frozenset[str]
    skipped: tuple[tuple[str, str], ...] = ()
    is_whole: bool = True


def importers(place: Place, commit: str, changed: Sequence[str], wanted: Callable[[str], bool]) -> Importers:
    """The files at ``commit`` that ``wanted`` picks and that import one of ``changed``, which need not be there."""
    entries = {entry.rel: entry for entry in objects.list_names(place.repo, commit)}
    known = _tracked(place.repo, entries, changed)
    aims = frozenset(changed)
    paths, is_whole = _candidates(place.repo, commit, changed, known)
    chosen = [entries[path] for path in sorted(paths) if path in entries and wanted(path)]
    chosen = [entry for entry in chosen if entry.mode in REGULAR]
    found, skipped = _extracted(place, chosen[:_PARSED_MOST])
    rows = [row for path, each in sorted(found.items()) for row in _reaching(path, each, known, aims)]
    skipped += [(entry.rel, _TOO_MANY) for entry in chosen[_PARSED_MOST:]]
    return Importers(tuple(rows), frozenset(entries), tuple(sorted(skipped)), is_whole)


def _tracked(repo: Repo, entries: Mapping[str, Entry], changed: Sequence[str]) -> Tracked:
    """The tree with what is changed in it: an import of a file that is gone, or not yet there, is still one of it."""
    found: list[Entry] = []
    if any(language_of(path) == "go" for path in changed):
        found = [entry for path, entry in entries.items() if path.rpartition("/")[2] == "go.mod"][:_GO_MODS_MOST]
    contents, _ = _contents(repo, found)
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
    keys = {entry.rel: f"{language_of(entry.rel)}:{entry.oid}" for entry in entries}
    kept = imported.load(place.cache, EXTRACT_VERSION)
    contents, skipped = _contents(place.repo, [entry for entry in entries if keys[entry.rel] not in kept])
    fresh = {keys[path]: extract(path, data) for path, data in contents.items()}
    if fresh:
        imported.keep(place.cache, EXTRACT_VERSION, kept, fresh.items())
    found = {path: fresh[key] for path, key in keys.items() if key in fresh}
    found |= {path: imported.row(kept[key]) for path, key in keys.items() if key in kept}
    return found, [*skipped, *((path, each.skipped) for path, each in found.items() if each.skipped)]


def _reaching(path: str, each: Extracted, known: Tracked, aims: frozenset[str]) -> list[Importer]:
    lines: dict[str, int] = {}
    for one in each.imports:
        for file in aims.intersection(reached(path, one, known)) - {path}:
            lines.setdefault(file, one.line)
    return [Importer(path, line, file) for file, line in sorted(lines.items())]
