"""Reports and what became of them, as a reader sees them. Refuses to show signs that hide or move the cursor."""

from collections.abc import Iterable, Mapping

from gitmem.answers.choosing import Resolved
from gitmem.answers.observe import Observed
from gitmem.answers.observed import Listed, Row, Shown
from gitmem.answers.triaging import Archived, Coverage, Processed, Reclaimed
from gitmem.model.observation import Conflict
from gitmem.model.plain import Plain
from gitmem.render.notices import first_notes
from gitmem.text.unsafe import escape_hidden

_MOST = 50


def observed(result: Observed) -> str:
    lines = [f"kept as observation {result.observation} ({result.event_type}); no knowledge has changed"]
    lines += [result.triage_hint] if result.triage_hint else []
    lines += _conflicts(result.conflicts or ())
    if result.proposal:
        lines.append(f"as a standing rule it waits as {result.proposal}")
    if result.asks:
        lines.append(f"show the rule to the person and ask: {result.asks}")
    return _readable([*lines, *first_notes("warning", result.warnings)])


def _conflicts(rows: Iterable[Conflict]) -> list[str]:
    found = [f"collides with {row.slug}: {row.why}" for row in rows]
    return [*found, "it waits until a person chooses: keep both, replace, or cancel"] if found else []


def listed(result: Listed) -> str:
    lines = [_row(row) for row in result.observations] or ["no observations"]
    if result.next:
        lines.append(f"{len(result.observations)} of {result.total}; the next: --cursor {result.next}")
    return _readable(lines)


def _row(row: Row) -> str:
    parts = [row.id, f"{row.state:<8}", f"{row.event_type:<17}", row.text or ", ".join(row.files[:3])]
    told = [f"-> {', '.join(row.proposals)}"] if row.proposals else []
    told += [f"[collides with {row.conflicts}]"] if row.conflicts else []
    return "  ".join([*parts, f"({row.by or 'a person'})", *told])


def shown(result: Shown) -> str:
    session = f", session {result.session}" if result.session else ""
    lines = [
        f"{result.observation}  {result.state}",
        f"{result.event_type} by {result.by or 'a person'}{session}, {result.at}",
    ]
    lines += [f"became of it: {result.reason}"] if result.reason else []
    lines += [f"led to {', '.join(result.proposals)}"] if result.proposals else []
    lines += [f"collides with {row.slug}: {row.why}{_choice(result.choices, row)}" for row in result.conflicts]
    return _readable([*lines, "", *_fields(result.payload)])


def _choice(choices: Mapping[str, str], row: Conflict) -> str:
    return f" ({choices[row.item]})" if row.item in choices else ""


def _fields(payload: Mapping[str, Plain]) -> list[str]:
    lines = []
    for name, value in payload.items():
        if isinstance(value, list):
            lines += [f"{name}:", *(f"  {each}" for each in value)]
        elif isinstance(value, str) and "\n" in value:
            lines += [f"{name}:", *(f"  {line}" for line in value.split("\n"))]
        else:
            lines.append(f"{name}: {value}")
    return lines


def processed(result: Processed) -> str:
    would = "would be " if result.preview else ""
    lines = [f"{would}queued again: {id_}" for id_ in result.requeued]
    for row in result.proposed[:_MOST]:
        lines.append(
            f"{would}proposed {row.proposal or '(a new id)'}: {row.title} [{row.event_type} {row.observation}]"
        )
    for gone in result.skipped[:_MOST]:
        kept = "stays open" if gone.state == "open" else f"{would}dropped"
        lines.append(f"{kept}: {gone.observation} ({gone.event_type}): {gone.reason}")
    for failed in result.errors[:_MOST]:
        hint = f"\n  hint: {failed.hint}" if failed.hint else ""
        lines.append(f"failed: {failed.observation} ({failed.event_type}): {failed.message} [{failed.code}]{hint}")
    return _readable([*lines, _counted(result.coverage)])


def _counted(counts: Coverage) -> str:
    return (
        f"{counts.observations} observation(s): {counts.proposed} proposed, {counts.waiting} stay open, "
        f"{counts.dropped} dropped, {counts.failed} failed" + (f", {counts.left} left" if counts.left else "")
    )


def reclaimed(result: Reclaimed) -> str:
    would = "would be " if result.preview else ""
    return _readable([f"{would}queued again: {id_}" for id_ in result.requeued] or ["nothing to queue again"])


def archived(result: Archived) -> str:
    return _readable([f"{id_} is archived" for id_ in result.archived])


def resolved(result: Resolved) -> str:
    lines = [f"{result.observation}: {result.choice}; it is {result.state}"]
    if result.bundle:
        lines.append(f"proposed {len(result.proposals)} changes as the bundle {result.bundle}; they wait for a person")
        lines += [f"  {id_}" for id_ in result.proposals]
    return _readable(lines)


def _readable(lines: list[str]) -> str:
    return escape_hidden("\n".join(lines))
