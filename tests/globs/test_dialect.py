"""The glob dialect: the page says what holds, other programs are asked what they make of it."""

import fnmatch
import json
import re
import subprocess
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitmem.globs import dialect as globs
from tests.house.source import PROJECT

ROWS = PROJECT.parent / "shared" / "data" / "globs.jsonl"
PAGE = PROJECT / "docs" / "globs.md"
GENEROUS = 5


def verdict(pattern: str, path: str) -> str:
    try:
        return "yes" if globs.matches(pattern, path) else "no"
    except globs.GlobError:
        return "error"


def shared_rows() -> list[dict[str, object]]:
    if not ROWS.exists():
        return []
    return [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]


def made(row: dict[str, object], name: str) -> str:
    text, parts = row.get(name), row.get(f"{name}_gen")
    if isinstance(parts, dict):
        return str(parts["prefix"]) + str(parts["unit"]) * int(parts["times"]) + str(parts["suffix"])
    return str(text)


@pytest.mark.skipif(not ROWS.exists(), reason="the shared glob table is not here")
@pytest.mark.capability("G-035")
@pytest.mark.parametrize("row", shared_rows(), ids=lambda row: str(row["id"]))
def test_the_shared_table_holds_in_its_time(row: dict[str, object]) -> None:
    """F-200: a star that crosses folders would fail rows of this table."""
    pattern, path = made(row, "pattern"), made(row, "path")
    limit = float(str(row.get("max_seconds", 0.1))) * GENEROUS

    started = time.perf_counter()
    if row.get("dialect") == "gitignore":
        pattern = globs.from_gitignore(pattern)
    found = verdict(pattern, path)

    assert time.perf_counter() - started < limit
    if row["expected"] != "total":
        assert found == ("yes" if row["expected"] else "no")


DIALECT = [
    ("lib/parser.rs", "lib/parser.rs", True),
    ("lib/parser.rs", "vendor/lib/parser.rs", False),
    ("lib", "lib/parser.rs", False),
    ("lib/", "lib/deep/er/parser.rs", True),
    ("lib/", "library/parser.rs", False),
    ("/", "any/file", True),
    ("*", "LICENSE", True),
    ("*", "lib/x", False),
    ("l*b", "lb", True),
    ("l*b", "l/b", False),
    ("*_*", "a_b", True),
    ("*a*b", "aab", True),
    ("ab*ba", "aba", False),
    ("ab*ba", "abba", True),
    ("lib/**", "lib", True),
    ("lib/**/parser.*", "lib/parser.rs", True),
    ("lib/**/parser.*", "lib/x/y/parser.rs", True),
    ("**/gen/**", "gen", True),
    ("**/gen/**", "a/gen/b", True),
    ("**/gen/**", "a/regen/b", False),
    ("**/**/**", "x", True),
    ("a/***/b", "a/x/b", True),
    ("a/***/b", "a/x/y/b", False),
    ("?", "\N{SNOWMAN}", True),
    ("??", "\N{SNOWMAN}", False),
    ("[x-z]", "y", True),
    ("[!x-z]", "y", False),
    ("[a-]", "-", True),
    ("[!-a]", "-", False),
    (r"[\]]", "]", True),
    (r"[a\-z]", "-", True),
    (r"[a\-z]", "m", False),
    ("x[+-9]y", "x/y", False),
    ("*.{c,h}", "main.h", True),
    ("{main,{lib,bin}}.rs", "bin.rs", True),
    ("x{,_test}.go", "x.go", True),
    ("{,}x", "x", True),
    ("{a}", "a", True),
    ("{a/b,c}d/e", "a/bd/e", True),
    ("{a/b,c}d/e", "cd/e", True),
    ("{a/b,c}d/e", "a/b/e", False),
    ("src/{,ui/}*.ts", "src/a.ts", True),
    ("src/{,ui/}*.ts", "src/ui/a.ts", True),
    ("{/a,b}", "a", True),
    ("docs{,/**}", "docs/x/y", True),
    ("{**,x}/y", "a/b/y", True),
    ("{**,x}/y", "y", True),
    ("{x,**}y/z", "a/y/z", False),
    ("**{,x}/y", "a/b/y", True),
    ("{*,x}{*,y}", "a/b", False),
    ("a/{,b}/c", "a/b/c", True),
    ("a/{,b}/c", "a/c", False),
    ("docs/{,x}", "docs/a/b", True),
    ("{,src}/a", "a", True),
    ("{,src}/a", "src/a", True),
    ("{,a}{,b}", "b", True),
    (r"\{a,b\}", "{a,b}", True),
    (r"{a\,b,c\}}", "c}", True),
    (r"src/\[id\]/*", "src/[id]/page.tsx", True),
    ("src/[id]/*", "src/[id]/page.tsx", False),
    ("~/x", "~/x", True),
    ("(a|b)", "(a|b)", True),
    ("a,b", "a,b", True),
    ("a]b", "a]b", True),
    ("a\nb*", "a\nbc", True),
    ("**", ".git/HEAD", False),
    ("**", "sub/.git", False),
    ("**", ".gitignore", True),
    (".git", ".git", False),
    ("README.md", "readme.md", False),
    ("**", "", False),
    ("**", "a//b", False),
    ("**", "../a", False),
]


