"""The pre-commit hook verifies what is staged: a violation stops the commit, a fault of gitmem does not."""

from pathlib import Path

import pytest

from gitmem.cli import precommit
from gitmem.text.spans import digest
from tests.asking import knowledge, rule
from tests.conftest import MakeRepo
from tests.hooks.program import script
from tests.support import Ran, git, run_inproc, run_program, write_tree

BLOCK = "Log through the logger.\n\n```verify\nforbid_pattern: ['print\\(']\n```\n"
FILES = knowledge(rule("no-print", 1, "src/**", body=BLOCK), {"src/a.py": "x\n"})


def installed(repo: Path) -> Path:
    assert run_inproc(repo, "hooks", "install").code == 0
    return repo


def commit(repo: Path, *args: str) -> Ran:
    return run_program(repo, "git", "commit", "--quiet", "--message", "x", *args)


@pytest.mark.usefixtures("on_path")
@pytest.mark.capability("R-070")
@pytest.mark.parametrize("words", [("--all",), ("--only", "src/a.py")], ids=lambda words: words[0])
def test_a_violation_stops_the_commit_and_a_mended_change_passes_in_silence(make_repo: MakeRepo, words) -> None:
    repo = installed(make_repo(FILES))
    write_tree(repo, {"src/a.py": "x\nprint(1)\n"})
    refused = commit(repo, *words)
    write_tree(repo, {"src/a.py": "x\ny\n"})
    passed = commit(repo, *words)

    assert refused.code == 1
    assert "src/a.py:2: forbidden_pattern: print(1) [no-print]" in refused.err
    assert passed == Ran(0, "", "")
    assert git(repo, "status", "--porcelain") == ""


@pytest.mark.usefixtures("on_path")
def test_what_is_not_staged_is_neither_judged_nor_touched(make_repo: MakeRepo) -> None:
    """F-185"""
    repo = installed(make_repo(FILES))
    other = repo.parent / "other"
    git(repo, "worktree", "add", "--quiet", str(other), "-b", "other")
    for root in (repo, other):
        write_tree(root, {"src/b.py": "print(1)\n"})
        git(root, "add", "src/b.py")
        write_tree(root, {"src/a.py": f"print('{root.name}')\n", "src/b.py": "half an edit\n", "new.txt": "n\n"})
    states = [git(root, "status", "--porcelain") for root in (repo, other)]

    refused = [commit(root) for root in (repo, other)]

    assert [ran.code for ran in refused] == [1, 1]
    assert all("src/b.py:1:" in ran.err for ran in refused)
    assert all("src/a.py" not in ran.err for ran in refused)
    assert [git(root, "status", "--porcelain") for root in (repo, other)] == states
    assert [(root / "src/b.py").read_text() for root in (repo, other)] == ["half an edit\n"] * 2


@pytest.mark.parametrize("fault", ["exit 3\n", "exit 2\n", "kill -9 $$\n"])
def test_a_fault_of_gitmem_stops_nothing_and_is_said(make_repo: MakeRepo, on_path: Path, fault: str) -> None:
    repo = installed(make_repo(FILES))
    script(on_path, fault)
    write_tree(repo, {"src/a.py": "print(1)\n"})

    ran = commit(repo, "--all")

    assert ran.code == 0
    assert "could not verify" in ran.err


def test_without_a_rule_that_can_be_checked_gitmem_is_not_started(make_repo: MakeRepo, on_path: Path) -> None:
    repo = installed(make_repo(knowledge(rule("no-print", 1, "src/**"), {"src/a.py": "x\n"})))
    script(on_path, "echo started >&2\nexit 1\n")
    write_tree(repo, {"src/a.py": "print(1)\n"})

    assert commit(repo, "--all") == Ran(0, "", "")


