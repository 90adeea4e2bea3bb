"""Prefetch: the bytes behind folds that are likely opened next, held ready by a server. Refuses to claim a hit it did
not serve."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock

from gitmem.model.packet import OPEN, SKELETON, PacketFile
from gitmem.record import field, state

BLOBS_MOST = 64
_BYTES_MOST = 16 << 20
_FILES_MOST = 12


def likely(files: Iterable[PacketFile]) -> tuple[str, ...]:
    """The paths whose folds are likely opened next, those of open files first."""
    rows = [row for row in files if row.folds]
    ranked = sorted(enumerate(rows), key=lambda pair: ({OPEN: 0, SKELETON: 1}.get(pair[1].tier, 2), pair[0]))
    return tuple(row.path for _, row in ranked[:_FILES_MOST])


@state
class Ready:
    """``texts`` by blob id, the one asked for last at the end; ``hits`` counts what was served, ``held`` what was put
    here since the start, ``asked`` how often somebody came."""

    texts: OrderedDict[str, bytes] = field(default_factory=OrderedDict)
    size_bytes: int = 0
    hits: int = 0
    asked: int = 0
    held: int = 0
    lock: Lock = field(default_factory=Lock)

    def fill(self, oids: Sequence[str], read: Callable[[Sequence[str]], Mapping[str, bytes]]) -> int:
        """Reads what is not here yet; how many blobs that were."""
        with self.lock:
            wanted = [oid for oid in dict.fromkeys(oids) if oid and oid not in self.texts][:BLOBS_MOST]
        found = read(wanted) if wanted else {}
        with self.lock:
            for oid, data in found.items():
                self._put(oid, data)
        return len(found)

    def take(self, begun: str) -> tuple[str, bytes] | None:
        """The blob whose id begins so, None when none or several do."""
        with self.lock:
            self.asked += 1
            fits = [oid for oid in self.texts if oid.startswith(begun)] if begun else []
            if len(fits) != 1:
                return None
            self.hits += 1
            self.texts.move_to_end(fits[0])
            return fits[0], self.texts[fits[0]]

    def _put(self, oid: str, data: bytes) -> None:
        if len(data) > _BYTES_MOST // 4 or oid in self.texts:
            return
        self.texts[oid] = data
        self.size_bytes += len(data)
        self.held += 1
        while len(self.texts) > BLOBS_MOST or self.size_bytes > _BYTES_MOST:
            _, old = self.texts.popitem(last=False)
            self.size_bytes -= len(old)
