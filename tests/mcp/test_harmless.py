"""No reading verb changes anything: no ref, no object that counts, no index, no file."""

import hashlib
import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.operations import every
from tests.mcp.talk import KNOWLEDGE
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, start_repo, write_tree

# What a cache and a key may be kept in: neither is tracked, neither is knowledge.
OURS = (".gitmem/cache", ".git/gitmem")
# A rehearsed approval needs the commit that it would come to; no ref leads to it.
REHEARSALS = {"proposals preflight": (".git/objects",)}
READING = {row.verb: row for row in every() if not row.writes and row.verb != "mcp"}
ITEM, FILE = "use-the-client", "src/ui/form.ts"
WORDS = {
    "check": [],
    "claims list": [],
    "compile": [FILE, "--plan", "call the api"],
    "contradictions list": [],
    "explain": [FILE],
    "get": [ITEM],
    "impact": [FILE],
    "index": [],
    "symbols": ["client"],
    "context": ["fix the client"],
    "expand": ["336ce12bb9-0-10-vxgz"],
    "outline": [FILE],
    "trace": [FILE],
    "intentions list": ["--file", FILE],
    "intentions show": ["none"],
    "journal audit": ["0" * 64],
    "journal check": [],
    "journal query": ["--item", ITEM],
    "journal show": [],
    "journal trailer": [],
    "journal verify": ["gitmem1:e30"],
    "journal verify-commit": ["HEAD"],
    "layers": [],
    "lineage": [ITEM],
    "list": [],
    "observations list": [],
    "observations show": ["01J6XQK5P7R2V8Y3M4N6ZH0WQT-1"],
    "overview": [],
    "proposals diff": ["PROPOSAL"],
    "proposals list": [],
    "proposals overlaps": [],
    "proposals preflight": ["PROPOSAL"],
    "analyze": ["AGENTS.md"],
    "proposals review": [],
    "proposals show": ["PROPOSAL", "--diff"],
    "stats": [],
    "scopes review": [],
    "show": [ITEM],
    "skills list": [],
    "skills show": ["none"],
    "search": ["call the client"],
    "recall": [FILE, "--text", "start"],
    "snapshots diff": ["HEAD"],
    "snapshots list": [],
    "snapshots show": ["HEAD"],
    "standing list": [],
    "status": [],
    "trash": [],
    "verification show": [ITEM],
    "verify": ["--worktree"],
    "why": [ITEM],
    "why-not": [ITEM, FILE],
}


def make_busy(root: Path) -> Path:
    """A repository in the middle of work: staged, changed and new files, in code and in knowledge; a second branch."""
    root.mkdir()
    write_tree(start_repo(root), KNOWLEDGE | {".gitattributes": "*.ts text eol=lf\n"})
    commit_all(root, "start")
    git(root, "branch", "other")
    write_tree(root, {"src/staged.ts": "1\n", FILE: "changed\n"})
    git(root, "add", "src/staged.ts")
    fresh = engram_text(id=engram_id(9), title="Not yet committed")
    write_tree(root, {"src/new.ts": "2\n", ".gitmem/engrams/api/fresh.md": fresh, "src/staged.ts": "3\n"})
    ran = run_inproc(root, "propose", "edit", ITEM, "title", "Call it through the client")
    assert ran.code == 0, ran.err
    return root


@pytest.fixture
def busy(tmp_path: Path) -> Path:
    return make_busy(tmp_path / "repo")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("busy") / "repo"


@pytest.fixture
def shared(kept: Path) -> Path:
    """One busy repository for all that change nothing, each of which finds it without a cache."""
    if not kept.exists():
        make_busy(kept)
    shutil.rmtree(kept / ".gitmem/cache", ignore_errors=True)
    return kept


def state(root: Path, besides: tuple[str, ...] = ()) -> dict[str, str]:
    """The hash of every file below the root, Git's own included, and what `git status` says."""
    found = {str(path.relative_to(root)): digest(path) for path in files(root, besides)}
    env = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    said = subprocess.run(
        ["git", "status", "--porcelain=v2", "--branch"], cwd=root, env=env, capture_output=True, check=True
    )
    return found | {"git status": said.stdout.decode()}


def files(root: Path, besides: tuple[str, ...]) -> Iterator[Path]:
    for folder, _, names in os.walk(root):
        if not any(Path(folder).is_relative_to(root / each) for each in (*OURS, *besides)):
            yield from (Path(folder) / name for name in names)


def digest(path: Path) -> str:
    return f"{path.lstat().st_mode:o} {hashlib.sha256(path.read_bytes()).hexdigest()}"


@pytest.mark.capability("G-020")
@pytest.mark.parametrize("verb", READING)
def test_a_reading_verb_leaves_everything_as_it_was(shared: Path, verb: str) -> None:
    besides = REHEARSALS.get(verb, ())
    words = [proposal_of(shared) if word == "PROPOSAL" else word for word in WORDS[verb]]
    before = state(shared, besides)
    ran = run_inproc(shared, *verb.split(), *words)

    assert ran.code in (0, 1), ran.err
    assert "unknown command" not in ran.err
    assert "unknown option" not in ran.err
    assert state(shared, besides) == before


def proposal_of(root: Path) -> str:
    return git(root, "for-each-ref", "--format=%(refname:lstrip=4)", "refs/gitmem/proposals").strip()


def test_a_change_of_any_kind_is_seen(busy: Path) -> None:
    seen = [state(busy)]
    for change in (["add", "src/new.ts"], ["update-ref", "refs/heads/x", "HEAD"], ["config", "a.b", "c"]):
        git(busy, *change)
        seen.append(state(busy))
    (busy / FILE).chmod(0o755)
    seen.append(state(busy))

    assert all(one != two for one, two in itertools.pairwise(seen))
