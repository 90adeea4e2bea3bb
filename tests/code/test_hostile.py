"""Sources that nobody writes, through the processes that read them: each is read, or said to be skipped and why.

Whatever one of them does to its reader, this process goes on, and the next source is read.
"""

import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import gitmem
from gitmem.code import extract, languages, rows
from gitmem.code.workers import CRASHED, Asked, Workers
from gitmem.model.code import Facts
from tests.code.hostile import LANGUAGES, SHAPES, source
from tests.code.shapes import sources

DEPTH = 100_000
REASONS = ("", CRASHED, extract.TOO_LARGE, extract.TOO_NESTED, extract.TOO_SLOW)
# Of each shape one language in the normal run, none of those that take their time to the end.
QUICK = {"generics": "rust", "a chain of sums": "python", "a chain of dots": "java"}
LESS = {
    "else if": ("python", 10_000),
    "a chain of calls": ("java", 10_000),
    "decorators": ("rust", 20_000),
    "elements": ("rust", 10_000),
}
BOM = b"\xef\xbb\xbf"


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    made = Workers()
    yield made
    made.close()


def read(workers: Workers, language: str, content: bytes) -> Facts:
    return rows.decode(workers.read([Asked(b"k", language, content)])[b"k"].facts)


def check_survived(workers: Workers, shape: str, language: str, depth: int = DEPTH) -> None:
    began = time.monotonic()
    facts = read(workers, language, source(shape, language, depth)[: extract.LARGEST_BYTES])
    assert facts.skipped in REASONS
    assert bool(facts.engine) != bool(facts.skipped)
    assert time.monotonic() - began < 60
    assert [symbol.name for symbol in read(workers, "python", b"def after(): pass\n").symbols] == ["after"]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_that_is_nested_without_end_is_survived(workers: Workers, shape: str) -> None:
    language, depth = LESS.get(shape, (QUICK.get(shape, "tsx"), DEPTH))
    check_survived(workers, shape, language, depth)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_is_survived_in_six_languages(workers: Workers, shape: str, language: str) -> None:
    check_survived(workers, shape, language)


@pytest.mark.parametrize("language", ["python", "tsx", "rust", "cpp"])
def test_a_chain_of_a_thousand_calls_hides_nothing(workers: Workers, language: str) -> None:
    """What programs write; a builder of tests had 300."""
    facts = read(workers, language, source("a chain of calls", language, 1_000))
    assert (facts.skipped, len(facts.calls)) == ("", 1_000)


@pytest.mark.parametrize(("language", "text"), [("json", b'{"a\nb": {"c": 1}}'), ("toml", b'[t]\nx = @ "y\nz = 1\n')])
def test_a_name_over_lines_is_none(workers: Workers, language: str, text: bytes) -> None:
    check_sound(read(workers, language, text), text)


def test_a_source_over_the_limit_is_said_to_be_skipped(workers: Workers) -> None:
    assert read(workers, "tsx", b"/" * (extract.LARGEST_BYTES + 1)) == Facts("tsx", skipped=extract.TOO_LARGE)


@pytest.mark.parametrize("language", ["python", "tsx", "rust", "css"])
def test_a_line_of_a_mebibyte_is_read(workers: Workers, language: str) -> None:
    content = b"a" * extract.LARGEST_BYTES
    facts = read(workers, language, content)
    assert facts.skipped == ""
    check_sound(facts, content)


def check_sound(facts: Facts, content: bytes) -> None:
    """What every reader of facts relies on."""
    lines, symbols = content.count(b"\n") + 1, facts.symbols
    for number, row in enumerate(symbols):
        assert 0 <= row.start < row.end <= len(content)
        assert not row.body_end or row.start <= row.body_start <= row.body_end <= row.end
        assert 1 <= row.line <= row.end_line <= lines
        assert -1 <= row.owner < len(symbols)
        assert row.owner != number
        # The vocabulary has a name on each line.
        assert row.name
        assert "\n" not in row.name
        assert row.kind
    owned = ((row.owner, row.line) for rows_ in (facts.calls, facts.bindings, facts.references) for row in rows_)
    hinted = ((row.owner, row.line) for row in facts.hints)
    assert all(-1 <= owner < len(symbols) and 1 <= line <= lines for owner, line in (*owned, *hinted))
    assert all(1 <= row.line <= lines for row in facts.imports)
    assert all(row.name for row in facts.calls)
    assert all(0 <= start <= end <= len(content) for start, end in facts.comments)
    assert list(facts.comments) == sorted(facts.comments)


