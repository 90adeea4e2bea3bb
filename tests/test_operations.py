"""One table makes the command line, the tools and the pages: each row of it is complete, documented and light."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from gitmem.cli.parser import parser_of
from gitmem.lazy import load
from gitmem.mcp import schema
from gitmem.mcp.results import BODIES
from gitmem.operations import VERBS, called, every, find
from gitmem.operations.table import ADMIN, AGENT, CLI, CONTENT, FLAG, INTEGER, NUMBER, TEXT, TEXTS, WORDS, Operation
from tests.cli.verbs import KNOWLEDGE, READING, WRITING
from tests.conftest import MakeRepo
from tests.house.source import PROJECT
from tests.support import git, run_inproc

ROWS = list(every())
ENDLESS = frozenset({"mcp", "watch"})
# Loading one of these costs a cold command more than its answer does.
HEAVY = (
    "dulwich",
    "ruamel",
    "pydantic",
    "mcp",
    "dataclasses",
    "inspect",
    "asyncio",
    "frontmatter",
    "typing",
    "argparse",
)
LIGHT = {
    "compile": (*HEAVY, "yaml", "importlib.metadata"),
    "check what is staged": tuple(name for name in HEAVY if name != "argparse"),
    "get": tuple(name for name in HEAVY if name != "argparse"),
    "status": tuple(name for name in HEAVY if name != "argparse"),
}


def named(row: Operation) -> str:
    return row.verb


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_request_target_and_rendering_can_be_loaded(row: Operation) -> None:
    for target in (row.request, row.target, row.render):
        if target:
            assert callable(load(target)), target


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_every_parameter_is_a_field_of_the_request_and_every_field_a_parameter(row: Operation) -> None:
    request = load(row.request)
    fields = request.__match_args__

    assert sorted(param.name for param in row.params) == sorted(fields)
    assert {param.kind for param in row.params} <= {TEXT, TEXTS, WORDS, INTEGER, NUMBER, FLAG, CONTENT}
    assert [param.name for param in row.params if param.is_required and param.flag] == []
    given = {param.name: "x" for param in row.params if param.is_required}
    assert request(**given)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_a_verb_has_help_an_example_that_parses_and_json(row: Operation) -> None:
    page = parser_of(row).format_help()

    program, *words = shlex.split(row.example)
    verb, taken = called(words)
    assert (program, verb) == ("gitmem", row.verb)
    parser_of(row).parse_intermixed_args(words[taken:])
    assert row.help
    assert not row.help.endswith(".")
    assert all(param.help and not param.help.endswith(".") for param in row.params)
    assert row.help in " ".join(page.split())
    assert "--json" in page
    assert find(row.verb) == row


def test_the_short_list_and_the_long_one_name_the_same_verbs() -> None:
    assert sorted(row.verb for row in ROWS) == sorted(VERBS)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_every_verb_is_on_the_printed_page_and_every_tool_on_its_own(row: Operation) -> None:
    assert f"\n## gitmem {row.verb}\n" in (PROJECT / "docs/cli.md").read_text(encoding="utf-8")
    if row.tool:
        assert f"\n### {row.tool}\n" in (PROJECT / "docs/mcp.md").read_text(encoding="utf-8")


@pytest.mark.capability("R-080")
def test_every_tool_has_a_verb_that_answers_the_same(make_repo: MakeRepo) -> None:
    root = make_repo(KNOWLEDGE)
    tools = {**schema.tools(AGENT, "full"), **schema.tools(ADMIN, "full")}

    for row in tools.values():
        assert row.verb in VERBS
        assert CLI in row.surfaces
        words = (WRITING if row.writes else READING)[row.verb]
        answer = json.loads(run_inproc(root, *words, "--json").out)
        assert set(answer) - set(BODIES) <= set(schema.result_schema(row)["properties"]), row.tool


@pytest.mark.capability("R-064")
def test_of_the_tools_of_an_agent_one_moves_refs_of_proposals_alone_and_the_others_none(make_repo: MakeRepo) -> None:
    """What else stays as it was is asked of every tool in tests/mcp/test_surface.py."""
    rows = [row for row in schema.tools(AGENT, "full").values() if row.writes]
    root = make_repo(KNOWLEDGE)
    moved = {}

    for row in rows:
        before = git(root, "for-each-ref").splitlines()
        run_inproc(root, *WRITING[row.verb], "--json")
        after = git(root, "for-each-ref").splitlines()
        moved[row.tool] = [line.split("\t")[1].rpartition("/")[0][:-3] for line in after if line not in before]

    assert moved.pop("propose") == ["refs/gitmem/proposals"]
    assert set(moved) == {"observe", "feedback"}
    assert not any(moved.values())
    assert git(root, "status", "--porcelain") == ""


NOT_THERE = ("unknown-proposal", "unknown-observation", "unknown-compile", "no-trailer", "bad-receipt")


@pytest.mark.parametrize("words", list(READING.values()), ids=" ".join)
def test_every_reading_verb_prints_one_json_object(make_repo: MakeRepo, words: tuple[str, ...]) -> None:
    root = make_repo(KNOWLEDGE)

    done = run_inproc(root, *words, "--json")

    found = json.loads(done.out)
    assert isinstance(found, dict)
    assert done.err == "" or found["error"]["code"] in NOT_THERE


def imports_of(root: Path, words: tuple[str, ...]) -> dict[str, int]:
    """Microseconds that each module takes to load in a process of its own, without what it loads in turn."""
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-P", "-X", "importtime", "-m", "gitmem", *words]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
    rows = re.findall(r"^import time:\s+(\d+) \|\s+\d+ \|\s*(\S+)$", done.stderr, re.MULTILINE)
    return {name: int(micros) for micros, name in rows}


def loaded(found: dict[str, int], names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        yield from (each for each in found if each == name or each.startswith(f"{name}."))


@pytest.mark.long
def test_the_cost_of_loading_each_verb_is_printed(make_repo: MakeRepo) -> None:
    print_costs(make_repo(KNOWLEDGE), list(READING))


@pytest.mark.capability("M-078")
def test_the_frequent_verbs_load_nothing_heavy(make_repo: MakeRepo) -> None:
    print_costs(make_repo(KNOWLEDGE), [name for name in READING if name in LIGHT])


def print_costs(root: Path, names: list[str]) -> None:
    run_inproc(root, "compile", "src/app.py")
    calls = {name: READING[name] for name in names}

    lines = [f"{'verb':22} {'modules':>8} {'of gitmem':>10} {'ms':>6}"]
    for name, words in calls.items():
        found = imports_of(root, words)
        ours = sum(each.startswith("gitmem") for each in found)
        lines.append(f"{name:22} {len(found):8} {ours:10} {sum(found.values()) / 1000:6.1f}")
        assert list(loaded(found, LIGHT.get(name, ()))) == [], name
    sys.stdout.write("\n".join(lines) + "\n")

    assert len(lines) == len(calls) + 1


def test_the_table_itself_is_plain_data() -> None:
    for module in dict.fromkeys(VERBS.values()):
        source = Path(import_module(f"gitmem.operations.{module}").__file__).read_text(encoding="utf-8")
        imported = re.findall(r"^(?:from|import) (\S+)", source, re.MULTILINE)
        assert all(name.startswith(("gitmem.operations", "gitmem.record")) for name in imported), module
