"""The examples for continuous integration: files that their hosts can read, commands that exist, a hook that holds."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from gitmem.cli.parser import parse
from gitmem.operations import find
from tests.answers.decided import BOB, CONFIG, ITEM, approve, land, put, rule
from tests.asking import rule as asked_rule
from tests.conftest import MakeRepo
from tests.house.source import PROJECT
from tests.support import Ran, commit_all, git, run_program, write_tree

EXAMPLES = PROJECT / "docs" / "ci"
HOOK = EXAMPLES / "plain-hooks.sh"
GATE = ("verify", "check")
STRICT = {".gitmem/config.yaml": "format: 1\npolicy:\n  require_ledger: true\n  min_approvals: 1\n"}


def commands(text: str, verb: str) -> list[list[str]]:
    """The words of each ``gitmem`` command of an example, up to a redirection."""
    found = []
    for line in text.splitlines():
        _, called, rest = line.partition(f"gitmem {verb} ")
        if called and not line.lstrip().startswith("#"):
            words = shlex.split(rest.split(">")[0].split("||")[0].split("|")[0])
            found.append([word for word in words if word != ";;"])
    return found


@pytest.mark.capability("G-022")
@pytest.mark.capability("G-008")
@pytest.mark.capability("G-037")
@pytest.mark.parametrize("verb", ["check", "verify"])
@pytest.mark.parametrize("name", ["github.yml", "gitlab.yml", "plain-hooks.sh"])
def test_the_commands_of_an_example_are_ones_that_gitmem_takes(name: str, verb: str) -> None:
    operation = find(verb)
    assert operation is not None

    found = commands((EXAMPLES / name).read_text(encoding="utf-8"), verb)

    assert found
    for words in found:
        parsed = parse(operation, words)
        assert parsed.values["range"]
        formats = next(param.choices for param in operation.params if param.name == "format")
        assert parsed.values.get("format", "text") in formats


def test_the_workflow_of_github_asks_for_no_more_than_it_needs() -> None:
    workflow = yaml.safe_load((EXAMPLES / "github.yml").read_text(encoding="utf-8"))

    job = workflow["jobs"]["check"]
    assert workflow["permissions"] == {"contents": "read"}
    assert set(job["permissions"]) == {"contents", "pull-requests", "security-events"}
    assert "pull_request" in workflow[True]  # YAML 1.1 takes `on` for true, and so do its readers
    checkout = job["steps"][0]["with"]
    assert (checkout["fetch-depth"], checkout["persist-credentials"]) == (0, False)
    assert all(("run" in step) != ("uses" in step) for step in job["steps"])
    # What a pull request says of itself goes by the environment, never into the text of a script.
    assert not [step for step in job["steps"] if "${{" in step.get("run", "")]
    assert [step["run"] for step in job["steps"][-2:]] == [f'gitmem {verb} --range "$RANGE"' for verb in GATE]


def test_the_job_of_gitlab_ends_with_the_gate() -> None:
    jobs = yaml.safe_load((EXAMPLES / "gitlab.yml").read_text(encoding="utf-8"))

    assert jobs["gitmem"]["variables"]["GIT_DEPTH"] == "0"
    assert jobs["gitmem"]["script"][-2:] == [f'gitmem {verb} --range "$range"' for verb in GATE]
    assert all(isinstance(line, str) for line in jobs["gitmem"]["script"])


@pytest.fixture
def pushed(make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone of a bare repository whose main is behind the hook."""
    program = tmp_path / "bin" / "gitmem"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m gitmem "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    repo = make_repo({**CONFIG, **STRICT, f".gitmem/{ITEM}": rule(1)})
    bare = tmp_path / "bare.git"
    git(repo, "clone", "--quiet", "--bare", ".", str(bare))
    shutil.copy(HOOK, bare / "hooks" / "pre-receive")
    git(repo, "remote", "add", "origin", str(bare))
    git(repo, "fetch", "--quiet")
    return repo


def push(repo: Path, *words: str) -> Ran:
    return run_program(repo, "git", "push", "origin", *(words or ("main",)))


@pytest.mark.capability("G-021")
@pytest.mark.capability("R-052")
def test_the_hook_lets_in_what_the_policy_lets_in(pushed: Path) -> None:
    entry = land(pushed, 7, {ITEM: rule(1, tags=["http"])})

    assert "approvals-missing" in push(pushed).err
    approve(pushed, entry, BOB)
    ran = push(pushed)
    assert ran.code == 0, ran.err
    assert "nothing to mend" in ran.err


def test_the_hook_keeps_knowledge_by_hand_out_of_the_branch_alone(pushed: Path) -> None:
    before = git(pushed, "ls-remote", "origin", "main")
    put(pushed, {ITEM: rule(1, tags=["http"])})
    commit_all(pushed)

    refused = push(pushed)

    assert refused.code == 1
    assert "no-ledger-entry" in refused.err
    assert git(pushed, "ls-remote", "origin", "main") == before
    assert push(pushed, "HEAD:work").code == 0
    assert push(pushed, ":main").code == 1


def test_the_hook_lets_code_pass(pushed: Path) -> None:
    write_tree(pushed, {"src/app.ts": "y\n"})
    commit_all(pushed)

    assert push(pushed).code == 0


def test_the_hook_keeps_code_out_that_breaks_a_rule_of_the_branch(pushed: Path) -> None:
    bare = Path(git(pushed, "config", "remote.origin.url").strip())
    write_tree(pushed, asked_rule("no-print", 9, "src/**", body="No.\n\n```verify\nforbid_pattern: [print]\n```\n"))
    commit_all(pushed)
    git(bare, "fetch", "--quiet", "--force", str(pushed), "main:main")
    write_tree(pushed, {"src/app.py": "print(1)\n"})
    commit_all(pushed)

    refused = push(pushed)

    assert refused.code == 1
    assert "src/app.py:1: forbidden_pattern" in refused.err


def test_without_gitmem_the_hook_lets_nothing_in(pushed: Path, tmp_path: Path) -> None:
    (tmp_path / "bin" / "gitmem").unlink()
    write_tree(pushed, {"src/app.ts": "y\n"})
    commit_all(pushed)

    refused = push(pushed)

    assert refused.code == 1
    assert "not installed" in refused.err