def real_sources() -> list[Path]:
    """Those of the golden tables and of the package itself."""
    return [*sources(), *sorted(Path(gitmem.__file__).parent.rglob("*.py"))[::20]]


PIECES = b"{ } ( ) < > ' \" ` /* */ \\ # @ => :: class def fn import ${ <% %> {{ \xff \xe2\x82 \xef\xbb\xbf".split()
PIECES += [b"\n", b"\r", b"\t", b"  "]


def mutants(seed: int, count: int) -> Iterator[tuple[str, bytes]]:
    draw, paths = random.Random(seed), real_sources()
    for _ in range(count):
        path = draw.choice(paths)
        row, content = languages.row_of(path.name), path.read_bytes()
        for _ in range(draw.randint(1, 10)):
            at = draw.randint(0, len(content))
            other = draw.choice(paths).read_bytes()
            from_ = draw.randint(0, len(other))
            piece = draw.choice([draw.choice(PIECES), content[at : at + 40], other[from_ : from_ + 60], b""])
            content = content[:at] + piece + content[at + draw.choice([0, 0, 1, 40]) :]
        if row:
            yield row.name, content


def check_mutants(workers: Workers, cases: Sequence[tuple[str, bytes]]) -> None:
    asked = [Asked(str(number).encode(), *case) for number, case in enumerate(cases)]
    found = workers.read(asked)
    again = workers.read(asked[:5])
    assert {key: found[key] for key in again} == again
    for one in asked:
        facts = rows.decode(found[one.key].facts)
        assert facts.skipped in ("", extract.BINARY, extract.NOT_UTF8), one
        check_sound(facts, one.content)


def test_mutilated_sources_are_read_and_what_is_read_is_sound(workers: Workers) -> None:
    check_mutants(workers, [*mutants(6, 60)])


@pytest.mark.long
def test_two_thousand_mutilated_sources_are_read_and_what_is_read_is_sound(workers: Workers) -> None:
    for seed in range(100, 110):
        check_mutants(workers, [*mutants(seed, 200)])


ODD = {
    "nothing": (b"", ""),
    "a blank": (b" ", ""),
    "a mark": (BOM, ""),
    "a mark twice": (BOM + BOM + b"x = 1\n", ""),
    "lone carriage returns": (b"a = 1\rb = 2\rclass C {}\r", ""),
    "all line ends": (b"a = 1\r\nb = 2\rc = 3\n\r", ""),
    "bytes of no encoding": (b"a = '\xff\xfe\x80'\n\xc3\n", ""),
    "half a character at the end": (b"a = 1 # \xe2\x82", ""),
    "a NUL": (b"a = 1\0b\n", extract.BINARY),
    "a NUL far inside": (b"a = 1\n" * 1400 + b"\0", ""),
    "UTF-16": ("class A {}\n".encode("utf-16"), extract.NOT_UTF8),
    "one long line": (b"a" * 50_000, ""),
    "minified": (b"function a(b){return b?c(b-1):{d:[1,2]}};" * 100, ""),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_bytes_are_read_or_said_to_be_skipped_in_every_language(workers: Workers, name: str) -> None:
    content, reason = ODD[name]
    all_ = [row.name for row in languages.ROWS if row.endings]
    found = workers.read([Asked(language.encode(), language, content) for language in all_])
    for language in all_:
        facts = rows.decode(found[language.encode()].facts)
        assert (facts.language, facts.skipped) == (language, reason)
        check_sound(facts, content)
