"""No tool of an agent and no reading verb moves a branch, the index or the work tree."""

import hashlib
import itertools
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.mcp import schema
from gitmem.operations import every
from tests.mcp.talk import KNOWLEDGE, MINIMAL_ARGUMENTS, structure_of, talk
from tests.support import engram_id, engram_text, git, run_inproc, write_tree

# What a cache and a key may be kept in: neither is tracked, neither is knowledge.
OURS = (".gitmem/cache", ".git/gitmem")
READING = {row.verb: row for row in every() if not row.writes and row.verb != "mcp"}
ITEM, FILE = "use-the-client", "src/ui/form.ts"
WORDS = {
    "check": [],
    "compile": [FILE, "--plan", "call the api"],
    "explain": [FILE],
    "get": [ITEM],
    "layers": [],
    "list": [],
    "overview": [],
    "show": [ITEM],
    "snapshots diff": ["HEAD"],
    "snapshots list": [],
    "snapshots show": ["HEAD"],
    "status": [],
    "why": [ITEM],
    "why-not": [ITEM, FILE],
}


@pytest.fixture
def busy(make_repo) -> Path:
    """A repository in the middle of work: staged, changed and new files, in code and in knowledge; a second branch."""
    root = make_repo(KNOWLEDGE | {".gitattributes": "*.ts text eol=lf\n"})
    git(root, "branch", "other")
    write_tree(root, {"src/staged.ts": "1\n", FILE: "changed\n"})
    git(root, "add", "src/staged.ts")
    fresh = engram_text(id=engram_id(9), title="Not yet committed")
    write_tree(root, {"src/new.ts": "2\n", ".gitmem/engrams/api/fresh.md": fresh, "src/staged.ts": "3\n"})
    return root


def state(root: Path) -> dict[str, str]:
    """The hash of every file below the root, Git's own included, and what `git status` says."""
    found = {str(path.relative_to(root)): digest(path) for path in files(root)}
    env = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    said = subprocess.run(
        ["git", "status", "--porcelain=v2", "--branch"], cwd=root, env=env, capture_output=True, check=True
    )
    return found | {"git status": said.stdout.decode()}


def files(root: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(root):
        if not any(Path(folder).is_relative_to(root / ours) for ours in OURS):
            yield from (Path(folder) / name for name in names)


def digest(path: Path) -> str:
    return f"{path.lstat().st_mode:o} {hashlib.sha256(path.read_bytes()).hexdigest()}"


@pytest.mark.capability("G-020")
def test_no_tool_of_the_agent_surface_changes_anything(busy: Path) -> None:
    tools = schema.tools("agent", "full")
    before = state(busy)
    with talk(busy) as server:
        server.start()
        for tool in tools:
            structure_of(server.call(tool, MINIMAL_ARGUMENTS[tool]))
            assert state(busy) == before, tool
        server.result("resources/read", {"uri": f"gitmem://engram/{ITEM}"})
        server.close()

    assert state(busy) == before
    assert set(tools) == set(MINIMAL_ARGUMENTS)


@pytest.mark.capability("G-020")
@pytest.mark.parametrize("verb", READING)
def test_a_reading_verb_leaves_everything_as_it_was(busy: Path, verb: str) -> None:
    before = state(busy)
    ran = run_inproc(busy, *verb.split(), *WORDS[verb])

    assert ran.code in (0, 1), ran.err
    assert state(busy) == before


def test_a_change_of_any_kind_is_seen(busy: Path) -> None:
    seen = [state(busy)]
    for change in (["add", "src/new.ts"], ["update-ref", "refs/heads/x", "HEAD"], ["config", "a.b", "c"]):
        git(busy, *change)
        seen.append(state(busy))
    (busy / FILE).chmod(0o755)
    seen.append(state(busy))

    assert all(one != two for one, two in itertools.pairwise(seen))
