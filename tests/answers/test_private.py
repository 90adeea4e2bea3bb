"""Private items: found in the clone that wrote them, in no object of Git, and shared by a proposal only."""

import json
import stat
import subprocess
from pathlib import Path

import pytest

from gitmem.answers.private import cards
from gitmem.answers.session import Session
from tests.answers.people import START
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, write_tree

CANARY = "quetzalcoatlus"
BODY = f"Our {CANARY} sleeps at noon.\n"
FILES: dict[str, str | bytes] = {
    "src/app.py": "print(1)\n",
    ".gitmem/config.yaml": "format: 1\n",
    ".gitmem/engrams/api/use-the-client.md": engram_text(scope={"paths": ["src/**"]}),
}


def ask(root: Path, *words: str, stdin: str = "", code: int = 0) -> dict:
    ran = run_inproc(root, *words, "--json", stdin=stdin)
    assert ran.code == code, ran.out + ran.err
    answer: dict = json.loads(ran.out)
    return answer.get("error", answer)


@pytest.fixture
def repo(make_repo) -> Path:
    root = make_repo(FILES)
    ask(root, "new", "fact", "Where it sleeps", "--tag", "pets", "--private", stdin=BODY)
    return root


def objects_of(root: Path) -> bytes:
    every = git(root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
    done = subprocess.run(
        ["git", "cat-file", "--batch"], cwd=root, input=every.encode(), capture_output=True, check=True
    )
    return done.stdout


@pytest.mark.capability("M-006")
def test_it_is_listed_read_and_marked_where_it_was_written(repo: Path) -> None:
    (row,) = [row for row in ask(repo, "list")["items"] if row["slug"] == "where-it-sleeps"]
    (item,) = ask(repo, "get", "where-it-sleeps")["items"]

    assert (row["visibility"], row["path"]) == ("private", "private/engrams/pets/where-it-sleeps.md")
    assert (item["content"], item["visibility"], item["source_path"]) == (BODY, "private", row["path"])
    assert "visibility: private" in ask(repo, "show", "private/where-it-sleeps")["text"]
    assert [own.card.title for own in cards(Session(repo, START))] == ["Where it sleeps"]
    assert not ask(repo, "list", "--kind", "decision")["total"]


@pytest.mark.capability("M-006")
def test_worktrees_share_it_and_only_its_owner_may_open_the_folder(repo: Path) -> None:
    git(repo, "worktree", "add", "--quiet", "../beside")

    assert ask(repo.parent / "beside", "get", "where-it-sleeps")["items"][0]["content"] == BODY
    assert stat.S_IMODE((repo / ".git/gitmem/private").stat().st_mode) == 0o700


@pytest.mark.capability("M-006")
def test_no_object_branch_bundle_journal_or_remote_ever_holds_a_word_of_it(repo: Path, tmp_path: Path) -> None:
    id_ = ask(repo, "get", "where-it-sleeps")["items"][0]["id"]
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", "there.git")
    git(repo, "remote", "add", "origin", "../there.git")
    git(repo, "push", "--quiet", "origin", "main")
    git(repo, "config", "gitmem.journalShare", "full")
    receipt = ask(repo, "compile", "src/app.py")["receipt"]
    ask(repo, "propose", "edit", "use-the-client", "tags", "--add", "http")
    ask(repo, "snapshots", "create", "first")
    ask(repo, "edit", "where-it-sleeps", "tags", "--add", CANARY)
    assert ask(repo, "search", CANARY)["hits"][0]["visibility"] == "private"
    assert ask(repo, "sync")["pushed"]
    commit_all(repo, "all of it")
    git(repo, "bundle", "create", "../all.bundle", "--all")

    for held in (objects_of(repo), objects_of(tmp_path / "there.git"), (tmp_path / "all.bundle").read_bytes()):
        assert CANARY.encode() not in held
        assert id_.encode() not in held
    assert CANARY not in git(repo, "log", "--all", "-p") + receipt
    assert CANARY not in "".join(path.read_text() for path in (repo / ".gitmem").rglob("*.md"))


@pytest.mark.capability("M-006")
@pytest.mark.parametrize("share", ["full", "events"])
def test_a_question_with_its_words_stays_here_whatever_was_shown(repo: Path, share: str) -> None:
    """Below the limit, left out by a filter, at a revision: the words that found it, or would have, are its own."""
    git(repo, "config", "gitmem.journalShare", share)
    git(repo.parent, "init", "--quiet", "--bare", "--initial-branch=main", "there.git")
    git(repo, "remote", "add", "origin", "../there.git")
    git(repo, "push", "--quiet", "origin", "main")
    for words in (("--limit", "1"), ("--kind", "decision"), ("--at", "HEAD"), ("--tag", "http")):
        ask(repo, "search", f"the client of a {CANARY}", *words)
    ask(repo, "search", "an unheard-of gizmometer")
    ask(repo, "get", "where-it-sleeps")
    ask(repo, "feedback", "where-it-sleeps", "helped")
    assert ask(repo, "sync")["pushed"]

    shared = objects_of(repo)

    assert CANARY.encode() not in shared
    assert (b"gizmometer" in shared) is (share == "full")
    assert b'"kind":"feedback"' not in shared


@pytest.mark.capability("M-006")
def test_edit_and_rm_reach_it_and_rm_says_that_nothing_keeps_it(repo: Path) -> None:
    assert ask(repo, "edit", "where-it-sleeps", "title", "Where it slept")["changed"]
    assert ask(repo, "get", "where-it-sleeps")["items"][0]["title"] == "Where it slept"

    gone = ask(repo, "rm", "where-it-sleeps")

    assert [warning["code"] for warning in gone["warnings"]] == ["gone-for-good"]
    assert ask(repo, "get", "where-it-sleeps", code=1)["code"] == "not-found"


@pytest.mark.capability("M-006")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("edit", "where-it-sleeps", "visibility", "team"), "private"),
        (("edit", "use-the-client", "visibility", "private"), "private-in-tree"),
        (("propose", "edit", "use-the-client", "visibility", "private"), "private-in-tree"),
        (("link", "use-the-client", "extends", "where-it-sleeps"), "not-found"),
        (("propose", "private", "use-the-client"), "not-found"),
    ],
    ids=" ".join,
)
def test_neither_turns_into_the_other_by_an_edit(repo: Path, words: tuple[str, ...], code: str) -> None:
    before = git(repo, "status", "--porcelain")

    assert ask(repo, *words, code=1)["code"] == code
    assert git(repo, "status", "--porcelain") == before


