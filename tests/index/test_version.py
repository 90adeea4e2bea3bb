"""The knowledge version counts the decisions in the tree: it never falls by a merge and is the same in every clone."""

from pathlib import Path

import pytest

from tests.asking import ask, compiled, knowledge, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, write_tree


def entry(number: int, day: str = "01-02", year: str = "2026") -> dict[str, str]:
    id_ = engram_id(number)
    by = "proposed_by:\n  name: Ada\n"
    return {f".gitmem/ledger/{year}/{day}/{id_}.yaml": f"id: {id_}\nkind: new\ntitle: One\n{by}changes: []\n"}


def folded(*numbers: int) -> dict[str, str]:
    rows = "".join(f"  - id: {engram_id(number)}\n    kind: new\n" for number in numbers)
    return {".gitmem/ledger/roll/2025.yaml": f"entries:\n{rows}"}


def count(repo: Path) -> int:
    """As it is in the answer, which has it in two forms."""
    answer = compiled(repo)
    assert answer["knowledge_version"] == f"v{answer['knowledge_count']}\u00b7{answer['snapshot_id'][:6]}"
    return answer["knowledge_count"]


def decide(repo: Path, *files: dict[str, str], branch: str = "") -> None:
    if branch:
        git(repo, "checkout", "--quiet", branch)
    for each in files:
        write_tree(repo, each)
    commit_all(repo, "decide")


@pytest.mark.capability("R-052")
def test_a_merge_counts_the_union_of_both_sides(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1, "src/**")) | entry(1))
    git(repo, "branch", "side")
    decide(repo, entry(2), entry(3), entry(9))
    decide(repo, entry(3), entry(4), branch="side")
    assert count(repo) == 3

    git(repo, "merge", "--quiet", "--message", "merge", "main")

    assert count(repo) == 5


@pytest.mark.capability("R-052")
def test_a_squash_counts_what_a_merge_counts(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1, "src/**")) | entry(1))
    git(repo, "checkout", "--quiet", "-b", "side")
    decide(repo, entry(2))
    decide(repo, entry(3), rule("one", 1, "src/ui/**"))
    git(repo, "checkout", "--quiet", "main")

    git(repo, "merge", "--quiet", "--squash", "side")
    commit_all(repo, "squash")

    assert count(repo) == 3


@pytest.mark.capability("R-052")
@pytest.mark.capability("R-078")
def test_a_shallow_clone_has_the_version_of_the_whole_one(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(knowledge(rule("one", 1, "src/**")) | entry(1))
    for number in range(2, 6):
        decide(repo, entry(number))

    git(tmp_path, "clone", "--quiet", "--depth=1", repo.as_uri(), "shallow")

    shallow = compiled(tmp_path / "shallow")
    assert git(tmp_path / "shallow", "rev-list", "--count", "HEAD").strip() == "1"
    assert [shallow[key] for key in ("knowledge_version", "knowledge_count", "snapshot_id")] == [
        compiled(repo)[key] for key in ("knowledge_version", "knowledge_count", "snapshot_id")
    ]


def test_a_folded_year_counts_each_of_its_entries(make_repo: MakeRepo) -> None:
    old = entry(1, year="2025") | entry(2, year="2025")
    repo = make_repo(knowledge(rule("one", 1, "src/**")) | old | entry(3))
    before = count(repo)

    for rel in old:
        (repo / rel).unlink()
    decide(repo, folded(1, 2))

    assert (before, count(repo)) == (3, 3)


def test_an_entry_that_one_side_folded_and_the_other_kept_counts_once(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1, "src/**")) | entry(1, year="2025") | entry(2))

    decide(repo, folded(1), entry(2, day="03-04"))

    assert count(repo) == 2


def test_what_changes_no_decision_leaves_the_version_alone(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1, "src/**")) | entry(1))
    before = compiled(repo)

    decide(repo, rule("one", 1, "src/ui/**"), {"src/a.py": "x\n"})

    assert compiled(repo)["knowledge_count"] == before["knowledge_count"] == ask(repo, "overview")["knowledge_count"]
