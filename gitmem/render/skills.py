"""Skills and intentions as a reader sees them. Refuses to say that anything was done."""

from __future__ import annotations

from gitmem.render.notices import first_notes, notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.intention_edit import IntentionWritten, Snoozed
    from gitmem.answers.intentions import IntentionList, IntentionShown
    from gitmem.answers.intentions import Row as IntentionRow
    from gitmem.answers.skill_edit import SkillWritten
    from gitmem.answers.skill_use import Recorded
    from gitmem.answers.skills import Row, SkillList, SkillShown

_SHOWN_CHARS = 100


def listed(result: SkillList) -> str:
    lines = [_skill(row) for row in result.skills]
    if not lines:
        lines = ["no skill like that"]
    if result.next:
        lines.append(f"more: --cursor {result.next}")
    return "\n".join([*lines, *notes("warning", result.warnings), *notes("notice", result.notices)])


def _skill(row: Row) -> str:
    used = f"{row.uses} use(s), utility {row.utility:.2f}" if row.uses else "no use yet"
    about = row.description if len(row.description) <= _SHOWN_CHARS else f"{row.description[:_SHOWN_CHARS]}..."
    return f"{row.name}  {row.stage}, {row.health}, {used}\n  {about}"


def shown(result: SkillShown) -> str:
    row = result.skill
    used = f"{row.uses} use(s), utility {row.utility:.4f}, retention {row.retention:.4f}: {row.health}"
    parts = {
        "version": row.version,
        "licence": result.license,
        "compatibility": result.compatibility,
        "allowed tools": ", ".join(result.allowed_tools),
        "start when": "; ".join(result.starts),
        "builds on": ", ".join(result.composes),
        "built on by": ", ".join(result.composed_by),
        "rests on": ", ".join(result.engrams),
    }
    lines = [f"{row.name} ({row.stage}{', retired' if row.status == 'retired' else ''})", row.description, used]
    lines += [f"{name}: {text}" for name, text in parts.items() if text]
    return "\n".join([*lines, "", result.content.rstrip("\n"), *notes("warning", result.warnings)])


def recorded(result: Recorded) -> str:
    change = result.utility
    lines = [f"{result.name}: {result.outcome} ({result.reward:g}); utility {change.before:.4f} -> {change.after:.4f}"]
    lines.append(f"{result.uses} use(s), retention {result.retention.after:.4f}: {result.health}")
    lines += [f"taken back: proposal {id_}" for id_ in result.withdrawn]
    return "\n".join([*lines, *notes("warning", result.warnings)])


def written(result: SkillWritten) -> str:
    return _written(result.path, f"{result.name}, {result.stage}", result)


def intention(result: IntentionWritten) -> str:
    return _written(result.path, f"{result.slug}, {result.status}", result)


def _written(path: str, what: str, result: SkillWritten | IntentionWritten) -> str:
    line = f"wrote {path} ({what}); it counts once it is committed" if result.changed else f"unchanged: {path} ({what})"
    return "\n".join([line, *notes("warning", result.warnings)])


def intentions(result: IntentionList) -> str:
    lines = [_intention(row) for row in result.intentions] or ["no intention like that"]
    if result.next:
        lines.append(f"more: --cursor {result.next}")
    return "\n".join([*lines, *notes("warning", result.warnings), *first_notes("notice", result.notices)])


def _intention(row: IntentionRow) -> str:
    waits = [row.at, row.event, *row.paths]
    why = "; ".join(row.because) or f"waits for {', '.join(each for each in waits if each)}"
    until = f" until {row.until}" if row.state == "snoozed" else ""
    return f"{row.slug}  {row.state}{until}, {row.action}: {row.title}\n  {why}"


def intention_shown(result: IntentionShown) -> str:
    lines = [_intention(result.intention), "", result.content.rstrip("\n")]
    return "\n".join([*lines, *notes("warning", result.warnings)])


def snoozed(result: Snoozed) -> str:
    return "\n".join([f"{result.slug} stays quiet here until {result.until}", *notes("warning", result.warnings)])
