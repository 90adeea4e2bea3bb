"""Warnings and notices of any answer, each with its place and its hint. Refuses to leave one out."""

from collections.abc import Iterable

from gitmem.model.finding import Notice


def notes(kind: str, rows: Iterable[Notice]) -> list[str]:
    """One block for the warnings or the notices of any answer, each with its place and its hint."""
    lines = []
    for row in rows:
        place = f"{row.place}: " if row.place else ""
        hint = f"\n  hint: {row.hint}" if row.hint else ""
        lines.append(f"{kind}: {place}{row.message} [{row.code}]{hint}")
    return ["\n".join(lines)] if lines else []
