"""Figures about the knowledge as a reader sees them. Refuses to leave out that a list is cut."""

from __future__ import annotations

from gitmem.render.checked import in_a_line
from gitmem.render.notices import first_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.coverage import Coverage
    from gitmem.answers.stats import Stats

_SHOWN = 20


def text(result: Stats) -> str:
    return "\n".join([*_coverage(result.coverage), *first_notes("warning", result.warnings)])


def _coverage(found: Coverage) -> list[str]:
    churned = [f"  {row.path}: {row.commits} commit(s)" for row in found.churned]
    stranded = [f"  {row.slug}: {', '.join(row.places)}" for row in found.stranded]
    life = f"{found.half_life_commits} commits to their files" if found.half_life_commits else "not known yet"
    return [
        f"{found.covered} of {found.files} file(s) are in the scope or a claim of an item",
        f"busy files that no item is about, in the newest {found.commits} commit(s): {found.churned_total}",
        *_cut(churned, found.churned_total),
        f"items on dead paths: {found.stranded_total}",
        *_cut(stranded, found.stranded_total),
        f"half of the items were changed after: {life}",
    ]


def _cut(rows: list[str], total: int) -> list[str]:
    more = total - len(rows[:_SHOWN])
    return [*map(in_a_line, rows[:_SHOWN]), *([f"  and {more} more"] if more > 0 else [])]
