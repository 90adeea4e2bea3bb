"""Edges in `check`: a missing end, a wrong id, an edge of one engram to itself; whole, staged and by range."""

import json
from pathlib import Path

import pytest

from gitmem.model.synapse import Synapse, link
from gitmem.record import replace
from gitmem.store.synapses import encode_synapse, synapse_path
from tests.asking import knowledge, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

ONE, TWO, THREE = engram_id(1), engram_id(2), engram_id(3)
EDGE = link(ONE, TWO, "extends")
REL = f".gitmem/{synapse_path(EDGE)}"


def file_of(synapse: Synapse) -> dict[str, str]:
    return {f".gitmem/{synapse_path(synapse)}": encode_synapse(synapse).decode()}


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(knowledge(rule("one", 1), rule("two", 2)) | file_of(EDGE))


def found(path: Path, *args: str) -> list[tuple[str, str]]:
    rows = json.loads(run_inproc(path, "check", "--json", *args).out)["findings"]
    return [(row["code"], f"{row['path']}:{row['line']}") for row in rows if row["severity"] == "error"]


def test_an_edge_between_two_engrams_is_right(repo):
    assert found(repo) == []


@pytest.mark.parametrize(
    ("synapse", "line"), [(link(ONE, THREE, "extends"), 3), (link(THREE, ONE, "extends"), 2)], ids=["to", "from"]
)
def test_a_missing_end_is_named_with_its_line_wherever_one_looks(repo, synapse, line):
    write_tree(repo, file_of(synapse))
    wanted = [("synapse-end-missing", f".gitmem/{synapse_path(synapse)}:{line}")]

    assert found(repo) == wanted
    git(repo, "add", "--all")
    assert found(repo, "--staged") == wanted
    commit_all(repo)
    assert found(repo, "--range", "HEAD~1..HEAD") == found(repo) == wanted


def test_f_012_removing_an_engram_names_the_edges_that_lead_to_it(repo):
    git(repo, "rm", "--quiet", ".gitmem/engrams/api/two.md")
    wanted = [("synapse-end-missing", f"{REL}:3")]

    assert found(repo) == found(repo, "--staged") == wanted
    commit_all(repo)
    assert found(repo, "--range", "HEAD~1..HEAD") == wanted


@pytest.mark.capability("M-002")
def test_a_move_and_a_new_title_leave_the_edges_alone(repo):
    git(repo, "mv", ".gitmem/engrams/api/two.md", ".gitmem/engrams/api/second.md")

    assert found(repo) == found(repo, "--staged") == []


def test_a_change_that_brings_the_missing_end_is_right(repo):
    write_tree(repo, file_of(link(ONE, THREE, "extends")))
    commit_all(repo)
    write_tree(repo, rule("three", 3))
    git(repo, "add", "--all")

    assert found(repo, "--staged") == found(repo) == []


@pytest.mark.capability("M-034")
@pytest.mark.parametrize(
    ("rel", "data"),
    [
        (REL, encode_synapse(EDGE).replace(f"to: {TWO}".encode(), f"to: {ONE}".encode())),
        (REL, encode_synapse(EDGE).replace(EDGE.id.encode(), b"syn-0000000000000000")),
        (REL.replace("extends", "causes"), encode_synapse(EDGE)),
        (REL, encode_synapse(replace(EDGE, kind="causes"))),
    ],
    ids=["to itself", "wrong id", "folder of another kind", "id of another kind"],
)
def test_a_file_that_is_not_the_edge_that_its_place_says_is_an_error(repo, rel, data):
    (repo / rel).parent.mkdir(parents=True, exist_ok=True)
    (repo / rel).write_bytes(data)

    assert [code for code, _ in found(repo)] == ["schema"]
