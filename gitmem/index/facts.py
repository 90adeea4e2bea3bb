"""What was found out about a knowledge tree as a whole, as it is kept in the cache. Refuses to find it out."""

import hashlib
import json
from collections.abc import Iterable, Mapping

from gitmem.model.vocabulary import Text
from gitmem.record import field, record

Problem = tuple[str, str, str, int, str, str, str]
Counts = Mapping[str, Mapping[str, int]]


@record
class Facts:
    """What holds for the tree as a whole. ``problems`` are rows (path, code, severity, line, message, hint, item)
    of the files that cannot be served; ``duplicates`` maps an id to the paths that carry it."""

    tree: str
    snapshot_id: str
    ledger_count: int = 0
    config: Mapping[str, Text] = field(default_factory=dict)
    layers: Mapping[str, Text] = field(default_factory=dict)
    tags: Mapping[str, Text] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    duplicates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    counts: Counts = field(default_factory=dict)


def empty() -> Facts:
    return Facts("", snapshot_of([]))


def snapshot_of(lines: Iterable[bytes]) -> str:
    """sha256 over the sorted manifest (``docs/data-format.md``); blind to file modes and to Git's hash algorithm."""
    return hashlib.sha256(b"".join(lines)).hexdigest()


def dump(facts: Facts) -> bytes:
    row = {name: _plain(getattr(facts, name)) for name in facts.__match_args__}
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value


def load(data: bytes) -> Facts:
    row = json.loads(data)
    row["problems"] = tuple(tuple(problem) for problem in row["problems"])
    row["duplicates"] = {id_: tuple(paths) for id_, paths in row["duplicates"].items()}
    return Facts(**row)
