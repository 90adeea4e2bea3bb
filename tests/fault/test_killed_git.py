"""Git itself is killed at each of its system calls while it moves the files of a landing. Needs strace."""

import shutil
import subprocess
from pathlib import Path

import pytest

from gitmem.store import intent
from gitmem.store.land import Landed, land
from gitmem.store.repo import discover
from tests.fault.scenes import EDITS, Scene, head, is_sound, judge_edits, land_it, make_dirty
from tests.support import git

CALLS = "openat,write,pwrite64,rename,unlink,unlinkat,mkdir,rmdir,link,fsync,close,fstat,newfstatat,lstat"
TRACE = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={CALLS}", "-e"]


def is_traceable() -> bool:
    if not shutil.which("strace"):
        return False
    done = subprocess.run([*TRACE, "signal=none", "true"], capture_output=True, check=False)
    return done.returncode == 0


@pytest.mark.long
@pytest.mark.capability("G-027")
@pytest.mark.skipif(not is_traceable(), reason="strace is not here or may not trace")
def test_files_go_back_wherever_git_was_killed(tmp_path: Path) -> None:
    scene = Scene("land", make_dirty, land_it, lambda place, done: None)
    is_killed, number = True, 0
    seen: set[bool] = set()
    while is_killed:
        number += 1
        place = scene.fresh(tmp_path)
        is_killed = kill_at(place, number)
        seen.add((place / "repo/.git/index.lock").exists())
        goes_back(place)
        shutil.rmtree(place)
        place.mkdir()

    assert number > 50
    assert seen == {False, True}


def kill_at(place: Path, number: int) -> bool:
    old, new = (place / "landing").read_text().split()
    repo = discover(place / "repo")
    git(place / "repo", "status")
    intent.begin(repo, intent.Intent("refs/heads/main", old, new, (str(repo.where),)))
    command = ["git", "read-tree", "-m", "-u", old, new]
    done = subprocess.run(
        [*TRACE, f"inject={CALLS}:signal=KILL:when={number}", *command],
        cwd=place / "repo",
        capture_output=True,
        check=False,
    )
    return done.returncode != 0


def goes_back(place: Path) -> None:
    root = place / "repo"
    repo = discover(root)
    old, new = (place / "landing").read_text().split()

    assert intent.recover(repo)

    judge_edits(root, EDITS)
    assert head(root) == old
    (root / ".git/index.lock").unlink(missing_ok=True)
    is_sound(root)
    assert land(repo, "main", old, new) == Landed(new)
    judge_edits(root, EDITS)
