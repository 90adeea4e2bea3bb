"""After a merge, a rebase or a pick the hooks say what is amiss in meaning, and stop nothing."""

from pathlib import Path

import pytest

from tests.answers.merging import RULE, START, apart, merge, put_on_path, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, run_program, write_tree

OTHER = ".gitmem/engrams/api/other.md"


@pytest.fixture
def repo(make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two rules; a branch each makes one require the other: clean as text, a circle in meaning."""
    put_on_path(tmp_path, monkeypatch)
    root = make_repo({**START, OTHER: rule(2)})
    apart(root, {RULE: rule(requires=[engram_id(2)])}, {OTHER: rule(2, requires=[engram_id(1)])})
    # Only what runs after the fact: the others would stop the merge.
    run_inproc(root, "hooks", "install", "--no-merge-driver")
    for name in ("pre-commit", "pre-merge-commit", "pre-push"):
        (root / ".git/hooks" / name).unlink()
    return root


@pytest.mark.capability("G-025")
@pytest.mark.capability("M-077")
def test_a_clean_merge_into_a_circle_is_reported_and_stands(repo: Path) -> None:
    """F-097: a cleanly merged pair of branches makes a cycle."""
    ran = merge(repo)

    assert ran.code == 0
    assert "[requires-cycle]" in ran.err
    assert git(repo, "log", "-1", "--format=%s").strip() == "Merge branch 'theirs'"
    assert run_inproc(repo, "compile", "src/app.py").code == 0


def test_a_rebase_and_a_pick_are_reported_once(repo: Path) -> None:
    git(repo, "branch", "pick")

    rebased = run_program(repo, "git", "rebase", "theirs")
    git(repo, "switch", "--quiet", "pick")
    picked = run_program(repo, "git", "cherry-pick", "theirs")

    assert (rebased.code, picked.code) == (0, 0)
    assert rebased.err.count("[requires-cycle]") == picked.err.count("[requires-cycle]") == 1


def test_a_merge_that_a_person_ended_is_reported(repo: Path) -> None:
    write_tree(repo, {"src/app.py": "ours\n"})
    commit_all(repo)
    git(repo, "switch", "--quiet", "theirs")
    write_tree(repo, {"src/app.py": "theirs\n"})
    commit_all(repo)
    git(repo, "switch", "--quiet", "main")
    assert merge(repo).code == 1
    write_tree(repo, {"src/app.py": "both\n"})
    git(repo, "add", "--all")

    ran = run_program(repo, "git", "commit", "--no-edit")

    assert ran.code == 0
    assert "[requires-cycle]" in ran.err


def test_nothing_is_said_when_nothing_is_amiss(
    make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(tmp_path, monkeypatch)
    repo = make_repo({**START, OTHER: rule(2, scope={"paths": ["src/**"]})})
    run_inproc(repo, "hooks", "install")
    for name in ("pre-commit", "pre-merge-commit"):
        (repo / ".git/hooks" / name).unlink()
    scoped = {"scope": {"paths": ["src/**"]}}
    apart(repo, {RULE: rule(title="Ours", **scoped)}, {OTHER: rule(2, title="Theirs", **scoped)})

    merged = merge(repo)
    write_tree(repo, {RULE: rule(title="Edited", **scoped)})
    git(repo, "add", "--all")
    committed = run_program(repo, "git", "commit", "--message", "edit")

    assert (merged.code, merged.err) == (0, "")
    assert (committed.code, committed.err) == (0, "")


@pytest.mark.parametrize("fault", ["no program", "a broken program"])
def test_without_gitmem_nothing_is_said_and_nothing_stops(repo: Path, tmp_path: Path, fault: str) -> None:
    program = tmp_path / "bin/gitmem"
    if fault == "no program":
        program.unlink()
    else:
        program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")

    ran = merge(repo)

    assert ran.code == 0
    assert ran.err.strip() == ""


def test_a_hook_that_was_there_still_reads_what_git_tells_it(repo: Path) -> None:
    """post-rewrite gets the commits on standard input."""
    hook = repo / ".git/hooks/post-rewrite"
    run_inproc(repo, "hooks", "uninstall")
    hook.write_text("#!/bin/sh -e\ncat > .git/told\n", encoding="utf-8")
    hook.chmod(0o755)
    run_inproc(repo, "hooks", "install", "--no-merge-driver")
    (repo / ".git/hooks/pre-commit").unlink()

    git(repo, "rebase", "--quiet", "theirs")

    assert len((repo / ".git/told").read_text(encoding="utf-8").split()) == 2
