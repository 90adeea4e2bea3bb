"""What a change of the knowledge does, in words. Refuses to leave out what it does not list: that is counted."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.model.effect import MOVED, Effect, FileChange, Gain
from gitmem.render.notices import notes

_FILES_NAMED = 5


def effect(result: Effect) -> list[str]:
    """Blocks of lines: files, then rules, then what they cost and contradict."""
    files = [_file(row) for row in result.files]
    if result.files_total > len(result.files):
        files.append(f"and {result.files_total - len(result.files)} more files of the folder")
    rules = result.rules
    reach = [*_reach("come with", rules.gained, rules.gained_total), *_reach("lose", rules.lost, rules.lost_total)]
    reach += [f"{row.slug}: {row.change} for the command {row.command}" for row in result.commands]
    reach += [f"{row.slug}: no file matches {row.pattern} yet" for row in result.unmatched]
    blocks = ["\n".join(rows) for rows in (files, reach) if rows]
    if result.files:
        blocks.append(f"tokens: {result.tokens.before} before, {result.tokens.after} after")
    blocks += [*_against(result), *notes("notice", result.notices)]
    return blocks or ["the knowledge is the same"]


def _file(row: FileChange) -> str:
    keys = f" ({', '.join(row.keys)})" if row.keys and row.item else ""
    was = f" from {row.moved_from}" if row.change == MOVED else ""
    return f"{row.change}: {row.path}{was}{keys}"


def _reach(verb: str, rows: Iterable[Gain], total: int) -> list[str]:
    """One line a rule: how many files, and the first of them."""
    files: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        files.setdefault((row.slug, row.item), []).append(row.file)
    lines = []
    for (slug, _), names in sorted(files.items()):
        shown = ", ".join(names[:_FILES_NAMED])
        more = f" and {len(names) - _FILES_NAMED} more" if len(names) > _FILES_NAMED else ""
        lines.append(f"{_count(len(names), verb)} {slug}: {shown}{more}")
    left = total - sum(map(len, files.values()))
    return [*lines, *([f"and {left} more that {verb} a rule"] if left else [])]


def _count(number: int, verb: str) -> str:
    if number == 1:
        return f"1 file {'comes with' if verb == 'come with' else 'loses'}"
    return f"{number} files {verb}"


def _against(result: Effect) -> Iterable[str]:
    for row in result.contradicts:
        yield f"{row.slug} contradicts {row.other_slug}: {row.reason}\n  - {row.mine}\n  - {row.theirs}"
    for like in result.alike:
        said = "the same as" if like.kind == "duplicate" else f"much the same as ({like.percent} %)"
        yield f"{like.slug} says {said} {like.other_slug}"
    for each in result.overlaps:
        yield f"the proposal {each.proposal} touches {each.path} too"
