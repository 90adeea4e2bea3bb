"""The benchmarks run to their end and say what they measured. Nothing here judges a time: machines differ."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.generate import FLAT, FOLDERS, Recipe, repository, targets
from benchmarks.measure import difference, sample
from benchmarks.report import BEGIN, END, Figure, Table, lines, without_limits
from tests.house.source import PROJECT
from tests.support import git, run_cli

NAMES = [
    "warm",
    "cold",
    "refresh",
    "check",
    "parse",
    "sizes",
    "globs",
    "review",
    "recall",
    "verify",
    "journal",
    "upkeep",
    "search",
]

# One of each way to measure; the others run with the long tests.
FEW = ["cold", "parse", "globs", "verify"]


def benchmarks(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *args]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("names", [FEW, pytest.param([], marks=pytest.mark.long)], ids=["few", "all"])
def test_a_quick_run_ends_and_yields_every_figure(tmp_path: Path, names: list[str]) -> None:
    where = str(tmp_path / "repositories")
    done = benchmarks(*names, "--quick", "--in", where, "--json", str(tmp_path / "figures.json"))

    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    figures = found["figures"]
    assert list(dict.fromkeys(figure["benchmark"] for figure in figures)) == (names or NAMES)
    assert {"commit", "cores", "system", "python", "git"} <= set(found)
    for figure in figures:
        assert figure["what"]
        assert figure["ours"]["values"]
        assert (figure["theirs"] is None) == (figure["other"] == "")
        assert figure["what"] in done.stdout
    limited = [figure["benchmark"] for figure in figures if figure["other"]]
    assert set(limited) == set(names or NAMES)
    assert all(f"`python -m benchmarks {name}`" in done.stdout for name in names or NAMES)
    assert str(tmp_path) not in done.stdout


def test_a_benchmark_that_is_not_there_is_named_with_those_that_are() -> None:
    done = benchmarks("nope")

    assert done.returncode == 2
    assert "no such benchmark: nope; there are: warm, cold" in done.stderr


@pytest.mark.parametrize("layout", [FOLDERS, FLAT])
def test_the_same_recipe_gives_the_same_commit(tmp_path: Path, layout: str) -> None:
    recipe = Recipe(rules=120, files=60, layout=layout)
    commits = set()
    for place in ("first", "second"):
        (tmp_path / place).mkdir()
        commits.add(git(repository(tmp_path / place, recipe), "rev-parse", "HEAD"))

    assert len(commits) == 1


def test_every_rule_of_a_recipe_is_served_and_the_targets_are_what_rules_match(tmp_path: Path) -> None:
    recipe = Recipe(rules=300, files=2000)
    root = repository(tmp_path, recipe)

    ran = run_cli(root, "compile", "--json", *targets(recipe))

    assert ran.code == 0
    answer = json.loads(ran.out)
    assert {warning["code"] for warning in answer["warnings"]} <= {"requires-not-live", "budget"}
    assert answer["notices"] == []
    assert len(answer["base"]["documents"]) > 5


def test_loose_objects_stay_loose_and_packed_ones_are_packed(tmp_path: Path) -> None:
    counts = {}
    for is_loose in (False, True):
        root = repository(tmp_path, Recipe(rules=50, files=50, is_loose=is_loose))
        counts[is_loose] = int(re.findall(r"count: (\d+)", git(root, "count-objects", "-v"))[0])

    assert counts[False] == 0
    assert counts[True] > 50


def test_a_limit_is_kept_or_over_and_a_quick_run_has_none() -> None:
    ours, theirs = sample([20.0, 22.0, 21.0]), sample([10.0, 10.0, 10.0])
    kept = Figure("x", "slow", ours, "ms", "fast", theirs, limit=3, is_ratio=True)
    over = Figure("x", "slower", ours, "ms", limit=20)
    table = Table("x", "Title", "python -m benchmarks x", (kept, over))

    text = "\n".join(lines(table))

    assert (kept.holds, over.holds) == (True, False)
    assert re.search(r"\| slow .* 2\.10 .* 3x kept", text)
    assert "20 ms OVER" in text
    assert "OVER" not in "\n".join(lines(without_limits(table)))


def test_the_page_has_every_table_and_what_is_written_by_hand_can_be_read_in_one_sitting() -> None:
    text = (PROJECT / "docs" / "performance.md").read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    tables, _, tail = rest.partition(END)

    assert [name for name in NAMES if f"`python -m benchmarks {name}`" not in tables] == []
    assert len((head + tail).split()) <= 900


def test_quantiles_lie_between_the_values_around_them() -> None:
    found = sample([4.0, 1.0, 3.0, 2.0])

    assert (found.median, found.quartiles) == (2.5, (1.75, 3.25))
    assert sample([7.0]).quartiles == (7.0, 7.0)


def test_a_difference_is_taken_round_by_round() -> None:
    assert difference(sample([5.0, 9.0]), sample([1.0, 2.0])).values == (4.0, 7.0)
