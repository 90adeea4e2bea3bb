"""Edges outlive whatever happens to the files of their ends: none goes without a word."""

from pathlib import Path

import pytest

from gitmem.model.synapse import link
from tests.answers.test_neighbours import files_of
from tests.asking import ask, codes, knowledge, rule
from tests.support import commit_all, engram_id, git, run_inproc

ONE, TWO = engram_id(1), engram_id(2)
EDGE = link(ONE, TWO, "extends")
FILE = f".gitmem/synapses/extends/{EDGE.id}.yaml"


@pytest.fixture
def repo(make_repo) -> Path:
    return make_repo(knowledge(rule("one", 1, kind="fact"), rule("two", 2, kind="fact")) | files_of(EDGE))


def edges(repo: Path, item: str) -> list[tuple[str, str | None]]:
    (found,) = ask(repo, "get", item, "--tier", "synapses")["items"]
    return [(row["id"], row.get("far")) for row in found["synapses"]]


def approved(repo: Path, *words: str) -> None:
    answer = ask(repo, "propose", *words)
    assert run_inproc(repo, "proposals", "approve", f"{answer['proposal']}@{answer['patchset']}", "--yes").code == 0


@pytest.mark.capability("M-035")
def test_a_moved_renamed_and_retitled_engram_keeps_its_edges(repo):
    before = (repo / FILE).read_bytes()

    approved(repo, "mv", "two", "net/http/second")
    assert edges(repo, ONE) == [(EDGE.id, "second")]
    approved(repo, "edit", "second", "title", "Quite another title")
    assert edges(repo, ONE) == [(EDGE.id, "second")]
    ask(repo, "edit", "one", "title", "First of all")
    commit_all(repo, "retitled by hand")

    assert edges(repo, TWO) == [(EDGE.id, "one")]
    assert (repo / FILE).read_bytes() == before
    assert ask(repo, "check")["counts"]["errors"] == 0


@pytest.mark.capability("M-034")
def test_edges_that_go_with_a_removal_are_named_in_the_proposal(repo):
    answer = ask(repo, "propose", "rm", "two")

    assert (codes(answer["warnings"]), answer["items"]) == (["edges-removed"], [TWO, FILE.removeprefix(".gitmem/")])
    assert (repo / FILE).exists()


@pytest.mark.capability("M-034")
def test_an_engram_that_was_deleted_elsewhere_takes_no_edge_along(make_repo):
    """One branch links, another deletes: plain Git merges both, and it is said, not mended in silence."""
    repo = make_repo(knowledge(rule("one", 1, kind="fact"), rule("two", 2, kind="fact")))
    git(repo, "checkout", "--quiet", "-b", "other")
    git(repo, "rm", "--quiet", ".gitmem/engrams/api/two.md")
    commit_all(repo, "gone")
    git(repo, "checkout", "--quiet", "main")
    ask(repo, "link", "one", "extends", "two")
    commit_all(repo, "linked")

    git(repo, "merge", "--quiet", "--no-edit", "other")

    assert (repo / FILE).exists()
    found = run_inproc(repo, "check", "--json")
    assert (found.code, "synapse-end-missing" in found.out, EDGE.id in found.out) == (1, True, True)
    assert edges(repo, "one") == [(EDGE.id, None)]


@pytest.mark.capability("M-034")
def test_a_removal_proposed_before_the_edge_was_made_does_not_land_over_it(make_repo):
    repo = make_repo(knowledge(rule("one", 1, kind="fact"), rule("two", 2, kind="fact")))
    answer = ask(repo, "propose", "rm", "two")
    ask(repo, "link", "one", "extends", "two")
    commit_all(repo, "linked")

    done = run_inproc(repo, "proposals", "approve", f"{answer['proposal']}@{answer['patchset']}", "--yes", "--json")

    assert (done.code, "synapse-end-missing" in done.out) == (1, True)
    assert (repo / ".gitmem/engrams/api/two.md").exists()
