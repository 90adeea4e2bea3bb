"""`doctor --gaps`: what the knowledge lacks, told from real files, edges and feedback."""

from pathlib import Path

import pytest

from gitmem.model.synapse import link
from tests.answers.test_neighbours import files_of
from tests.asking import ask, knowledge, rule
from tests.support import commit_all, engram_id, start_repo, write_tree

NOW = "2026-06-01T00:00:00Z"
TOLD = {"status": "plausible", "evidence": [{"description": f"seen in {n}"} for n in ("May", "June", "July")]}
AGAINST = {"status": "unverified", "evidence": [{"description": f"no, {n}", "kind": "counterexample"} for n in "abc"]}
FILES = knowledge(
    rule("thin", 1, kind="fact", tags=["a"], created={"at": "2026-05-30"}),
    rule("solid", 2, kind="fact", tags=["a"], created={"at": "2026-05-30"}, verification=TOLD),
    rule("guess", 3, kind="hypothesis", tags=["b"], created={"at": "2026-05-30"}, importance=0.9),
    rule("alone", 4, kind="decision", tags=["b"], created={"at": "2026-05-30"}),
    rule("ancient", 5, kind="reference", tags=["b"], created={"at": "2020-01-01"}),
    rule("ruled", 6, "src/**", kind="decision", tags=["b"], created={"at": "2020-01-01"}),
    rule("seen", 7, kind="observation", tags=["b"], created={"at": "2026-05-31"}, verification=TOLD),
    rule("doubted", 10, kind="observation", tags=["c"], created={"at": "2026-05-31"}, verification=AGAINST),
    rule("refuted", 11, kind="observation", tags=["c"], verification=TOLD | {"status": "refuted"}),
    rule("hidden", 8, kind="fact", tags=["b"], visibility="restricted"),
    rule("retired", 9, kind="fact", tags=["b"], status="deprecated"),
) | files_of(
    link(engram_id(1), engram_id(2), "extends"),
    link(engram_id(5), engram_id(3), "exemplifies"),
    link(engram_id(7), engram_id(2), "extends"),
    link(engram_id(10), engram_id(2), "extends"),
)


@pytest.fixture(scope="module")
def repo(tmp_path_factory) -> Path:
    root = start_repo(tmp_path_factory.mktemp("gaps"))
    write_tree(root, FILES)
    commit_all(root, "start")
    return root


def found(repo: Path) -> set[tuple[str, str]]:
    rows = ask(repo, "doctor", "--gaps", "--now", NOW)["findings"]
    return {(row["code"], Path(row["path"]).stem) for row in rows if row["code"].startswith("gap-")}


@pytest.mark.capability("M-064")
def test_every_kind_of_gap_is_told_with_the_next_step(repo: Path) -> None:
    assert found(repo) == {
        ("gap-evidence", "thin"),
        ("gap-evidence", "guess"),
        ("gap-procedure", "guess"),
        ("gap-challenge", "guess"),
        ("gap-orphan", "alone"),
        ("gap-stale", "ancient"),
        ("gap-promotion", "seen"),
    }
    rows = ask(repo, "doctor", "--gaps", "--now", NOW)["findings"]
    assert all(row["hint"] for row in rows if row["code"].startswith("gap-"))


def test_nobody_is_told_of_gaps_unasked(repo: Path) -> None:
    assert not [row for row in ask(repo, "doctor")["findings"] if row["code"].startswith("gap-")]