@pytest.mark.usefixtures("on_path")
@pytest.mark.parametrize("setting", ["remote", "gitmem.trust", "config.yaml"])
def test_a_rule_that_the_trusted_branch_alone_has_stops_the_commit(make_repo: MakeRepo, setting: str) -> None:
    config = {".gitmem/config.yaml": f"format: 1\n{'trust: main' if setting == 'config.yaml' else ''}\n"}
    repo = installed(make_repo(config | {"src/a.py": "x\n"}))
    git(repo, "checkout", "--quiet", "-b", "old")
    git(repo, "checkout", "--quiet", "main")
    write_tree(repo, FILES)
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message", "rule")
    if setting == "remote":
        git(repo, "clone", "--quiet", "--bare", ".", str(repo.parent / "bare.git"))
        git(repo, "remote", "add", "origin", str(repo.parent / "bare.git"))
        git(repo, "fetch", "--quiet")
    elif setting == "gitmem.trust":
        git(repo, "config", "gitmem.trust", "main")
    git(repo, "checkout", "--quiet", "old")
    write_tree(repo, {"src/a.py": "print(1)\n"})

    ran = commit(repo, "--all")

    assert ran.code == 1
    assert "src/a.py:1: forbidden_pattern" in ran.err


@pytest.mark.usefixtures("on_path")
def test_without_the_trusted_branch_the_commit_passes_and_is_told_so(make_repo: MakeRepo) -> None:
    repo = installed(make_repo(FILES))
    git(repo, "config", "gitmem.trust", "release")
    write_tree(repo, {"src/a.py": "print(1)\n"})

    ran = commit(repo, "--all")

    assert ran.code == 0
    assert "the trusted branch 'release' is not in this clone" in ran.err


@pytest.mark.usefixtures("on_path")
def test_a_change_that_takes_the_rule_away_is_judged_by_it(make_repo: MakeRepo) -> None:
    repo = installed(make_repo(FILES))
    git(repo, "rm", "--quiet", "-r", ".gitmem/engrams")
    write_tree(repo, {"src/a.py": "print(1)\n"})

    assert "forbidden_pattern" in commit(repo, "--all").err


@pytest.mark.usefixtures("on_path")
@pytest.mark.capability("G-008")
def test_a_claim_that_a_commit_breaks_is_said_with_the_next_step(make_repo: MakeRepo) -> None:
    files = knowledge(rule("rests", 1, "src/**"), {"src/a.py": "x = 1\n"})
    path = next(name for name in files if name.endswith("/rests.md"))
    claim = f"claims:\n  - path: src/a.py\n    hash: '{digest('x = 1')}'\ntags:"
    files[path] = files[path].replace("tags:", claim)
    repo = installed(make_repo(files))
    write_tree(repo, {"src/a.py": "x = 2\n"})

    ran = commit(repo, "--all")

    assert ran.code == 0
    assert "gitmem claims confirm rests" in ran.err


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, ["verify", "--staged"]),
        ({"PRE_COMMIT_FROM_REF": "a", "PRE_COMMIT_TO_REF": "b"}, ["verify", "--range", "a...b"]),
    ],
)
def test_the_framework_names_what_is_verified(said: dict[str, str], words: list[str], monkeypatch) -> None:
    for name, value in said.items():
        monkeypatch.setenv(name, value)

    assert precommit.words_to_verify() == words


@pytest.mark.parametrize(("text", "code"), [("print(1)\n", 1), ("y\n", 0)])
def test_the_entry_of_the_framework_stops_git_for_violations(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, code: int
) -> None:
    repo = make_repo(FILES)
    write_tree(repo, {"src/a.py": text})
    git(repo, "add", "--all")
    monkeypatch.chdir(repo)
    monkeypatch.setattr("sys.argv", ["precommit", "verify"])
    monkeypatch.setenv("GITMEM_HOOK", "1")

    assert precommit.main() == code
    assert ("forbidden_pattern" in capsys.readouterr().out) is bool(code)


def test_the_entry_of_the_framework_lets_git_go_on_when_it_cannot_verify(make_repo, monkeypatch) -> None:
    monkeypatch.chdir(make_repo(FILES))
    monkeypatch.setattr("sys.argv", ["precommit", "verify"])
    monkeypatch.setenv("GITMEM_HOOK", "1")
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "none")
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")

    assert precommit.main() == 0
