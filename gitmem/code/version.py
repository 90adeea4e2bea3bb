"""Under which name facts are kept: it changes when the same bytes may give others. Refuses to read the queries."""

import hashlib
import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from gitmem import __version__

# Each counts up when the same bytes may give other facts, or other terms; query files and overlays count by themselves.
EXTRACT_VERSION = 3
TERMS_VERSION = 1
_DATA = Path(__file__).parent.parent / "data"
_FOLDERS = ("queries", "overlays")


@cache
def version() -> str:
    rows = [__version__, str(EXTRACT_VERSION), str(TERMS_VERSION)]
    for folder in _FOLDERS:
        with os.scandir(_DATA / folder) as found:
            stats = sorted((each.name, each.stat()) for each in found)
        rows += [f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats]
    grammars = find_spec("tree_sitter_language_pack")
    if grammars and grammars.origin:
        rows.append(str(Path(grammars.origin).stat().st_mtime_ns))
    return hashlib.blake2b("\n".join(rows).encode(), digest_size=6).hexdigest()
