"""Which files changed together: the newest commits that touch a path, with all that they changed."""

from pathlib import Path

import pytest

from gitmem.store.cochanges import Cochanges, cochanges
from gitmem.store.gitgrep import holding
from gitmem.store.repo import discover
from tests.conftest import MakeRepo
from tests.support import commit_all, git, write_tree


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    root = make_repo({"a.py": "0", "b.py": "0", "c.py": "0"})
    for number, names in enumerate((["a.py", "b.py"], ["b.py", "c.py"], ["a.py"], ["d/\u00e9 \n.py", "a.py"]), 1):
        write_tree(root, {name: str(number) for name in names})
        commit_all(root)
    return root


@pytest.mark.parametrize("others", [0, 30])
def test_commits_that_touch_a_path_come_with_all_their_files(repo: Path, others: int) -> None:
    found = cochanges(discover(repo), "HEAD", ["a.py", *(f"none/{number}" for number in range(others))])

    assert found.commits == (frozenset({"a.py", "d/\u00e9 \n.py"}), frozenset({"a.py"}), frozenset({"a.py", "b.py"}))
    assert found.is_whole


def test_merges_and_wide_commits_are_left_out(repo: Path) -> None:
    git(repo, "switch", "--quiet", "--create", "side", "HEAD~1")
    write_tree(repo, {"a.py": "4", **{f"w/{number}": "" for number in range(60)}})
    commit_all(repo)
    git(repo, "merge", "--quiet", "--strategy", "ours", "--no-edit", "main")

    assert len(cochanges(discover(repo), "HEAD", ["a.py"]).commits) == 3


def test_a_path_is_a_path_and_no_pattern(repo: Path) -> None:
    assert cochanges(discover(repo), "HEAD", ["*.py", ":(top)", "--all"]).commits == ()


def test_a_history_that_is_not_there_is_said_to_be_missing(repo: Path) -> None:
    assert cochanges(discover(repo), "f" * 40, ["a.py"]) == Cochanges((), is_whole=False)


def test_words_are_found_as_they_are_written(repo: Path) -> None:
    write_tree(repo, {"x.py": "a.b [c]\n", "y.py": "aXb c\n", "z.txt": "a.b\n", "n/b.py": b"\0a.b"})
    commit_all(repo)
    where = discover(repo)

    assert holding(where, "HEAD", ["a.b"], ["py"]).paths == ("n/b.py", "x.py")
    assert holding(where, "HEAD", ["[c]", ""], ["py", "txt"]).paths == ("x.py",)
    assert holding(where, "HEAD", [""], ["py"]).paths == ()
    assert holding(where, "HEAD", ["none"], ["py"]).is_whole
