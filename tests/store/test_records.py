"""Which commit brought or took a record: on a line, by a merge, by a merge of its own, and by a revert."""

from pathlib import Path

from gitmem.store import records
from gitmem.store.repo import discover
from tests.conftest import MakeRepo
from tests.support import commit_all, git, write_tree

ENTRY = ".gitmem/ledger/2026/01-02/a.yaml"
VOTE = ".gitmem/approvals/2026/a.ada-1234.yaml"


def told(repo: Path, old: str, new: str = "HEAD") -> list[tuple[str, str, bool]]:
    found = records.touches(discover(repo), old and git(repo, "rev-parse", old).strip(), new)
    return [(touch.rel, touch.email, touch.is_added) for touch in found]


def by(repo: Path, email: str, files: dict[str, str]) -> str:
    write_tree(repo, files)
    git(repo, "config", "user.email", email)
    return commit_all(repo, "by " + email)


def test_additions_and_edits_are_told_with_their_authors(make_repo: MakeRepo) -> None:
    repo = make_repo({"a": "1\n"})
    by(repo, "ada@x", {ENTRY: "1\n", "a": "2\n"})
    by(repo, "bob@x", {ENTRY: "2\n"})
    by(repo, "eve@x", {"a": "3\n"})

    rel = ENTRY.removeprefix(".gitmem/")
    assert told(repo, "HEAD~3") == [(rel, "bob@x", False), (rel, "ada@x", True)]
    assert told(repo, "") == told(repo, "HEAD~3")
    assert told(repo, "HEAD") == []


def test_a_merge_counts_only_for_what_neither_side_had(make_repo: MakeRepo) -> None:
    repo = make_repo({"a": "1\n"})
    git(repo, "checkout", "--quiet", "-b", "side")
    by(repo, "ada@x", {ENTRY: "1\n"})
    git(repo, "checkout", "--quiet", "main")
    by(repo, "bob@x", {"a": "2\n"})
    git(repo, "merge", "--quiet", "--no-commit", "side")
    by(repo, "bob@x", {VOTE: "1\n"})

    assert told(repo, "HEAD^1") == [
        (VOTE.removeprefix(".gitmem/"), "bob@x", True),
        (ENTRY.removeprefix(".gitmem/"), "ada@x", True),
    ]


def test_a_name_that_looks_like_a_row_of_git_is_a_name(make_repo: MakeRepo) -> None:
    repo = make_repo({"a": "1\n"})
    git(repo, "config", "user.name", "A :100644 000000")
    odd = ".gitmem/ledger/2026/01-02/:0 a\n.yaml"
    by(repo, "ada@x", {odd: "1\n", ENTRY: "1\n"})

    found = records.touches(discover(repo), git(repo, "rev-parse", "HEAD^").strip(), "HEAD")

    assert {touch.rel for touch in found} == {odd.removeprefix(".gitmem/"), ENTRY.removeprefix(".gitmem/")}
    assert {(touch.name, touch.email) for touch in found} == {("A :100644 000000", "ada@x")}


def test_what_a_revert_took_is_found(make_repo: MakeRepo) -> None:
    repo = make_repo({"a": "1\n"})
    by(repo, "ada@x", {ENTRY: "1\n", VOTE: "1\n"})
    by(repo, "ada@x", {"a": "2\n"})
    git(repo, "revert", "--no-edit", "HEAD^")
    reverted = git(repo, "rev-parse", "HEAD").strip()
    by(repo, "ada@x", {"a": "3\n"})

    found = records.losses(discover(repo), "HEAD")

    assert [(loss.commit, sorted(change.rel for change in loss.gone)) for loss in found] == [
        (reverted, sorted(each.removeprefix(".gitmem/") for each in (ENTRY, VOTE)))
    ]