@pytest.mark.capability("G-035")
@pytest.mark.parametrize(("pattern", "path", "expected"), DIALECT)
def test_the_dialect_is_what_the_page_says(pattern: str, path: str, expected: bool) -> None:
    assert globs.matches(pattern, path) is expected


def comparison() -> list[tuple[str, ...]]:
    cells = r"^\|`(.+?)`\|`(.+?)`\|" + r"\|".join([r"(yes|no|error)"] * 5) + r"\|$"
    return re.findall(cells, PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_comparison_is_long_enough_and_lists_differences_only() -> None:
    rows = comparison()

    assert len(rows) >= 25
    assert [row for row in rows if len(set(row[2:])) == 1] == []


@pytest.mark.capability("G-035")
@pytest.mark.capability("R-001")
@pytest.mark.parametrize("row", comparison(), ids=lambda row: f"{row[0]} {row[1]}")
def test_the_page_tells_our_column_and_the_one_of_fnmatch(row: tuple[str, ...]) -> None:
    pattern, path, ours, _, _, python, _ = row

    assert verdict(pattern, path) == ours
    assert fnmatch.fnmatchcase(path, pattern) is (python == "yes")


def git_ignores(folder: Path, line: str, paths: list[str]) -> list[bool]:
    """What Git itself says of each path when one line is all there is to ignore."""
    (folder / ".gitignore").write_text(line + "\n", encoding="utf-8")
    asked = "".join(f"{path}\0" for path in paths)
    command = ["git", "check-ignore", "--no-index", "--stdin", "-z"]
    done = subprocess.run(command, cwd=folder, input=asked, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return [path in done.stdout.split("\0") for path in paths]


@pytest.fixture
def ignoring(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    return tmp_path


@pytest.mark.capability("G-035")
def test_the_page_tells_the_column_of_git(ignoring: Path) -> None:
    wrong = [row for row in comparison() if git_ignores(ignoring, row[0], [row[1]]) != [row[4] == "yes"]]

    assert wrong == []


MALFORMED = [
    ("", 0),
    ("a//b", 2),
    ("a/b//", 4),
    ("./a", 0),
    ("a/../b", 2),
    ("x/.", 2),
    ("a\0", 1),
    ("ab[c", 2),
    ("[!", 0),
    ("x[]y]", 1),
    ("[z-a]", 1),
    ("[^a]", 1),
    ("[a/b]", 2),
    ("[[:digit:]]", 1),
    ("a{b,c", 1),
    ("{a,{b,c}", 0),
    ("ab}", 2),
    ("{}", 0),
    ("x{1..9}", 1),
    ("ab\\", 2),
    ("a\\/b", 1),
    ("{" * 101 + "a" + "}" * 101, 100),
    ("a" * 4_097, 4_096),
    ("{a/,b/}" * 10, 0),
    ("x/" + "{a/b,c/d}" * 10, 2),
    ("{,a}{,/b}" * 11, 0),
]


@pytest.mark.parametrize(("pattern", "position"), MALFORMED, ids=lambda value: str(value)[:20])
@pytest.mark.parametrize("path", ["a", "a/b", "x/y/z"])
def test_a_malformed_pattern_is_refused_for_every_path_and_names_the_character(
    pattern: str, position: int, path: str
) -> None:
    with pytest.raises(globs.GlobError) as caught:
        globs.matches(pattern, path)

    assert caught.value.position == position
    assert caught.value.code == "bad-glob"
    assert caught.value.hint
    assert f"character {position + 1} " in caught.value.message
    assert len(caught.value.message) < 300


def test_a_refusal_of_one_pattern_is_raised_each_time() -> None:
    for _ in range(2):
        with pytest.raises(globs.GlobError):
            globs.parse("[")


SPECIFICITY = [
    ("src/api/client.ts", 6),
    ("src/api/**", 4),
    ("src/api/", 4),
    ("src/*/client.ts", 5),
    ("src/**", 2),
    ("/src/**", 2),
    ("src/**/**", 2),
    ("**", 0),
    ("*", 1),
    ("**/*.ts", 1),
    (r"src/\*", 4),
    ("src/{a,b}.ts", 3),
    ("src/{a}.ts", 4),
    ("{src/api/client.ts,lib/**}", 6),
    ("a**", 1),
]


@pytest.mark.capability("R-004")
@pytest.mark.parametrize(("pattern", "expected"), SPECIFICITY)
def test_specificity_counts_segments(pattern: str, expected: int) -> None:
    assert globs.specificity(pattern) == expected


@pytest.mark.capability("R-004")
def test_specificity_orders_patterns_from_one_file_to_everything() -> None:
    falling = ["src/api/client.ts", "src/api/*.ts", "src/api/**", "src/*/**", "src/**", "*/**", "**"]

    assert all(globs.specificity(more) > globs.specificity(less) for more, less in pairwise(falling))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("src/api/*.ts", ("src", "api")),
        ("src/api/client.ts", ("src", "api", "client.ts")),
        (r"src/\[id\]/**", ("src", "[id]")),
        ("**/x", ()),
        ("src/{a,b}/c", ("src",)),
        ("src/{a/x,a/y}/c", ("src", "a")),
        ("src{/a,/a/b}", ("src", "a")),
        ("{a/b,c/d}", ()),
    ],
)
def test_the_literal_prefix_is_what_all_matching_paths_start_with(pattern: str, expected: tuple[str, ...]) -> None:
    assert globs.literal_prefix(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("src/{a,b}.ts", [("src", "{a,b}.ts")]),
        ("{src/a,b}/*.ts", [("src", "a", "*.ts"), ("b", "*.ts")]),
        ("{a/b,a/b}", [("a", "b")]),
        ("/a/**/**/", [("a", "**")]),
        ("a{,/b/}c", [("ac",), ("a", "b", "c")]),
        ("{**,a}/b", [("{**,a}", "b"), ("**", "b")]),
        (r"\a/\*\*/x**", [("a", r"\*\*", "x*")]),
    ],
)
def test_only_braces_with_a_slash_are_spelled_out(pattern: str, expected: list[tuple[str, ...]]) -> None:
    assert globs.alternatives(globs.parse(pattern)) == tuple(expected)


