"""Warnings and notices of any answer, each with its place and its hint. Refuses to leave one out unsaid."""

from collections.abc import Iterable, Sequence

from gitmem.model.finding import Notice

_MOST = 10


def first_notes(kind: str, rows: Sequence[Notice]) -> list[str]:
    """The first of many, and how many more there are: the answer in JSON has them all."""
    more = len(rows) - _MOST
    return [*notes(kind, rows[:_MOST]), *([f"and {more} more {kind}s; all of them: --json"] if more > 0 else [])]


def notes(kind: str, rows: Iterable[Notice]) -> list[str]:
    """One block for the warnings or the notices of any answer, each with its place and its hint."""
    lines = []
    for row in rows:
        place = f"{row.place}: " if row.place else ""
        hint = f"\n  hint: {row.hint}" if row.hint else ""
        lines.append(f"{kind}: {place}{row.message} [{row.code}]{hint}")
    return ["\n".join(lines)] if lines else []
