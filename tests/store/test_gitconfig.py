"""Git's configuration is read as it is in force, and every program that it names can be silenced by name."""

from pathlib import Path

import pytest

from gitmem.store import git as door
from gitmem.store.author import author
from gitmem.store.gitconfig import driver_overrides, read_config
from gitmem.store.repo import Repo, discover
from tests.conftest import MakeRepo
from tests.support import git


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return discover(make_repo({"a.md": "a\n"}))


def add_to_config(repo: Repo, text: str) -> None:
    with (repo.common_dir / "config").open("a", encoding="utf-8") as file:
        file.write(text)


def test_every_value_is_there_in_order_with_its_key_as_git_prints_it(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "more").write_text('[gitmem "Sub.Section"]\n\tTrust = main\n')
    add_to_config(
        repo,
        '[gitmem]\n\tparent = one\n\tPARENT = two\n\tflag\n\ttext = "a\\nb = c"\n'
        f"[include]\n\tpath = {tmp_path}/more\n",
    )

    config = read_config(repo)

    assert config["gitmem.parent"] == ("one", "two")
    assert config["gitmem.flag"] == ("true",)
    assert config["gitmem.text"] == ("a\nb = c",)
    assert config["gitmem.Sub.Section.trust"] == ("main",)
    assert config["user.name"] == ("Ada Example",)


def test_what_gitmem_passes_to_git_is_not_configuration(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-072: nor is what an outer Git command passes on."""
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'gitmem.trust'='outer'")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "gitmem.trust")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "outer")

    config = read_config(repo)

    assert not {"core.fsmonitor", "core.hookspath", "gc.auto", "gitmem.trust"} & {
        key for key in config if key != "gc.auto"
    }
    assert config["gc.auto"] == ("0",)


@pytest.mark.capability("G-039")
@pytest.mark.parametrize("name", ["lfs", "a=b", "a.b", "Upper", "with space", "caf\u00e9"])
def test_each_driver_is_emptied_whatever_its_name(repo: Repo, name: str) -> None:
    add_to_config(
        repo,
        f'[filter "{name}"]\n\tclean = c\n\tsmudge = s\n\tprocess = p\n\trequired = true\n'
        f'[diff "{name}"]\n\tcommand = c\n\ttextconv = t\n[merge "{name}"]\n\tdriver = d\n[diff]\n\texternal = e\n',
    )

    call = door.Call(env=driver_overrides(repo))
    for key in (
        f"filter.{name}.clean",
        f"filter.{name}.smudge",
        f"filter.{name}.process",
        f"diff.{name}.command",
        f"diff.{name}.textconv",
        f"merge.{name}.driver",
        "diff.external",
    ):
        assert door.run(repo.where, ("config", "--get", key), call).out == b"\n", key
    assert door.run(repo.where, ("config", "--get", f"filter.{name}.required"), call).out == b"false\n"


def test_a_worktree_has_its_own_drivers(repo: Repo, tmp_path: Path) -> None:
    git(repo.where, "worktree", "add", "--quiet", "--detach", str(tmp_path / "second"))
    git(repo.where, "config", "extensions.worktreeConfig", "true")
    git(tmp_path / "second", "config", "--worktree", "filter.there.smudge", "s")

    assert "filter.there.smudge" not in dict(driver_overrides(repo)).values()
    assert "filter.there.smudge" in dict(driver_overrides(discover(tmp_path / "second"))).values()


@pytest.mark.capability("M-010")
@pytest.mark.parametrize(
    ("config", "env", "who"),
    [
        ({"user.name": "Ada", "user.email": "ada@x"}, {}, "Ada <ada@x>"),
        ({"user.name": "Ada"}, {}, "Ada"),
        ({"user.email": "ada@x"}, {}, "ada@x <ada@x>"),
        ({}, {}, "unknown"),
        ({}, {"EMAIL": "ada@y"}, "ada@y <ada@y>"),
        ({"user.name": "Ada", "user.email": "ada@x"}, {"EMAIL": "ada@y"}, "Ada <ada@x>"),
        ({"user.name": "Ada", "user.email": "ada@x"}, {"GIT_AUTHOR_NAME": "Bo"}, "Bo <ada@x>"),
        ({"user.name": "Ada", "author.name": "Cy", "user.email": "ada@x"}, {}, "Cy <ada@x>"),
        ({"user.name": " A<d>a\n", "user.email": "<ada@x>"}, {}, "A d a <ada@x>"),
    ],
)
def test_the_author_is_the_person_that_git_knows(
    repo: Repo, home: Path, monkeypatch: pytest.MonkeyPatch, config: dict[str, str], env: dict[str, str], who: str
) -> None:
    (home / ".gitconfig").unlink()
    for key, value in config.items():
        git(repo.where, "config", key, value)
    for key, value in env.items():
        monkeypatch.setenv(key, value)

    assert author(repo) == who
