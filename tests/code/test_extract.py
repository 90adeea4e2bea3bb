"""What a source imports, by its syntax tree: golden sources, broken ones, hostile ones, and Python's own reading."""

import ast
import random
import subprocess
import sys
import sysconfig
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.code import imports as extraction
from gitmem.code.imports import LARGEST_BYTES, extract, imports, is_unread, language_of
from tests.code.sources import SOURCES

Rows = list[tuple[str, tuple[str, ...], int]]
BOM = b"\xef\xbb\xbf"
CASES = [pytest.param(path, *case, id=path) for path, case in SOURCES.items()]


def rows(path: str, content: bytes) -> Rows:
    return [(each.module, each.names, each.line) for each in imports(path, content)]


@pytest.mark.capability("R-025")
@pytest.mark.parametrize(("path", "text", "found"), CASES)
def test_imports_are_those_of_the_syntax_tree(path: str, text: str, found: Rows) -> None:
    assert rows(path, text.encode()) == found


@pytest.mark.parametrize(("path", "text", "found"), CASES)
def test_line_ends_a_mark_and_another_encoding_change_nothing(path: str, text: str, found: Rows) -> None:
    windows = text.replace("\n", "\r\n")

    assert rows(path, windows.encode()) == found
    assert rows(path, BOM + windows.encode()) == found
    assert rows(path, text.rstrip("\n").encode()) == found
    assert rows(path, text.encode("utf-16")) == found


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("src/a.d.ts", "typescript"),
        ("a.TSX", "tsx"),
        ("a.cjs", "javascript"),
        ("x/a.go", "go"),
        ("A.java", "java"),
        (".py", ""),
        ("py", ""),
        ("a.rs", ""),
        ("a.py.txt", ""),
        ("dir.py/README", ""),
        ("", ""),
    ],
)
def test_a_language_is_told_by_the_name(path: str, language: str) -> None:
    assert language_of(path) == language


def test_sources_that_nobody_reads_are_known_as_such() -> None:
    unread = [path for path in ("a.ex", "b/c.LUA", "a.rs", "a.py", "README.md") if is_unread(path)]
    assert unread == ["a.ex", "b/c.LUA"]
    assert rows("a.rs", b"use std::io;") == []


BROKEN = [
    ("a.py", "def f(:\n  pass\nimport kept\nclass {\n", "kept"),
    ("a.py", "import kept\nfrom import\nfrom . import\nimport\n", "kept"),
    ("a.js", 'import x from "kept"; function ( { ]\nimport y from\n', "kept"),
    ("a.ts", 'interface { type = ;\nimport x from "kept";\n<<<<<<< HEAD\n', "kept"),
    ("a.go", 'package\nimport "kept"\nfunc {\n', "kept"),
    ("A.java", "import kept;\nclass { void (\nimport\nimport a.\n", "kept"),
]


@pytest.mark.parametrize(("path", "text", "module"), BROKEN)
def test_what_is_broken_elsewhere_is_still_read(path: str, text: str, module: str) -> None:
    assert module in [each.module for each in imports(path, text.encode())]


EMPTY = [b"", b"\n", BOM, b"#", b'"""', b"\\", b"\xff\xfe", b"\xff\xfe\x00", b"\x80\x81", b"import", b"import \xff\xfe"]


@pytest.mark.parametrize("content", EMPTY)
@pytest.mark.parametrize("path", ["a.py", "a.js", "a.ts", "a.tsx", "a.go", "A.java"])
def test_next_to_nothing_is_read_as_nothing(path: str, content: bytes) -> None:
    assert all(each.module for each in imports(path, content))


def test_a_binary_file_and_one_over_the_limit_are_said_to_be_skipped() -> None:
    assert extract("a.py", b"import a\n\0") == extraction.Extracted(skipped="binary")
    assert extract("a.py", b"import a\n" + b"#" * LARGEST_BYTES).skipped == "larger than 1 MiB"
    assert extract("a.py", b"import a\n#" + b"#" * (LARGEST_BYTES - 10)).imports


DEEP = [
    ("a.py", "(", ")"),
    ("a.py", "[", "]"),
    ("a.js", "[", "]"),
    ("a.js", "({a:", "})"),
    ("a.ts", "f(", ")"),
    ("a.tsx", "<a>", "</a>"),
    ("a.go", "[", "]"),
]


@pytest.mark.parametrize(("path", "opening", "closing"), DEEP)
def test_five_thousand_brackets_are_read_through(path: str, opening: str, closing: str) -> None:
    before = {"a.py": "import x\n", "a.go": 'package a\nimport "x"\nvar y = '}.get(path, 'import "x";\ny = ')
    text = before + opening * 5_000 + "1" + closing * 5_000 + "\n"

    assert [each.module for each in imports(path, text.encode())] == ["x"]