@pytest.mark.capability("G-035")
@pytest.mark.parametrize(
    ("found", "ours"),
    [
        ("*.py", "**/*.py"),
        ("/*.py", "*.py"),
        ("src/*.py", "src/*.py"),
        ("docs", "**/docs/**"),
        ("docs/", "**/docs/**"),
        ("/docs/", "docs/**"),
        ("docs/**", "docs/**"),
        ("docs/api", "docs/api/**"),
        ("**/docs", "**/docs/**"),
        ("**/", "**"),
        ("*", "**"),
        ("/*", "**"),
        ("README.md", "**/README.md"),
        ("*.{ts,tsx}", "**/*.{ts,tsx}"),
        (".env", "**/.env/**"),
        ("v1.2", "**/v1.2/**"),
        ("x   ", "**/x/**"),
        ("x\\ ", "**/x\\ /**"),
        ("[^a]x", "**/[!a]x/**"),
        ("[]a]x", r"**/[\]a]x/**"),
        ("[^]a]x", r"**/[!\]a]x/**"),
        (r"\[^a]x", r"**/\[^a]x/**"),
        (r"\#x", r"**/\#x/**"),
    ],
)
def test_a_gitignore_line_is_rewritten(found: str, ours: str) -> None:
    assert globs.from_gitignore(found) == ours


