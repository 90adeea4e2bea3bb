"""Matching alone: many patterns, and patterns that blow up elsewhere."""

from benchmarks.report import Figure, Table
from benchmarks.setting import Setting, inside

NAME = "globs"
LIMIT_LONG_MS = 100


def measured(setting: Setting) -> Table:
    found = inside("globs", str(setting.rounds), str(setting.rules))
    figures = (
        Figure(
            NAME,
            f"{setting.rules:,} patterns, 5 paths, one trie",
            found["trie.cpu"],
            "ms",
            "the same patterns one by one",
            found["loop.cpu"],
        ),
        Figure(NAME, "building that trie", found["build.cpu"], "ms"),
        Figure(
            NAME,
            "200 patterns of many stars, a path of 64 KiB",
            found["long.cpu"],
            "ms",
            "the same patterns one by one",
            found["longs.cpu"],
            limit=LIMIT_LONG_MS,
        ),
    )
    return Table(NAME, "Globs alone", f"python -m benchmarks {NAME}", figures)
