"""What was read of the code, for readers. Refuses to leave out that something is missing."""

from __future__ import annotations

from gitmem.answers.index import Indexed
from gitmem.answers.symbols import SymbolRow, Symbols
from gitmem.render.checked import in_a_line
from gitmem.render.notices import first_notes

_SKIPPED_SHOWN = 20


def index(result: Indexed) -> str:
    lines = [f"{result.files} files: {result.parsed} read now, {result.reused} known before"]
    lines += [in_a_line(f"skipped {each.path}: {each.reason}") for each in result.skipped[:_SKIPPED_SHOWN]]
    more = len(result.skipped) - _SKIPPED_SHOWN
    lines += [f"and {more} more skipped: --json"] if more > 0 else []
    lines += [in_a_line(f"read by line patterns only: {path}") for path in result.fallback[:_SKIPPED_SHOWN]]
    return "\n".join([*lines, *first_notes("notice", result.notices)])


def symbols(result: Symbols) -> str:
    lines = [_symbol(each) for each in result.symbols] or ["no symbol matches"]
    if result.suggested:
        lines.append(f"did you mean {result.suggested}?")
    more = result.total - len(result.symbols)
    lines += [f"and {more} more: --limit, --kind, --path"] if more > 0 else []
    return "\n".join([*lines, *first_notes("notice", result.notices)])


def _symbol(each: SymbolRow) -> str:
    return in_a_line(f"{each.path}:{each.line} {each.kind} {each.id.rpartition('::')[2]}  {each.signature}")
