"""Whose word counts: which tree is canonical in repositories with and without remotes, and who may change that."""

from pathlib import Path

import pytest

from tests.asking import ask, codes, compiled, slugs
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, engram_text, git, run_cli, run_inproc, write_tree

RULE = ".gitmem/engrams/api/use-the-client.md"
KNOWLEDGE = {".gitmem/config.yaml": "format: 1\n", RULE: engram_text(scope={"paths": ["src/**"]})}


def add_rule(repo: Path, name: str) -> str:
    text = engram_text(id=engram_id(2), scope={"paths": ["src/**"]})
    write_tree(repo, {f".gitmem/engrams/api/{name}.md": text})
    return commit_all(repo, f"rule {name}")


def clone_of(origin: Path, name: str = "clone") -> Path:
    where = origin.parent / name
    git(origin.parent, "clone", "--quiet", str(origin), str(where))
    return where


@pytest.fixture
def origin(make_repo: MakeRepo) -> Path:
    """A repository that takes pushes to the branch that it has checked out."""
    origin = make_repo(KNOWLEDGE, name="origin")
    git(origin, "config", "receive.denyCurrentBranch", "updateInstead")
    return origin


def test_without_a_remote_what_is_committed_at_head_counts(origin: Path) -> None:
    status = ask(origin, "status")

    assert (status["trust"], status["trust_source"]) == ("head", "default without a remote")
    assert status["commit"] == git(origin, "rev-parse", "HEAD").strip()
    assert slugs(compiled(origin)) == ["use-the-client"]


def test_with_a_remote_its_default_branch_counts(origin: Path) -> None:
    clone = clone_of(origin)

    status = ask(clone, "status")

    assert (status["trust"], status["trust_source"]) == ("main", "default branch of the remote")


@pytest.mark.capability("G-001")
def test_what_a_feature_branch_adds_is_only_named_until_it_is_merged(origin: Path) -> None:
    clone = clone_of(origin)
    git(clone, "switch", "--quiet", "--create", "feature")
    add_rule(clone, "from-the-branch")

    on_branch = compiled(clone)

    assert slugs(on_branch) == ["use-the-client"]
    assert on_branch["marks"] == {
        engram_id(2): {
            "branch": "adds",
            "slug": "from-the-branch",
            "title": "Call the API through the client",
        }
    }
    git(clone, "push", "--quiet", "origin", "feature:main")
    merged = compiled(clone)
    assert slugs(merged) == ["from-the-branch", "use-the-client"]
    assert merged["marks"] == {}


def test_a_branch_that_is_only_behind_marks_nothing(origin: Path) -> None:
    clone = clone_of(origin)
    git(clone, "switch", "--quiet", "--create", "feature")
    write_tree(origin, {RULE: engram_text(title="Changed on main", scope={"paths": ["src/**"]})})
    commit_all(origin, "change")
    git(clone, "fetch", "--quiet")

    assert compiled(clone)["marks"] == {}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (engram_text(title="Changed here", scope={"paths": ["src/**"]}), "changes"),
        (engram_text(scope={"paths": ["src/**"]}, status="deprecated"), "retires"),
        (None, "retires"),
    ],
    ids=["changed", "deprecated", "removed"],
)
def test_a_branch_marks_what_it_changes_and_retires(origin: Path, change: str | None, what: str) -> None:
    clone = clone_of(origin)
    git(clone, "switch", "--quiet", "--create", "feature")
    if change is None:
        (clone / RULE).unlink()
    else:
        write_tree(clone, {RULE: change})
    commit_all(clone, "change")

    answer = compiled(clone)

    assert slugs(answer) == ["use-the-client"]
    marks = answer["marks"]
    assert isinstance(marks, dict)
    assert [mark["branch"] for mark in marks.values()] == [what]


def test_marks_are_hashed_apart_from_the_result(origin: Path) -> None:
    clone = clone_of(origin)
    before = compiled(clone)
    git(clone, "switch", "--quiet", "--create", "feature")
    add_rule(clone, "from-the-branch")

    after = compiled(clone)

    assert after["compile_id"] == before["compile_id"]
    assert after["base"] == before["base"]
    assert after["receipt"] != before["receipt"]


def test_a_fork_trusts_upstream_before_origin(origin: Path, tmp_path: Path) -> None:
    fork = tmp_path / "fork"
    git(tmp_path, "clone", "--quiet", "--bare", str(origin), str(fork))
    clone = tmp_path / "mine"
    git(tmp_path, "clone", "--quiet", str(fork), str(clone))
    git(clone, "remote", "add", "upstream", str(origin))
    git(clone, "fetch", "--quiet", "upstream")
    add_rule(clone, "pushed-to-my-fork")
    git(clone, "push", "--quiet", "origin", "HEAD:main")

    assert slugs(compiled(clone)) == ["use-the-client"]

    git(clone, "config", "gitmem.remote", "origin")
    assert slugs(compiled(clone)) == ["pushed-to-my-fork", "use-the-client"]


