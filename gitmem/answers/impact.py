"""What a change of some files would touch: items, importing files, tests, claims. Refuses to write, and to guess on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitmem.answers import affected, claims, concerning, reached_code, targets
from gitmem.answers.importers import Importer, Importers, importers
from gitmem.answers.reached_code import Reached
from gitmem.answers.reading import Place, Reading, Revision, Session, ask, read
from gitmem.code.imports import is_unread
from gitmem.code.testing import is_test
from gitmem.errors import UsageError
from gitmem.model.claimed import Drift
from gitmem.model.compiled import CompileRequest
from gitmem.model.finding import Notice
from gitmem.model.graph import PROVEN
from gitmem.model.impact import Affected, AffectedTests, CodeImpact, Impact, ImportingFile
from gitmem.model.plain import canonical, plain
from gitmem.record import record, replace
from gitmem.store import gitdiff

_LIMIT, _LIMIT_MOST = 50, 500
_FILES_MOST = 200
# All of them: which are told is decided once the graph has its word.
_TESTS_MOST = 1_000_000
_NAMED = 5
# Thousandths, beside those of the tests that import: a use of the definition itself says more.
_USES = 800
# What the lists of code and tests may have together, for each row of the limit: a reply over MCP has its text twice.
_ROW_BYTES = 200


@record
class ImpactCall:
    """``layer`` takes the place of classifying the files, as in a compile."""

    files: tuple[str, ...] = ()
    command: str = ""
    layer: tuple[str, ...] = ()
    limit: int = _LIMIT
    at: str = ""


def impact(session: Session, call: ImpactCall) -> Impact:
    """The knowledge is the trusted one, or that of ``at``; the code is that of HEAD, or of ``at``."""
    files = _checked(session, call)
    reading = read(session.place, Revision(at=call.at))
    request = CompileRequest(target_files=files, command=call.command, layers=call.layer)
    (found, snapshot_id), _ = ask(
        reading, lambda known: (concerning.concerned(known, request), known.facts.snapshot_id)
    )
    place, commit = session.place, _code_commit(session.place, reading, call.at)
    imported = importers(place, commit, files, _any) if commit else Importers((), frozenset())
    tests = affected.concerned(place, commit, (files, imported), _TESTS_MOST) if commit else AffectedTests()
    graph = reached_code.reached(session, files, commit if call.at else "")
    rows = _files([_importing(row) for row in imported.rows if not is_test(row.path)], graph)
    tests = _with_callers(tests, graph, call.limit)
    code = CodeImpact(
        files=tuple(rows[: call.limit]),
        files_total=len(rows),
        symbols=graph.symbols[: call.limit],
        symbols_total=len(graph.symbols),
        radius=graph.steps,
        risk=reached_code.risk_of(len({row.path for row in rows})),
        uses=graph.uses[: call.limit],
        uses_total=len(graph.uses),
    )
    code, tests = _fitted(code, tests, call.limit * _ROW_BYTES)
    return Impact(
        files=files,
        rules=found.items[: call.limit],
        rules_total=len(found.items),
        code=code,
        tests=tests.rows,
        tests_total=tests.total,
        drifted=() if call.at else _drifted(reading, place, files),
        code_commit=commit,
        snapshot_id=snapshot_id,
        warnings=(*reading.warnings, *found.warnings),
        notices=(*reading.notices, *graph.notices, *_notices(files, imported, tests)),
    )


def _importing(row: Importer) -> ImportingFile:
    return ImportingFile(row.path, row.line, row.reaches, row.via or None)


def _files(imports: list[ImportingFile], graph: Reached) -> list[ImportingFile]:
    """The importing files, and those that use a definition without importing its file themselves."""
    known = {row.path for row in imports}
    more: dict[str, ImportingFile] = {}
    for symbol in graph.symbols:
        if symbol.path not in known and symbol.confidence == PROVEN:
            reaches = symbol.reaches.partition("::")[0]
            more.setdefault(symbol.path, ImportingFile(symbol.path, symbol.sites[0], reaches, edge=symbol.edge))
    return [*imports, *(more[path] for path in sorted(more))]


def _with_callers(tests: AffectedTests, graph: Reached, limit: int) -> AffectedTests:
    """The tests with those that use a definition of the files, by the graph."""
    rows = {row.path: row for row in tests.rows}
    for path, reason in graph.tests:
        row = rows.get(path, Affected(path, (), 0))
        rows[path] = Affected(path, (reason, *row.reasons), max(row.score, _USES))
    ranked = sorted(rows.values(), key=lambda row: (-row.score, row.path))
    return replace(tests, rows=tuple(ranked[:limit]), total=len(rows))


def _fitted(code: CodeImpact, tests: AffectedTests, bytes_most: int) -> tuple[CodeImpact, AffectedTests]:
    """Without the last rows of whichever list is the largest, until all have room."""
    lists: tuple[Sequence[object], ...] = (code.files, code.symbols, code.uses, tests.rows)
    sizes = [[len(canonical(plain(row))) for row in rows] for rows in lists]
    while sum(map(sum, sizes)) > bytes_most:
        max(sizes, key=sum).pop()
    files, symbols, uses, rows = map(len, sizes)
    code = replace(code, files=code.files[:files], symbols=code.symbols[:symbols], uses=code.uses[:uses])
    return code, replace(tests, rows=tests.rows[:rows])


def _any(_path: str) -> bool:
    return True


def _checked(session: Session, call: ImpactCall) -> tuple[str, ...]:
    if not call.files:
        raise UsageError("no file was named", hint="for example: gitmem impact src/app.py")
    if len(call.files) > _FILES_MOST:
        raise UsageError(f"more than {_FILES_MOST} files: {len(call.files)}", hint="ask about fewer at a time")
    if not 0 < call.limit <= _LIMIT_MOST:
        raise UsageError(f"limit must be from 1 to {_LIMIT_MOST}, not {call.limit}", hint=f"the default is {_LIMIT}")
    return tuple(dict.fromkeys(targets.normalise(session.place, call.files)))


def _code_commit(place: Place, reading: Reading, at: str) -> str:
    """Knowledge may come from another branch, or from another repository; code is what lies here."""
    return reading.commit if at and reading.place.repo == place.repo else gitdiff.head(place.repo)


def _drifted(reading: Reading, place: Place, files: Sequence[str]) -> tuple[Drift, ...]:
    """The claims on these files that the work tree breaks as it is; nothing is read that no claim is about."""
    claimed, _ = ask(reading, lambda known: [path for path in files if known.numbers(f"claim:{path}")])
    if not claimed or place.repo.root is None or reading.place.repo != place.repo:
        return ()
    diff = gitdiff.of_files(place.repo, claimed)
    changed: dict[str, bytes | None] = {each.path: None for each in diff.files if each.is_gone}
    changed |= gitdiff.contents(place.repo, diff.files)
    return claims.drifted(reading, changed, diff.base)


def _notices(files: Sequence[str], imported: Importers, tests: AffectedTests) -> Iterator[Notice]:
    yield from (Notice("incomplete", note) for note in tests.notes)
    for path in [path for path in files if is_unread(path)][:_NAMED]:
        yield Notice("imports-unread", "how files of this language import each other is not read here", path)
    for path, why in imported.skipped[:_NAMED]:
        yield Notice("file-skipped", f"it may import one of these and was not read: {why}", path)
    more = len(imported.skipped) - _NAMED
    if more > 0:
        yield Notice("files-skipped", f"{more} further files that may import these were not read")
