"""Files that must change together: which ones a touched file asks for. Refuses to look at contents."""

from collections.abc import Sequence

from gitmem.checks.verifying import filled, general
from gitmem.globs import trie
from gitmem.globs.dialect import matches


def wanted(patterns: Sequence[str], path: str) -> list[str]:
    """The patterns that a touched file asks for, with its own names in them; none when it is a companion itself."""
    if any(matches(general(pattern), path) for pattern in patterns):
        return []
    folder, _, name = path.rpartition("/")
    stem, _, extension = name.rpartition(".")
    # What begins with its only dot has no ending.
    values = {"dir": folder, "stem": stem or name, "name": name, "ext": extension if stem else ""}
    escaped = {key: _escaped(value) for key, value in values.items()}
    return [filled(pattern, escaped).removeprefix("/") for pattern in patterns]


def missing(patterns: Sequence[str], touched: Sequence[str]) -> frozenset[str]:
    """The patterns that match no touched file."""
    distinct = list(dict.fromkeys(patterns))
    found = trie.first_matches(distinct, touched)
    return frozenset(pattern for pattern, path in zip(distinct, found, strict=True) if path is None)


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "*?[]{}\\," else sign for sign in text)
