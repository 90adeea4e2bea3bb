"""A vault of notes for Obsidian: edges become links there, and in no knowledge file."""

import re
from pathlib import Path

import pytest

from gitmem.model.synapse import link
from gitmem.store.codec import decode_mapping
from tests.answers.test_neighbours import files_of
from tests.asking import ask, knowledge, refused, rule
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

ONE, TWO, SHY, OLD = (engram_id(n) for n in range(1, 5))


@pytest.fixture
def repo(make_repo) -> Path:
    return make_repo(
        knowledge(
            rule("one", 1, "src/**", body="Text of one.\n", tags=["two words"], title="One: first"),
            rule("two", 2, domain="net/http", title="Two [[odd]] | title#"),
            rule("shy", 3, visibility="restricted"),
            rule("old", 4, status="superseded"),
            rule("wrong", 5, verification={"status": "refuted", "evidence": []}),
        )
        | files_of(
            link(ONE, TWO, "extends"),
            link(ONE, SHY, "causes"),
            link(TWO, OLD, "supersedes"),
            link(ONE, TWO, "similar_to"),
        )
    )


def links(path: Path) -> list[str]:
    return re.findall(r"(?m)^- (.*\[\[.*)$", path.read_text())


def test_each_note_has_its_edges_as_links_and_the_knowledge_stays_as_it_was(repo):
    answer = ask(repo, "export", "obsidian")

    assert [row["path"] for row in answer["written"]] == ["obsidian/api/one.md", "obsidian/net/http/two.md"]
    target = "[[net/http/two|Two odd title]]"
    assert links(repo / "obsidian/api/one.md") == [f"extends {target}", f"similar_to {target}"]
    back = "[[api/one|One: first]]"
    assert links(repo / "obsidian/net/http/two.md") == [f"{back} extends this", f"similar_to {back}"]
    header = (repo / "obsidian/api/one.md").read_text().split("---\n")[1]
    found, faults = decode_mapping(header.encode(), "one.md")
    assert (found["aliases"], found["tags"], faults) == (["One: first"], ["two-words"], ())
    assert git(repo, "status", "--porcelain", ".gitmem") == ""


def test_the_same_knowledge_writes_nothing_again(repo):
    ask(repo, "export", "obsidian")

    assert ask(repo, "export", "obsidian")["written"] == []
    assert run_inproc(repo, "export", "obsidian", "--check").code == 0


def test_a_check_writes_nothing_and_says_that_it_differs(repo):
    assert run_inproc(repo, "export", "obsidian", "--check").code == 1
    assert not (repo / "obsidian").exists()


@pytest.mark.parametrize("text", ["mine\n", None])
def test_a_note_that_somebody_changed_is_left_as_it_is(repo, text):
    ask(repo, "export", "obsidian")
    path = repo / "obsidian/api/one.md"
    path.write_text(text or path.read_text().replace("Text of one.", "Mine."))
    before = path.read_bytes()

    answer = ask(repo, "export", "obsidian")

    assert answer["losses"] == ["obsidian/api/one.md: changed by hand, and left as it is"]
    assert path.read_bytes() == before


def test_a_note_whose_engram_is_gone_is_named(repo):
    ask(repo, "export", "obsidian")
    write_tree(repo, rule("two", 2, domain="net/http", status="deprecated"))
    commit_all(repo)

    answer = ask(repo, "export", "obsidian")

    assert answer["orphans"] == ["obsidian/net/http/two.md"]
    assert links(repo / "obsidian/api/one.md") == []


def test_a_vault_goes_where_it_is_asked_to_and_never_into_the_knowledge(repo):
    assert ask(repo, "export", "obsidian", "--output", "notes/vault")["path"] == "notes/vault/"
    assert refused(repo, "export", "obsidian", "--output", ".gitmem/vault", code=2)["code"] == "usage"
