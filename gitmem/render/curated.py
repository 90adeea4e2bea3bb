"""What was decided at once, and what can be brought back, as a reader sees it. Refuses to hide what was not written."""

from gitmem.answers.curating import Decided
from gitmem.answers.returning import Trash
from gitmem.render.notices import notes


def decided(result: Decided) -> str:
    if not result.proposal:
        lines = [f"nothing was written: {result.target} is the same"]
    elif result.waiting_for:
        lines = [f"{result.id or result.proposal} waits for {result.waiting_for} more approval(s): {result.proposal}"]
    else:
        lines = [f"{result.id or result.proposal} is decided in {result.commit[:12]} ({result.knowledge_version})"]
    if result.verdict == "update":
        lines.append(f"it is a change of {result.target}: {result.reason}")
    lines += [f"it may be an edge: gitmem link {h.from_} {h.kind} {h.to} ({h.words})" for h in result.hints]
    return "\n".join([*lines, *notes("warning", result.warnings)])


def trash(result: Trash) -> str:
    rows = [f"{row.id}  {row.days:>4} d  {row.commit[:12]}  {row.slug}  {row.title}" for row in result.items]
    lines = rows or ["nothing was taken out"]
    if result.total > len(result.items):
        lines.append(f"{len(result.items)} of {result.total}; more: --limit")
    return "\n".join([*lines, *notes("warning", result.warnings)])
