"""The sandbox that every test runs in, and the repository that most of them start from."""

import os
import time
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import settings

from tests import sandbox
from tests.support import commit_all, start_repo, write_tree

settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")

GUARD = sandbox.Guard()
BEFORE = pytest.StashKey[str]()
HOMES = count()


class MakeRepo(Protocol):
    def __call__(
        self, files: Mapping[str, str | bytes] | None = None, *, commit: bool = True, name: str = "repo"
    ) -> Path: ...


def pytest_sessionstart(session: pytest.Session) -> None:
    is_worker = hasattr(session.config, "workerinput")
    if os.environ.get("CI") and not is_worker:
        session.config.stash[BEFORE] = sandbox.outside_state()


def pytest_sessionfinish(session: pytest.Session) -> None:
    before = session.config.stash.get(BEFORE, None)
    if before is not None and before != (after := sandbox.outside_state()):
        raise pytest.UsageError(f"a test left the sandbox; before:\n{before}\nafter:\n{after}")


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    basetemp = tmp_path_factory.getbasetemp()
    GUARD.install(*sandbox.temporary_roots(basetemp))
    os.umask(0o022)
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def home(homes: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home of this test alone. Everything that the developer's machine could say to Git or gitmem is gone."""
    home = homes / str(next(HOMES))
    home.mkdir()
    (home / ".gitconfig").write_text(sandbox.GIT_CONFIG, encoding="utf-8")
    for name in sandbox.foreign_variables():
        monkeypatch.delenv(name)
    for name, value in sandbox.environment(home).items():
        monkeypatch.setenv(name, value)
    time.tzset()
    with GUARD.watch():
        yield home


@pytest.fixture
def make_repo(tmp_path: Path) -> MakeRepo:
    """Makes a real repository on branch main from ``{path: text}``; without files it has no commit."""

    def make(files: Mapping[str, str | bytes] | None = None, *, commit: bool = True, name: str = "repo") -> Path:
        root = tmp_path / name
        root.mkdir()
        write_tree(start_repo(root), files or {})
        if files and commit:
            commit_all(root, "start")
        return root

    return make
