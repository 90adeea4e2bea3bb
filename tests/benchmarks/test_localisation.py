"""What the benchmark of finding files counts, and that its sides and parts do what they are named for."""

import json
from pathlib import Path

import pytest

from benchmarks import localisation
from benchmarks.localisation import (
    OURS,
    Ways,
    difference,
    intervals,
    measured_in,
    rank,
    scores,
    table,
    tasks_of,
    without,
)
from benchmarks.localisation_sides import words
from gitmem.code import ranking
from tests.support import commit_all, git, write_tree

FILES = {
    "src/upload.py": "def send_parts(parts):\n    '''Upload parts, and try again when one fails.'''\n",
    "src/clock.py": "def tick():\n    return 1\n",
    "tests/test_upload.py": "def test_send_parts():\n    assert 'upload parts again'\n",
}


def test_the_rank_is_that_of_the_first_file_that_was_changed() -> None:
    assert rank(["a", "b", "c"], ("c", "b")) == 2
    assert scores([1, 2, rank(["a"], ("z",))]) == pytest.approx(
        {"MRR": 0.5, "hit@1": 1 / 3, "hit@5": 2 / 3, "hit@10": 2 / 3}
    )


def test_an_interval_holds_the_figure_and_is_the_same_again() -> None:
    ranks = [1, 1, 2, 5, 1, 9, 30, 1]
    low, high = map(float, intervals(ranks, scores)["MRR"].split("-"))
    assert low < scores(ranks)["MRR"] < high
    assert intervals(ranks, scores) == intervals(ranks, scores)
    assert difference([1, 1], [2, 2]).startswith("+0.500")


def test_a_part_is_switched_off_for_a_while_alone() -> None:
    with without(ranking.HISTORY):
        assert ranking.WEIGHTS[ranking.HISTORY] == 0
        assert ranking.Extra().weights[ranking.HISTORY] == 0
    assert ranking.WEIGHTS[ranking.HISTORY] > 0


def test_words_of_the_other_sides_have_their_parts() -> None:
    assert list(words("getUserName of user_id")) == [
        "getusername",
        "get",
        "user",
        "name",
        "of",
        "user_id",
        "user",
        "id",
    ]


def test_every_side_ranks_the_same_files_of_a_revision(tmp_path: Path) -> None:
    source, home = tmp_path / "repos" / "ann+shop", tmp_path / "home"
    write_tree(source, FILES)
    git(source, "init", "-q", "-b", "main")
    commit_all(source, "one")
    home.mkdir()
    row = {"id": "1", "repo": "Ann/shop", "lang": "python", "task": "uploading parts fails", "gold": ["src/upload.py"]}
    data = tmp_path / "tasks.jsonl"
    data.write_text(json.dumps(row | {"base": git(source, "rev-parse", "HEAD").strip()}) + "\n", encoding="utf-8")

    found = measured_in(tasks_of(data), source.parent, home, Ways())

    assert {side: ranks["1"] for side, ranks in found.ranks.items()} == dict.fromkeys(found.ranks, 1)
    assert {OURS, "word count", "- history", "- standing"} <= found.ranks.keys()
    assert "| gitmem | 1 | 1.000 (1.000-1.000)" in table(found)
    assert "python | 1" in table(found)
    with pytest.raises(SystemExit, match="has no bob\\+shop"):
        localisation.repository(source.parent, "bob/shop", home)
