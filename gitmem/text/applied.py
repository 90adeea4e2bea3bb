"""What the hunks of a diff do to a text: the lines that come and go, and the text afterwards. Refuses to shift them."""

from collections.abc import Iterable

from gitmem.record import record
from gitmem.text.unified import Hunk

Line = tuple[int, str]


@record
class Misfit:
    """The old text is another one: at its ``line`` stands not what the hunk that begins at ``hunk_line`` says."""

    line: int
    hunk_line: int


def changed(hunks: Iterable[Hunk]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The lines that come, by their number afterwards, and those that go, by their number before."""
    added: list[Line] = []
    removed: list[Line] = []
    for hunk in hunks:
        old, new = hunk.old_start, hunk.new_start
        for row in hunk.rows:
            sign = row[0]
            if sign == "+":
                added.append((new, row[1:].removesuffix("\r")))
            elif sign == "-":
                removed.append((old, row[1:].removesuffix("\r")))
            old += sign != "+"
            new += sign != "-"
    return tuple(added), tuple(removed)


def apply(hunks: Iterable[Hunk], data: bytes) -> bytes | Misfit:
    """The text with every hunk exactly where it says it belongs."""
    old = data.decode("utf-8", "surrogateescape").split("\n")
    is_bare = bool(old[-1])
    if not is_bare:
        old.pop()
    new: list[str] = []
    at = 0
    for hunk in hunks:
        start = hunk.old_start - (hunk.old_count > 0)
        before = [row[1:] for row in hunk.rows if row[0] != "+"]
        misfit = _misfit(hunk, start, before, old)
        if misfit is not None or start < at:
            return misfit or Misfit(hunk.old_start, hunk.line)
        new += old[at:start]
        new += [row[1:] for row in hunk.rows if row[0] != "-"]
        at = start + hunk.old_count
        if at == len(old):
            if hunk.old_count and hunk.ends_bare[0] != is_bare:
                return Misfit(at, hunk.line)
            is_bare = hunk.ends_bare[1]
    new += old[at:]
    text = "\n".join(new) + ("" if is_bare or not new else "\n")
    return text.encode("utf-8", "surrogateescape")


def _misfit(hunk: Hunk, start: int, before: list[str], old: list[str]) -> Misfit | None:
    found = old[start : start + len(before)]
    if found == before and start <= len(old):
        return None
    same = next((n for n, pair in enumerate(zip(found, before, strict=False)) if pair[0] != pair[1]), len(found))
    return Misfit(start + same + 1, hunk.line)
