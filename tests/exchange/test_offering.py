"""Imports as proposals: what each source becomes, what a second import does, and that nothing lands by itself."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitmem.answers.session import Session
from gitmem.errors import UsageError
from gitmem.exchange.arrival import ImportCall, import_files
from tests.answers.people import Person
from tests.asking import ask, compiled, slugs
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_text, git, run_inproc, write_tree

FILES = {
    ".gitmem/config.yaml": "format: 1\n",
    "src/app.py": "print(1)\n",
    "AGENTS.md": "# Notes\n\nRun the tests.\n",
    "src/AGENTS.md": "# Source\n\nKeep modules small.\n",
}


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    return Person(make_repo(FILES)).named("Ada", "ada@example.org")


def offered(person: Person, *words: str) -> dict[str, Any]:
    return ask(person.root, "import", "--propose", *words)


def reasons(answer: dict[str, Any]) -> dict[str, str]:
    return {row["source"]: row["reason"] for row in answer["skipped"]}


@pytest.mark.capability("R-041", "R-044")
def test_each_source_is_a_proposal_of_one_bundle_and_no_file_and_no_branch_changes(ada: Person) -> None:
    before = (ada.head(), ada.dirt())

    answer = offered(ada)

    ids = [row["proposal"] for row in answer["imported"]]
    shown = [ada.show(id_) for id_ in ids]
    assert [row["source"] for row in answer["imported"]] == ["AGENTS.md", "src/AGENTS.md"]
    assert [each.title for each in shown] == ["Import AGENTS.md", "Import src/AGENTS.md"]
    assert {each.bundle for each in shown} == {answer["bundle"]}
    assert "AGENTS.md" in shown[0].rationale
    assert set(ada.statuses("open")) == set(ids)
    assert (ada.head(), ada.dirt()) == before


@pytest.mark.capability("R-041")
def test_once_approved_a_further_import_is_one_proposal_with_the_difference(ada: Person) -> None:
    """F-189: import a file, edit it, import again: one proposal with the difference."""
    first = offered(ada)
    ada.approve(first["imported"][0]["proposal"], bundle=True)
    assert reasons(offered(ada))["AGENTS.md"].startswith("unchanged since it was imported")

    write_tree(ada.root, {"AGENTS.md": "# Notes\n\nRun the tests twice.\n"})
    again = offered(ada)

    (row,) = again["imported"]
    assert (row["id"], row["path"]) == (first["imported"][0]["id"], first["imported"][0]["path"])
    shown = ada.show(row["proposal"])
    assert (shown.title, again["bundle"]) == ("Import AGENTS.md again", "")
    diff = ask(ada.root, "proposals", "show", row["proposal"], "--diff")["diff"]
    assert "-Run the tests.\n" in diff
    assert "+Run the tests twice.\n" in diff


@pytest.mark.capability("R-041")
def test_a_glob_that_the_source_dropped_is_gone_from_the_scope(ada: Person) -> None:
    rule = "---\nglobs: {}\n---\nKeep it small.\n"
    write_tree(ada.root, {".cursor/rules/small.mdc": rule.format("src/**, lib/**")})
    ada.approve(offered(ada, ".cursor/rules/small.mdc")["imported"][0]["proposal"])
    write_tree(ada.root, {".cursor/rules/small.mdc": rule.format("src/**")})

    (row,) = offered(ada, ".cursor/rules/small.mdc")["imported"]
    ada.approve(row["proposal"])

    text = ada.read(row["path"].removeprefix(".gitmem/"))
    assert "src/**" in text
    assert "lib/**" not in text.partition("x-origin")[0]


def test_what_a_proposal_waits_with_is_not_proposed_twice_and_its_change_is_a_patch_set(ada: Person) -> None:
    first = offered(ada)
    ids = [row["proposal"] for row in first["imported"]]
    write_tree(ada.root, {"AGENTS.md": "# Notes\n\nRun the tests twice.\n"})

    again = offered(ada)

    assert [row["proposal"] for row in again["imported"]] == [ids[0]]
    assert f"proposal {ids[1]} waits" in reasons(again)["src/AGENTS.md"]
    assert set(ada.statuses("open")) == set(ids)
    assert "Run the tests twice." in ada.read(first["imported"][0]["path"].removeprefix(".gitmem/"), ada.tip(ids[0]))
    assert ada.show(ids[0]).bundle == first["bundle"]


def test_what_another_clone_proposed_is_left_to_it(ada: Person, tmp_path: Path) -> None:
    (id_,) = [row["proposal"] for row in offered(ada, "AGENTS.md")["imported"]]
    git(tmp_path, "clone", "--quiet", str(ada.root), "second")
    git(tmp_path / "second", "fetch", "--quiet", "origin", "refs/gitmem/*:refs/gitmem/*")
    write_tree(tmp_path / "second", {"AGENTS.md": "# Notes\n\nRun the tests twice.\n"})

    answer = offered(Person(tmp_path / "second"), "AGENTS.md")

    assert answer["imported"] == []
    assert "another clone" in reasons(answer)["AGENTS.md"]
    assert id_ in reasons(answer)["AGENTS.md"]


def test_what_was_declined_is_not_proposed_again_until_it_says_something_else(ada: Person) -> None:
    """F-208: reject, import again: not proposed again."""
    ada.reject(offered(ada, "AGENTS.md")["imported"][0]["proposal"], "we know")

    assert "declined" in reasons(offered(ada, "AGENTS.md"))["AGENTS.md"]

    write_tree(ada.root, {"AGENTS.md": "# Notes\n\nRun the slow tests on Sundays.\n"})
    assert len(offered(ada, "AGENTS.md")["imported"]) == 1


def test_what_was_retired_stays_retired_when_its_source_is_imported_again(ada: Person) -> None:
    """F-093: a retire is a decision that imports respect."""
    (row,) = offered(ada, "AGENTS.md")["imported"]
    ada.approve(row["proposal"])
    done = ask(ada.root, "propose", "retire", row["slug"])
    ada.approve(done["proposal"])
    write_tree(ada.root, {"AGENTS.md": "# Notes\n\nRun the tests twice.\n"})

    (again,) = offered(ada, "AGENTS.md")["imported"]
    ada.approve(again["proposal"])

    assert "status: deprecated" in ada.read(row["path"].removeprefix(".gitmem/"))


def test_what_a_source_takes_in_lands_before_it(ada: Person) -> None:
    write_tree(ada.root, {"CLAUDE.md": "# Claude\n\nSee @docs/style.md\n", "docs/style.md": "Use short words.\n"})

    rows = {row["source"]: row for row in offered(ada, "CLAUDE.md")["imported"]}

    importing, taken = ada.show(rows["CLAUDE.md"]["proposal"]), rows["docs/style.md"]["proposal"]
    assert list(importing.needs) == [taken]
    ada.approve(taken)
    ada.approve(importing.proposal)
    assert rows["docs/style.md"]["id"] in ada.read(rows["CLAUDE.md"]["path"].removeprefix(".gitmem/"))


def with_secret(root: Path) -> None:
    write_tree(root, {"GEMINI.md": "token: " + "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8\n"})


def with_link(root: Path) -> None:
    (root / "GEMINI.md").symlink_to("AGENTS.md")


def edited_by_hand(root: Path) -> None:
    engram = engram_text(title="Gemini").replace("kind:", "x-origin:\n  path: GEMINI.md\n  taken: abcd\nkind:")
    write_tree(root, {"GEMINI.md": "# Gemini\n\nBe brief.\n", ".gitmem/engrams/gemini/gemini.md": engram})
    commit_all(root, "as edited")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [(with_secret, "looks like a secret"), (with_link, "link"), (edited_by_hand, "nothing was overwritten")],
)
def test_a_source_that_cannot_be_taken_stands_in_no_others_way(
    ada: Person, spoil: Callable[[Path], None], reason: str
) -> None:
    spoil(ada.root)

    answer = offered(ada)

    assert [row["source"] for row in answer["imported"]] == ["AGENTS.md", "src/AGENTS.md"]
    assert reason in reasons(answer)["GEMINI.md"]


def test_a_dry_run_opens_nothing_and_leaves_no_object_behind(ada: Person) -> None:
    before = git(ada.root, "count-objects")

    answer = offered(ada, "--dry-run")

    assert [row["proposal"] for row in answer["imported"]] == ["", ""]
    assert (git(ada.root, "for-each-ref", "refs/gitmem"), git(ada.root, "count-objects")) == ("", before)
    assert run_inproc(ada.root, "import", "--propose", "--dry-run").out.startswith("would propose .gitmem/")


def test_too_many_sources_for_one_review_are_refused_whole(ada: Person) -> None:
    write_tree(ada.root, {f"part{n}/AGENTS.md": f"# Part {n}\n\nText {n}.\n" for n in range(200)})

    ran = run_inproc(ada.root, "import", "--propose")

    assert ran.code == 2
    assert "202 sources" in ran.err
    assert git(ada.root, "for-each-ref", "refs/gitmem") == ""


def test_the_text_form_says_where_to_look(ada: Person) -> None:
    told = run_inproc(ada.root, "import", "--propose").out.splitlines()

    assert told[0].startswith("proposed .gitmem/engrams/agents/notes.md from AGENTS.md (agents) as ")
    assert [line for line in told if line.startswith("they wait for a person as the bundle")]


def test_on_any_surface_but_the_command_line_an_import_only_proposes(ada: Person) -> None:
    before = ada.dirt()

    answer = import_files(Session(ada.root, ada.session().now, "admin"), ImportCall())

    assert answer.proposed
    assert len(ada.statuses("open")) == 2
    assert ada.dirt() == before
    with pytest.raises(UsageError, match="an agent only proposes"):
        import_files(Session(ada.root, ada.session().now, "agent"), ImportCall(propose=True))


@pytest.mark.capability("R-078")
def test_what_came_in_one_by_one_or_in_bulk_reaches_a_teammate_by_a_pull(ada: Person, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(ada.root), "bob")
    bob = tmp_path / "bob"
    assert compiled(bob, file="src/app.py")["base"]["documents"] == []
    ada.approve(offered(ada)["imported"][0]["proposal"], bundle=True)
    done = ask(
        ada.root, "propose", "document", "--text", "-", "--item", "api/one", "--path", "src/**", stdin="# One\n\nOne."
    )
    ada.approve(done["proposal"])

    git(bob, "pull", "--quiet")

    assert sorted(slugs(compiled(bob, file="src/app.py"))) == ["notes", "one", "source"]
    assert ask(bob, "why", "one")["decisions"][0]["approved_by"] == "Ada <ada@example.org>"
