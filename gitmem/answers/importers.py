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
_GO_MODS_MOST = 200


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
    entries = {entry.rel: entry for entry in objects.list_tree(place.repo, commit)}
    known = _tracked(place.repo, entries, changed)
    aims = frozenset(changed)
    paths, is_whole = _candidates(place.repo, commit, changed, known)
    chosen = [entries[path] for path in sorted(paths) if path in entries and wanted(path)]
    chosen = [entry for entry in chosen if entry.mode in REGULAR]
    found, skipped = _extracted(place, chosen[:_PARSED_MOST])
    rows = [row for path, each in found.items() for row in _reaching(path, each, known, aims)]
    skipped += [(entry.rel, "too many files to read") for entry in chosen[_PARSED_MOST:]]
    return Importers(tuple(rows), frozenset(entries), tuple(skipped), is_whole)


def _tracked(repo: Repo, entries: Mapping[str, Entry], changed: Sequence[str]) -> Tracked:
    """The tree with what is changed in it: an import of a file that is gone, or not yet there, is still one of it."""
    go_mods: dict[str, str] = {}
    if any(language_of(path) == "go" for path in changed):
        found = [entry for path, entry in entries.items() if f"/{path}".endswith("/go.mod") and _is_readable(entry)]
        oids = sorted({entry.oid for entry in found[:_GO_MODS_MOST]})
        texts = {oid: data.decode("utf-8", "replace") for oid, data in objects.read_blobs(repo, oids)}
        go_mods = {entry.rel: texts[entry.oid] for entry in found[:_GO_MODS_MOST]}
    return tracked([*entries, *changed], go_mods)


def _is_readable(entry: Entry) -> bool:
    return entry.mode in REGULAR and 0 <= entry.size_bytes <= LARGEST_BYTES


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
    unread = [entry for entry in entries if keys[entry.rel] not in kept]
    readable = [entry for entry in unread if _is_readable(entry)]
    blobs = dict(objects.read_blobs(place.repo, sorted({entry.oid for entry in readable})))
    fresh = {keys[entry.rel]: extract(entry.rel, blobs[entry.oid]) for entry in readable}
    if fresh:
        imported.keep(place.cache, EXTRACT_VERSION, kept, fresh.items())
    found = {
        path: fresh[key] if key in fresh else imported.row(kept[key])
        for path, key in keys.items()
        if key in fresh or key in kept
    }
    skipped = [(path, each.skipped) for path, each in found.items() if each.skipped]
    return found, skipped + [(entry.rel, _why(entry)) for entry in unread if not _is_readable(entry)]


def _why(entry: Entry) -> str:
    return TOO_LARGE if entry.size_bytes >= 0 else "not in this partial clone"


def _reaching(path: str, each: Extracted, known: Tracked, aims: frozenset[str]) -> list[Importer]:
    lines: dict[str, int] = {}
    for one in each.imports:
        for file in aims.intersection(reached(path, one, known)) - {path}:
            lines.setdefault(file, one.line)
    return [Importer(path, line, file) for file, line in sorted(lines.items())]
