"""What engrams rest on and how that stands, for readers. Refuses to tell at length what holds."""

from gitmem.model.claimed import DRIFTED, GONE, HOLDS, MOVED, ClaimState
from gitmem.model.compiled import Marks

_MEANS = {
    DRIFTED: "has changed since this was written: check it before you rely on it",
    GONE: "is not there any more: check it before you rely on it",
    MOVED: "is the same, now at",
}
_REASONS = {
    "malformed": "the claim is not written as it must be; see: gitmem check",
    "no-hash": "the claim has no hash",
    "symbol": "hashes of symbols are not judged yet",
    "no-code": "this commit holds knowledge and no code",
    "not-here": "the file is not in this partial clone",
    "search": "the file has too many like places",
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

