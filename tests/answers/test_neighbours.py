"""Edges as they are read: of an item, by direction and kind, some steps far; one by its id; counted and filtered."""

from pathlib import Path

import pytest

from gitmem.model.synapse import Evidence, Synapse, link
from gitmem.store.synapses import encode_synapse, synapse_path
from tests.asking import ask, codes, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

ONE, TWO, THREE, FOUR, HIDDEN, SHY = (engram_id(n) for n in range(1, 7))
SUPERSEDES = link(TWO, ONE, "supersedes", None, [Evidence("says more", "ada")])
EDGES = (
    SUPERSEDES,
    link(TWO, THREE, "extends"),
    link(THREE, FOUR, "causes"),
    link(ONE, THREE, "contradicts"),
    link(ONE, HIDDEN, "causes"),
    link(ONE, SHY, "follows"),
)


def files_of(*synapses: Synapse) -> dict[str, str]:
    return {f".gitmem/{synapse_path(each)}": encode_synapse(each).decode() for each in synapses}


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    names = ("one", "two", "three", "four")
    rules = [rule(name, n, kind="fact", body=f"Text of {name}.\n") for n, name in enumerate(names, 1)]
    hidden = rule("hidden", 5, kind="fact", visibility="private")
    shy = rule("shy", 6, kind="fact", visibility="restricted")
    return make_repo(knowledge(*rules, hidden, shy) | files_of(*EDGES))


def rows(repo: Path, *words: str) -> list[tuple[str, str | None, int]]:
    (item,) = ask(repo, "get", *words)["items"]
    return [(row["kind"], row.get("far"), row["depth"]) for row in item["synapses"]]


@pytest.mark.capability("M-035")
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("--tier", "synapses"), ["contradicts three", "follows None", "supersedes two"]),
        (("--edges", "both"), ["contradicts three", "follows None", "supersedes two"]),
        (("--edges", "in"), ["contradicts three", "supersedes two"]),
        (("--edges", "out"), ["contradicts three", "follows None"]),
        (("--edges", "in", "--kind", "supersedes"), ["supersedes two"]),
        (("--kind", "supersedes", "--kind", "FOLLOWS"), ["follows None", "supersedes two"]),
        (("--kind", "part-of"), []),
    ],
)
def test_edges_are_listed_by_direction_and_kind(repo, words, wanted):
    assert [f"{kind} {far}" for kind, far, _ in rows(repo, "one", *words)] == wanted


@pytest.mark.capability("M-035")
@pytest.mark.parametrize(
    ("depth", "wanted"),
    [
        (1, [("extends", "three", 1), ("supersedes", "one", 1)]),
        (2, [("causes", "four", 2), ("contradicts", "one", 2), ("follows", None, 2)]),
    ],
)
def test_a_walk_lists_the_nearest_first_with_how_far_they_are(repo, depth, wanted):
    assert [row for row in rows(repo, "two", "--depth", "2") if row[2] == depth] == wanted


def test_the_tier_holds_the_digest_and_the_edges_in_full(repo):
    (item,) = ask(repo, "get", "one", "--tier", "synapses", "--kind", "supersedes")["items"]

    assert (item["tier"], item["summary"] != "", "content" in item) == ("synapses", True, False)
    assert item["synapses"] == [
        {
            "id": SUPERSEDES.id,
            "from": TWO,
            "kind": "supersedes",
            "to": ONE,
            "far": "two",
            "weight": 0.8,
            "depth": 1,
        }
    ]


def test_another_tier_gets_the_edges_beside_it(repo):
    answer = ask(repo, "get", "one", "--tier", "content", "--edges", "in")

    (item,) = answer["items"]
    assert (answer["tier"], item["content"], len(item["synapses"])) == ("content", "Text of one.\n", 2)


def test_who_does_not_ask_for_edges_gets_the_answer_as_it_was(repo):
    (item,) = ask(repo, "get", "one")["items"]

    assert (item["tier"], "synapses" in item) == ("content", False)