LINES = [
    "temp",
    "temp/",
    "/temp",
    "src/temp",
    "*.py",
    "/*.py",
    "*",
    "/*",
    "**/temp",
    "src/**",
    "src/**/b",
    "t*p",
    "[^a]emp",
]
LINES += ["[!t]emp", "te?p", r"\*.py", "**/b/*", "src/*/b", "**temp", "*.p[xy]"]
PLACES = [
    "temp",
    "x/temp",
    "temp/a",
    "x/temp/a/b",
    "src/temp",
    "x/src/temp/a",
    "a.py",
    "x/a.py",
    "src/b",
    "src/x/b/c",
    "*.py",
]
PLACES += ["src/x/y/b", "b/c", "a/b/c/d", ".temp", "temps", "xtemp", "a/temps.py"]


@pytest.mark.capability("G-035")
def test_a_rewritten_line_matches_the_files_that_git_ignores(ignoring: Path) -> None:
    """A path that is a file by the name of a folder line is left out: Git asks the disk, a pattern cannot."""
    for line in LINES:
        paths = [path for path in PLACES if not (line.endswith("/") and path.endswith(line[:-1]))]
        ours = globs.from_gitignore(line)

        assert [globs.matches(ours, path) for path in paths] == git_ignores(ignoring, line, paths), (line, ours)


@pytest.mark.parametrize("line", ["", "   ", "/", "# note", "!keep", "a//b", "["])
def test_a_gitignore_line_that_is_no_pattern_is_refused(line: str) -> None:
    with pytest.raises(globs.GlobError):
        globs.from_gitignore(line)


@pytest.mark.capability("G-035")
@pytest.mark.parametrize(
    ("found", "ours"),
    [
        ("*.py", "**/*.py"),
        ("Makefile", "**/Makefile"),
        ("*.{ts,tsx}", "**/*.{ts,tsx}"),
        ("*", "**"),
        ("**", "**"),
        ("**/*", "**"),
        ("**/*.py", "**/*.py"),
        ("src/*.py", "src/*.py"),
        ("./src/*.py", "src/*.py"),
        ("/src/*.py", "/src/*.py"),
        (" src/** ", "src/**"),
        ("[^a]*/x", "[!a]*/x"),
    ],
)
def test_a_glob_of_copilot_or_cursor_is_rewritten(found: str, ours: str) -> None:
    assert globs.from_vscode(found) == ours


@pytest.mark.parametrize("found", ["", "!src/**", "{a", "src//x"])
def test_a_glob_of_copilot_or_cursor_that_we_cannot_say_is_refused(found: str) -> None:
    with pytest.raises(globs.GlobError):
        globs.from_vscode(found)


@pytest.mark.parametrize("path", ["src/[id]/***/page.tsx", "*/x", "a/**/b", "{a,b}/c", "!x", "a\\b", "[", "{"])
def test_f_043_a_path_with_glob_signs_is_a_path(path: str) -> None:
    escaped = re.sub(r"([\\*?\[{}])", r"\\\1", path)

    assert globs.matches("**", path)
    assert globs.matches(escaped, path)
    assert globs.literal_prefix(escaped) == tuple(path.split("/"))
    assert not globs.matches(escaped, path.replace("*", "x") + "x")


