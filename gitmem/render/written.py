"""What was written, as a reader sees it. Refuses to say that something is canonical before it is committed."""

from collections import Counter

from gitmem.answers.author import Changed, New
from gitmem.answers.linking import Linked
from gitmem.answers.start import Started
from gitmem.answers.tidy import Formatted
from gitmem.exchange.arrival import Arrived, Imported
from gitmem.exchange.draft import Skipped
from gitmem.render.notices import notes

_NAMED_BY_REASON = 10
ADVICE = {
    "long": "over 4096 bytes, so deferred instead of shown",
    "many-topics": "several topics under their own headings",
    "no-scope": "no scope, so no file brings them in",
}


def started(result: Started) -> str:
    lines = [f"wrote {path}" for path in result.written]
    if result.configured:
        lines.append("set the merge driver in the Git settings of this clone")
    if not lines:
        lines = [f"{result.root} is set up already; nothing changed"]
    if result.written:
        lines.append("commit it: git add .gitmem && git commit")
    return "\n".join([*lines, *notes("notice", result.warnings)])


def new(result: New) -> str:
    counts = "for this clone alone" if result.path.startswith("private/") else "it counts once it is committed"
    lines = [f"{result.id}", f"wrote {result.path}; {counts}"]
    return "\n".join([*lines, *notes("warning", result.warnings)])


def changed(result: Changed) -> str:
    line = f"{result.path} ({result.id})" if result.changed else f"unchanged: {result.path} ({result.id})"
    return "\n".join([line, *notes("warning", result.warnings)])


def linked(result: Linked) -> str:
    said = f"{result.path} ({result.from_} {result.kind} {result.to}, weight {result.weight:g})"
    line = said if result.changed else f"unchanged: {said}"
    return "\n".join([line, *notes("warning", result.warnings)])


def unlinked(result: Linked) -> str:
    return "\n".join([f"removed {result.path}", *notes("warning", result.warnings)])


def formatted(result: Formatted) -> str:
    verb = "would change" if result.is_check else "changed"
    lines = [f"{verb} {path}" for path in result.changed] or [f"{result.checked} file(s) are as they should be"]
    return "\n".join([*lines, *notes("warning", result.warnings)])


def imported(result: Imported) -> str:
    lines = []
    for row in result.imported:
        lines.append(_arrived(row, result))
        lines += [f"  not mapped: {loss}" for loss in row.losses]
    lines += _skipped(result.skipped)
    lines.append(", ".join(f"{count} {name}" for name, count in result.counts.items()))
    if result.imported and not result.dry_run:
        lines.append(_what_now(result))
    said = Counter(row.code for row in result.warnings if row.code in ADVICE)
    lines += [f"warning: {count} file(s): {ADVICE[code]}; details: gitmem check" for code, count in said.items()]
    return "\n".join([*lines, *notes("warning", tuple(row for row in result.warnings if row.code not in ADVICE))])


def _arrived(row: Arrived, result: Imported) -> str:
    verbs = ("would propose", "proposed") if result.proposed else ("would write", "wrote")
    what = f" as {row.proposal}" if row.proposal else ""
    return f"{verbs[not result.dry_run]} {row.path} from {row.source} ({row.format}){what}"


def _what_now(result: Imported) -> str:
    if not result.proposed:
        return "review them, then: git add .gitmem && git commit"
    if result.bundle:
        return f"they wait for a person as the bundle {result.bundle}: gitmem proposals list --bundle {result.bundle}"
    if len(result.imported) > 1:
        return "each waits for a person: gitmem proposals list"
    return f"it waits for a person: gitmem proposals diff {result.imported[0].proposal}"


def _skipped(rows: tuple[Skipped, ...]) -> list[str]:
    """By name while they are few; a folder of a thousand tasks is one reason, not a thousand lines."""
    seen: Counter[str] = Counter()
    lines = []
    for row in rows:
        seen[row.reason] += 1
        if seen[row.reason] <= _NAMED_BY_REASON:
            lines.append(f"skipped {row.source}: {row.reason}")
    more = ((reason, count - _NAMED_BY_REASON) for reason, count in seen.items() if count > _NAMED_BY_REASON)
    return lines + [f"skipped {count} more: {reason} (all of them: --json)" for reason, count in more]
