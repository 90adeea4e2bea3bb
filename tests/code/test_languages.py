"""What is read of a source file in each language, against stored facts, and how a language is added.

Each folder of ``golden`` is a language: sources, and beside each the facts that are expected of it, written by
``python -m tests.code.shapes FOLDER`` and read by a person. A language without a folder is not in the table.
"""

import json
from pathlib import Path

import pytest

from gitmem.code import extract, languages
from gitmem.model.code import Facts
from tests.code.shapes import FOLDER, shape, sources, stored

SOURCES = sources()
BOM = b"\xef\xbb\xbf"


def name_of(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


@pytest.mark.capability("C-005")
@pytest.mark.capability("C-006")
@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_a_file_has_the_facts_that_are_stored_beside_it(path: Path) -> None:
    content = path.read_bytes()
    facts = extract.facts(path.name, content)
    assert (facts.engine, facts.skipped) == ("grammar", "")
    assert shape(facts, content) == json.loads(stored(path).read_text("utf-8"))


@pytest.mark.capability("C-006")
@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_the_spans_are_those_of_the_bytes_with_a_mark_at_the_start_and_other_line_ends(path: Path) -> None:
    content = path.read_bytes()
    windows = BOM + content.replace(b"\n", b"\r\n")
    facts, moved = extract.facts(path.name, content), extract.facts(path.name, windows)
    assert [row.name for row in moved.symbols] == [row.name for row in facts.symbols]
    assert spans(moved, windows) == [
        (line, end_line, text.replace(b"\n", b"\r\n"), body.replace(b"\n", b"\r\n"))
        for line, end_line, text, body in spans(facts, content)
    ]


def spans(facts: Facts, content: bytes) -> list[tuple[int, int, bytes, bytes]]:
    return [
        (row.line, row.end_line, content[row.start : row.end], content[row.body_start : row.body_end])
        for row in facts.symbols
    ]


def test_every_row_with_a_query_has_a_folder_of_golden_files() -> None:
    rows = {row.name for row in languages.ROWS if row.endings and languages.query_text(row)}
    assert rows - {path.parent.name for path in SOURCES} == set()