@pytest.mark.capability("M-006")
def test_a_proposal_shares_it_under_an_id_of_its_own_and_the_private_one_stays(repo: Path) -> None:
    mine = ask(repo, "get", "where-it-sleeps")["items"][0]["id"]
    made = ask(repo, "propose", "private", "where-it-sleeps")
    ask(repo, "proposals", "approve", f"{made['proposal']}@{made['patchset']}")

    shared = ask(repo, "get", "where-it-sleeps")["items"][0]

    assert shared["id"] == made["items"][0] != mine
    assert "visibility" not in shared
    assert ask(repo, "get", "private/where-it-sleeps")["items"][0]["id"] == mine
    assert mine.encode() not in objects_of(repo)


@pytest.mark.capability("M-006")
def test_an_agent_that_has_read_it_hands_its_words_on_to_nobody(repo: Path) -> None:
    words = ("propose", "new", "fact", "Naps", "--tag", "pets")
    edit = ("propose", "edit", "use-the-client", "body", "--file", "-")

    for each in (words, edit):
        assert ask(repo, *each, "--agent", "codex", stdin=BODY, code=1)["code"] == "private-text"
    assert CANARY.encode() not in objects_of(repo)
    assert ask(repo, "propose", "new", "fact", "Other", "--agent", "codex", stdin="Quite another.\n")["proposal"]

    mine = ask(repo, *words, stdin=BODY)
    assert "private-text" in [row["code"] for row in mine["warnings"]]
    again = ask(repo, "propose", "private", "where-it-sleeps", code=1)
    assert (again["verdict"], again["target"]) == ("duplicate", mine["proposal"])
    assert "private-text" not in [row["code"] for row in again["warnings"]]


@pytest.mark.capability("M-006")
def test_one_that_requires_another_private_one_is_not_proposed_and_leaves_no_object(repo: Path) -> None:
    ask(repo, "new", "fact", "What it eats", "--private", "--requires", "where-it-sleeps", stdin="Pterosaurs.\n")

    assert ask(repo, "propose", "private", "what-it-eats", code=1)["code"] == "requires-missing"

    assert b"Pterosaurs" not in objects_of(repo)


@pytest.mark.capability("M-006")
def test_one_that_cannot_be_read_is_named_by_the_doctor(repo: Path) -> None:
    file = repo / ".git/gitmem/private/engrams/pets/where-it-sleeps.md"
    assert not [row for row in ask(repo, "doctor", code=0)["findings"] if row["path"].startswith("private/")]
    file.write_text(file.read_text().replace("title: ", "title: ["))

    found = [row for row in ask(repo, "doctor", code=1)["findings"] if row["path"].startswith("private/")]

    assert [row["path"] for row in found] == ["private/engrams/pets/where-it-sleeps.md"]


@pytest.mark.capability("M-006")
def test_a_private_file_among_the_shared_ones_is_an_error_of_check(repo: Path) -> None:
    hidden = engram_text(id=engram_id(9), title="Hidden", visibility="private", kind="fact")
    write_tree(repo, {".gitmem/engrams/api/hidden.md": hidden})
    commit_all(repo, "by hand")

    found = ask(repo, "check", code=1)["findings"]

    assert [(row["code"], row["severity"]) for row in found] == [("private-in-tree", "error")]
