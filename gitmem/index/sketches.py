"""What was computed of the text of each engram, found by what it shares with another text, in cache files of its own.

Refuses to know which texts are live: rows stay under their blob ids, and whoever asks picks.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from gitmem import __version__
from gitmem.checks.opposition import stances_of
from gitmem.checks.stances import Stance
from gitmem.record import record
from gitmem.store.cache import Cache
from gitmem.store.cache import load as read_kept
from gitmem.store.cache import save as keep
from gitmem.text import shingles

# Another version of gitmem, whose sketches may differ, neither reads the files nor replaces them.
KIND = "alike-"
PREFIX = f"{KIND}1-{__version__}-"
HEAD = f"{PREFIX}head.json"
_BANDS = shingles.SKETCH_SIZE // shingles.BAND_ROWS
_SAME = 2 * _BANDS
_SAYS = _SAME + 2
_ITEM_BYTES = array("I").itemsize

Column = Sequence[int]


@record
class Row:
    """What texts are found by. ``same`` is a hash of the wording; ``bands`` are () for a text without terms; ``says``
    has a (matter, side) for each stance: two texts with one matter and one side do not oppose each other."""

    item: str
    blob: str
    same: int
    bands: tuple[int, ...]
    says: tuple[tuple[int, int], ...]


@record
class Sketches:
    """The rows of many blobs. ``tree`` is the knowledge tree all of whose engrams are here, save those at ``pending``.

    Rows have numbers: first those of the base file, as ``entries`` (engram, blob) and ``columns``, then ``loose``.
    """

    tree: str = ""
    pending: tuple[str, ...] = ()
    loose: tuple[Row, ...] = ()
    base: str = ""
    entries: tuple[bytes, ...] = ()
    columns: tuple[Column, ...] = ((),) * (_SAYS + 3)

    def entry(self, number: int) -> tuple[str, str]:
        """The engram and the blob of a row."""
        if number < len(self.entries):
            item, _, blob = self.entries[number].decode().partition(" ")
            return item, blob
        row = self.loose[number - len(self.entries)]
        return row.item, row.blob

    def bands(self) -> Iterator[tuple[Column, Column]]:
        """For each band the values of the base, sorted, and the numbers of their rows."""
        return ((self.columns[at], self.columns[at + 1]) for at in range(0, _SAME, 2))

    def says(self) -> tuple[Column, Column, Column]:
        """The matters of the base, sorted, the numbers of their rows, and the sides that these take."""
        matters, numbers, sides = self.columns[_SAYS : _SAYS + 3]
        return matters, numbers, sides

    def blobs(self) -> set[str]:
        return {entry.partition(b" ")[2].decode() for entry in self.entries} | {row.blob for row in self.loose}

    def near(self, row: Row) -> Counter[int]:
        """The rows that share bands with this one, and how many."""
        found: Counter[int] = Counter()
        for at, value in enumerate(row.bands):
            found.update(_under(self.columns[2 * at : 2 * at + 2], value))
        for number, other in self._loose():
            shared = sum(map(int.__eq__, row.bands, other.bands))
            if shared:
                found[number] = shared
        return found

    def same(self, row: Row) -> list[int]:
        """The rows of the same wording, and by chance another: the hash is short."""
        found = list(_under(self.columns[_SAME : _SAME + 2], row.same))
        return found + [number for number, other in self._loose() if other.same == row.same]

    def opposed(self, row: Row) -> Counter[int]:
        """The rows that take another side on a matter of this one, and on how many."""
        sides: dict[int, set[int]] = {}
        for matter, side in row.says:
            sides.setdefault(matter, set()).add(side)
        keys, numbers, taken = self.columns[_SAYS : _SAYS + 3]
        found: Counter[int] = Counter()
        for matter, mine in sides.items():
            first, end = _range(keys, matter)
            found.update({numbers[at] for at in range(first, end) if taken[at] not in mine})
        for number, other in self._loose():
            against = {matter for matter, side in other.says if matter in sides and side not in sides[matter]}
            if against:
                found[number] = len(against)
        return found

    def _loose(self) -> Iterator[tuple[int, Row]]:
        return iter(enumerate(self.loose, len(self.entries)))


def _range(keys: Column, value: int) -> tuple[int, int]:
    return bisect_left(keys, value), bisect_right(keys, value)


def _under(columns: Sequence[Column], value: int) -> Column:
    """``columns`` are sorted values and the numbers of their rows."""
    first, end = _range(columns[0], value)
    return columns[1][first:end]


def row_of(item: str, blob: str, title: str, body: str) -> Row:
    bands = tuple(int(band, 16) for band in shingles.bands(shingles.sketch(body)))
    says = {(int(stance.key, 16), _side(stance)) for stance in stances_of(title, body)}
    return Row(item, blob, int(shingles.text_hash(body)[:8], 16), bands, tuple(sorted(says)))


def _side(stance: Stance) -> int:
    """Equal for stances that agree in all that a clash is judged by."""
    conditions = sorted(" ".join(phrase) for phrase in stance.conditions)
    told = "\0".join([stance.force.value, stance.value, str(stance.amount), stance.bound, *conditions])
    return int.from_bytes(hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big")


def load(cache: Cache) -> Sketches:
    """What the cache holds; empty where it holds nothing that can be trusted."""
    head = read_kept(cache, HEAD)
    if head is None:
        return Sketches()
    tree, pending, base, rows = json.loads(head)
    loose = tuple(
        Row(item, blob, same, tuple(bands), tuple(map(tuple, says))) for item, blob, same, bands, says in rows
    )
    if not base:
        return Sketches(tree, tuple(pending), loose)
    data = read_kept(cache, base)
    return Sketches() if data is None else Sketches(tree, tuple(pending), loose, base, *_base_of(data))


def _base_of(data: bytes) -> tuple[tuple[bytes, ...], tuple[Column, ...]]:
    first, _, rest = data.partition(b"\n")
    sizes = json.loads(first)
    at, columns = 0, []
    for size in sizes:
        columns.append(array("I", rest[at : at + size * _ITEM_BYTES]))
        at += size * _ITEM_BYTES
    return tuple(rest[at:].split(b"\n")[:-1]), tuple(columns)


def save(cache: Cache, kept: Sketches) -> str:
    """Keeps the loose rows beside the base as it is; returns why it could not, or ''."""
    rows = [[getattr(row, name) for name in row.__match_args__] for row in kept.loose]
    head = [kept.tree, kept.pending, kept.base, rows]
    return keep(cache, HEAD, json.dumps(head, separators=(",", ":")).encode())


def gathered(cache: Cache, kept: Sketches, live: frozenset[str] | None = None) -> tuple[Sketches, str]:
    """The same with every row in a new base file; with ``live`` only the rows of these blobs."""
    count = len(kept.entries) + len(kept.loose)
    chosen = [number for number in range(count) if live is None or kept.entry(number)[1] in live]
    places = {number: place for place, number in enumerate(chosen)}
    entries = [" ".join(kept.entry(number)).encode() for number in chosen]
    columns = [column for width, rows in _families(kept) for column in _sorted(rows, places, width)]
    sizes = json.dumps([len(column) for column in columns]).encode()
    data = b"".join([sizes, b"\n", *(column.tobytes() for column in columns), *(entry + b"\n" for entry in entries)])
    name = f"{PREFIX}{hashlib.sha256(data).hexdigest()[:32]}.bin"
    note = keep(cache, name, data)
    return Sketches(kept.tree, kept.pending, (), name, *_base_of(data)), note


def _families(kept: Sketches) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """What the columns hold, family by family and how wide: a value, the number of the row, for a stance the side."""
    base, loose = kept.columns, list(enumerate(kept.loose, len(kept.entries)))
    for at in range(_BANDS):
        rows = [(row.bands[at], number) for number, row in loose if row.bands]
        yield 2, [*zip(*base[2 * at : 2 * at + 2], strict=True), *rows]
    yield 2, [*zip(*base[_SAME:_SAYS], strict=True), *((row.same, number) for number, row in loose)]
    stances = [(matter, number, side) for number, row in loose for matter, side in row.says]
    yield 3, [*zip(*base[_SAYS:], strict=True), *stances]


def _sorted(rows: list[tuple[int, ...]], places: dict[int, int], width: int) -> list[array[int]]:
    """Columns in the order of their values; the numbers of the rows become their places."""
    kept = sorted((value, places[number], *more) for value, number, *more in rows if number in places)
    return [array("I", column) for column in zip(*kept, strict=True)] or [array("I") for _ in range(width)]
