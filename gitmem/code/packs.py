"""What was read of blobs, by blob id and language, in packs of a cache. Refuses to read blobs.

A blob has one row for all branches and worktrees: its facts and its terms, both as bytes.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from gitmem.index import segments
from gitmem.index.segments import DamagedError, Segments
from gitmem.record import field, record, state
from gitmem.store import cache as caches
from gitmem.store.cache import Cache

KEY_BYTES = 16
_PREFIX, _SUFFIX = "code-facts-", ".pack"
# More of them than this are joined into one, so that a look-up opens few files.
_PACKS_MOST = 12
# Of the newest; what was dropped is read again when a tree asks for it.
_ROWS_MOST = 200_000


@record
class Row:
    facts: bytes
    terms: bytes


def key_of(oid: str, language: str) -> bytes:
    return hashlib.blake2b(f"{oid} {language}".encode(), digest_size=KEY_BYTES).digest()


@state
class Pack:
    """Rows in the order of their keys: part 0 are the keys, then facts and terms of each."""

    name: str
    parts: Segments
    keys: bytes

    def find(self, key: bytes) -> int:
        """The number of the row, -1 for none."""
        count = len(self.keys) // KEY_BYTES
        at = bisect_left(_Keys(self.keys, count), key)
        found = self.keys[at * KEY_BYTES : (at + 1) * KEY_BYTES]
        return at if found == key else -1


@record
class _Keys:
    data: bytes
    count: int

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, at: int) -> bytes:
        return self.data[at * KEY_BYTES : (at + 1) * KEY_BYTES]


@state
class Packs:
    """All packs of one version, newest first; what cannot be kept stays in ``loose`` while the process lives."""

    cache: Cache
    version: str
    packs: list[Pack] = field(default_factory=list)
    loose: dict[bytes, Row] = field(default_factory=dict)
    is_open: bool = False

    def has(self, key: bytes) -> bool:
        return key in self.loose or any(pack.find(key) >= 0 for pack in self._opened())

    def facts(self, key: bytes) -> bytes | None:
        return self._part(key, 0)

    def terms(self, key: bytes) -> bytes | None:
        return self._part(key, 1)

    def _part(self, key: bytes, which: int) -> bytes | None:
        held = self.loose.get(key)
        if held is not None:
            return held.terms if which else held.facts
        for pack in [*self._opened()]:
            number = pack.find(key)
            if number >= 0:
                try:
                    return pack.parts.fetch(1 + 2 * number + which)
                except DamagedError:
                    self._drop(pack)
        return None

    def _drop(self, pack: Pack) -> None:
        self.packs.remove(pack)
        caches.remove(self.cache, pack.name)

    def _opened(self) -> list[Pack]:
        if not self.is_open:
            self.reopen()
        return self.packs

    def reopen(self) -> None:
        """Sees what other processes have kept meanwhile."""
        known = {pack.name: pack for pack in self.packs}
        names = caches.by_age(self.cache, f"{_PREFIX}{self.version}-", _SUFFIX)
        self.packs = [pack for name in names if (pack := known.get(name) or _open(self.cache, name))]
        self.is_open = True

    def keep(self, rows: Mapping[bytes, Row]) -> str:
        """Adds rows as one pack. Returns why they were not kept, or ''."""
        if not rows:
            return ""
        self._opened()
        note = self._write(rows)
        if note:
            self.loose |= rows
        elif len(self.packs) > _PACKS_MOST:
            self._join()
        return note

    def _write(self, rows: Mapping[bytes, Row]) -> str:
        keys = sorted(rows)
        digest = hashlib.blake2b(b"".join(keys), digest_size=8).hexdigest()
        name = f"{_PREFIX}{self.version}-{digest}{_SUFFIX}"
        parts = [b"".join(keys), *(part for key in keys for part in (rows[key].facts, rows[key].terms))]
        made, note = segments.keep(self.cache, name, parts)
        if not note:
            self.packs.insert(0, Pack(name, made, parts[0]))
        return note

    def _join(self) -> None:
        """One pack of all rows, the newest first as far as there is room."""
        old, rows = [*self.packs], dict[bytes, Row]()
        for pack in old:
            for key in _split(pack.keys):
                if key not in rows and len(rows) < _ROWS_MOST:
                    facts, terms = self._part(key, 0), self._part(key, 1)
                    if facts is not None and terms is not None:
                        rows[key] = Row(facts, terms)
        if not self._write(rows):
            self.packs = self.packs[:1]
            for pack in old:
                if pack.name != self.packs[0].name:
                    caches.remove(self.cache, pack.name)


def _split(keys: bytes) -> Sequence[bytes]:
    return [keys[at : at + KEY_BYTES] for at in range(0, len(keys), KEY_BYTES)]


def _open(cache: Cache, name: str) -> Pack | None:
    parts = segments.open_file(cache, name)
    if parts is None:
        return None
    try:
        return Pack(name, parts, parts.fetch(0))
    except DamagedError:
        caches.remove(cache, name)
        return None