@pytest.mark.capability("M-034")
def test_an_edge_to_a_private_item_is_never_shown(repo):
    hidden = next(each for each in EDGES if each.to == HIDDEN)
    said = run_inproc(repo, "get", "one", "--tier", "synapses", "--depth", "3", "--json").out

    assert (hidden.id in said, HIDDEN in said, "hidden" in said) == (False, False, False)
    assert refused(repo, "get", hidden.id)["code"] == "not-found"


def test_of_a_restricted_item_an_edge_tells_the_id_alone(repo):
    said = run_inproc(repo, "get", "one", "--edges", "out").out

    assert (SHY in said, "shy" in said) == (True, False)


@pytest.mark.capability("M-035")
@pytest.mark.parametrize("verb", ["get", "show"])
def test_one_edge_is_read_by_its_id(repo, verb):
    answer = ask(repo, verb, SUPERSEDES.id.upper())
    found = answer["items"][0] if verb == "get" else answer

    assert (found["id"], found["source_path"]) == (SUPERSEDES.id, f".gitmem/{synapse_path(SUPERSEDES)}")
    assert "says more" in (found["content"] if verb == "get" else found["text"])
    assert verb == "show" or (found["title"], found["kind"]) == ("two supersedes one", "supersedes")


def test_an_edge_that_is_not_there_is_named(repo):
    assert "syn-0123456789abcdef" in refused(repo, "get", "syn-0123456789abcdef")["message"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--edges", "up"), "direction"),
        (("--kind", "extend"), "did you mean 'extends'"),
        (("--depth", "4"), "depth"),
        (("--depth", "-1"), "depth"),
    ],
)
def test_what_cannot_be_asked_is_usage(repo, words, said):
    error = refused(repo, "get", "one", *words, code=2)

    assert said in error["message"] + error["hint"]


def test_a_walk_that_reaches_too_many_says_what_it_left_out(make_repo):
    leaves = [rule(f"leaf-{n}", n, kind="fact") for n in range(1, 120)]
    star = [link(engram_id(500), engram_id(n), "causes") for n in range(1, 120)]
    repo = make_repo(knowledge(rule("hub", 500, kind="fact"), *leaves) | files_of(*star))

    answer = ask(repo, "get", "hub", "--edges", "out")

    assert (len(answer["items"][0]["synapses"]), codes(answer["warnings"])) == (100, ["edges-cut"])


def test_the_overview_counts_edges_by_kind_where_there_are_any(repo, make_repo):
    assert ask(repo, "overview")["edges"] == {
        "causes": 2,
        "contradicts": 1,
        "extends": 1,
        "follows": 1,
        "supersedes": 1,
    }
    assert "edges: causes 2" in run_inproc(repo, "overview").out
    assert "edges" not in ask(make_repo(knowledge(rule("one", 1)), name="bare"), "overview")


def test_a_list_holds_what_an_edge_joins_with_an_item(repo):
    assert sorted(row["slug"] for row in ask(repo, "list", "--linked-to", "one")["items"]) == ["three", "two"]
    assert ask(repo, "list", "--linked-to", "one", "--kind", "decision")["total"] == 0


@pytest.mark.capability("M-002")
def test_a_move_keeps_the_edges(repo):
    git(repo, "mv", ".gitmem/engrams/api/two.md", ".gitmem/engrams/api/second.md")
    commit_all(repo, "move")

    assert ("supersedes", "second", 1) in rows(repo, "one", "--edges", "in")


def test_edges_are_those_of_the_revision_that_is_read(repo):
    write_tree(repo, files_of(link(FOUR, ONE, "exemplifies")))
    assert ("exemplifies", "four", 1) not in rows(repo, "one", "--edges", "in")
    commit_all(repo, "one more")

    assert ("exemplifies", "four", 1) in rows(repo, "one", "--edges", "in")
    assert ("exemplifies", "four", 1) not in rows(repo, "one", "--edges", "in", "--at", "HEAD~1")
