"""Proposals and decisions as a reader sees them. Refuses to shorten an id or a patch set that must be given back."""

from gitmem.answers.approve import Approved
from gitmem.answers.closing import Closed, Commented
from gitmem.answers.preflight import Preflight
from gitmem.answers.proposals import Listed, Row, author_of
from gitmem.answers.publish import Published
from gitmem.answers.showing import Overlaps, Shown
from gitmem.answers.undo import Undone
from gitmem.model.effect import Effect
from gitmem.model.proposal import PENDING, Event
from gitmem.render import effect as effects
from gitmem.render.notices import first_notes, notes
from gitmem.text.unsafe import escape_hidden


def listed(result: Listed) -> str:
    lines = [_row(row, result.approvals_needed) for row in result.proposals] or ["no proposals"]
    if result.next:
        lines.append(f"{result.total} in all; the next: --cursor {result.next}")
    return _readable([*lines, *notes("warning", result.warnings)])


def _row(row: Row, needed: int = 0) -> str:
    bundle = f" [bundle {row.bundle}]" if row.bundle else ""
    votes = f" [{row.approvals} of {needed} approvals]" if needed and row.status in PENDING else ""
    return f"{row.id}@{row.patchset}  {row.status:<16}  {row.title}  ({row.author}){bundle}{votes}"


def shown(result: Shown) -> str:
    if result.members:
        return _readable(_bundle(result))
    lines = [
        f"{result.proposal}@{result.patchset}  {result.status}",
        f"{result.title} ({result.kind})",
        f"proposed by {author_of(result.proposed_by)}, {result.opened}",
    ]
    lines += [f"bundle {result.bundle}"] if result.bundle else []
    lines += [f"needs {', '.join(result.needs)}"] if result.needs else []
    lines += [f"blocked by {', '.join(result.blocked_by)}"] if result.blocked_by else []
    if result.approvals:
        by = f" by {', '.join(result.approvals.given)}" if result.approvals.given else ""
        lines.append(f"approvals {len(result.approvals.given)} of {result.approvals.needed}{by}")
    lines += [f"evidence {', '.join(result.evidence)}"] if result.evidence else []
    lines += ["", result.rationale] if result.rationale else []
    lines.append("")
    for row in result.items:
        moved = f" (from {row.moved_from})" if row.moved_from else ""
        lines.append(f"  {row.path}{moved}: {', '.join(row.keys) or 'moved'}")
    lines += [f"warning: looks like a secret: {text}" for text in result.secrets]
    lines += [_event(event) for event in result.events]
    lines += notes("warning", result.warnings)
    if result.diff:
        lines += ["", result.diff.rstrip()]
    return _readable(lines)


def _bundle(result: Shown) -> list[str]:
    waiting = [row for row in result.members if row.status in PENDING]
    lines = [f"bundle {result.proposal} of {len(result.members)}", *(f"  {_row(row)}" for row in result.members)]
    if waiting:
        names = " ".join(f"{row.id}@{row.patchset}" for row in waiting)
        lines.append(f"approve it: gitmem proposals approve {names} --bundle")
    return [*lines, "", result.diff.rstrip()] if result.diff else lines


def _readable(lines: list[str]) -> str:
    """What waits was written by whoever wanted to: signs that hide or move the cursor are shown as what they are."""
    return escape_hidden("\n".join(lines))


def _event(event: Event) -> str:
    text = f": {event.text}" if event.text else ""
    other = f", in favour of {event.other}" if event.other else ""
    return f"{event.at}  {event.kind} by {author_of(event.by)}{other}{text}"


def effect(result: Effect) -> str:
    lines = effects.effect(result)
    lines += [f"overlaps: proposal {each.proposal} changes {each.item} too" for each in result.overlaps]
    return _readable(lines)


def overlaps(result: Overlaps) -> str:
    lines = [
        f"{pair.proposal} ({pair.title}) and {pair.other} ({pair.other_title}): {', '.join(pair.items)}"
        for pair in result.overlaps
    ]
    return _readable(lines or ["no open proposals change the same items"])


def preflight(result: Preflight) -> str:
    lines = [f"order: {', '.join(result.order)}"]
    lines += [f"obstacle: {each.proposal}: {each.reason}" for each in result.obstacles]
    for each in result.conflicts:
        lines.append(f"conflict: {each.path}: {each.field}: {each.ours!r} is trusted, {each.theirs!r} is proposed")
    lines += [f"{each.severity}: {each.place}: {each.message} [{each.code}]" for each in result.findings]
    lines.append(f"would land as {result.knowledge_version}" if result.ok else "would not land")
    return _readable([*lines, *notes("warning", result.warnings)])


def approved(result: Approved) -> str:
    lines = [f"failed: {each.proposal}: {each.message}" for each in result.failed]
    if result.commit:
        names = ", ".join(result.proposals)
        lines.append(f"approved {names}: {result.commit[:12]} on {result.branch}, knowledge {result.knowledge_version}")
    elif result.waiting_for:
        lines.append(f"your approval is on record; {result.waiting_for} more needed")
    return "\n".join([*lines, *first_notes("warning", result.warnings)])


def closed(result: Closed) -> str:
    failed = [f"failed: {each.proposal}: {each.message}" for each in result.failed]
    return "\n".join([*(f"{id_} is {result.status}" for id_ in result.proposals), *failed])


def commented(result: Commented) -> str:
    return f"said about {result.proposal}"


def published(result: Published) -> str:
    lines = []
    for each in result.branches:
        where = f", pushed to {each.pushed}" if each.pushed else ""
        lines.append(f"{each.branch}: {', '.join(each.proposals)}{where}")
    return "\n".join([*lines, *notes("warning", result.warnings)])


def undone(result: Undone) -> str:
    if result.commit:
        what = f"reinstated {result.reinstates}" if result.reinstates else f"taken back {result.reverts}"
        lines = [f"{what}: {result.commit[:12]}, knowledge {result.knowledge_version}"]
    else:
        lines = [f"{result.proposal}@{result.patchset} waits for a decision"]
    return "\n".join([*lines, *notes("warning", result.warnings)])