def test_a_remote_of_any_name_is_taken_when_it_is_the_only_one(origin: Path) -> None:
    clone = clone_of(origin)
    git(clone, "remote", "rename", "origin", "company")
    add_rule(clone, "mine-alone")

    assert slugs(compiled(clone)) == ["use-the-client"]


def test_a_missing_ref_gives_nothing_and_the_command_that_fetches_it(origin: Path) -> None:
    clone = clone_of(origin)
    git(clone, "config", "gitmem.trust", "release")

    answer = compiled(clone)

    assert slugs(answer) == []
    assert answer["warnings"] == [
        {
            "code": "trusted-ref-missing",
            "message": "the trusted branch 'release' is not in this clone, so nothing is canonical here",
            "place": "",
            "hint": "fetch it: git fetch origin release:refs/remotes/origin/release",
        }
    ]
    git(origin, "branch", "release")
    git(clone, *str(answer["warnings"][0]["hint"]).split()[3:])
    assert slugs(compiled(clone)) == ["use-the-client"]


def test_a_missing_ref_is_not_replaced_by_head_for_any_reader(origin: Path) -> None:
    clone = clone_of(origin)
    git(clone, "config", "gitmem.trust", "release")

    assert ask(clone, "list")["total"] == 0
    assert ask(clone, "overview")["items"] == 0
    assert run_inproc(clone, "get", "use-the-client").code == 1


def test_a_remote_that_was_never_fetched_has_no_say_yet(origin: Path) -> None:
    git(origin, "remote", "add", "origin", "https://example.invalid/r.git")

    status = ask(origin, "status")

    assert (status["trust"], status["commit"]) == ("main", git(origin, "rev-parse", "HEAD").strip())
    assert slugs(compiled(origin)) == ["use-the-client"]


def test_a_local_branch_counts_where_the_remote_does_not_have_it(origin: Path) -> None:
    clone = clone_of(origin)
    add_rule(clone, "on-release")
    git(clone, "branch", "release")
    git(clone, "reset", "--quiet", "--hard", "origin/main")
    git(clone, "config", "gitmem.trust", "release")

    assert slugs(compiled(clone)) == ["on-release", "use-the-client"]


@pytest.mark.parametrize("tip", ["master", "trunk", "develop"])
def test_the_default_branch_is_the_one_that_the_remote_names(make_repo: MakeRepo, tip: str) -> None:
    origin = make_repo(KNOWLEDGE, name="origin")
    git(origin, "branch", "--move", "main", tip)
    clone = clone_of(origin)

    assert ask(clone, "status")["trust"] == tip


def test_the_default_branch_is_found_without_the_remotes_head(origin: Path) -> None:
    clone = clone_of(origin)
    git(clone, "remote", "set-head", "origin", "--delete")

    assert ask(clone, "status")["trust"] == "main"


@pytest.mark.parametrize(
    ("value", "trust"),
    [("head", "main"), ("other", "main"), ("signed", "signed"), ("main", "main")],
    ids=["looser", "as-strict", "stricter", "same"],
)
def test_the_judged_tree_may_tighten_the_policy_and_never_loosen_it(origin: Path, value: str, trust: str) -> None:
    clone = clone_of(origin)
    git(clone, "switch", "--quiet", "--create", "feature")
    write_tree(clone, {".gitmem/config.yaml": f"format: 1\ntrust: {value}\n"})
    commit_all(clone, "policy")

    status = ask(clone, "status")

    assert status["trust"] == trust
    said = [code for code in codes(status["notices"]) if code != "on-branch"]
    assert said == (["trust-loosened"] if value in ("head", "other") else [])


def test_the_default_branch_may_loosen_the_policy_for_everybody(origin: Path) -> None:
    write_tree(origin, {".gitmem/config.yaml": "format: 1\ntrust: head\n"})
    commit_all(origin, "policy")
    clone = clone_of(origin)
    add_rule(clone, "not-pushed")

    assert slugs(compiled(clone)) == ["not-pushed", "use-the-client"]


