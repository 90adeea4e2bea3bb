"""Who may say which merge driver a clone uses: the user, then gitmem, and gitmem never twice."""

from pathlib import Path

import pytest

from gitmem.store import gitconfig, gitdriver
from gitmem.store.gitdriver import COMMAND, State
from gitmem.store.repo import discover
from tests.conftest import MakeRepo
from tests.support import git, run_inproc, write_tree


def local(repo: Path, name: str) -> str:
    return git(repo, "config", "--local", "--default", "", "--get", name).strip()


@pytest.mark.parametrize(
    ("settings", "state"),
    [
        ({}, State.MISSING),
        ({"merge.gitmem.driver": COMMAND, "merge.gitmem.version": "1"}, State.INSTALLED),
        ({"merge.gitmem.driver": COMMAND}, State.OUTDATED),
        ({"merge.gitmem.driver": "gitmem merge-driver %O %A %B", "merge.gitmem.version": "0"}, State.OUTDATED),
        ({"merge.gitmem.driver": "gitmem merge-driver %A", "merge.gitmem.version": "9"}, State.INSTALLED),
        ({"merge.gitmem.driver": "/opt/mine %A"}, State.OWN),
        ({"merge.gitmem.driver": "/opt/mine %A", "merge.gitmem.version": "1"}, State.OWN),
        ({"merge.gitmem.version": "1"}, State.HALF),
        ({"merge.gitmem.name": "knowledge", "merge.gitmem.driver": ""}, State.HALF),
        ({"gitmem.mergeDriver": "false"}, State.OFF),
        ({"gitmem.mergeDriver": "no", "merge.gitmem.driver": COMMAND}, State.OFF),
        ({"gitmem.mergeDriver": "true"}, State.MISSING),
    ],
)
def test_what_the_settings_say(make_repo: MakeRepo, settings: dict[str, str], state: State) -> None:
    repo = make_repo()
    for name, value in settings.items():
        git(repo, "config", name, value)

    assert gitdriver.state_of(gitconfig.read_config(discover(repo))) is state


@pytest.mark.capability("M-076")
def test_init_sets_the_driver_in_the_clone_and_nowhere_else(make_repo: MakeRepo, home: Path) -> None:
    repo = make_repo()
    before = (home / ".gitconfig").read_bytes()

    first, again = run_inproc(repo, "init"), run_inproc(repo, "init")

    assert local(repo, "merge.gitmem.driver") == COMMAND
    assert local(repo, "merge.gitmem.version") == "1"
    assert (home / ".gitconfig").read_bytes() == before
    assert "set the merge driver" in first.out
    assert (again.code, again.out.splitlines()[0]) == (0, f"{repo} is set up already; nothing changed")


