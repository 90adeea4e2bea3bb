"""What engrams rest on and how that stands, for readers. Refuses to tell at length what holds."""

from __future__ import annotations

from gitmem.model.claimed import DRIFTED, GONE, HOLDS, MOVED, ClaimState
from gitmem.model.compiled import Marks
from gitmem.render.notices import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.claimed import Claims
    from gitmem.answers.claiming import Confirmed

_MEANS = {
    DRIFTED: "has changed since this was written: check it before you rely on it",
    GONE: "is not there any more: check it before you rely on it",
    MOVED: "is the same, now at",
}
_REASONS = {
    "malformed": "the claim is not written as it must be; see: gitmem check",
    "no-hash": "the claim has no hash",
    "symbol": "the claim has the hash of a symbol and names none",
    "no-code": "this commit holds knowledge and no code",
    "not-here": "the file is not in this partial clone",
    "search": "the file has too many like places",
    "language": "no definitions are read of files of this language",
}


def marked(marks: Marks) -> list[str]:
    """A block for what does not simply hold, nothing when all does."""
    lines = []
    for mark in marks.values():
        rows = mark.get("claims")
        known = rows if isinstance(rows, tuple) else ()
        lines += [f"- {mark['slug']}: {line(row)}" for row in known if row.state != HOLDS]
    return ["\n".join(["## What some of these rest on", *lines])] if lines else []


def line(row: ClaimState) -> str:
    """One claim in one line."""
    place = f"{row.path}:{row.lines}" if row.lines else row.path
    if row.symbol:
        place += f" ({row.symbol})"
    if row.state in _MEANS:
        return " ".join(part for part in (f"{row.state}:", place, _MEANS[row.state], row.now) if part)
    reason = f": {_REASONS.get(row.why, row.why)}" if row.why else ""
    return f"{row.state}: {place}{reason}"


def listed(result: Claims) -> str:
    lines = [f"{row.slug}  {line(each)}" for row in result.items for each in row.claims]
    if not lines:
        lines = ["no claim like that"] if result.total else ["no engram makes a claim"]
    if result.next:
        lines.append(f"more: --cursor {result.next}")
    return "\n".join([*lines, *notes("warning", result.warnings)])


def confirmed(result: Confirmed) -> str:
    said = f"changed {result.path}" if result.changed else f"unchanged {result.path}: its claims hold"
    lines = [said if result.changed or not result.left else f"unchanged {result.path}"]
    lines += [f"  renewed  {line(each)}" for each in result.renewed]
    lines += [f"  left as it is  {line(each)}" for each in result.left]
    if result.left:
        lines.append(f"  make them anew: gitmem edit {result.slug} claims --remove FILE --add FILE#L10-L20")
    return "\n".join([*lines, *notes("warning", result.warnings)])
