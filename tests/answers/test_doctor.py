"""What the doctor finds in a clone, what it mends, and what it leaves to its owner."""

import json
import os
import time
from pathlib import Path

import pytest

from gitmem.store import intent
from gitmem.store.gitdriver import COMMAND
from gitmem.store.repo import discover
from tests.answers.merging import START, put_on_path
from tests.conftest import MakeRepo
from tests.support import commit_all, git, run_inproc, write_tree


@pytest.fixture
def repo(make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone in good health."""
    put_on_path(tmp_path, monkeypatch)
    root = make_repo({"src/app.py": "x\n"})
    run_inproc(root, "init")
    run_inproc(root, "hooks", "install")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--no-verify", "--message", "knowledge")
    return root


def healthy(found: dict) -> bool:
    return (found["findings"], found["fixed"], found["warnings"]) == ([], [], [])


def doctor(repo: Path, *words: str) -> dict:
    ran = run_inproc(repo, "doctor", *words, "--json")
    answer: dict = json.loads(ran.out)
    assert ran.code == int(any(row["severity"] == "error" for row in answer["findings"])), ran
    return answer


def codes(answer: dict) -> list[str]:
    return [row["code"] for row in answer["findings"]]


def test_a_clone_in_good_health(repo: Path) -> None:
    before = git(repo, "status", "--porcelain"), (repo / ".git/config").read_bytes()

    assert healthy(doctor(repo))
    assert healthy(doctor(repo, "--fix"))
    assert (git(repo, "status", "--porcelain"), (repo / ".git/config").read_bytes()) == before
    assert run_inproc(repo, "doctor").out.startswith("nothing is amiss in this clone\ngitmem ")


def test_every_finding_says_where_and_how_to_mend_it(make_repo: MakeRepo) -> None:
    answer = doctor(make_repo({**START, ".gitmem/.gitattributes": "", ".gitmem/cache/a": "x"}))

    assert codes(answer) == ["cache-tracked", "attributes-missing", "driver-missing", "hooks-missing", "no-scope"]
    assert all(row["path"] and row["message"] and row["hint"] for row in answer["findings"])


@pytest.mark.capability("M-076")
def test_the_driver_is_set_again_and_an_older_one_is_renewed(repo: Path) -> None:
    git(repo, "config", "--remove-section", "merge.gitmem")
    missing, mended = codes(doctor(repo)), doctor(repo, "--fix")
    git(repo, "config", "merge.gitmem.version", "0")
    git(repo, "config", "merge.gitmem.driver", "gitmem merge-driver %A")
    outdated, renewed = codes(doctor(repo)), doctor(repo, "--fix")

    assert (missing, outdated) == (["driver-missing"], ["driver-outdated"])
    assert mended["findings"] == renewed["findings"] == []
    assert mended["fixed"] == ["set the merge driver in this clone's settings"]
    assert git(repo, "config", "merge.gitmem.driver").strip() == COMMAND


@pytest.mark.parametrize("wants", ["true", "false"])
def test_half_a_driver_is_an_error_since_git_breaks_off_at_it(repo: Path, wants: str) -> None:
    git(repo, "config", "--unset", "merge.gitmem.driver")
    git(repo, "config", "gitmem.mergeDriver", wants)

    ran, mended = run_inproc(repo, "doctor", "--json"), doctor(repo, "--fix")

    (found,) = json.loads(ran.out)["findings"]
    assert (ran.code, found["code"], found["severity"]) == (1, "driver-half", "error")
    assert "gitmem doctor --fix" in found["hint"]
    assert mended["findings"] == []
    set_ = {"true": COMMAND, "false": ""}[wants]
    assert git(repo, "config", "--default", "", "--get", "merge.gitmem.driver").strip() == set_


def test_who_wants_no_driver_is_not_bothered(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repo, "config", "gitmem.mergeDriver", "false")
    unwanted, mended = codes(doctor(repo)), doctor(repo, "--fix")
    git(repo, "config", "--unset", "gitmem.mergeDriver")
    monkeypatch.setenv("GITMEM_NO_MERGE_DRIVER", "1")

    assert unwanted == ["driver-unwanted"]
    assert mended["findings"] == []
    assert healthy(doctor(repo, "--fix"))
    assert "merge-driver" not in (repo / ".git/config").read_text(encoding="utf-8")


def test_a_driver_of_the_users_own_is_no_ailment(repo: Path) -> None:
    git(repo, "config", "merge.gitmem.driver", "/opt/mine %A")

    assert doctor(repo, "--fix")["findings"] == []
    assert git(repo, "config", "merge.gitmem.driver").strip() == "/opt/mine %A"


def test_a_driver_that_git_cannot_find_is_named(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "bin/gitmem").unlink()

    answer = doctor(repo)

    assert codes(answer) == ["driver-not-found"]
    assert "gitmem resolve" in answer["findings"][0]["hint"]


def test_attributes_that_are_missing_are_added_below_what_is_there(repo: Path) -> None:
    write_tree(repo, {".gitmem/.gitattributes": "# mine\nengrams/**/*.md merge=gitmem\n"})

    found, mended = doctor(repo), doctor(repo, "--fix")

    assert codes(found) == ["attributes-missing"]
    assert mended["findings"] == []
    assert (
        (repo / ".gitmem/.gitattributes")
        .read_text(encoding="utf-8")
        .startswith("# mine\nengrams/**/*.md merge=gitmem\n")
    )


def test_hooks_of_an_older_gitmem_are_renewed_and_none_are_forced_on_anybody(repo: Path) -> None:
    (repo / ".git/hooks/post-merge").unlink()
    outdated, mended = codes(doctor(repo)), doctor(repo, "--fix")
    run_inproc(repo, "hooks", "uninstall")
    git(repo, "config", "gitmem.mergeDriver", "false")
    missing = doctor(repo, "--fix")

    assert outdated == ["hooks-outdated"]
    assert mended["findings"] == []
    assert codes(missing) == ["hooks-missing"]
    assert not (repo / ".git/hooks/pre-commit").exists()


def test_hooks_that_another_program_looks_after_are_its_own(repo: Path) -> None:
    run_inproc(repo, "hooks", "uninstall")
    run_inproc(repo, "init")
    write_tree(repo, {".pre-commit-config.yaml": "repos: []\n"})

    assert doctor(repo)["findings"] == []


def test_half_a_landing_is_taken_back(repo: Path) -> None:
    here = discover(repo)
    head = git(repo, "rev-parse", "HEAD").strip()
    new = git(repo, "commit-tree", "-p", head, "-m", "new", f"{head}^{{tree}}").strip()
    intent.begin(here, intent.Intent("refs/heads/main", head, new, (str(repo),)))

    found, mended = doctor(repo), doctor(repo, "--fix")

    assert codes(found) == ["landing-unfinished"]
    assert mended["findings"] == []
    assert mended["fixed"] == [f"the landing of {new[:12]} was taken back (0 file(s))"]
    assert intent.pending(here) is None


def test_what_a_killed_write_left_is_removed(repo: Path) -> None:
    """F-063."""
    left = repo / ".gitmem/engrams/api/.gitmem-tmp-0123456789abcdef"
    write_tree(repo, {str(left.relative_to(repo)): "---\nid: 01J"})

    found, mended = doctor(repo), doctor(repo, "--fix")

    assert codes(found) == ["write-unfinished"]
    assert (mended["findings"], mended["fixed"]) == ([], [f"removed {left}, which was never finished"])
    assert not left.exists()


def test_a_note_that_cannot_be_read_is_named_and_stays(repo: Path) -> None:
    here = discover(repo)
    intent.begin(here, intent.Intent("refs/heads/main", None, "0", ()))
    (repo / ".git/gitmem/landing.json").write_text("{", encoding="utf-8")

    assert codes(doctor(repo, "--fix")) == ["broken-intent"]


def test_an_old_lock_is_moved_aside_and_a_young_or_open_one_is_not(repo: Path) -> None:
    old, young = repo / ".git/packed-refs.lock", repo / ".git/index.lock"
    for path in (old, young):
        path.touch()
    hour_ago = time.time() - 3600
    os.utime(old, (hour_ago, hour_ago))

    with old.open():
        held = doctor(repo, "--fix")
    mended = doctor(repo, "--fix")

    assert codes(held) == ["stale-lock"]
    assert mended["findings"] == []
    assert not old.exists()
    assert young.exists()


@pytest.mark.parametrize(
    ("refspec", "prune", "severity"),
    [
        ("+refs/gitmem/*:refs/gitmem/*", "", "error"),
        ("refs/gitmem/proposals/*:refs/gitmem/proposals/*", "true", "error"),
        ("refs/gitmem/*:refs/gitmem/*", "", "warning"),
        ("+refs/*:refs/*", "", "error"),
        ("+refs/heads/*:refs/remotes/origin/*", "true", ""),
        ("+refs/gitmem/*:refs/gitmem-remotes/origin/*", "true", ""),
        ("^refs/gitmem/*", "", ""),
    ],
)
def test_a_refspec_that_writes_over_what_is_only_here(repo: Path, refspec: str, prune: str, severity: str) -> None:
    git(repo, "config", "gitmem.trust", "head")
    git(repo, "config", "remote.origin.url", "/nowhere")
    git(repo, "config", "remote.origin.fetch", refspec)
    if prune:
        git(repo, "config", "fetch.prune", prune)

    answer = doctor(repo, "--fix")

    assert [(row["code"], row["severity"]) for row in answer["findings"]] == (
        [("refspec-overwrites", severity)] if severity else []
    )


def test_a_trusted_branch_that_is_not_here_is_named(repo: Path) -> None:
    git(repo, "config", "gitmem.trust", "release")

    assert codes(doctor(repo)) == ["trusted-ref-missing"]


def test_a_repository_without_knowledge_and_a_bare_one(make_repo: MakeRepo, repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(repo), "bare.git")

    empty, bare = doctor(make_repo({"a": "x"}, name="empty")), doctor(tmp_path / "bare.git")

    assert [row["code"] for row in empty["warnings"]] == ["not-initialised"]
    assert bare["findings"] == []


@pytest.mark.parametrize("by", ["git config", "config.yaml"])
def test_a_trusted_branch_that_is_missing_names_where_it_is_said_and_makes_no_branch(repo: Path, by: str) -> None:
    if by == "git config":
        git(repo, "config", "gitmem.trust", "nosuch")
    else:
        assert run_inproc(repo, "config", "set", "trust", "nosuch").code == 0
        commit_all(repo, "trust")

    (found,) = json.loads(run_inproc(repo, "doctor", "--json").out)["findings"]

    assert found["code"] == "trusted-ref-missing"
    assert found["path"] == {"git config": str(repo / ".git/config"), "config.yaml": ".gitmem/config.yaml"}[by]
    assert "git branch" not in found["hint"]
    assert "gitmem config set trust" in found["hint"]
