"""Contradictions as a reader sees them. Refuses to call advice a decision."""

from __future__ import annotations

from gitmem.render.notices import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.contradictions import Contradictions, Row


def listed(result: Contradictions) -> str:
    lines = [line for row in result.contradictions for line in _row(row)] or ["no contradiction waits"]
    more = f"{len(result.contradictions)} of {result.total}; more: --cursor {result.next}" if result.next else ""
    return "\n".join([*lines, *([more] if more else []), *notes("warning", result.warnings)])


def _row(row: Row) -> list[str]:
    lines = [f"{row.id}  {row.state}  {row.newer_slug} against {row.older_slug}, {row.age_days} day(s)"]
    lines += [f"  {each}" for each in row.said]
    if row.advice:
        lines.append(f"  advice: {row.advice.verdict}, {row.advice.certainty:.2f} sure: {row.advice.reason}")
    if row.resolution and row.resolution.rationale:
        lines.append(f"  {row.resolution.verdict or row.resolution.state}: {row.resolution.rationale}")
    return lines