def test_f_200_no_wildcard_but_two_stars_crosses_a_folder() -> None:
    for within in ["*", "?", "[!x]", "[+-9]", "{*,?}", "a**", "**a", "***", "{a**,*}"]:
        assert not globs.matches(f"src{within}x", "src/x")
        assert not globs.matches(f"src/{within}", "src/a/a")


SMALL = st.sampled_from("ab.")
PLAIN = st.text(SMALL, min_size=1, max_size=2).filter(lambda text: text.strip("."))
PIECE = st.recursive(
    st.one_of(PLAIN, st.sampled_from(["*", "?", "**", "/", "[ab]", "[!a]", r"\*"])),
    lambda inner: st.lists(st.lists(inner, max_size=2).map("".join), min_size=2, max_size=3).map(
        lambda sides: "{" + ",".join(sides) + "}"
    ),
    max_leaves=6,
)
PATTERN = st.lists(PIECE, min_size=1, max_size=5).map("".join)
NAME = st.text("ab.*", min_size=1, max_size=4).filter(lambda name: name not in (".", ".."))
PATH = st.lists(NAME, min_size=1, max_size=4).map("/".join)


def spellings(pattern: str) -> Iterator[str]:
    """Every text that braces stand for, innermost first; two stars are one sign by then, so that none are glued."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if not found:
        yield pattern
        return
    for side in found[1].split(","):
        yield from spellings(pattern[: found.start()] + side + pattern[found.end() :])


def plainly_matches(pattern: str, path: str) -> bool:
    """The dialect by its definition: spell out the braces, then try everything."""
    signs = re.sub(r"(\\.)|\*+", lambda found: "\1" if found[0] == "**" else found[0], pattern)
    return any(fits(segments_of(each), tuple(path.split("/"))) for each in spellings(signs))


def segments_of(spelling: str) -> tuple[str, ...]:
    whole = spelling + "\1" if spelling.endswith("/") else spelling
    return tuple(whole.removeprefix("/").split("/"))


def fits(segments: tuple[str, ...], names: tuple[str, ...]) -> bool:
    if not segments:
        return not names
    if segments[0] == "\1":
        return any(fits(segments[1:], names[at:]) for at in range(len(names) + 1))
    return bool(names) and one_fits(segments[0], names[0]) and fits(segments[1:], names[1:])


def one_fits(segment: str, name: str) -> bool:
    wild = {"*": ".*", "\1": ".*", "?": ".", "[ab]": "[ab]", "[!a]": "[^a]", r"\*": r"\*"}
    tokens = re.findall(r"\\.|\[.*?\]|.", segment)
    return re.fullmatch("".join(wild.get(token, re.escape(token)) for token in tokens), name) is not None


@given(PATTERN, PATH)
@example("{**,a}/b", "x/y/b")
def test_matching_is_what_the_spelled_out_pattern_says(pattern: str, path: str) -> None:
    found = verdict(pattern, path)

    assert (found == "yes") is plainly_matches(pattern, path) or (found == "error" and "//" in pattern)


@given(st.text("ab*/.] ", max_size=14))
@example("/**/**/../a")
@example("/a***b")
def test_a_usual_pattern_means_what_it_means_with_an_escape_in_it(rest: str) -> None:
    """Patterns without braces, classes and escapes are read by a shorter way."""
    found = []
    for pattern in (f"x{rest}", f"\\x{rest}", f"{rest}x", f"{rest}\\x"):
        try:
            found.append(globs.parse(pattern).sequences)
        except globs.GlobError as err:
            found.append(((err.message.partition(" at ")[0],),))

    assert found[0] == found[1]
    assert found[2] == found[3]


@given(st.text("ab*?[]!-{},\\/.^~\0", max_size=12), PATH)
def test_any_text_gets_a_verdict_or_a_typed_error(pattern: str, path: str) -> None:
    assert verdict(pattern, path) in ("yes", "no", "error")