HOSTILE = [
    ("a.py", "("),
    ("a.py", "\\\n"),
    ("a.js", "({"),
    ("a.js", "`${"),
    ("a.ts", "a<b>("),
    ("A.java", "a<"),
    ("A.java", "a<" * 300 + ";"),
    ("A.java", "("),
    ("a.go", "func("),
    ("a.py", "import a,"),
    ("a.ts", ")a"),
]


@pytest.mark.parametrize(("path", "unit"), HOSTILE)
def test_text_that_is_made_to_break_a_parser_comes_to_an_end(path: str, unit: str) -> None:
    content = (unit * (12_000 // len(unit))).encode()

    began = time.monotonic()
    found = extract(path, content)

    assert time.monotonic() - began < 20
    assert found.skipped in ("", extraction.TOO_NESTED, extraction.TOO_SLOW)


@pytest.mark.long
@pytest.mark.parametrize(("path", "unit"), HOSTILE)
def test_a_whole_mebibyte_of_it_comes_to_an_end(path: str, unit: str) -> None:
    began = time.monotonic()
    extract(path, (unit * (LARGEST_BYTES // len(unit))).encode())

    assert time.monotonic() - began < 40


WORDS = [b"import ", b"from ", b"require(", b"export ", b"as ", b"type ", b"static ", b"package ", b"a", b"=>"]
MARKS = [b"..", b"//", b"/*", b"*/", b'"""', b"${", b"\r\n", b"    ", b"\xff", b"\xe2\x82", b"\x00"]
PIECES = [*WORDS, *MARKS, *(bytes([each]) for each in b"\"'`\n(){}<>*;,.\\#@\t")]


def mutants(seed: int, count: int) -> Iterator[tuple[str, bytes]]:
    """Sources with pieces cut out, doubled and put in."""
    draw = random.Random(seed)
    for _ in range(count):
        path = draw.choice(list(SOURCES))
        content = SOURCES[path][0].encode()
        for _ in range(draw.randint(1, 12)):
            at, end = sorted((draw.randint(0, len(content)), draw.randint(0, len(content))))
            piece = draw.choice([draw.choice(PIECES), content[at : at + 20], b""])
            content = content[:at] + piece + content[draw.choice([at, at, min(end, at + 30)]) :]
        yield path, content


def check_mutants(seed: int, count: int) -> None:
    for path, content in mutants(seed, count):
        found = extract(path, content)

        assert found == extract(path, content)
        assert not (found.skipped and found.imports)
        for each in found.imports:
            assert each.module, content
            assert 1 <= each.line <= content.count(b"\n") + 1, content
            assert "\n" not in each.module or path.endswith(("js", "jsx", "ts", "tsx", "go")), content


def test_no_mutilated_source_stops_the_reader() -> None:
    check_mutants(4, 400)


@pytest.mark.long
def test_no_mutilated_source_stops_the_reader_at_length() -> None:
    for seed in range(100, 120):
        check_mutants(seed, 1_000)


def as_python_reads(content: bytes) -> set[tuple[str, tuple[str, ...], int]] | None:
    """The imports that the compiler of Python finds, None for a file that it refuses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(content, "x.py", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return None
        tree = ast.parse(content)
    found: set[tuple[str, tuple[str, ...], int]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {(name.name, (), node.lineno) for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found.add((module, tuple(name.name for name in node.names), node.lineno))
    return found


def check_like_python(step: int) -> int:
    """How many imports of every ``step``-th file of the standard library were compared."""
    library = Path(sysconfig.get_path("stdlib"))
    files = sorted(path for path in library.rglob("*.py") if "site-packages" not in path.parts)
    count = 0
    for path in files[::step]:
        content = path.read_bytes()
        expected = as_python_reads(content) if len(content) <= LARGEST_BYTES else None
        if expected is not None:
            assert set(rows(path.name, content)) == expected, path
            count += len(expected)
    return count


@pytest.mark.capability("R-025")
def test_python_itself_reads_the_same_imports_in_part_of_its_library() -> None:
    assert check_like_python(40) > 50


@pytest.mark.long
def test_python_itself_reads_the_same_imports_in_its_whole_library() -> None:
    assert check_like_python(1) > 1_000


def test_the_parser_is_loaded_with_the_first_file() -> None:
    script = (
        "import sys; from gitmem.code.imports import extract; assert 'tree_sitter' not in sys.modules;"
        "extract('a.rs', b'x'); assert 'tree_sitter' not in sys.modules;"
        "extract('a.py', b'import x'); assert 'tree_sitter' in sys.modules"
    )

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
