"""On whose word an item stands: the commits that made it, who wrote each line, and what became of what is gone."""

from pathlib import Path

import pytest

from tests.asking import CONFIG, ask, codes, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

REL = ".gitmem/engrams/api/one.md"


def by(repo: Path, name: str, text: str, message: str, date: str) -> str:
    write_tree(repo, {REL: text})
    git(repo, "add", "--all")
    git(repo, "-c", f"user.name={name}", "commit", "--quiet", "--message", message, date=date)
    return git(repo, "rev-parse", "HEAD").strip()


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    repo = make_repo(CONFIG)
    text = rule("one", 1, "src/**", body="First line.\nSecond line.\n")[REL]
    by(repo, "Ada", text, "one: as it began", "2026-01-02T03:04:05Z")
    by(repo, "Grace", text.replace("Second", "Another"), "one: another line", "2026-02-03T04:05:06+01:00")
    return repo


@pytest.mark.capability("G-013")
def test_every_line_has_a_name_and_a_commit(repo: Path) -> None:
    answer = ask(repo, "why", "one")

    lines = {row["text"]: row["author"] for row in answer["lines"]}
    assert (lines["First line."], lines["Another line."]) == (
        "Ada <ada@example.org>",
        "Grace <ada@example.org>",
    )
    assert [row["line"] for row in answer["lines"]] == list(range(1, len(answer["lines"]) + 1))
    assert "".join(row["text"] + "\n" for row in answer["lines"]) == (repo / REL).read_text()
    assert all(row["commit"] and row["author"] for row in answer["lines"])


@pytest.mark.capability("G-013")
def test_the_commits_come_newest_first_and_a_hand_made_one_is_called_so(repo: Path) -> None:
    answer = ask(repo, "why", "one")

    assert [(d["subject"], d["at"], d["proposed_by"].split(" ")[0]) for d in answer["decisions"]] == [
        ("one: another line", "2026-02-03T03:05:06Z", "Grace"),
        ("one: as it began", "2026-01-02T03:04:05Z", "Ada"),
    ]
    assert answer["created"].startswith("2026-01-02T03:04:05Z Ada")
    assert codes(answer["warnings"]) == ["no-ledger-entry"]


def test_history_is_followed_through_a_move(repo: Path) -> None:
    (repo / ".gitmem/engrams/http").mkdir()
    git(repo, "mv", REL, ".gitmem/engrams/http/single.md")
    commit_all(repo, "one: moved")

    answer = ask(repo, "why", "single")

    assert [d["subject"] for d in answer["decisions"]] == ["one: moved", "one: another line", "one: as it began"]
    assert {row["author"].split(" ")[0] for row in answer["lines"]} == {"Ada", "Grace"}


def test_why_at_a_revision_knows_nothing_of_what_came_later(repo: Path) -> None:
    assert [d["subject"] for d in ask(repo, "why", "one", "--at", "HEAD^")["decisions"]] == ["one: as it began"]


def test_a_shallow_clone_says_that_it_does_not_know_the_beginning(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repo}", "shallow")

    assert "shallow" in codes(ask(tmp_path / "shallow", "why", "one")["warnings"])


@pytest.mark.parametrize("name", ["one", "api/one", engram_id(1), engram_id(1).lower()])
def test_what_was_removed_is_known_to_history(repo: Path, name: str) -> None:
    """F-227: who removed it, when, in which commit, and how to read the last text."""
    (repo / REL).unlink()
    commit = commit_all(repo, "one: no longer needed", date="2026-03-04T05:06:07Z")

    error = refused(repo, "why", name)

    who = "2026-03-04T05:06:07Z by Ada Example <ada@example.org>: one: no longer needed"
    assert error["hint"] == f"it was removed in {commit[:12]} ({who}); read it with --at {commit[:12]}^"
    assert "Another line." in ask(repo, "show", name, "--at", f"{commit[:12]}^")["text"]


def test_what_another_branch_has_is_named_with_the_branch(make_repo: MakeRepo) -> None:
    """F-085: not on this branch, but on that one."""
    repo = make_repo(CONFIG)
    git(repo, "worktree", "add", "--quiet", "-b", "side", str(repo.parent / "second"))
    write_tree(repo.parent / "second", rule("one", 1, "src/**"))
    commit_all(repo.parent / "second", "side")

    error = refused(repo, "get", "one")

    assert error["hint"] == "it is on the branch side; read it with --at side"
    assert ask(repo, "get", "one", "--at", "side")["items"][0]["id"] == engram_id(1)


def test_the_text_form_names_the_file_its_commits_and_its_lines(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1, "src/**", body="Only line.\n")))
    commit = git(repo, "rev-parse", "HEAD").strip()

    shown = run_inproc(repo, "why", "one").out.splitlines()

    assert shown[0] == f"# {REL} ({engram_id(1)})"
    assert shown[2] == f"- 2026-01-02T03:04:05Z {commit[:12]} Ada Example <ada@example.org>: start"
    assert shown[-3] == f"  12 {commit[:10]} Ada Example <ada@example.org>: Only line."
