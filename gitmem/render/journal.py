"""The history of an item, a pruning and a check of the journal as a reader sees them. Refuses to leave a fault out."""

from __future__ import annotations

from gitmem.render.checked import in_a_line, readable
from gitmem.render.notices import first_notes, notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.activity import Activity, Happened
    from gitmem.answers.pruning import PruneResult
    from gitmem.answers.soundness import Checked

_TITLE_CHARS = 100
_DIGITS = 12


def queried(result: Activity) -> str:
    lines = [_row(row) for row in result.happened] or ["nothing on record that fits"]
    lines += [f"{len(result.happened)} of {result.total}; more: --cursor {result.next}"] if result.next else []
    return readable("\n".join([*lines, *notes("warning", result.warnings)]))


def _row(row: Happened) -> str:
    done = ", ".join(f"{name} {count}" for name, count in row.counts.items()) if row.counts else ", ".join(row.actions)
    title = row.title[:_TITLE_CHARS] or ", ".join(row.files)[:_TITLE_CHARS]
    by = f"by {row.by}" if row.by else f"in {row.writer}" if row.counts else ""
    commit = f"in {row.commit[:_DIGITS]}" if row.commit else ""
    # Whoever shared it chose the words: they must not make lines of their own.
    return "  ".join(in_a_line(part) for part in (row.at, row.kind, done, title, by, commit, row.id) if part)


def pruned(result: PruneResult) -> str:
    verb = "would give way" if result.dry_run else "gave way"
    lines = [f"{result.folded} event(s) from before {result.before} {verb} to their counts"]
    lines += [f"{result.kept} as old stay: notes of people, and what open proposals rest on"] if result.kept else []
    if result.folded:
        lines.append(f"{result.bytes_before} bytes before, {result.bytes_after} after")
    lines += [f"{result.packed} small file(s) were put into others"] if result.packed else []
    lines += [f"{result.live} file(s) are being written and were left alone"] if result.live else []
    return readable("\n".join([*lines, *notes("warning", result.warnings)]))


def checked(result: Checked) -> str:
    state = f"{len(result.findings)} fault(s)" if result.findings else "sound"
    lines = [f"{state}: {result.events} event(s) in {result.segments} segment(s), {result.folded} more in counts"]
    lines += [f"shared: {result.seals} seal(s) of {result.writers} writer(s)"] if result.writers else []
    lines += [
        f"error: {each.path}:{each.line}: {each.message} [{each.code}]\n  hint: {each.hint}" for each in result.findings
    ]
    return readable("\n".join([*lines, *first_notes("notice", result.notices)]))
