"""What is wrong with a verify block is said when it is written, with its line; nothing of it waits for a change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.checks.verifying import read
from gitmem.model.block import Block
from gitmem.model.finding import Severity
from tests.conftest import MakeRepo
from tests.support import engram_text, git, run_inproc, write_tree


def block(text: str) -> str:
    return f"Rule.\n\n```verify\n{text}```\n"


def test_a_block_is_read_with_all_of_its_checks() -> None:
    text = (
        'forbid_import: ["node-fetch", "@old/*"]\nrequire_import: a\nrequire_companion: ["{dir}/{stem}.test.{ext}"]\n'
        "forbid_pattern:\n  - 'console\\.log'\nrequire_pattern: [x]\nforbid_path: [\"old/**\"]\n"
        "layer_imports:\n  ui: [domain]\n  domain: []\nmax_lines: 400\nheader: |\n  // a\n  // b\nhint: do so\n"
    )

    assert read(block(text), "constraint", "a.md").block == Block(
        forbid_import=("node-fetch", "@old/*"),
        require_import=("a",),
        require_companion=("{dir}/{stem}.test.{ext}",),
        forbid_pattern=("console\\.log",),
        require_pattern=("x",),
        forbid_path=("old/**",),
        layer_imports=(("ui", ("domain",)), ("domain", ())),
        max_lines=400,
        header="// a\n// b\n",
        hint="do so",
    )


@pytest.mark.parametrize(
    ("text", "code", "line", "said"),
    [
        ("forbid_imports: [a]\n", "verify-block", 13, 'did you mean "forbid_import"?'),
        ("max_lines: 1\n\nforbid_pattern: ['(?=a)']\n", "verify-block", 15, "cannot be linear"),
        ("forbid_pattern:\n  - a\n  - '(a)\\1'\n", "verify-block", 15, "cannot be linear"),
        ("forbid_pattern: [a, '(']\n", "verify-block", 13, "no pattern"),
        ("forbid_pattern: {a: b}\n", "verify-block", 13, "not a list"),
        ('forbid_path: ["a/../b"]\n', "verify-block", 13, "glob"),
        ("require_companion: ['{dir}/[']\n", "verify-block", 13, "glob"),
        ("require_companion: ['{dir}/{stme}.md']\n", "verify-block", 13, "unknown {stme}"),
        ("forbid_import: [a b]\n", "verify-block", 13, "no name of a module"),
        ("forbid_import: ['a*b']\n", "verify-block", 13, "no name of a module"),
        ("layer_imports: [ui]\n", "verify-block", 13, "no mapping"),
        ("layer_imports:\n  ui: {a: b}\n", "verify-block", 14, "not a list"),
        ("max_lines: many\n", "verify-block", 13, "not a whole number"),
        ("max_lines: 0\n", "verify-block", 13, "at least one line"),
        ("max_lines: -3\n", "verify-block", 13, "at least one line"),
        ("header: [x]\n", "verify-block", 13, "not text"),
        (f"header: {'x' * 4001}\n", "verify-block", 13, "4001 characters"),
        (f"forbid_import: [{', '.join(f'm{n}' for n in range(501))}]\n", "verify-block", 13, "501 entries"),
        ("", "verify-block", 12, "asks for nothing"),
        ("hint: x\n", "verify-block", 12, "asks for nothing"),
        ("- a\n", "yaml", 13, "not a mapping"),
        ("forbid_import: [\n", "yaml", 14, ""),
        ("max_lines: 1\nmax_lines: 2\n", "duplicate-key", 14, "twice"),
        ("max_lines: &a 1\n", "yaml-reference", 13, "anchor"),
        ("max_lines: 1\n```\n\n```verify\nmax_lines: 2\n", "verify-twice", 16, "one block"),
    ],
)
def test_what_is_wrong_is_an_error_with_its_line(text: str, code: str, line: int, said: str) -> None:
    found = read(block(text), "constraint", "a.md", first_line=10)

    assert found.block is None
    first = found.findings[0]
    assert (first.code, first.line, first.severity, first.path) == (code, line, Severity.ERROR, "a.md")
    assert said in f"{first.message} {first.hint}"
    assert first.hint


@pytest.mark.parametrize(
    "body",
    [
        "Rule.\n",
        "```yaml\nmax_lines: 1\n```\n",
        "```\n```verify\nmax_lines: 1\n```\n",
        "````md\n```verify\nnonsense: 1\n```\n````\n",
        "    ```verify\n    nonsense: 1\n",
        "```verifying\nnonsense: 1\n```\n",
    ],
)
def test_what_only_shows_a_block_is_none(body: str) -> None:
    assert read(body, "constraint", "a.md").block is None
    assert read(body, "constraint", "a.md").findings == ()


@pytest.mark.parametrize("fence", ["```verify", "~~~verify", "``` verify", "  ```verify  x", "`````verify"])
def test_a_block_may_open_as_markdown_lets_it(fence: str) -> None:
    end = fence.strip().partition("v")[0].strip()

    assert read(f"{fence}\nmax_lines: 1\n{end}\n", "constraint", "a.md").block == Block(max_lines=1)


PIECES = st.sampled_from(
    [
        *("forbid_import", "forbid_pattern", "layer_imports", "max_lines", "header", ": ", "- ", "\n", "  ", "[", "]"),
        *("{", "}", "'", '"', "(?=", "{dir}", "**", "\\", "&", "|\n", "0", "-1", "a", "\u2028", "\t", "!x"),
        *("```\n", "```verify\n"),
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_whatever_stands_in_a_block_is_read_or_named(text: str) -> None:
    found = read(block(text), "constraint", "a.md")

    assert found.block is not None or found.findings
    assert all(each.line >= 1 and each.message and each.hint for each in found.findings)


def test_check_names_the_place_in_the_file_and_a_compile_serves_the_rule_all_the_same(make_repo: MakeRepo) -> None:
    rel = ".gitmem/engrams/api/a.md"
    text = engram_text(scope={"paths": ["src/**"]}, body=block("max_lines: many\n"))
    repo = make_repo({".gitmem/config.yaml": "format: 1\n", "src/a.py": "x\n", rel: text})
    line = text.split("\n").index("max_lines: many") + 1

    ran = run_inproc(repo, "check")

    assert ran.code == 1
    assert f'{rel}:{line}: error: max_lines is "many"' in ran.out
    assert "Call the API" in run_inproc(repo, "compile", "src/a.py").out


def test_a_block_in_a_rule_of_another_kind_is_a_warning(make_repo: MakeRepo) -> None:
    text = engram_text(kind="guideline", scope={"paths": ["src/**"]}, body=block("nonsense: 1\n"))
    repo = make_repo({".gitmem/config.yaml": "format: 1\n", "src/a.py": "x\n"})
    write_tree(repo, {".gitmem/engrams/api/a.md": text})
    git(repo, "add", "--all")

    ran = run_inproc(repo, "check", "--staged")

    assert ran.code == 0
    assert "[verify-ignored]" in ran.out
