"""What a change would touch, for readers. Refuses to leave out that a list is cut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gitmem.model.graph import PROVEN
from gitmem.model.impact import AffectedSymbol, Evidence, Impact, ImportingFile, Reached
from gitmem.render.checked import in_a_line
from gitmem.render.notices import first_notes

_ELSEWHERE = 3


def text(result: Impact) -> str:
    code = [_importing(row) for row in result.code.files]
    tests = [f"- {row.path}: {'; '.join(row.reasons)}" for row in result.tests]
    drifted = [f"- {row.slug}: {row.path}{f':{row.lines}' if row.lines else ''} {row.after}" for row in result.drifted]
    symbols = [_symbol(row) for row in result.code.symbols]
    parts = [
        _section("Rules and other items", _items(result.rules), result.rules_total),
        _section(f"Files that import or use these, risk {result.code.risk}", code, result.code.files_total),
        _section("Definitions that use these", symbols, result.code.symbols_total),
        _section("Tests to run first, not the only ones", tests, result.tests_total),
        *([_section("Claims that do not hold any more", drifted, len(drifted))] if drifted else []),
    ]
    return "\n\n".join([*parts, *first_notes("warning", result.warnings), *first_notes("notice", result.notices)])


def _symbol(row: AffectedSymbol) -> str:
    doubt = "" if row.confidence == PROVEN else f" ({row.confidence})"
    return f"- {row.depth} {row.id}:{row.line} {row.edge} {row.reaches.rpartition('::')[2]} at {row.sites[0]}{doubt}"


def _importing(row: ImportingFile) -> str:
    return f"- {row.path}:{row.line} {row.edge or 'imports'} {row.reaches}{f' through {row.via}' if row.via else ''}"


def _section(title: str, rows: Sequence[str], total: int) -> str:
    cut = total - sum(row.startswith("- ") for row in rows)
    more = [f"and {cut} more: --limit"] if cut > 0 else []
    return "\n".join([f"{title} ({total})", *map(in_a_line, rows or ["none"]), *more])


def _items(rows: Sequence[Reached]) -> list[str]:
    names = {row.id: row.slug for row in rows}
    return [line for row in rows for line in _item(row, names)]


def _item(row: Reached, names: Mapping[str, str]) -> Iterable[str]:
    yield f"- {row.slug} ({row.kind}): {row.title}"
    if row.via_dependency_chain:
        yield f"    through {' > '.join(names.get(id_, id_) for id_ in row.via_dependency_chain)}"
    direct = [each for each in row.evidence if each.edge != "requires"]
    yield from (f"    {_said(each)}" for each in direct[:_ELSEWHERE])
    if len(direct) > _ELSEWHERE:
        yield f"    and {len(direct) - _ELSEWHERE} more ways"


def _said(each: Evidence) -> str:
    more = f" and {each.more} more files" if each.more else ""
    return " ".join(part for part in (each.edge, each.pattern, f"for {each.file}{more}" if each.file else "") if part)
