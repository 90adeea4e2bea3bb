"""Link and unlink: the plan of an edge, and its file in the work tree."""

from pathlib import Path

import pytest

from gitmem.answers.edges import Read, Stamp, Wanted, plan_link, plan_unlink
from gitmem.answers.reading import open_place
from gitmem.answers.working import working
from gitmem.errors import GitmemError
from gitmem.index.card import Card
from gitmem.index.knowledge import Knowledge
from gitmem.model.synapse import DEFAULT_WEIGHTS, SYNAPSE_KINDS
from gitmem.store.synapses import decode_synapse
from tests.asking import ask, codes, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, write_tree

ONE, TWO = engram_id(1), engram_id(2)
ADA, BOB = Stamp("Ada <ada@example.org>", "2026-01-01T00:00:00Z"), Stamp("Bob", "2026-01-02T00:00:00Z")
FILES = knowledge(
    rule("one", 1, kind="fact"),
    rule("two", 2, kind="fact"),
    rule("lost", 5, kind="fact", status="forgotten"),
)


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(FILES)


def known(repo: Path) -> Knowledge:
    return working(open_place(repo)).knowledge


def reader(repo: Path) -> Read:
    return lambda card: (repo / ".gitmem" / card.path).read_bytes()


def unread(card: Card) -> bytes:
    raise AssertionError(card.path)


def linked(repo: Path, *words: str) -> dict:
    return ask(repo, "link", *words, "--now", "2026-03-01T00:00:00Z")


def kept(repo: Path, answer: dict) -> list[tuple[str, str, float | None]]:
    found = decode_synapse((repo / answer["path"]).read_bytes(), answer["path"]).synapse
    assert found is not None
    return [(each.description, each.at, each.confidence) for each in found.evidence]


@pytest.mark.capability("M-033")
@pytest.mark.parametrize("kind", SYNAPSE_KINDS)
def test_each_kind_is_written_with_its_weight_and_passes_the_check(repo, kind):
    answer = linked(repo, "one", kind.replace("_", "-").upper(), "two")

    assert (answer["kind"], answer["weight"], answer["changed"]) == (kind, DEFAULT_WEIGHTS[kind], True)
    assert answer["path"] == f".gitmem/synapses/{kind}/{answer['id']}.yaml"
    assert ask(repo, "check")["findings"] == []


@pytest.mark.capability("M-034")
def test_linking_twice_is_one_edge_with_two_pieces_of_evidence(repo):
    first = linked(repo, "one", "extends", "two", "--description", "the same reason")
    second = linked(repo, "api/one", "extends", TWO.lower(), "--description", "tests: both fail", "--confidence", "0.5")

    assert first["id"] == second["id"]
    assert len(list((repo / ".gitmem/synapses").rglob("*.yaml"))) == 1
    when = "2026-03-01T00:00:00Z"
    assert kept(repo, second) == [("tests: both fail", when, 0.5), ("the same reason", when, None)]


@pytest.mark.capability("M-034")
def test_of_evidence_with_one_description_and_author_the_newest_stays(repo):
    linked(repo, "one", "extends", "two", "--description", "a reason", "--confidence", "0.2")
    later = ask(repo, "link", "one", "extends", "two", "--description", "a  reason", "--now", "2026-04-01T00:00:00Z")

    assert kept(repo, later) == [("a reason", "2026-04-01T00:00:00Z", None)]


@pytest.mark.capability("M-034")
def test_evidence_of_two_authors_is_kept_apart(repo):
    first = plan_link(known(repo), Wanted("one", "causes", "two", description="seen"), unread, ADA)
    path = repo / ".gitmem" / first.rel
    path.parent.mkdir(parents=True)
    path.write_bytes(first.after or b"")

    second = plan_link(known(repo), Wanted("one", "causes", "two", description="seen"), reader(repo), BOB)

    assert second.before == first.after
    assert second.after is not None
    assert [each.by for each in decode_synapse(second.after, second.rel).synapse.evidence] == [ADA.by, BOB.by]


@pytest.mark.capability("M-032")
@pytest.mark.parametrize("kind", ["similar_to", "contradicts"])
def test_an_edge_without_direction_is_the_same_from_both_ends(repo, kind):
    one, other = (
        plan_link(known(repo), Wanted(*words), unread, ADA) for words in (("one", kind, "two"), ("two", kind, "one"))
    )

    assert (one.rel, one.after) == (other.rel, other.after)


@pytest.mark.capability("M-032")
def test_two_clones_that_link_the_same_pair_merge_without_conflict(repo):
    """F-099."""
    git(repo, "checkout", "--quiet", "-b", "other")
    linked(repo, "one", "contradicts", "two")
    commit_all(repo, "one way")
    git(repo, "checkout", "--quiet", "main")
    linked(repo, "two", "contradicts", "one")
    commit_all(repo, "the other way")

    git(repo, "merge", "--quiet", "other")

    assert len(list((repo / ".gitmem/synapses").rglob("*.yaml"))) == 1
    assert ask(repo, "check")["findings"] == []


def test_what_says_nothing_new_changes_no_byte(repo):
    first = linked(repo, "one", "extends", "two", "--weight", "0.25")
    before = (repo / first["path"]).read_bytes()

    again = linked(repo, "one", "extends", "two")

    assert (again["changed"], again["weight"]) == (False, 0.25)
    assert (repo / first["path"]).read_bytes() == before


