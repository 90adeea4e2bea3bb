"""The imports of a file as the checks take them, from its facts. Refuses to read a file, and to resolve."""

from __future__ import annotations

from gitmem.code.imports import language_of
from gitmem.code.languages import CODE, STYLE, TEMPLATE, row_of
from gitmem.model.code import Facts, Imported
from gitmem.model.imports import Extracted, Import

_KINDS = (CODE, TEMPLATE, STYLE)
_GRAMMAR = "grammar"
_NO_GRAMMAR = "no grammar loads for it"


def is_of_facts(path: str) -> bool:
    """Whether imports are read of the file, and by its facts; Python, ECMAScript, Go and Java have a reader that knows
    statements over several lines."""
    row = row_of(path)
    return row is not None and row.kind in _KINDS and not language_of(path)


def imports_in(facts: Facts) -> Extracted:
    """In the order of the text."""
    if facts.skipped or facts.engine != _GRAMMAR:
        return Extracted(skipped=facts.skipped or _NO_GRAMMAR)
    return Extracted(tuple(_import(row) for row in facts.imports))


def _import(row: Imported) -> Import:
    return Import(row.module, (row.name,) if row.name else (), row.line)
