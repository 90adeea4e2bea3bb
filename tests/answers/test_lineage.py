"""Where an item comes from and what came of it: both ways, bounded, and a circle only where there is one."""

from pathlib import Path

import pytest

from gitmem.model.synapse import link
from tests.answers.test_neighbours import files_of
from tests.asking import ask, knowledge, refused, rule
from tests.support import commit_all, engram_id, run_inproc, start_repo, write_tree

A, B, C, D, E, P, Q, HIDDEN, SHY, ABSENT = (engram_id(n) for n in range(1, 11))
NAMES = ("a", "b", "c", "d", "e", "p", "q")
# e -> d -> (b, c) -> a is a diamond; p and q derive from each other.
EDGES = (
    link(B, A, "derives_from"),
    link(C, A, "consolidates"),
    link(D, B, "derives_from"),
    link(D, C, "derives_from"),
    link(E, D, "supersedes"),
    link(A, HIDDEN, "derives_from"),
    link(P, Q, "derives_from"),
    link(Q, P, "supersedes"),
    link(P, SHY, "derives_from"),
    link(A, E, "extends"),
)


@pytest.fixture(scope="module")
def repo(tmp_path_factory) -> Path:
    root = start_repo(tmp_path_factory.mktemp("lineage"))
    rules = [rule(name, n, kind="fact") for n, name in enumerate(NAMES, 1)]
    shut = [rule("hidden", 8, visibility="private"), rule("shy", 9, visibility="restricted")]
    write_tree(root, knowledge(*rules, *shut) | files_of(*EDGES))
    commit_all(root, "start")
    return root


def nodes(answer: dict) -> list[tuple[str, int]]:
    return [(node["slug"], node["depth"]) for node in answer["nodes"]]


@pytest.mark.capability("M-039")
def test_a_chain_is_listed_both_ways(repo: Path) -> None:
    answer = ask(repo, "lineage", "d")

    assert nodes(answer) == [("a", -2), ("b", -1), ("c", -1), ("d", 0), ("e", 1)]
    assert sorted((row["from"], row["kind"], row["to"]) for row in answer["edges"]) == sorted(
        (edge.from_, edge.kind, edge.to) for edge in EDGES[:5]
    )
    assert (answer["origins"], answer["terminals"]) == ([A], [E])
    assert (answer["has_cycle"], answer["cycle"], answer["is_cut"]) == (False, [], False)


@pytest.mark.capability("M-039")
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("d", "--direction", "ancestors"), [("a", -2), ("b", -1), ("c", -1), ("d", 0)]),
        (("d", "--direction", "descendants"), [("d", 0), ("e", 1)]),
        (("b",), [("a", -1), ("b", 0), ("d", 1), ("e", 2)]),
        (("a",), [("a", 0), ("b", 1), ("c", 1), ("d", 2), ("e", 3)]),
        (("a", "--depth", "1"), [("a", 0), ("b", 1), ("c", 1)]),
    ],
)
def test_each_direction_goes_its_own_way(repo: Path, words: tuple[str, ...], wanted: list[tuple[str, int]]) -> None:
    answer = ask(repo, "lineage", *words)

    assert nodes(answer) == wanted
    assert answer["is_cut"] is ("--depth" in words)


@pytest.mark.capability("M-039")
def test_a_circle_is_told_with_its_members_and_two_ways_to_one_item_are_none(repo: Path) -> None:
    answer = ask(repo, "lineage", "p")

    assert (answer["has_cycle"], answer["cycle"]) == (True, [P, Q])
    assert "a circle: p, q" in run_inproc(repo, "lineage", "q").out
    assert ask(repo, "lineage", "e")["has_cycle"] is False


def test_a_private_end_is_not_there_and_a_restricted_one_is_an_id(repo: Path) -> None:
    assert HIDDEN not in run_inproc(repo, "lineage", "a", "--json").out
    shy = next(node for node in ask(repo, "lineage", "p")["nodes"] if node["id"] == SHY)
    assert (shy["slug"], shy["title"]) == ("", "")


def test_get_has_the_same_beside_the_item(repo: Path) -> None:
    (item,) = ask(repo, "get", "d", "--lineage", "--direction", "ancestors")["items"]

    assert item["lineage"]["nodes"] == ask(repo, "lineage", "d", "--direction", "ancestors")["nodes"]
    assert item["content"]


@pytest.mark.parametrize(
    ("words", "code"), [(("--depth", "0"), 2), (("--depth", "21"), 2), (("--direction", "sideways"), 2)]
)
def test_bounds_are_usage(repo: Path, words: tuple[str, ...], code: int) -> None:
    assert refused(repo, "lineage", "a", *words, code=code)["code"] == "usage"


@pytest.mark.capability("M-039")
def test_an_end_that_is_gone_is_shown_as_missing_and_a_deep_chain_is_cut(make_repo) -> None:
    chain = [rule(f"n{n:02}", n, kind="fact") for n in range(1, 24)]
    edges = [link(engram_id(n + 1), engram_id(n), "derives_from") for n in range(1, 23)]
    root = make_repo(knowledge(*chain) | files_of(*edges, link(engram_id(23), engram_id(90), "consolidates")))

    found = ask(root, "lineage", "n23", "--depth", "20")
    assert (len(found["nodes"]), found["is_cut"], found["origins"]) == (22, True, [engram_id(90)])
    assert [node["status"] for node in found["nodes"] if node["id"] == engram_id(90)] == ["missing"]
    assert f"{engram_id(90)}: missing origin\n" in run_inproc(root, "lineage", "n23").out
    assert ask(root, "lineage", "n02", "--direction", "ancestors")["origins"] == [engram_id(1)]
