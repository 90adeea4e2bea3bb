"""What a merge came to, as a reader sees it. Refuses to speak where Git is speaking."""

from gitmem.answers.driver import Driven
from gitmem.answers.resolve import Resolution
from gitmem.render.checked import readable
from gitmem.render.notices import notes
from gitmem.review.outcome import Conflict

_SHOWN = 60


def driven(_result: Driven) -> str:
    """Nothing: Git names the conflicts itself, and its own output may be for a program."""
    return ""


def resolution(result: Resolution) -> str:
    lines = [f"{each.path}: {each.how}" for each in result.resolved]
    lines += [_conflict(each) for each in result.conflicts]
    if result.conflicts:
        lines.append("settle them: gitmem resolve --ours, --theirs or --edit; or edit the files and resolve again")
    elif not result.resolved:
        lines.append("nothing below .gitmem is in conflict")
    lines += [f"go on: {result.next}"] if result.next else []
    return readable("\n".join([*lines, *notes("warning", result.warnings)]))


def _conflict(found: Conflict) -> str:
    if found.ours is None and found.theirs is None:
        return f"{found.path}: conflict [{found.field}]"
    sides = f"ours {_short(found.ours)}, theirs {_short(found.theirs)}"
    return f"{found.path}: both sides changed {found.field}: {sides}, before {_short(found.base)}"


def _short(value: str | None) -> str:
    if value is None:
        return "nothing"
    line = " ".join(value.split())
    return f'"{line}"' if len(line) <= _SHOWN else f'"{line[:_SHOWN]}..."'
