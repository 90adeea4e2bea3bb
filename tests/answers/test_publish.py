"""Branches for pull requests are pushed where whoever published them may push: to the fork, not to its upstream."""

from pathlib import Path

import pytest

from tests.asking import ask, knowledge, refused, rule
from tests.conftest import MakeRepo
from tests.support import git

REMOTES = ("upstream", "origin", "mine")


@pytest.fixture
def fork(make_repo: MakeRepo, tmp_path: Path) -> Path:
    """A clone with a proposal and several remotes, of which upstream is the chosen one."""
    repo = make_repo(knowledge(rule("use-the-client", 1, "src/**", tags=["api"])))
    for name in REMOTES:
        git(tmp_path, "init", "--quiet", "--bare", name)
        git(repo, "remote", "add", name, str(tmp_path / name))
        git(repo, "push", "--quiet", name, "main")
    git(repo, "fetch", "--quiet", "--all")
    ask(repo, "propose", "edit", "use-the-client", "tags", "--add", "http")
    return repo


@pytest.mark.parametrize(
    ("settings", "words", "pushed"),
    [
        ({}, (), "origin"),
        ({"remote.pushDefault": "mine"}, (), "mine"),
        ({"remote.pushDefault": "mine"}, ("--remote", "upstream"), "upstream"),
        ({"remote.pushDefault": "nowhere"}, (), "origin"),
    ],
    ids=["origin", "pushDefault", "flag", "a default that is gone"],
)
def test_a_published_branch_goes_to_where_one_pushes(
    fork: Path, tmp_path: Path, settings: dict[str, str], words: tuple[str, ...], pushed: str
) -> None:
    (row,) = ask(fork, "proposals", "list")["proposals"]
    for key, value in settings.items():
        git(fork, "config", key, value)

    (branch,) = ask(fork, "proposals", "publish", row["id"], "--push", *words)["branches"]

    assert branch["pushed"] == pushed
    there = [name for name in REMOTES if branch["branch"] in git(tmp_path / name, "branch", "--list")]
    assert there == [pushed]


def test_without_origin_the_chosen_remote_gets_it(fork: Path) -> None:
    (row,) = ask(fork, "proposals", "list")["proposals"]
    git(fork, "remote", "remove", "origin")

    assert ask(fork, "proposals", "publish", row["id"], "--push")["branches"][0]["pushed"] == "upstream"


def test_a_remote_that_is_none_is_refused_before_any_branch(fork: Path) -> None:
    (row,) = ask(fork, "proposals", "list")["proposals"]

    error = refused(fork, "proposals", "publish", row["id"], "--push", "--remote", "elsewhere", code=2)

    assert error["hint"] == "one of: mine, origin, upstream"
    assert git(fork, "branch", "--list", "gitmem/*") == ""
