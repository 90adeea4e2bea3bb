"""What is recalled as a reader sees it. Refuses to hide that there is more."""

from __future__ import annotations

from gitmem.render.checked import in_a_line, readable
from gitmem.render.notices import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.recall import Entry, Recalled

_FILES = 3
_DATE_CHARS = 10


def recalled(result: Recalled) -> str:
    lines = [_row(entry) for entry in result.entries] or ["nothing that fits is on record or in the history"]
    more = ["more fits; narrow it down, or raise --limit"] if result.truncated else []
    return readable("\n".join([*lines, *more, *notes("warning", result.warnings)]))


def _row(entry: Entry) -> str:
    sunk = " (superseded)" if entry.superseded else ""
    named = ", ".join(entry.files[:_FILES]) + (f" and {len(entry.files) - _FILES} more" if entry.files[_FILES:] else "")
    ref = entry.ref[:12] if _is_hex(entry.ref) else entry.ref
    head = f"{entry.when[:_DATE_CHARS]}  {entry.kind.ljust(10)}  {ref}{sunk}"
    return "\n    ".join(map(in_a_line, (head, entry.text, named or "no files")))


def _is_hex(ref: str) -> bool:
    return len(ref) in (40, 64) and not ref.strip("0123456789abcdef")
