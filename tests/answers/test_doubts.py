"""What a person is told when a word probably does not mean what they meant."""

import json
from pathlib import Path

import pytest

from gitmem.model.ids import slugify
from tests.asking import ask, codes, knowledge, rule
from tests.support import engram_id, git, run_inproc, write_tree


@pytest.fixture
def repo(make_repo) -> Path:
    return make_repo(knowledge(rule("one", 1, "src/**"), rule("two", 2, "src/**", requires=[engram_id(1)])))


@pytest.mark.parametrize("words", [("one", "two"), ("one", "one")])
def test_a_circle_of_requirements_is_refused_before_it_is_written(repo: Path, words: tuple[str, str]) -> None:
    ran = run_inproc(repo, "edit", words[0], "requires", "--add", words[1], "--json")

    assert (ran.code, json.loads(ran.out)["error"]["code"]) == (1, "requires-cycle")
    assert git(repo, "status", "--porcelain") == ""


@pytest.mark.parametrize(("pattern", "odd"), [("!src/**", True), ("src\\api\\**", True), ("src/[!a]*", False)])
def test_signs_of_other_dialects_are_pointed_out(repo: Path, pattern: str, odd: bool) -> None:
    answer = json.loads(run_inproc(repo, "new", "fact", "Odd", "--path", pattern, "--json", stdin="Text.\n").out)

    assert ("odd-pattern" in codes(answer["warnings"])) is odd


@pytest.mark.parametrize("verb", ["get", "show", "why"])
def test_an_item_that_waits_for_a_commit_is_said_to_wait(repo: Path, verb: str) -> None:
    made = json.loads(run_inproc(repo, "new", "fact", "Fresh", "--json", stdin="Text.\n").out)

    for name in (made["slug"], made["id"]):
        ran = run_inproc(repo, verb, name, "--json")
        assert ran.code == 1
        assert "not committed yet" in json.loads(ran.out)["error"]["hint"]


def test_fmt_names_what_it_cannot_read(repo: Path) -> None:
    write_tree(repo, {".gitmem/engrams/broken.md": "no header\n"})

    assert codes(ask(repo, "fmt")["warnings"]) == ["malformed"]


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("\u00dcn\u00efc\u00f8d\u00e9", "unicode"),
        ("\u0141\u00f3d\u017a", "lodz"),
        ("\u041f\u0440\u0438\u0432\u0435\u0442", "privet"),
        ("\u6c7a\u5b9a", ""),
        ("a\u0301" * 70_000, "a" * 80),
    ],
)
def test_a_title_is_spelt_in_latin_letters(title: str, slug: str) -> None:
    """F-040, F-237"""
    assert slugify(title) == slug
