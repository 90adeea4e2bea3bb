"""The pages are short, current and agree with the program."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.cli.parser import parser_of
from gitmem.operations import VERBS, every
from tests.house.source import PROJECT

DOCS = PROJECT / "docs"
DECISIONS = sorted((DOCS / "decisions").glob("*.md"))
PAGES = sorted([*DOCS.rglob("*.md"), *PROJECT.glob("*.md")])
# Pages printed by the program are as long as the program is.
GENERATED = frozenset({"architecture.md", "cli.md", "mcp.md", "config.md", "performance.md"})
README_WORDS = 800
PAGE_WORDS = 1500
DECISION_LINES = 60
DECISION_HEADINGS = ["Context", "Decision", "Rejected", "Consequences", "Revisit when"]
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
COMMAND = re.compile(r"(?<![\w./-])gitmem ((?:[a-z-]+ ?)+)([^`\n#|\u00b7]*)")
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
# What the page on extending makes up.
INVENTED = frozenset({"greet"})
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


def rel(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def words(page: Path) -> int:
    return len(page.read_text(encoding="utf-8").split())


def test_the_readme_can_be_read_in_one_sitting() -> None:
    assert words(PROJECT / "README.md") <= README_WORDS


@pytest.mark.parametrize("page", [page for page in DOCS.glob("*.md") if page.name not in GENERATED], ids=rel)
def test_a_page_can_be_read_in_one_sitting(page: Path) -> None:
    assert words(page) <= PAGE_WORDS


@pytest.mark.parametrize("page", DECISIONS, ids=rel)
def test_a_decision_is_short_and_says_what_was_rejected(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert len(text.splitlines()) <= DECISION_LINES
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == DECISION_HEADINGS


def test_decisions_are_numbered_without_gaps() -> None:
    assert [page.name[:4] for page in DECISIONS] == [f"{number:04}" for number in range(1, len(DECISIONS) + 1)]


@pytest.mark.parametrize("page", PAGES, ids=rel)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))

    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_command_that_a_page_shows_is_one_and_has_these_flags() -> None:
    options = {row.verb: {flag for each in parser_of(row)._actions for flag in each.option_strings} for row in every()}
    nouns = {verb.split()[0] for verb in VERBS}
    wrong = []
    for page in (page for page in PAGES if page.name not in {"cli.md", "mcp.md"}):
        for words, rest in COMMAND.findall("\n".join(CODE.findall(page.read_text(encoding="utf-8")))):
            named = words.split()
            verb = next((" ".join(named[:n]) for n in (2, 1) if " ".join(named[:n]) in options), "")
            if not verb and named[0] not in nouns | INVENTED:
                wrong.append(f"{rel(page)}: gitmem {words}")
            wrong += [
                f"{rel(page)}: gitmem {verb} {flag}"
                for flag in FLAG.findall(rest)
                if verb and flag not in options[verb]
            ]

    assert wrong == []


def test_generated_parts_are_current() -> None:
    done = subprocess.run(
        [sys.executable, str(DOCS / "generate.py"), "--check"], capture_output=True, text=True, check=False
    )

    assert done.stderr == ""
    assert done.returncode == 0


def test_every_hook_that_is_offered_has_an_entry_and_writes_to_no_file_list() -> None:
    hooks = (PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")

    assert re.findall(r"^- id: (\S+)$", hooks, re.MULTILINE) == [
        "gitmem-check",
        "gitmem-verify",
        "gitmem-fmt",
        "gitmem-report",
    ]
    entries = [
        "python -m gitmem.cli.precommit",
        "python -m gitmem.cli.precommit verify",
        "gitmem fmt --check",
        "python -m gitmem.cli.precommit report",
    ]
    assert re.findall(r"entry: (.+)$", hooks, re.MULTILINE) == entries
    assert hooks.count("pass_filenames: false") == len(entries)
