"""What a scan of the texts of a tree found, by blob, in a cache file of its own: no compile waits for it.

Refuses to judge: an allow list is applied by whoever asks.
"""

import json
from collections.abc import Iterable, Mapping

from gitmem import __version__
from gitmem.checks import texts
from gitmem.index.parse import refusal_of
from gitmem.model.finding import Finding, Severity
from gitmem.record import record
from gitmem.store import cache as caches
from gitmem.store import objects
from gitmem.store.cache import Cache
from gitmem.store.layout import Place, is_leftover, place_of
from gitmem.store.objects import Entry
from gitmem.store.repo import Repo

# Another version of gitmem neither reads the file nor replaces it.
NAME = f"texts-{__version__}.json"
_BATCH = 2000
Row = tuple[str, str, int, str, str, str | None]


@record
class Scanned:
    """The rows of every blob of ``tree`` in which something was found."""

    tree: str
    rows: Mapping[str, tuple[Row, ...]]

    def findings(self, blob: str, rel: str, item: str) -> list[Finding]:
        found = self.rows.get(blob, ())
        return [Finding(c, Severity(s), rel, line, m, h, item, mark) for c, s, line, m, h, mark in found]


def of_tree(repo: Repo, cache: Cache, tree: str) -> tuple[Scanned, str]:
    """What the blobs of ``tree`` hold, and why it could not be kept ('' when it was); scans only what is new."""
    known = _load(cache)
    if known is not None and known.tree == tree:
        return known, ""
    base = known if known is not None and objects.look_up(repo, [known.tree])[0] is not None else None
    entries = objects.list_tree(repo, tree) if base is None else _changed(repo, base.tree, tree)
    scanned = Scanned(tree, {**(base.rows if base else {}), **_scan(repo, entries)})
    return scanned, caches.save(cache, NAME, _dump(scanned))


def _changed(repo: Repo, old: str, new: str) -> list[Entry]:
    changes = [change for change in objects.diff_trees(repo, old, new) if change.new_oid]
    sizes = objects.look_up(repo, [change.new_oid for change in changes])
    return [
        Entry(change.rel, change.new_mode, change.new_oid, known[2] if known else -1)
        for change, known in zip(changes, sizes, strict=True)
    ]


def _scan(repo: Repo, entries: Iterable[Entry]) -> dict[str, tuple[Row, ...]]:
    found: dict[str, tuple[Row, ...]] = {}
    wanted = {entry.oid: entry.rel for entry in entries if _is_text(entry)}
    oids = sorted(wanted)
    for at in range(0, len(oids), _BATCH):
        for oid, data in objects.read_blobs(repo, oids[at : at + _BATCH]):
            rows = [_row(finding) for finding in texts.findings(data, wanted[oid])]
            if rows:
                found[oid] = tuple(rows)
    return found


def _is_text(entry: Entry) -> bool:
    return refusal_of(entry) is None and not is_leftover(entry.rel) and place_of(entry.rel) is not Place.CACHE


def _row(finding: Finding) -> Row:
    return finding.code, finding.severity.value, finding.line, finding.message, finding.hint, finding.fingerprint


def _dump(scanned: Scanned) -> bytes:
    row = [__version__, scanned.tree, dict(scanned.rows)]
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _load(cache: Cache) -> Scanned | None:
    data = caches.load(cache, NAME)
    if data is None:
        return None
    _, tree, rows = json.loads(data)
    return Scanned(tree, {blob: tuple(tuple(row) for row in found) for blob, found in rows.items()})