def test_git_configuration_comes_before_the_config_file(origin: Path) -> None:
    write_tree(origin, {".gitmem/config.yaml": "format: 1\ntrust: main\n"})
    commit_all(origin, "policy")
    clone = clone_of(origin)
    git(clone, "config", "gitmem.trust", "head")
    git(clone, "switch", "--quiet", "--create", "feature")
    add_rule(clone, "of-mine")

    status = ask(clone, "status")

    assert (status["trust"], status["trust_source"]) == ("head", "git config gitmem.trust")
    assert slugs(compiled(clone)) == ["of-mine", "use-the-client"]


def test_trust_on_the_command_line_is_a_preview(origin: Path) -> None:
    clone = clone_of(origin)
    add_rule(clone, "not-pushed")

    assert slugs(compiled(clone, "--trust", "head")) == ["not-pushed", "use-the-client"]
    assert slugs(compiled(clone)) == ["use-the-client"]


def test_signed_serves_nothing_before_somebody_has_named_the_root(origin: Path) -> None:
    git(origin, "config", "gitmem.trust", "signed")

    answer = compiled(origin)

    assert slugs(answer) == []
    assert codes(answer["warnings"]) == ["signers-root-missing"]


@pytest.mark.parametrize("value", ["a b", "../main", "-x", "refs/heads/main", "main^", "main~1", "a:b", "x.lock"])
def test_what_is_no_policy_is_refused_as_a_flag(origin: Path, value: str) -> None:
    assert run_inproc(origin, "compile", "src/a.py", f"--trust={value}").code == 2


@pytest.mark.parametrize("value", ['"a b"', '"evil\\nHEAD:.gitmem\\nHEAD"', '"../x"', '"main^{commit}"', '"-x"'])
def test_what_is_no_policy_serves_nothing_when_the_config_file_says_it(origin: Path, value: str) -> None:
    write_tree(origin, {".gitmem/config.yaml": f"format: 1\ntrust: {value}\n"})
    commit_all(origin, "policy")

    answer = compiled(origin)

    assert slugs(answer) == []
    assert codes(answer["warnings"]) == ["trust-unknown"]


def test_a_detached_head_is_judged_as_any_other(origin: Path) -> None:
    clone = clone_of(origin)
    commit = add_rule(clone, "not-pushed")
    git(clone, "checkout", "--quiet", commit)

    answer = compiled(clone)

    assert slugs(answer) == ["use-the-client"]
    assert list(answer["marks"]) == [engram_id(2)]


def test_a_bare_repository_reads_its_own_branches(origin: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(origin), str(tmp_path / "bare.git"))

    assert slugs(compiled(tmp_path / "bare.git")) == ["use-the-client"]


def test_edits_that_are_not_committed_are_never_served(origin: Path) -> None:
    """F-058: the committed version is served, and a notice counts the edits."""
    write_tree(origin, {RULE: engram_text(title="Edited", scope={"paths": ["src/**"]})})

    got = ask(origin, "get", "use-the-client")

    assert [item["title"] for item in got["items"]] == ["Call the API through the client"]
    assert codes(got["notices"]) == ["uncommitted"]
    assert codes(compiled(origin)["notices"]) == ["uncommitted"]


def test_an_ordinary_pull_brings_the_rule(origin: Path) -> None:
    """F-075: knowledge travels with the repository; no command of ours is needed on the other side."""
    here, there = clone_of(origin, "here"), clone_of(origin, "there")
    add_rule(here, "decided-here")
    git(here, "push", "--quiet")
    assert slugs(compiled(there)) == ["use-the-client"]

    git(there, "pull", "--quiet")

    assert slugs(compiled(there)) == ["decided-here", "use-the-client"]


def test_a_revision_that_nobody_approved_can_be_read_and_says_so(origin: Path) -> None:
    clone = clone_of(origin)
    git(clone, "switch", "--quiet", "--create", "feature")
    add_rule(clone, "from-the-branch")

    here, main = compiled(clone, "--at", "HEAD"), compiled(clone, "--at", "origin/main")

    assert slugs(here) == ["from-the-branch", "use-the-client"]
    assert (codes(here["notices"]), codes(main["notices"])) == (["unapproved-revision"], [])


def test_status_says_who_decides(origin: Path) -> None:
    shown = run_cli(origin, "status").out

    assert "trust: head (default without a remote)" in shown
    assert "whoever can commit here decides what is canonical, an agent with a shell too" in shown


def test_status_says_what_the_branch_at_hand_adds(origin: Path) -> None:
    clone = clone_of(origin)
    git(clone, "switch", "--quiet", "-c", "feature")
    assert "on-branch" not in codes(ask(clone, "status")["notices"])

    add_rule(clone, "two")

    notice = next(each for each in ask(clone, "status")["notices"] if each["code"] == "on-branch")
    assert "1 file(s)" in notice["message"]
    assert "engrams/api/two.md" in notice["message"]
