"""What the pre-commit framework says becomes a command line; the framework itself runs it where it is installed."""

import importlib.util
import sys
from pathlib import Path

import pytest

from gitmem.cli import precommit
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_text, git, run_program, write_tree

PROJECT = Path(__file__).resolve().parents[2]
RULE = ".gitmem/engrams/api/a.md"
CONFIG = """\
repos:
  - repo: local
    hooks:
      - id: gitmem-check
        name: gitmem check
        entry: {python} -P -m gitmem.cli.precommit
        language: system
        pass_filenames: false
        always_run: true
        stages: [pre-commit, pre-merge-commit, pre-push]
"""


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, ["check", "--staged"]),
        ({"PRE_COMMIT_FROM_REF": "a", "PRE_COMMIT_TO_REF": "b"}, ["check", "--range", "a..b"]),
        ({"PRE_COMMIT_REMOTE_NAME": "origin"}, ["check"]),
    ],
)
def test_each_stage_has_its_words(said: dict[str, str], words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in said.items():
        monkeypatch.setenv(name, value)

    assert precommit.words() == words


@pytest.mark.parametrize(
    ("said", "is_found"),
    [({"PRE_COMMIT_IS_SQUASH_MERGE": "0"}, True), ({"PRE_COMMIT_REWRITE_COMMAND": "rebase"}, True), ({}, False)],
)
def test_a_report_after_the_fact_speaks_only_of_faults_and_stops_nothing(
    make_repo: MakeRepo,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    said: dict[str, str],
    is_found: bool,
) -> None:
    repo = make_repo({".gitmem/config.yaml": "format: 1\n"})
    git(repo, "update-ref", "ORIG_HEAD", "HEAD")
    for number, text in enumerate(["no header\n", engram_text(scope={"paths": ["**"]})]):
        write_tree(repo, {f".gitmem/engrams/api/{number}.md": text})
        commit_all(repo, "x")
    monkeypatch.chdir(repo)
    monkeypatch.setattr("sys.argv", ["precommit", "report"])
    monkeypatch.setenv("GITMEM_HOOK", "1")
    for name, value in said.items():
        monkeypatch.setenv(name, value)

    code = precommit.main()

    assert code == 0
    assert ("0.md:1: error:" in capsys.readouterr().err) is is_found


def test_findings_stop_git_and_our_own_faults_do_not(make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = make_repo({".gitmem/config.yaml": "format: 1\n"})
    write_tree(repo, {RULE: "no header\n"})
    git(repo, "add", "--all")
    monkeypatch.chdir(repo)
    monkeypatch.setenv("GITMEM_HOOK", "1")

    assert precommit.main() == 1
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "no range..")
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "x")
    assert precommit.main() == 0


@pytest.mark.skipif(importlib.util.find_spec("pre_commit") is None, reason="the pre-commit framework is not here")
def test_the_framework_stops_a_commit_and_lets_a_mended_one_pass(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    monkeypatch.setenv("PRE_COMMIT_HOME", str(home / "pre-commit"))
    python = f"{sys.executable}"
    repo = make_repo({".gitmem/config.yaml": "format: 1\n", ".pre-commit-config.yaml": CONFIG.format(python=python)})
    types = ("--hook-type", "pre-commit", "--hook-type", "pre-push")
    assert run_program(repo, python, "-P", "-m", "pre_commit", "install", *types).code == 0
    write_tree(repo, {RULE: "no header\n"})
    git(repo, "add", "--all")
    refused = run_program(repo, "git", "commit", "--quiet", "--message", "x")
    write_tree(repo, {RULE: engram_text(kind="fact")})
    git(repo, "add", "--all")
    passed = run_program(repo, "git", "commit", "--quiet", "--message", "x")

    assert refused.code == 1
    assert f"{RULE}:1: error:" in refused.out + refused.err
    assert passed.code == 0, passed.err
