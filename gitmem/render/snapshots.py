"""Snapshots and comparisons as a reader sees them. Refuses to leave a warning out."""

from __future__ import annotations

from gitmem.render.checked import readable
from gitmem.render.effect import effect
from gitmem.render.notices import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.keeping import Created, Dropped
    from gitmem.answers.snapshots import Compared, End, Listed, Row, Shown


def listed(result: Listed) -> str:
    if not result.snapshots:
        return "no named snapshot here; make one: gitmem snapshots create NAME"
    more = [f"{len(result.snapshots)} of {result.total}; more: --cursor {result.next}"] if result.next else []
    return readable("\n".join([*map(_row, result.snapshots), *more]))


def _row(row: Row) -> str:
    note = f"  {row.note}" if row.note else ""
    return f"{row.name}  {row.knowledge_version}  {row.at}  {row.by}{note}"


def shown(result: Shown) -> str:
    lines = [
        f"knowledge: {result.items} item(s), {result.rules} of them rules, {result.knowledge_version}",
        f"snapshot: {result.snapshot_id}",
        f"commit: {result.commit}",
    ]
    lines += [f"named: {_row(row)}" for row in result.names]
    lines += [f"{result.problems} problem(s): see gitmem check"] if result.problems else []
    return readable("\n".join([*lines, *notes("warning", result.warnings), *notes("notice", result.notices)]))


def created(result: Created) -> str:
    state = "made" if result.is_new else "is there already, with this very knowledge"
    lines = [
        f"snapshot {result.name} {state}: {result.knowledge_version}, {result.snapshot_id[:16]}",
        f"read it with: --at snapshot:{result.name}",
    ]
    return readable("\n".join([*lines, *notes("notice", result.notices)]))


def dropped(result: Dropped) -> str:
    lines = [f"snapshot {result.name} is gone here; it was {result.commit[:12]} ({result.knowledge_version})"]
    return readable("\n".join([*lines, *notes("notice", result.notices)]))


def compared(result: Compared) -> str:
    head = f"{_end(result.before)} -> {_end(result.after)}"
    blocks = [head, *effect(result.diff), *notes("warning", result.warnings), *notes("notice", result.notices)]
    return readable("\n\n".join(blocks))


def _end(end: End) -> str:
    return f"{end.asked or 'now'} ({end.knowledge_version})"
