"""Which files of a tree are read first when not all are. Refuses to hide how many were left."""

from collections.abc import Collection

from gitmem.code.testing import is_test

CEILING = 50_000
_LATER = frozenset({"example", "examples", "sample", "samples", "demo", "docs", "vendor", "third_party", "fixtures"})


def chosen(paths: Collection[str], most: int) -> list[str]:
    """At most so many, production first, tests last; within each in the order of the paths."""
    return sorted(paths, key=lambda path: (place(path), path))[:most]


def place(path: str) -> int:
    """0 for production, 1 for examples and what others wrote, 2 for tests."""
    if is_test(path):
        return 2
    return int(not _LATER.isdisjoint(path.lower().split("/")[:-1]))
