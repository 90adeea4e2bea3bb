"""Everything that the files of one tree say, read part by part when it is asked for. Refuses to decide what it means.

A base, kept for a tree, and the few files that differ from it in memory: where they differ the base is not asked.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Mapping, Sequence

from gitmem.code import packs, rows, tables
from gitmem.code.languages import row_of
from gitmem.code.packs import Packs
from gitmem.code.tables import BETWEEN, NUMBER, VERSION, Defined, Head, Slice
from gitmem.index import shards
from gitmem.index.segments import DamagedError, Segments
from gitmem.model.code import NO_FACTS, Facts, Overlaid, Place, symbol_id
from gitmem.record import field, record, state

_HEAD, _PATHS, _OIDS, _NAMES, _SEEN, _FIXED = range(6)
# Facts that stay in memory, a few kilobytes each.
_FACTS_MOST = 600
NO_PATH = ""


@record
class Loose:
    """Files over a base: ``paths`` with their numbers go on where those of the base end; ``gone`` are numbers of the
    base that are not asked any more; ``manifests`` stand over those of the base, with '' for one that is gone."""

    first: int
    paths: tuple[str, ...] = ()
    oids: tuple[str, ...] = ()
    gone: frozenset[int] = frozenset()
    manifests: tuple[tuple[str, str], ...] = ()
    slice: Slice = field(default_factory=Slice)


@record
class Source:
    """Where an atlas gets what it does not hold. ``texts`` has the bytes of blobs by id; ``parts`` makes a damaged base
    anew, with the same numbers; ``facts`` reads the file with this path and id again."""

    texts: Callable[[Sequence[str]], Mapping[str, bytes]]
    parts: Callable[[], Segments]
    facts: Callable[[str, str], None]


@state
class Atlas:
    """``paths`` are by number, '' for a file that is gone; those of the base are sorted, the loose ones behind them.

    What differs in number only is the same tree: whoever orders files orders by path in the end.
    """

    head: Head
    parts: Segments
    facts_of: Packs
    loose: Loose
    paths: Sequence[str]
    oids: Sequence[str]
    source: Source
    numbers: dict[str, int] = field(default_factory=dict)
    known: dict[str, Facts] = field(default_factory=dict)
    vocabulary: list[str] = field(default_factory=list)
    overlaid: list[list[tuple[str, Overlaid]]] = field(default_factory=list)

    def __post(self) -> None:
        """Numbers by path, when first needed."""
        if not self.numbers:
            self.numbers = {path: number for number, path in enumerate(self.paths) if path}

    def number(self, path: str) -> int:
        """The number of a file, -1 for one that is not here."""
        self.__post()
        return self.numbers.get(path, -1)

    def has(self, path: str) -> bool:
        return self.number(path) >= 0

    def all(self) -> list[str]:
        """Every path, sorted."""
        self.__post()
        return sorted(self.numbers)

    def oid(self, path: str) -> str:
        number = self.number(path)
        return self.oids[number] if number >= 0 else self.manifests().get(path, "")

    def manifests(self) -> dict[str, str]:
        """The ids of the manifests of projects by path, whether their language is read or not."""
        found = {**dict(self.head.manifests), **dict(self.loose.manifests)}
        return {path: oid for path, oid in sorted(found.items()) if oid}

    @property
    def frameworks(self) -> frozenset[str]:
        return frozenset(self.head.frameworks)

    def seen(self) -> list[tuple[str, Overlaid]]:
        """What overlays see in each file, by path, line and name: routes, components, models, jobs."""
        if not self.overlaid:
            base = [each for each in tables.read_seen(self._part(_SEEN)) if each[0] not in self.loose.gone]
            found = [(self.paths[file], row) for file, row in (*base, *self.loose.slice.overlaid)]
            self.overlaid.append(sorted(found, key=lambda each: (each[0], each[1].line, each[1].name)))
        return self.overlaid[0]

    def language(self, path: str) -> str:
        row = row_of(path)
        return row.name if row else ""

    @property
    def skipped(self) -> list[tuple[str, str]]:
        """Files that were not read, with why, sorted by path."""
        gone = {self.paths_of_base[number] for number in self.loose.gone}
        kept = [(path, why) for path, why in self.head.skipped if path not in gone]
        first = self.loose.first
        return sorted([*kept, *((self.loose.paths[n - first], why) for n, why in self.loose.slice.skipped.items())])

    @property
    def plain(self) -> list[str]:
        """Files that were read by line patterns, sorted by path."""
        gone = {self.paths_of_base[number] for number in self.loose.gone}
        loose = (self.paths[number] for number in self.loose.slice.plain)
        return sorted([*(path for path in self.head.plain if path not in gone), *loose])

    @property
    def paths_of_base(self) -> Sequence[str]:
        return self._part(_PATHS).decode("utf-8", "surrogateescape").split(BETWEEN)

    @property
    def omitted(self) -> int:
        return self.head.omitted

    def facts(self, path: str) -> Facts:
        """Empty for a file that is not here."""
        found = self.known.get(path)
        if found is None:
            row = self._facts(path) if self.has(path) else None
            found = rows.decode(row) if row else NO_FACTS
            if len(self.known) >= _FACTS_MOST:
                self.known.pop(next(iter(self.known)))
            self.known[path] = found
        return found

    def _facts(self, path: str) -> bytes | None:
        key = packs.key_of(self.oid(path), self.language(path))
        row = self.facts_of.facts(key)
        if row is None:
            self.source.facts(path, self.oid(path))
            row = self.facts_of.facts(key)
        return row

    def _part(self, number: int) -> bytes:
        try:
            return self.parts.part(number)
        except DamagedError:
            self.parts = self.source.parts()
            return self.parts.part(number)

    def text(self, path: str) -> bytes:
        """The bytes of the blob, b'' for a file that is not here or too large to be read."""
        return self.texts([path])[path]

    def texts(self, paths: Sequence[str]) -> dict[str, bytes]:
        """As ``text``, in one go."""
        oids = {path: self.oid(path) for path in paths}
        found = self.source.texts(sorted({oid for oid in oids.values() if oid}))
        return {path: found.get(oid, b"") for path, oid in oids.items()}

    def symbol_id(self, place: Place) -> str:
        return symbol_id(place.path, self.facts(place.path).symbols, place.number)

    def rows(self, name: str) -> list[Defined]:
        """The symbols of exactly this name, by path and place; their ``file`` is the number of the path."""
        base = tables.read_names(self._row(0, name))
        found = [row for row in base if row.file not in self.loose.gone]
        found += self.loose.slice.names.get(name, ())
        return sorted(found, key=lambda row: (self.paths[row.file], row.number))

    def defined(self, name: str) -> list[Place]:
        """As ``rows``, as places."""
        return [Place(self.paths[row.file], row.number) for row in self.rows(name)]

    def calling(self, name: str) -> list[str]:
        """The files that call, construct, throw, refer to or inherit from something of this name, sorted."""
        return self._files(1, name, self.loose.slice.calling)

    def importing(self, name: str) -> list[str]:
        """The files that import this name, or a module whose last part it is, sorted."""
        return self._files(2, name, self.loose.slice.importing)

    def _files(self, table: int, name: str, loose: Mapping[str, array[int]]) -> list[str]:
        base = tables.read_numbers(self._row(table, name))
        return sorted(self.paths[number] for number in (*base, *loose.get(name, ())) if self.paths[number])

    def postings(self, term: str) -> tuple[Sequence[int], bytes]:
        """The numbers of the files that have the term, ascending, and what it weighs in each."""
        files, weights = tables.read_terms(self._row(3, term))
        if not self.loose.paths and not self.loose.gone:
            return files, weights
        pairs = [pair for pair in zip(files, weights, strict=True) if pair[0] not in self.loose.gone]
        more = self.loose.slice.terms.get(term)
        pairs += zip(*more, strict=True) if more else ()
        return array(NUMBER, [number for number, _ in pairs]), bytes(weight for _, weight in pairs)

    def _row(self, table: int, key: str) -> bytes:
        first = _FIXED + sum(self.head.counts[:table])
        part = self._part(first + shards.number_of(key, self.head.counts[table]))
        return shards.find(part, key)

    def names(self) -> str:
        """Every distinct name, sorted, each on a line; some may be of files that are gone."""
        if not self.vocabulary:
            base = self._part(_NAMES).decode("utf-8", "surrogatepass")
            more = self.loose.slice.names.keys()
            self.vocabulary.append("\n".join(sorted({*base.split("\n"), *more})) if more else base)
        return self.vocabulary[0]

    def matching(self, pattern: re.Pattern[str]) -> list[str]:
        """The names that a pattern of whole lines finds."""
        return [found.group() for found in pattern.finditer(self.names())]


def head_of(parts: Segments) -> Head | None:
    """None when another version, or another machine, wrote the parts."""
    version, number_bytes, counts, *rest = json.loads(parts.part(_HEAD))
    if version != VERSION or number_bytes != array(NUMBER).itemsize:
        return None
    skipped, omitted, plain, frameworks, manifests = rest
    pairs = tuple((path, why) for path, why in skipped)
    files = tuple((path, oid) for path, oid in manifests)
    return Head(version, number_bytes, tuple(counts), pairs, omitted, tuple(plain), tuple(frameworks), files)


def files_of(parts: Segments) -> tuple[list[str], list[str]]:
    """Paths and ids of a base by number."""
    paths = parts.part(_PATHS).decode("utf-8", "surrogateescape")
    return (paths.split(BETWEEN), parts.part(_OIDS).decode().split("\n")) if paths else ([], [])
