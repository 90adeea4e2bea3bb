"""SARIF as code hosts take it: rules, levels, places, fingerprints that stay, nothing of this machine."""

import json
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import pytest

from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, write_tree

CONFIG = {".gitmem/config.yaml": "format: 1\n"}
ODD = ".gitmem/engrams/api/\u00fc %41 b.md"
BROKEN = "---\nid: x\n---\nText.\n"
RULE = engram_text(id=engram_id(1), scope={"paths": ["src/**"]})


def run_of(repo: Path, *words: str) -> dict:
    ran = run_inproc(repo, "check", "--format", "sarif", *words)
    log = json.loads(ran.out)
    assert log["version"] == "2.1.0"
    assert "sarif" in log["$schema"]
    assert len(log["runs"]) == 1
    assert ran.out.isascii()
    assert str(repo) not in ran.out
    run: dict = log["runs"][0]
    return run


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    made = make_repo(CONFIG)
    write_tree(made, {ODD: BROKEN, ".gitmem/engrams/api/a.md": RULE})
    commit_all(made)
    return made


@pytest.mark.capability("G-022")
@pytest.mark.parametrize("words", [(), ("--range", "HEAD~1..HEAD")], ids=["bare", "range"])
def test_each_finding_is_a_result_of_a_rule_at_a_place(repo: Path, words: tuple[str, ...]) -> None:
    listed = json.loads(run_inproc(repo, "check", "--json", *words).out)["findings"]

    run = run_of(repo, *words)

    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert len(run["results"]) == len(listed) > 0
    for row, result in zip(listed, run["results"], strict=True):
        place = result["locations"][0]["physicalLocation"]
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == row["code"]
        assert result["level"] == row["severity"]
        assert unquote(place["artifactLocation"]["uri"]) == row["path"]
        assert not PurePosixPath(place["artifactLocation"]["uri"]).is_absolute()
        assert place["region"]["startLine"] == (row["line"] or 1)
        assert result["message"]["text"].startswith(row["message"])
        assert result["partialFingerprints"]


@pytest.mark.capability("G-022")
def test_a_finding_keeps_its_fingerprint_when_its_line_moves(repo: Path) -> None:
    rel = ".gitmem/engrams/api/c.md"
    write_tree(repo, {rel: engram_text(id=engram_id(3), requires=["gone"])})
    before = marks(repo)
    write_tree(repo, {rel: engram_text(id=engram_id(3), tags=["a", "b", "c"], requires=["gone"])})

    assert marks(repo) == before
    write_tree(repo, {rel: engram_text(id=engram_id(3), requires=["elsewhere"])})
    assert marks(repo) != before


def marks(repo: Path) -> list[str]:
    return sorted(result["partialFingerprints"]["gitmem/v1"] for result in run_of(repo)["results"])


def test_nothing_found_is_a_run_without_results(make_repo: MakeRepo) -> None:
    repo = make_repo({**CONFIG, ".gitmem/layers.yaml": "src/**: ui\n"})

    run = run_of(repo)

    assert run["results"] == []
    assert run["tool"]["driver"]["name"] == "gitmem"


def test_exit_codes_are_those_of_every_format(repo: Path) -> None:
    git(repo, "tag", "x")

    for name in ("text", "json", "sarif", "markdown"):
        assert run_inproc(repo, "check", "--format", name).code == 1
        assert run_inproc(repo, "check", "--format", name, "--range", "HEAD..HEAD").code == 0


def test_json_by_either_name_is_one_answer(repo: Path) -> None:
    for words in ((), ("--range", "HEAD~1..HEAD")):
        by_format = run_inproc(repo, "check", *words, "--format", "json")
        by_flag = run_inproc(repo, "check", *words, "--json")
        assert by_format == by_flag


def test_a_format_that_is_not_known_is_said(repo: Path) -> None:
    ran = run_inproc(repo, "check", "--format", "xml")

    assert ran.code == 2
    assert "sarif" in ran.err
    assert run_inproc(repo, "check", "--format", "patch").code == 2
    assert json.loads(run_inproc(repo, "check", "--range", "x", "--format", "json").out)["error"]["code"] == "usage"
