"""Whom a range must ask: the owners at its start, by the paths that its rules are about."""

from pathlib import Path

import pytest

from tests.answers.decided import CONFIG, checked, in_range, put, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, git, run_inproc, write_tree

OWNERS = "CODEOWNERS"
LINES = "* @all\n/.gitmem/ @keepers\nsrc/pay/ @org/pay\n"
FILES = {**CONFIG, "src/pay/card.ts": "x\n", "src/web/a.ts": "x\n"}
PAY = rule(1, scope={"paths": ["src/pay/**"]})
WEB = rule(1, scope={"paths": ["src/web/**"]})
AT = "engrams/api/a.md"


def start(make_repo: MakeRepo, files: dict[str, str]) -> Path:
    repo = make_repo({**FILES, **files})
    git(repo, "tag", "base")
    return repo


def asked(repo: Path, *words: str) -> list[tuple[str, list[str]]]:
    rows = checked(repo, "--range", *(words or ("base..HEAD",))).get("owners", [])
    return [(row["path"], row["owners"]) for row in rows]


@pytest.mark.capability("G-021")
@pytest.mark.parametrize("place", [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"])
def test_a_rule_about_a_path_asks_the_owners_of_the_path(make_repo: MakeRepo, place: str) -> None:
    repo = start(make_repo, {place: LINES})
    put(repo, {AT: PAY, "engrams/api/fact.md": rule(2, kind="fact", scope=None)})
    commit_all(repo)

    assert asked(repo) == [(f".gitmem/{AT}", ["@org/pay"])]
    text = run_inproc(repo, "check", "--range", "base..HEAD").out
    assert f"must approve: @org/pay for .gitmem/{AT} (owners of src/pay/)" in text


@pytest.mark.capability("G-021")
@pytest.mark.parametrize("after", [None, WEB], ids=["removed", "turned elsewhere"])
def test_who_owned_what_a_rule_was_about_is_asked_too(make_repo: MakeRepo, after: str | None) -> None:
    repo = start(make_repo, {OWNERS: LINES, f".gitmem/{AT}": PAY})
    put(repo, {AT: after})
    commit_all(repo)

    assert "@org/pay" in asked(repo)[0][1]


def test_without_an_owner_file_nobody_is_named(make_repo: MakeRepo) -> None:
    repo = start(make_repo, {})
    put(repo, {AT: PAY})
    commit_all(repo)

    assert "owners" not in checked(repo, "--range", "base..HEAD")


@pytest.mark.capability("G-019")
@pytest.mark.capability("G-021")
def test_the_owners_before_count_and_the_edit_is_named(make_repo: MakeRepo) -> None:
    repo = start(make_repo, {OWNERS: LINES})
    put(repo, {AT: PAY})
    write_tree(repo, {OWNERS: LINES.replace("@org/pay", "@eve")})
    commit_all(repo)

    assert in_range(repo) == [("owners-changed", "error")]
    assert asked(repo) == [(f".gitmem/{AT}", ["@org/pay"])]


@pytest.mark.parametrize("text", ["* @all\n", LINES + "docs/ @docs\n"])
def test_an_edit_of_the_owners_apart_from_their_rules_is_a_warning(make_repo: MakeRepo, text: str) -> None:
    repo = start(make_repo, {OWNERS: LINES})
    write_tree(repo, {OWNERS: text})
    commit_all(repo)

    assert in_range(repo) == [("owners-changed", "warning")]


def test_an_owner_file_that_takes_the_place_of_another_is_an_edit(make_repo: MakeRepo) -> None:
    """Forges read the first of several: a new one hides the old one."""
    repo = start(make_repo, {OWNERS: LINES})
    put(repo, {AT: PAY})
    write_tree(repo, {".github/CODEOWNERS": "* @eve\n"})
    commit_all(repo)

    assert in_range(repo) == [("owners-changed", "error")]
    assert asked(repo) == [(f".gitmem/{AT}", ["@org/pay"])]


def test_owners_that_the_base_got_meanwhile_are_no_edit_of_the_branch(make_repo: MakeRepo) -> None:
    repo = start(make_repo, {OWNERS: "* @old\n"})
    git(repo, "checkout", "--quiet", "-b", "side")
    put(repo, {AT: PAY})
    commit_all(repo)
    git(repo, "checkout", "--quiet", "main")
    write_tree(repo, {OWNERS: LINES})
    commit_all(repo)

    assert in_range(repo, "main", "side", "...") == []
    assert asked(repo, "main...side") == [(f".gitmem/{AT}", ["@org/pay"])]


def test_knowledge_that_nobody_owns_is_hinted_at(make_repo: MakeRepo) -> None:
    repo = start(make_repo, {OWNERS: "src/pay/ @org/pay\n"})
    put(repo, {AT: PAY})
    commit_all(repo)

    notices = checked(repo, "--range", "base..HEAD")["warnings"]
    assert [(each["code"], each["place"]) for each in notices] == [("unowned", OWNERS)]
    assert "/.gitmem/" in notices[0]["hint"]
