"""`check --alike`: engrams that repeat, reword or contradict each other, everywhere or in what a change brings."""

import json
from pathlib import Path

import pytest

from gitmem.model.synapse import link
from gitmem.record import replace
from gitmem.store.synapses import encode_synapse, synapse_path
from tests.asking import knowledge, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

LAMPS = (
    "Lamps along the quay are lit at dusk and put out at dawn by the keeper of the northern tower, who writes the hour "
    "in the book that lies on the sill, together with the state of the wind and of the glass.\n"
)
TABS, SPACES = "Always use tabs for indentation.\n", "Always use spaces for indentation.\n"
TAUGHT = ("duplicate", "near-duplicate", "contradicts")
FILES = knowledge(
    rule("a-lamps", 1, kind="fact", body=LAMPS),
    rule("b-again", 2, kind="fact", body=LAMPS.rstrip(".\n").upper().lower() + "\n"),
    rule("c-reworded", 3, kind="fact", body=LAMPS.replace("northern", "southern")),
    rule("d-tabs", 4, "src/**", body=TABS),
    rule("e-spaces", 5, "src/app/**", body=SPACES),
    rule("f-spaces", 6, "docs/**", body=SPACES),
    rule("g-gone", 7, kind="fact", status="superseded", body=LAMPS),
)


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(FILES)


def found(path: Path, *args: str) -> list[tuple[str, str]]:
    rows = json.loads(run_inproc(path, "check", "--json", *args).out)["findings"]
    return sorted((row["code"], Path(row["path"]).stem) for row in rows if row["code"] in TAUGHT)


def test_pairs_are_named_at_the_later_of_the_two(repo):
    wanted = [
        ("contradicts", "e-spaces"),
        ("duplicate", "b-again"),
        ("duplicate", "f-spaces"),
        ("near-duplicate", "c-reworded"),
        ("near-duplicate", "c-reworded"),
    ]

    assert found(repo, "--alike") == found(repo, "--alike") == wanted


@pytest.mark.capability("M-036")
def test_contradictions_of_a_small_tree_are_named_unasked_until_somebody_decided(repo):
    assert found(repo) == [("contradicts", "e-spaces")]

    edge = link(engram_id(4), engram_id(5), "contradicts")
    settled = replace(edge, resolution={"state": "resolved", "rationale": "the app has its own style"})
    write_tree(repo, {f".gitmem/{synapse_path(settled)}": encode_synapse(settled)})
    commit_all(repo, "settled")

    assert found(repo) == []
    assert ("contradicts", "e-spaces") not in found(repo, "--alike")


@pytest.mark.parametrize("way", ["--staged", "--range"])
def test_of_a_change_only_what_it_writes_is_compared(repo, way):
    write_tree(repo, rule("h-lamps", 8, kind="fact", body=LAMPS) | rule("i-tabs", 9, "docs/*.md", body=TABS))
    git(repo, "add", "--all")
    words = ["--staged"]
    if way == "--range":
        commit_all(repo, "more")
        words = ["--range", "HEAD~1..HEAD"]

    assert found(repo, *words, "--alike") == [
        ("contradicts", "i-tabs"),
        ("duplicate", "h-lamps"),
        ("duplicate", "i-tabs"),
    ]
    assert found(repo, *words) == []


def test_a_change_that_settles_it_is_told_nothing(repo):
    write_tree(repo, rule("e-spaces", 5, "src/app/**", body=TABS.replace("Always", "In code")))
    git(repo, "add", "--all")

    assert found(repo, "--staged", "--alike") == []


def test_nothing_to_compare_is_no_finding(make_repo):
    assert found(make_repo(knowledge()), "--alike") == []
    assert found(make_repo(name="bare"), "--alike") == []


def test_warnings_count_in_a_strict_check(repo):
    assert run_inproc(repo, "check", "--alike").code == 0
    assert run_inproc(repo, "check", "--alike", "--strict").code == 1
