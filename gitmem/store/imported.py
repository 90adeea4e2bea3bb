"""What was read of a blob once: its imports, in one cache file. Refuses to parse: it keeps what it is given."""

import json
from collections.abc import Iterable, Mapping

from gitmem.model.imports import Extracted, Import
from gitmem.store import cache as caches
from gitmem.store.cache import Cache

# Of the newest; a row has about three hundred bytes.
_ROWS_MOST = 20_000


def name_of(version: int) -> str:
    return f"imports-{version}.rows"


def load(cache: Cache, version: int) -> dict[str, str]:
    """The rows by key, as they are written; ``row`` opens one."""
    data = caches.load(cache, name_of(version))
    lines = data.decode("utf-8", "surrogatepass").split("\n") if data else ()
    return {key: text for key, _, text in (line.partition(" ") for line in lines) if key}


def row(text: str) -> Extracted:
    imports, skipped = json.loads(text)
    return Extracted(tuple(Import(module, tuple(names), line) for module, names, line in imports), skipped)


def keep(cache: Cache, version: int, known: Mapping[str, str], fresh: Iterable[tuple[str, Extracted]]) -> str:
    """Adds rows; the oldest go when there are too many. Returns why they were not kept, or ''."""
    rows = {**known, **{key: _text(found) for key, found in fresh}}
    lines = [f"{key} {text}" for key, text in rows.items()][-_ROWS_MOST:]
    return caches.save(cache, name_of(version), "\n".join(lines).encode("utf-8", "surrogatepass"))


def _text(found: Extracted) -> str:
    imports = [[each.module, each.names, each.line] for each in found.imports]
    return json.dumps([imports, found.skipped], ensure_ascii=True, separators=(",", ":"))
