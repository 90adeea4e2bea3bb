"""What a sync brought together, as a reader sees it. Refuses to call anything synced that is not."""

from gitmem.answers.sync import Moved, Synced
from gitmem.render.checked import readable
from gitmem.render.notices import notes

_NAMED_MAX = 5


def synced(result: Synced) -> str:
    verbs = ("would pull", "would merge", "would push") if result.dry_run else ("pulled", "merged", "pushed")
    moves = zip(verbs, (result.pulled, result.merged, result.pushed), strict=True)
    lines = [line for verb, moved in moves for line in _moved(verb, moved)]
    for each in result.conflicts:
        lines.append(f"conflict: {each.path}: {each.field}: here {_value(each.ours)}, there {_value(each.theirs)}")
    if result.dry_run and result.remote:
        lines.append("only tracking refs were updated; nothing else was changed")
    if not lines and not result.not_synced:
        lines.append(f"in sync with {result.remote}")
    reasons = [notice for notice in result.warnings if notice.message in (result.not_synced or "")]
    others = [notice for notice in result.warnings if notice not in reasons]
    return readable("\n".join([*lines, *notes("not synced", reasons), *notes("warning", others)]))


def _moved(verb: str, moved: Moved) -> list[str]:
    more = [f"  and {moved.total - _NAMED_MAX} more"] if moved.total > _NAMED_MAX else []
    named = [f"  {name}" for name in moved.refs[:_NAMED_MAX]]
    return [f"{verb} {moved.total} ref(s)", *named, *more] if moved.total else []


def _value(value: str | None) -> str:
    return "nothing" if value is None else repr(value[:80])