def test_a_file_with_comments_and_unknown_keys_keeps_them(repo):
    path = repo / linked(repo, "one", "extends", "two")["path"]
    path.write_bytes(b"# why: see the talk\r\n" + path.read_bytes().replace(b"\n", b"\r\n") + b"x-team: core\r\n")

    linked(repo, "one", "extends", "two", "--weight", "0.3", "--description", "a: b")

    data = path.read_bytes()
    assert data.startswith(b"# why: see the talk\r\nid: syn-")
    assert b"weight: 0.3\r\n" in data
    assert b"x-team: core\r\n" in data
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert ask(repo, "check")["findings"] == []


@pytest.mark.capability("M-034")
@pytest.mark.parametrize(
    ("words", "code", "exit_code"),
    [
        (("one", "extends", "one"), "same-ends", 1),
        (("one", "extends", ONE.lower()), "same-ends", 1),
        (("one", "extends", "nobody"), "not-found", 1),
        (("one", "extend", "two"), "usage", 2),
        (("one", "extends", "two", "--weight", "1.5"), "usage", 2),
        (("one", "extends", "two", "--weight", "nan"), "usage", 2),
        (("one", "extends", "two", "--confidence", "0.5"), "usage", 2),
    ],
)
def test_what_is_no_edge_is_refused_and_writes_nothing(repo, words, code, exit_code):
    assert refused(repo, "link", *words, code=exit_code)["code"] == code
    assert not (repo / ".gitmem/synapses").exists()


@pytest.mark.capability("M-034")
def test_a_private_end_is_refused_in_the_words_of_one_that_is_not_there(repo):
    hidden = engram_text(id=engram_id(3), title="Secret", kind="fact", visibility="private")
    write_tree(repo, {".gitmem/engrams/api/secret.md": hidden})
    private, absent = (refused(repo, "link", "one", "extends", name)["message"] for name in ("secret", "absent"))

    assert private.replace("secret", "absent") == absent


def test_a_credential_in_the_description_is_not_written(repo):
    token = "gh" + "p_" + "aB3dE5fG7h" * 4

    assert refused(repo, "link", "one", "extends", "two", "--description", f"use {token[:40]}")["code"] == "secret"
    assert not (repo / ".gitmem/synapses").exists()


def test_doubts_are_said_and_do_not_stop(repo):
    linked(repo, "one", "supersedes", "two")

    assert codes(linked(repo, "two", "supersedes", "one")["warnings"]) == ["both-ways"]
    assert codes(linked(repo, "one", "causes", "lost")["warnings"]) == ["forgotten-end"]


@pytest.mark.parametrize("by_id", [True, False])
def test_an_edge_is_removed_by_its_id_or_by_what_it_joins(repo, by_id):
    answer = linked(repo, "one", "contradicts", "two")

    gone = ask(repo, "unlink", *([answer["id"].upper()] if by_id else ["two", "contradicts", "one"]))

    assert (gone["id"], gone["changed"]) == (answer["id"], True)
    assert not (repo / answer["path"]).exists()
    assert refused(repo, "unlink", answer["id"])["code"] == "not-found"


def test_what_is_no_edge_cannot_be_removed(repo):
    linked(repo, "one", "extends", "two")

    assert "one extends two" in refused(repo, "unlink", "one", "causes", "two")["hint"]
    assert refused(repo, "unlink", "one")["code"] == "not-found"
    assert refused(repo, "unlink", "one", "extends", code=2)["code"] == "usage"


def test_an_edge_that_leads_nowhere_can_be_removed_by_its_id(repo):
    answer = linked(repo, "one", "extends", "two")

    removed = ask(repo, "rm", "two")

    assert codes(removed["warnings"]) == ["synapse-end-missing"]
    assert f"one extends {TWO}" not in removed["warnings"][0]["message"]
    assert answer["id"] in removed["warnings"][0]["message"]
    ask(repo, "unlink", answer["id"])
    assert ask(repo, "check")["findings"] == []


def test_removing_an_engram_without_edges_warns_of_nothing(repo):
    linked(repo, "one", "extends", "two")

    assert ask(repo, "rm", "lost")["warnings"] == []


def test_the_plan_of_a_removal_has_the_bytes_that_go(repo):
    path = repo / linked(repo, "one", "extends", "two")["path"]

    plan = plan_unlink(known(repo), ("one", "extends", "two"), reader(repo))

    assert (plan.before, plan.after, plan.is_change) == (path.read_bytes(), None, True)


def test_a_file_that_cannot_be_read_is_not_added_to(repo):
    path = repo / linked(repo, "one", "extends", "two")["path"]
    path.write_text("id: no\n")

    with pytest.raises(GitmemError, match="cannot be read"):
        plan_link(known(repo), Wanted("one", "extends", "two", description="x"), reader(repo), ADA)


def test_what_was_written_says_so_in_words(repo):
    said = run_inproc(repo, "link", "one", "extends", "two").out

    assert (f"({ONE} extends {TWO}, weight 0.7)" in said, said.count("\n")) == (True, 1)
