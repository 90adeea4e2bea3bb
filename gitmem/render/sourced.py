"""What became of engrams that mirror documents, as a reader sees it. Refuses to say that any was changed."""

from gitmem.answers.sourcing import Drift, SyncedSources
from gitmem.render.notices import first_notes


def sourced(result: SyncedSources) -> str:
    lines = [_line(row) for row in result.drifted]
    if result.total > len(result.drifted):
        lines.append(f"and {result.total - len(result.drifted)} more that are not as their sources are")
    lines += [f"{row.slug}: {row.message}\n  {row.hint}" for row in result.errors]
    lines.append(_count(result))
    if result.proposed:
        lines.append("look at them: gitmem proposals list --source sync-sources")
    return "\n".join([*lines, *first_notes("warning", result.warnings)])


def _line(row: Drift) -> str:
    source = row.path + (f"#{row.anchor}" if row.anchor else f":{row.lines}" if row.lines else "")
    what = f"{row.state} from {source}" if row.now == source else f"{row.state} from {source} to {row.now}"
    said = f"{row.slug}: {what}" + (", with words of its own" if row.edited else "")
    return f"{said}; {row.outcome} {row.proposal}" if row.outcome else said


def _count(result: SyncedSources) -> str:
    parts = [f"{result.unchanged} as their sources are", f"{result.total} not"]
    parts += [f"{len(result.proposed)} proposed"] if not result.dry_run else ["nothing written"]
    parts += [f"{len(result.errors)} for a person to look at"] if result.errors else []
    parts += [f"{result.unpinned} without a hash (name them to take their text)"] if result.unpinned else []
    parts += [f"{result.left} left for the next call"] if result.left else []
    parts += [f"{len(result.closed)} older proposals closed"] if result.closed else []
    return ", ".join(parts)
