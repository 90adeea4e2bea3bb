"""What is read of a source whose grammar does not load: by line patterns, in time that is in proportion to the text."""

import random
import time
from pathlib import Path

import pytest

from gitmem.code import extract, languages, plain
from gitmem.code.languages import Language
from gitmem.model.code import Facts, qualified
from gitmem.record import replace
from tests.code.shapes import sources

SOURCES = sources()
ROWS = [row for row in languages.ROWS if row.endings]
NAMED = ("class", "interface", "struct", "enum", "trait", "function", "method", "module")


def without_grammar(name: str) -> Language:
    row = languages.named(name)
    assert row
    return replace(row, grammar="a grammar that is nowhere")


def names(facts: Facts, kinds: tuple[str, ...] = NAMED) -> set[str]:
    return {symbol.name for symbol in facts.symbols if symbol.kind in kinds}


@pytest.mark.capability("C-009")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_language_whose_grammar_is_gone_is_read_by_patterns_and_marked(row: Language) -> None:
    found = [extract.facts_in(without_grammar(row.name), path.read_bytes()) for path in of(row)]
    assert {facts.engine for facts in found} == {"regex"}
    assert any(facts.symbols or facts.imports for facts in found)


def of(row: Language) -> list[Path]:
    return [path for path in SOURCES if path.parent.name == row.name]


@pytest.mark.capability("C-009")
def test_a_grammar_that_is_gone_is_listed_with_the_reason() -> None:
    reasons = extract.grammars([without_grammar("python"), *ROWS])
    assert extract.grammars([without_grammar("python")])["python"]
    assert [name for name, reason in reasons.items() if reason] == []


@pytest.mark.capability("C-009")
def test_the_grammars_of_all_languages_are_there() -> None:
    assert {name: reason for name, reason in extract.grammars().items() if reason} == {}


def test_a_query_that_the_grammar_does_not_know_leaves_the_patterns() -> None:
    row = replace(without_grammar("python"), grammar="python", query="go")
    assert (
        extract.facts_in(row, b"def a():\n    pass\n").engine,
        names(extract.facts_in(row, b"def a(): pass\n")),
    ) == (
        "regex",
        {"a"},
    )


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("python", "class A:\n    def b(self):\n        pass\n\ndef c():\n    def d(): pass\n", "A A.b c c.d"),
        ("typescript", "export class A {\n  async b(x) {\n  }\n}\nconst c = (x) => 1\n", "A A.b c"),
        ("go", "func (s *A) B() {\n}\ntype A struct {\n}\n", "A.B A"),
        ("rust", "impl<T> fmt::Display for A<T> {\n    fn b(&self) {\n    }\n}\npub fn c() {}\n", "A.b c"),
        ("kotlin", "class A {\n    fun b() = 1\n}\nfun String.c() = 2\n", "A A.b String.c"),
        ("ruby", "module A\n  class B\n    def c?\n    end\n  end\nend\n", "A A.B A.B.c?"),
        ("swift", "extension A {\n    func b() {}\n}\n", "A.b"),
        ("dart", "class A {\n  int b(int x) {\n  }\n}\n", "A A.b"),
        ("c", "static int\na(int b)\n{\n}\nint c(int d) {\n}\n", "c"),
        ("cpp", "int A::b(int c) {\n}\nnamespace d {\n}\n", "A.b d"),
        ("java", "class A {\n    public int b(int c) {\n    }\n}\n", "A A.b"),
        ("csharp", "public record A {\n    void B() {\n    }\n}\n", "A A.B"),
        ("php", "<?php\nclass A {\n    function b() {\n    }\n}\n", "A A.b"),
    ],
)
def test_a_definition_holds_what_is_indented_below_it(language: str, text: str, found: str) -> None:
    facts = plain.facts(without_grammar(language), text.encode())
    assert " ".join(qualified(facts.symbols, number) for number in range(len(facts.symbols))) == found


def test_a_definition_ends_with_its_block_whatever_the_line_ends_are() -> None:
    text = b"def a():\n    if x:\n\n        y()\n\n# next\ndef b():\n    pass\n"
    for content in (text, text.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + text, text.rstrip()):
        facts = plain.facts(without_grammar("python"), content)
        a, b = facts.symbols
        assert (a.line, a.end_line, b.line, b.end_line) == (1, 4, 7, 8)
        assert content[a.start : a.end].startswith(b"def a")
        assert content[a.start : a.end].endswith(b"y()")
        assert content[a.body_start : a.body_end].strip().startswith(b"if x:")
        assert [content[start:end] for start, end in facts.comments] == [b"# next"]


def test_imports_are_named_as_far_as_a_line_shows_them() -> None:
    text = b"import a.b\nfrom .c import d, e as f\nfrom g import *\n"
    rows = [(row.module, row.name, row.alias) for row in plain.facts(without_grammar("python"), text).imports]
    assert rows == [("a.b", "", ""), (".c", "d", ""), (".c", "e", "f"), ("g", "*", "")]


@pytest.mark.parametrize("name", ["rust", "kotlin", "ruby", "swift", "dart", "python", "php", "go"])
def test_most_of_what_a_grammar_finds_is_found_without(name: str) -> None:
    for path in SOURCES:
        if path.parent.name == name:
            content = path.read_bytes()
            known = names(extract.facts(path.name, content))
            found = names(extract.facts_in(without_grammar(name), content))
            assert len(found & known) >= 0.6 * len(known), path


UNITS = [
    "a ",
    "a(",
    "public ",
    "a<",
    "(",
    " ",
    "import a, ",
    "<a b='c' ",
    "impl<",
    ".a ",
    "a::",
    "class ",
    "\n}",
    "{\n ",
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_lines_that_are_made_to_be_slow_are_not(row: Language) -> None:
    draw, began = random.Random(1), time.process_time()
    for unit in UNITS:
        line = "".join([unit, *draw.choices(UNITS, k=5)])
        plain.facts(row, (line * 20 + "\n").encode() * 2)
        plain.facts(row, line.encode() * 300)
    assert time.process_time() - began < 3