def test_a_fresh_clone_gets_its_driver_by_init(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo({"a": "x"})
    run_inproc(repo, "init")
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message", "knowledge")
    git(tmp_path, "clone", "--quiet", str(repo), "clone")

    ran = run_inproc(tmp_path / "clone", "init")

    assert ran.out.splitlines()[0] == "set the merge driver in the Git settings of this clone"
    assert local(tmp_path / "clone", "merge.gitmem.driver") == COMMAND


@pytest.mark.parametrize("words", [("init",), ("hooks", "install")])
def test_whoever_wants_no_driver_gets_none(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    by_flag, by_variable, by_setting = (make_repo(name=name) for name in "abc")
    git(by_setting, "config", "gitmem.mergeDriver", "false")

    run_inproc(by_setting, *words)
    run_inproc(by_flag, *words, "--no-merge-driver")
    monkeypatch.setenv("GITMEM_NO_MERGE_DRIVER", "1")
    run_inproc(by_variable, *words)

    assert [local(repo, "merge.gitmem.driver") for repo in (by_flag, by_variable, by_setting)] == ["", "", ""]


@pytest.mark.parametrize("scope", ["--local", "--global"])
def test_a_command_of_the_users_own_stays(make_repo: MakeRepo, scope: str) -> None:
    repo = make_repo()
    git(repo, "config", scope, "merge.gitmem.driver", "/opt/mine %A")

    run_inproc(repo, "init")
    run_inproc(repo, "hooks", "install")
    run_inproc(repo, "hooks", "uninstall")

    assert git(repo, "config", "merge.gitmem.driver").strip() == "/opt/mine %A"
    assert local(repo, "merge.gitmem.version") == ""


def test_hooks_bring_the_driver_and_take_it_away(make_repo: MakeRepo) -> None:
    repo = make_repo()

    run_inproc(repo, "hooks", "install")
    installed = local(repo, "merge.gitmem.driver")
    removed = run_inproc(repo, "hooks", "uninstall")

    assert installed == COMMAND
    assert "removed" in removed.out
    assert "wrote" not in removed.out
    assert "took the merge driver out of the Git settings" in removed.out
    assert "took" not in run_inproc(repo, "hooks", "uninstall").out
    assert "gitmem" not in (repo / ".git/config").read_text(encoding="utf-8")


def test_settings_that_cannot_be_written_are_said_and_stop_nothing(make_repo: MakeRepo) -> None:
    repo = make_repo()
    (repo / ".git/config.lock").touch()

    ran = run_inproc(repo, "init")

    assert ran.code == 0
    assert "the merge driver could not be set" in ran.out
    assert (repo / ".gitmem/config.yaml").is_file()


def test_attributes_that_a_person_gave_are_not_given_again(make_repo: MakeRepo) -> None:
    repo = make_repo({".gitattributes": "*.yaml merge=union\n", ".gitmem/.gitattributes": "engrams/**/*.md -merge"})

    found = gitdriver.wanting(discover(repo))
    gitdriver.add_attributes(discover(repo), found)

    assert found.lines == ("skills/**/SKILL.md merge=gitmem", "intentions/**/*.md merge=gitmem")
    held = (repo / ".gitmem/.gitattributes").read_text(encoding="utf-8")
    assert held == "engrams/**/*.md -merge\n" + "".join(f"{line}\n" for line in found.lines)
    assert gitdriver.wanting(discover(repo)).lines == ()


def test_init_asks_git_for_the_driver_for_every_kind_of_file_that_merges_by_keys(make_repo: MakeRepo) -> None:
    repo = make_repo()
    run_inproc(repo, "init")
    write_tree(repo, {".gitmem/engrams/a.md": "x"})

    assert gitdriver.wanting(discover(repo)).lines == ()
    assert "merge: gitmem" in git(repo, "check-attr", "merge", ".gitmem/engrams/a.md")
    assert "merge: gitmem" in git(repo, "check-attr", "merge", ".gitmem/engrams/a/b/c.md")


def test_a_clone_without_the_driver_hears_it_from_status_and_first_sync(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo({"a": "x"})
    run_inproc(repo, "init")
    run_inproc(repo, "snapshots", "create", "one")
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message", "knowledge")
    run_inproc(repo, "snapshots", "create", "one")
    git(tmp_path, "clone", "--quiet", "--bare", str(repo), "there.git")
    git(tmp_path, "clone", "--quiet", "there.git", "clone")
    git(repo, "remote", "add", "origin", str(tmp_path / "there.git"))
    run_inproc(repo, "sync")
    clone = tmp_path / "clone"

    told = [run_inproc(clone, *words).out for words in (("status",), ("sync",), ("sync",), ("status",))]
    git(clone, "config", "gitmem.mergeDriver", "false")
    told.append(run_inproc(clone, "status").out)
    git(clone, "config", "--unset", "gitmem.mergeDriver")
    run_inproc(clone, "doctor", "--fix")
    told.append(run_inproc(clone, "status").out)

    assert ["[merge-driver-missing]" in out for out in told] == [True, True, False, True, False, False]
    assert "gitmem doctor --fix" in told[0]
    assert "[merge-driver-missing]" not in run_inproc(repo, "status").out
