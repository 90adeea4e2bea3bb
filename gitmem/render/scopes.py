"""Scopes that are too broad, and scopes whose files moved, as a reader sees them. Refuses to leave a refusal out."""

from gitmem.answers.breadth import Broad, Folder, Reviewed
from gitmem.answers.narrowing import Applied
from gitmem.answers.renaming import Followed, Renamed
from gitmem.render.notices import first_notes

_STEPS_SHOWN = 10


def reviewed(result: Reviewed) -> str:
    lines = [line for row in result.items for line in _broad(row, result.files)]
    if result.items:
        lines.append(f"{result.files} files in {result.folder_total} folders:")
        lines += [f"  {_folder(row)}" for row in result.folders]
        lines += [f"further folders: --folder-cursor {result.folder_next}"] if result.folder_next else []
        lines += [f"further rules: --cursor {result.next}"] if result.next else []
        lines.append("answer with: gitmem scopes apply FILE, in which each item has its paths and its except")
    else:
        lines.append(f"no pattern matches most of the {result.files} files")
    return "\n".join([*lines, *first_notes("warning", result.warnings)])


def _broad(row: Broad, files: int) -> list[str]:
    shown = ", ".join(f"{each.pattern} ({each.files} of {files})" for each in row.patterns)
    lines = [f"{row.slug} ({row.item}): {row.title}", f"  {shown}"]
    return [*lines, f"  except {', '.join(row.excluded)}"] if row.excluded else lines


def _folder(row: Folder) -> str:
    more = ", ..." if row.files > len(row.names) else ""
    return f"{row.folder or '.'} ({row.files}): {', '.join(row.names)}{more}"


def applied(result: Applied) -> str:
    lines = [
        f"{row.slug}: {row.before} files, then {row.after}; "
        + (f"proposed {row.proposal}" if row.proposal else row.reason)
        for row in result.items
    ]
    if result.bundle:
        lines.append(f"they are the bundle {result.bundle} and wait for a person")
    return "\n".join([*lines, *first_notes("warning", result.warnings)])


def followed(result: Followed) -> str:
    lines = [line for row in result.renames for line in _renamed(row)]
    lines += [f"{row.slug}: the files of {row.pattern} are in several places, as {row.files[0]}" for row in result.lost]
    if not lines:
        lines.append("nothing names files that have moved")
    if result.total > len(result.renames):
        lines.append(f"and {result.total - len(result.renames)} more moves")
    if result.proposed:
        lines.append("look at them: gitmem proposals list --source scopes-follow")
    return "\n".join([*lines, *first_notes("warning", result.warnings)])


def _renamed(row: Renamed) -> list[str]:
    said = f"; {row.outcome} {row.proposal}" if row.outcome else ""
    if row.old and row.new:
        lines = [f"{row.old} is {row.new} now{said}"]
    else:
        lines = [f"files of {row.old or 'the root'} are in {row.new or 'the root'} now{said}"]
    lines += [f"  {step.slug} {step.part}: {step.old} -> {step.new}" for step in row.steps[:_STEPS_SHOWN]]
    more = len(row.steps) - _STEPS_SHOWN
    return [*lines, f"  and {more} more"] if more > 0 else lines
