"""The writer's lock is taken once, waited for, and gone with its process."""

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gitmem.errors import GitmemError
from gitmem.store import objects
from gitmem.store.lock import LockBusyError, held, lock_path
from gitmem.store.repo import Repo, discover
from tests.conftest import MakeRepo
from tests.support import git

HOLD = """
import sys, time
from pathlib import Path
from gitmem.store.lock import held
from gitmem.store.repo import discover
with held(discover(Path(sys.argv[1]))):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return discover(make_repo({"a.md": "a\n"}))


def hold_elsewhere(repo: Repo) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(repo.root)], stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"held\n"
    return process


def test_a_lock_that_another_process_holds_is_a_typed_error(repo: Repo) -> None:
    """F-162: a writer without the lock says so."""
    process = hold_elsewhere(repo)
    try:
        with pytest.raises(LockBusyError) as caught, held(repo, timeout_s=0.05):
            pytest.fail("two writers at once")
    finally:
        process.kill()
        process.communicate()

    assert caught.value.code == "lock-busy"
    assert caught.value.place == str(lock_path(repo))
    assert caught.value.hint


def test_readers_do_not_wait(repo: Repo) -> None:
    """F-157."""
    process = hold_elsewhere(repo)
    try:
        started = time.monotonic()
        assert objects.tracked_paths(repo, "HEAD") == ["a.md"]
        assert time.monotonic() - started < 2
    finally:
        process.kill()
        process.communicate()


@pytest.mark.capability("G-027")
def test_a_killed_holder_leaves_no_lock(repo: Repo) -> None:
    """F-153."""
    process = hold_elsewhere(repo)
    process.send_signal(signal.SIGKILL)
    process.communicate()

    with held(repo, timeout_s=1):
        pass


def test_a_thread_that_has_the_lock_goes_on_at_once_and_keeps_it(repo: Repo) -> None:
    with held(repo):
        with held(repo, timeout_s=0):
            pass
        refused = threading.Thread(target=try_it, args=(repo, results := []))
        refused.start()
        refused.join()

    assert results == ["busy"]
    with held(repo, timeout_s=0):
        pass


def try_it(repo: Repo, results: list[str]) -> None:
    try:
        with held(repo, timeout_s=0.05):
            results.append("held")
    except LockBusyError:
        results.append("busy")


def test_a_forked_child_does_not_inherit_the_right_to_write(repo: Repo) -> None:
    with held(repo):
        child = os.fork()
        if child == 0:
            try_it(repo, results := [])
            os._exit(0 if results == ["busy"] else 1)
        assert os.waitpid(child, 0)[1] == 0


def test_an_error_inside_lets_the_lock_go(repo: Repo) -> None:
    with pytest.raises(ValueError, match="inside"), held(repo):
        raise ValueError("inside")

    with held(repo, timeout_s=0):
        pass


def test_worktrees_share_one_lock_and_other_names_are_other_locks(repo: Repo, tmp_path: Path) -> None:
    git(repo.where, "worktree", "add", "--quiet", "--detach", str(tmp_path / "second"))
    second = discover(tmp_path / "second")

    with held(repo), held(second, timeout_s=0), held(repo, "index", timeout_s=0):
        assert lock_path(repo) == lock_path(second)


def test_lock_and_folder_are_for_the_owner_only(repo: Repo) -> None:
    with held(repo):
        assert stat.S_IMODE(repo.private_dir.stat().st_mode) == 0o700
        assert stat.S_IMODE(lock_path(repo).stat().st_mode) == 0o600


@pytest.mark.parametrize("what", ["folder", "file"])
def test_a_link_in_its_place_is_refused(repo: Repo, tmp_path: Path, what: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    if what == "folder":
        repo.private_dir.symlink_to(outside, target_is_directory=True)
    else:
        repo.private_dir.mkdir()
        lock_path(repo).symlink_to(outside / "made")

    with pytest.raises(GitmemError) as caught, held(repo):
        pytest.fail("through a link")

    assert caught.value.code == "link-in-path"
    assert list(outside.iterdir()) == []
